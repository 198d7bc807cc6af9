#include "sets/bounds.h"

#include <algorithm>

#include "base/require.h"

namespace keyhole::sets {
namespace {

bool all_equal(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

}  // namespace

FarthestSide farthest_side(std::span<const double> p, std::span<const double> w,
                           std::span<const double> lower, std::span<const double> upper,
                           double least) {
  FarthestSide side{.gauge = least, .coordinate = w.size()};
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double off = w[i] - p[i];
    const double room = off > 0 ? upper[i] - p[i] : lower[i] - p[i];
    if (off / room > side.gauge) side = {off / room, room, i};
  }
  return side;
}

void require_bounds(const std::string& what, std::span<const double> lower,
                    std::span<const double> upper) {
  base::require(lower.size() == upper.size(), what + " needs as many upper as lower bounds, not " +
                                                  std::to_string(upper.size()) + " and " +
                                                  std::to_string(lower.size()));
  base::require(!lower.empty(), what + " needs at least one dimension");
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const std::string coordinate = "coordinate " + std::to_string(i) + " of " + what;
    const std::string bounds =
        "[" + base::number_text(lower[i]) + ", " + base::number_text(upper[i]) + "]";
    base::require(base::is_moderate(lower[i]) && base::is_moderate(upper[i]),
                  coordinate + " has the bounds " + bounds +
                      ": they must be numbers of magnitude up to 1e50");
    base::require(lower[i] != upper[i], coordinate + " is fixed by its bounds " + bounds +
                                            ": leave it out, there is nothing to choose");
    base::require(lower[i] < upper[i], coordinate + " is empty: its bounds are " + bounds);
  }
}

void require_centre(const std::string& what, std::size_t n, std::span<const double> centre) {
  base::require(centre.size() == n, "the centre of " + what + " of " + std::to_string(n) +
                                        " coordinates needs as many, not " +
                                        std::to_string(centre.size()));
  for (std::size_t i = 0; i < n; ++i) {
    base::require(base::is_moderate(centre[i]),
                  "coordinate " + std::to_string(i) + " of the centre of " + what +
                      " must be a number of magnitude up to 1e50, not " +
                      base::number_text(centre[i]));
  }
}

std::string bounds_text(std::span<const double> lower, std::span<const double> upper) {
  const bool same = all_equal(lower) && all_equal(upper);
  return base::list_text(lower, same) + ", " + base::list_text(upper, same) +
         (same ? ", " + std::to_string(lower.size()) : "");
}

}  // namespace keyhole::sets
