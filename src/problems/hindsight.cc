#include "keyhole/hindsight.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

namespace {

/// Where F says that it is least, as a point of K; empty if it does not say, or not near K.
std::vector<double> guess(Descent& descent) {
  const Set& set = descent.set();
  std::vector<double> x(set.dimension());
  if (!descent.total().guess(x)) return {};
  const auto usable = [](double coordinate) { return std::abs(coordinate) <= largest_number; };
  if (!std::all_of(x.begin(), x.end(), usable)) return {};
  descent.oracle().settle(x);
  if (!set.contains(x) && set.can_project()) {
    descent.oracle().project(x, x);
    descent.oracle().settle(x);
  }
  return set.contains(x) ? x : std::vector<double>{};
}

/// Goes down from x.
void search(Descent& descent, std::vector<double> x) {
  std::vector<double> g(x.size());
  std::vector<double> v(x.size());
  (void)descent.gradient(x, g);
  (void)descent.certify(x, g, v);
  if (!descent.next_step()) return;
  // Where F is linear the first vertex is the answer.
  const std::vector<double> vertex = v;
  (void)descent.gradient(vertex, g);
  if (descent.certify(vertex, g, v) <= descent.tolerance()) return;
  (descent.set().can_project() ? projected_descent : corrective_descent)(descent, std::move(x));
}

}  // namespace

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
  const std::vector<double> guessed = guess(descent);
  double guessed_value = std::numeric_limits<double>::infinity();
  if (!guessed.empty()) {
    (void)descent.gradient(guessed, g);
    if (descent.certify(guessed, g, v) <= options.tolerance) return descent.best();
    guessed_value = total.value(guessed);
    if (options.start.empty() || guessed_value <= total.value(x)) x = guessed;
  }
  search(descent, std::move(x));
  FixedPoint best = descent.best();
  if (guessed_value < best.value) {  // a kink: least there, and no gradient shows it
    const double least = best.value - best.gap;
    best = {guessed, guessed_value, std::max(guessed_value - least, 0.0), best.steps};
  }
  return best;
}

}  // namespace keyhole
