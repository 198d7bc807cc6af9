#include "keyhole/hindsight.h"

#include <algorithm>
#include <utility>

#include "math/sums.h"
#include "problems/descent.h"
#include "sets/require.h"

namespace keyhole {

Descent::Descent(const Set& set, const TotalLoss& total, const HindsightOptions& options)
    : set_(set),
      total_(total),
      oracle_(set.oracle()),
      tolerance_(options.tolerance),
      most_steps_(options.most_steps),
      point_(options.start.empty() ? set.geometry().centre : options.start) {}

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

FixedPoint best_fixed_point(const Set& set, const TotalLoss& total,
                            const HindsightOptions& options) {
  require(options.tolerance >= 0, "the tolerance of a hindsight optimum must be 0 or more, not " +
                                      math::number_text(options.tolerance));
  require(options.start.empty() || set.contains(options.start),
          "a search for the best fixed point must start in " + set.spec());
  Descent descent(set, total, options);
  std::vector<double> x = descent.best_point();
  std::vector<double> g(x.size());
  std::vector<double> v(x.size());
  (void)descent.gradient(x, g);
  (void)descent.certify(x, g, v);
  if (!descent.next_step()) return descent.best();
  // Where F is linear the first vertex is the answer.
  const std::vector<double> vertex = v;
  (void)descent.gradient(vertex, g);
  if (descent.certify(vertex, g, v) <= options.tolerance) return descent.best();
  (set.can_project() ? projected_descent : corrective_descent)(descent, std::move(x));
  return descent.best();
}

}  // namespace keyhole
