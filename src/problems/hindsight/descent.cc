#include "problems/hindsight/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sums.h"

namespace keyhole::problems {

Descent::Descent(const Set& set, const TotalLoss& total, const HindsightOptions& options)
    : set_(set),
      total_(total),
      oracle_(set.oracle()),
      tolerance_(options.tolerance),
      most_steps_(options.most_steps),
      point_(options.start.empty() ? set.centre() : options.start) {}

FixedPoint Descent::best() const { return {point_, total_.value(point_), gap_, steps()}; }

bool Descent::next_step() {
  if (gap_ < 0.9 * progress_gap_) {
    progress_gap_ = gap_;
    last_progress_ = steps_;
  }
  const bool stuck = steps_ - last_progress_ > 500 + steps_ / 2;
  if (gap_ <= tolerance_ || steps_left() == 0 || stuck) return false;
  ++steps_;
  return true;
}

double Descent::gradient(std::span<const double> x, std::span<double> g) const {
  total_.gradient(x, g);
  const double length = math::norm(g);
  set_.flatten(g);
  return length;
}

double Descent::certify(std::span<const double> x, std::span<const double> g, std::span<double> v) {
  if (!std::isfinite(math::largest_magnitude(g))) {  // nothing follows from it
    std::copy(x.begin(), x.end(), v.begin());
    return std::numeric_limits<double>::infinity();
  }
  oracle_->minimise(g).write_to(v);
  // Of the difference, not the difference of products: exactly 0 where x is the vertex.
  double gap = math::reduce(x.size(), [&](std::size_t i) { return g[i] * (x[i] - v[i]); });
  if (gap < 0) gap = 0;  // by rounding
  if (gap < gap_) {
    gap_ = gap;
    std::copy(x.begin(), x.end(), point_.begin());
  }
  return gap;
}

}  // namespace keyhole::problems
