#include "keyhole/hindsight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.h"
#include "math/sums.h"
#include "problems/hindsight/descent.h"
#include "sets/expensive_projection.h"

namespace keyhole {
namespace {

/// Where F says that it is least, as a point of K; empty if it does not say, or not near K.
std::vector<double> guess(problems::Descent& descent) {
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

bool projects_slowly(const Set& set) {
  return dynamic_cast<const sets::ExpensiveProjection*>(&set) != nullptr;
}

/// Goes down from x.
void search(problems::Descent& descent, std::vector<double> x) {
  std::vector<double> g(x.size());
  std::vector<double> v(x.size());
  (void)descent.gradient(x, g);
  (void)descent.certify(x, g, v);
  if (!descent.next_step()) return;
  // Where F is linear the first vertex is the answer.
  const std::vector<double> vertex = v;
  (void)descent.gradient(vertex, g);
  if (descent.certify(vertex, g, v) <= descent.tolerance()) return;
  const bool by_vertices = !descent.set().can_project() || projects_slowly(descent.set());
  (by_vertices ? problems::corrective_descent : problems::projected_descent)(descent, std::move(x));
}

}  // namespace

FixedPoint best_fixed_point(const Set& set, const TotalLoss& total,
                            const HindsightOptions& options) {
  base::require(options.tolerance >= 0,
                "the tolerance of a hindsight optimum must be 0 or more, not " +
                    base::number_text(options.tolerance));
  base::require(options.start.empty() || set.contains(options.start),
                "a search for the best fixed point must start in " + set.spec());
  problems::Descent descent(set, total, options);
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
