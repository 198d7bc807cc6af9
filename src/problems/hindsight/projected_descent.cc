#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "math/dense.h"
#include "math/sums.h"
#include "problems/hindsight/descent.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The length of the next step along -gradient from the last step s and the change y of the
/// gradient: of Barzilai and Borwein's two, ||s||^2 / <s, y> and <s, y> / ||y||^2, which are
/// inverse curvatures of F, the shortest of the last short ones where they differ much, else the
/// long one, with a threshold that sees to both being used (Bonettini, Zanella, Zanni 2009).
class StepLength {
 public:
  double next(double ss, double sy, double yy, double longest) {
    if (!(sy > 0)) return longest;
    const double long_one = ss / sy;
    const double short_one = sy / yy;
    recent_[count_++ % recent_.size()] = short_one;
    if (short_one >= threshold_ * long_one) {
      threshold_ *= 1.1;
      return std::min(long_one, longest);
    }
    threshold_ *= 0.9;
    return std::min(*std::min_element(recent_.begin(), recent_.end()), longest);
  }

 private:
  std::array<double, 3> recent_ = {infinity, infinity, infinity};
  std::size_t count_ = 0;
  double threshold_ = 0.5;
};

}  // namespace

void projected_descent(Descent& descent, std::vector<double> x) {
  const std::size_t n = x.size();
  const Geometry& geometry = descent.set().geometry();
  Vector g(n);
  Vector v(n);
  Vector d(n);
  Vector next(n);
  Vector next_g(n);
  std::array<double, 10> recent{};  // values of F; what is next must be below one of them
  double value = descent.total().value(x);
  recent.fill(value);
  StepLength step_length;
  double whole = descent.gradient(x, g);
  double lambda = geometry.outer_radius / math::norm(g);
  while (descent.next_step()) {
    const double length = math::norm(g);
    if (!(length > 0)) break;
    // x - lambda g -> its projection z; d = z - x.
    for (std::size_t i = 0; i < n; ++i) d[i] = x[i] - lambda * g[i];
    descent.oracle().project(d, d);
    for (std::size_t i = 0; i < n; ++i) d[i] -= x[i];
    const double slope = math::dot(g, d);
    // The projection says <x - lambda g - z, v - z> <= 0 for all v, so the gap of x is at most
    // this: no need to ask the linear oracle while it is large.
    const double bound = -slope + math::norm(d) * geometry.diameter / lambda;
    const bool flat = !(slope < 0);
    if (flat || bound <= 2 * descent.tolerance() || descent.steps() % 8 == 0) {
      const double gap = descent.certify(x, g, v);
      if (gap <= 1e-15 * whole * math::norm(x)) break;  // all that is left is rounding
    }
    // What is off in a projection counts for less from afar.
    const double longest = 1e6 * geometry.outer_radius / length;
    if (flat) {
      if (lambda >= longest) break;
      lambda = longest;
      continue;
    }
    // A step along d, shortened until F is below the highest of its last values.
    const double highest = *std::max_element(recent.begin(), recent.end());
    // What F may be off by: where it is small, it is a difference of what is not.
    const double rounding = 4e-15 * (std::abs(highest) + whole * math::norm(x));
    double step = 1;
    double next_value = 0;
    for (;;) {
      for (std::size_t i = 0; i < n; ++i) next[i] = x[i] + step * d[i];
      descent.oracle().settle(next);
      next_value = descent.total().value(next);
      if (next_value <= highest + 1e-4 * step * slope + rounding || step < 1e-20) break;
      const double rise = next_value - value - step * slope;  // above the tangent
      const double guess = -slope * step * step / (2 * rise);
      step = guess > 0.1 * step && guess < 0.5 * step ? guess : 0.3 * step;
    }
    whole = descent.gradient(next, next_g);
    double ss = 0;
    double sy = 0;
    double yy = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double s = next[i] - x[i];
      const double y = next_g[i] - g[i];
      ss += s * s;
      sy += s * y;
      yy += y * y;
    }
    std::swap(x, next);
    std::swap(g, next_g);
    value = next_value;
    recent[descent.steps() % recent.size()] = value;
    lambda = step_length.next(ss, sy, yy, longest);
  }
  (void)descent.certify(x, g, v);
}

}  // namespace keyhole::problems
