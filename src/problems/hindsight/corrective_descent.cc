#include <algorithm>
#include <utility>

#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/sums.h"
#include "problems/hindsight/descent.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// F(w_1 v_1 + ... + w_k v_k) as a function of the weights w.
class OfWeights final : public TotalLoss {
 public:
  OfWeights(const TotalLoss& total, const std::vector<Vector>& atoms)
      : total_(total), atoms_(atoms), x_(atoms.front().size()), g_(x_.size()) {}

  void add() override {}
  [[nodiscard]] double value(std::span<const double> w) const override {
    return total_.value(point(w));
  }
  void gradient(std::span<const double> w, std::span<double> gradient) const override {
    total_.gradient(point(w), g_);
    for (std::size_t k = 0; k < w.size(); ++k) gradient[k] = math::dot(g_, atoms_[k]);
  }

  /// The point of the weights. Valid until the next call.
  [[nodiscard]] const Vector& point(std::span<const double> w) const {
    std::fill(x_.begin(), x_.end(), 0.0);
    for (std::size_t k = 0; k < w.size(); ++k) {
      if (w[k] != 0) math::add(x_, w[k], atoms_[k]);
    }
    return x_;
  }

 private:
  const TotalLoss& total_;
  const std::vector<Vector>& atoms_;
  mutable Vector x_;
  mutable Vector g_;
};

}  // namespace

void corrective_descent(Descent& descent, std::vector<double> x) {
  const std::size_t n = x.size();
  Vector g(n);
  Vector v(n);
  Vector d(n);
  std::vector<Vector> atoms = {x};  // any point of K may be one, not vertices alone
  Vector w = {1};
  double share = 0.1;
  while (descent.next_step()) {
    (void)descent.gradient(x, g);
    const double gap = descent.certify(x, g, v);
    if (gap <= descent.tolerance()) break;
    // The step of conditional gradients: v becomes an atom.
    if (std::find(atoms.begin(), atoms.end(), v) == atoms.end()) {
      for (std::size_t i = 0; i < n; ++i) d[i] = v[i] - x[i];
      const double step = descent.total().line_minimum(x, d, 1);
      for (double& weight : w) weight *= 1 - step;
      atoms.push_back(v);
      w.push_back(step);
    } else {
      share /= 4;  // it is one: the weights were not good enough
    }
    if (atoms.size() < 2) break;
    // All weights once more, until the atoms are as good as used up.
    const OfWeights of_weights(descent.total(), atoms);
    const FixedPoint weights = best_fixed_point(
        *simplex(atoms.size()), of_weights,
        {.tolerance = share * gap, .most_steps = descent.steps_left(), .start = std::move(w)});
    descent.count_within(weights.steps);
    // Without those of weight 0.
    std::size_t kept = 0;
    w = weights.point;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      if (w[k] == 0) continue;
      std::swap(atoms[kept], atoms[k]);
      w[kept++] = w[k];
    }
    atoms.resize(kept);
    w.resize(kept);
    x = of_weights.point(w);
    descent.oracle().settle(x);
  }
}

}  // namespace keyhole::problems
