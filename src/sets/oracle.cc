// The door of every set: what an oracle is asked is finite, and of a size that it can work with.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "keyhole/set.h"
#include "math/sums.h"

namespace keyhole {
namespace {

/// Squares and products of numbers of these sizes neither overflow nor vanish.
constexpr double tiny = 0x1p-160;
constexpr double huge = 0x1p160;

/// A projection needs squares only, and loses more by scaling: of a far point (1e200, 0.5) the
/// second coordinate is gone then.
constexpr double huge_distance = 0x1p300;

/// Whether low <= ||x|| <= high: false if a coordinate is not finite.
bool has_norm_between(double low, double high, std::span<const double> x) {
  const double square = math::squared_norm(x);
  return low * low <= square && square <= high * high;
}

/// The largest magnitude of a coordinate.
double require_finite(const char* what, std::span<const double> x) {
  const double largest = math::largest_magnitude(x);
  if (!std::isfinite(largest)) {
    throw InvalidArgument(std::string(what) + " must have finite coordinates");
  }
  return largest;
}

double norm_of_difference(std::span<const double> a, std::span<const double> b) {
  const auto square = [&](std::size_t i) { return (a[i] - b[i]) * (a[i] - b[i]); };
  return std::sqrt(math::reduce(a.size(), square));
}

/// away = x - from, scaled by a power of two so that its largest magnitude is between 1 and 2;
/// gives the exponent. 0 stays 0.
int scaled_difference(std::span<const double> x, std::span<const double> from,
                      std::span<double> away) {
  for (std::size_t i = 0; i < x.size(); ++i) away[i] = x[i] - from[i];
  const double largest = math::largest_magnitude(away);
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  for (double& coordinate : away) coordinate = std::scalbn(coordinate, -exponent);
  return exponent;
}

}  // namespace

const Vertex& Oracle::minimise(std::span<const double> direction) {
  if (has_norm_between(tiny, huge, direction)) return do_minimise(direction);
  const double largest = require_finite("a direction", direction);
  if (largest == 0) return do_minimise(direction);
  scaled_.resize(direction.size());
  const int exponent = std::ilogb(largest);
  for (std::size_t i = 0; i < direction.size(); ++i) {
    scaled_[i] = std::scalbn(direction[i], -exponent);
  }
  return do_minimise(scaled_);
}

void Oracle::project(std::span<const double> point, std::span<double> nearest) {
  const double radius = set_ == nullptr ? 1 : set_->outer_radius();
  const bool is_near = has_norm_between(0, huge_distance * radius, point);
  if (!is_near) require_finite("a point", point);
  if (is_near && do_project(point, nearest)) return;
  if (set_ != nullptr && project_from_afar(point, nearest)) return;
  throw Error("rounding errors keep the set from projecting the point " +
              base::list_text(point, false));
}

/// All points x + s (z - x), s >= 0, have the projection x of z. So where a far z drowns x in
/// roundings, such a point at a distance of R from the x found so far takes its place, until x
/// stays where it is: then the gap of z is at most that of the nearer point over s, and D / s times
/// the last move. While x moves, the points go farther out: on a face x moves by s times what is
/// left.
bool Oracle::project_from_afar(std::span<const double> z, std::span<double> nearest) {
  constexpr int most_attempts = 60;
  constexpr double stays = 2e-10;
  const double radius = set_->outer_radius();
  std::vector<double> before = set_->centre();
  std::vector<double> x = before;
  std::vector<double> away(z.size());
  double reach = radius;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const int exponent = scaled_difference(z, before, away);
    const double length = math::norm(away);
    const bool is_near = std::scalbn(length, exponent) <= reach;
    const double step = is_near ? std::scalbn(1.0, exponent) : reach / length;
    for (std::size_t i = 0; i < z.size(); ++i) away[i] = before[i] + step * away[i];
    if (do_project(away, x)) {
      if (is_near || norm_of_difference(x, before) <= stays * reach) {
        std::copy(x.begin(), x.end(), nearest.begin());
        return true;
      }
      before = x;
      reach *= 4;
    } else {
      if (reach == radius) return false;
      reach = std::max(reach / 8, radius);
    }
  }
  return false;
}

/// About p the gauge grows as the distance does.
double Oracle::gauge(std::span<const double> w, std::span<double> subgradient) {
  const double radius = set_ == nullptr ? 1 : set_->outer_radius();
  if (has_norm_between(tiny * radius, huge * radius, w)) return do_gauge(w, subgradient);
  require_finite("a point", w);
  if (set_ == nullptr) return do_gauge(w, subgradient);
  const std::vector<double>& p = set_->centre();
  if (std::equal(w.begin(), w.end(), p.begin())) return do_gauge(w, subgradient);
  std::vector<double> nearer(w.size());
  const int size = std::ilogb(radius);
  const int farther = scaled_difference(w, p, nearer) - size;
  for (std::size_t i = 0; i < w.size(); ++i) nearer[i] = p[i] + std::scalbn(nearer[i], size);
  return std::scalbn(do_gauge(nearer, subgradient), farther);
}

bool Oracle::do_project(std::span<const double> /*point*/, std::span<double> /*nearest*/) {
  throw InvalidArgument("this set cannot project; use a learner that needs no projection");
}

double Oracle::do_gauge(std::span<const double> /*w*/, std::span<double> /*subgradient*/) {
  throw InvalidArgument(
      "this set has no closed form of its gauge; use a learner that minimises linear functions");
}

void Oracle::settle(std::span<double> /*point*/) {}

}  // namespace keyhole
