#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/budgets/budget_set.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The vertices are lower and lower + reach_i e_i.
Vector weighted_reaches(const Budget& budget) {
  const double slack = budget.total - math::dot(budget.weights, budget.lower);
  Vector reach(budget.weights.size());
  for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = slack / budget.weights[i];
  return reach;
}

class WeightedSimplexOracle final : public BudgetOracle {
 public:
  WeightedSimplexOracle(const BudgetSet& set, const Vector& reach)
      : BudgetOracle(set), budget_(set.budget()), reach_(reach) {
    const bool at_zero = std::all_of(budget_.lower.begin(), budget_.lower.end(),
                                     [](double bound) { return bound == 0; });
    if (!at_zero) base_ = budget_.lower;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    double best = 0;
    index_[0] = direction.size();
    for (std::size_t i = 0; i < direction.size(); ++i) {
      const double ratio = direction[i] / budget_.weights[i];
      if (!(ratio < best)) continue;
      best = ratio;
      index_[0] = i;
    }
    const std::size_t entries = index_[0] < direction.size() ? 1 : 0;
    if (entries > 0) value_[0] = reach_[index_[0]];
    vertex_ = {base_, std::span(index_).first(entries), std::span(value_).first(entries)};
    return vertex_;
  }

 private:
  const Budget& budget_;
  const Vector& reach_;
  std::span<const double> base_;  // the lower bounds, unless all are 0
  std::array<std::size_t, 1> index_{};
  std::array<double, 1> value_{};
  Vertex vertex_;
};

/// Uniform on the n + 1 vertices: the solid simplex in other units.
class WeightedVertices final : public Exploration {
 public:
  WeightedVertices(const Set& set, const Vector& lower, const Vector& reach)
      : Exploration(set, middle(lower, reach), variances(reach),
                    static_cast<double>(reach.size()) +
                        static_cast<double>(reach.size() - 1) / static_cast<double>(reach.size()),
                    {.words = 1, .normals = 0}),
        lower_(lower),
        reach_(reach) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    std::copy(lower_.begin(), lower_.end(), v.begin());
    const std::size_t i = bits.below(0, v.size() + 1);
    if (i < v.size()) v[i] += reach_[i];
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    const std::size_t i = bits.below(0, w.size() + 1);
    const auto count = static_cast<double>(w.size() + 1);
    for (std::size_t j = 0; j < w.size(); ++j) {
      w[j] = i == w.size() ? -count / reach_[j] : (i == j ? count / reach_[j] : 0.0);
    }
  }

 private:
  static Vector middle(const Vector& lower, const Vector& reach) {
    Vector p(lower);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += reach[i] / static_cast<double>(p.size() + 1);
    return p;
  }
  static Vector variances(const Vector& reach) {
    const auto n = static_cast<double>(reach.size());
    Vector result(reach.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double unit = reach[i] / (n + 1);
      result[i] = n * unit * unit;
    }
    return result;
  }

  const Vector& lower_;
  const Vector& reach_;
};

/// R and D from the vertices: ||p - lower - reach_i e_i||^2 for the i that makes it largest, and
/// the two longest of the reaches.
Geometry weighted_geometry(const Budget& budget, std::span<const double> p) {
  const Vector reach = weighted_reaches(budget);
  Vector from_lower(p.begin(), p.end());
  for (std::size_t i = 0; i < p.size(); ++i) from_lower[i] -= budget.lower[i];
  double gain = 0;
  double longest = 0;
  double second = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    gain = std::max(gain, reach[i] * (reach[i] - 2 * from_lower[i]));
    second = std::max(second, std::min(longest, reach[i]));
    longest = std::max(longest, reach[i]);
  }
  return {{p.begin(), p.end()},
          budget.inner_radius(p),
          std::sqrt(math::squared_norm(from_lower) + gain),
          std::sqrt(longest * longest + second * second)};
}

/// lower + r 1, r = slack / (sum of the weights + their norm).
Vector weighted_incentre(const Budget& budget) {
  const double slack = budget.total - math::dot(budget.weights, budget.lower);
  const double r = slack / (math::sum(budget.weights) + math::norm(budget.weights));
  Vector p = budget.lower;
  for (double& coordinate : p) coordinate += r;
  return p;
}

class WeightedSimplex final : public BudgetSet {
 public:
  explicit WeightedSimplex(const Budget& budget)
      : BudgetSet(budget, weighted_geometry(budget, weighted_incentre(budget))),
        reach_(weighted_reaches(budget)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<WeightedSimplexOracle>(*this, reach_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<WeightedVertices>(*this, budget().lower, reach_);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return weighted_geometry(budget(), centre);
  }

  [[nodiscard]] std::string spec() const override {
    const std::string lower = base::list_text(budget().lower, true);
    return "weighted_simplex(" + base::list_text(budget().weights, false) +
           (budget().total == 1 ? "" : ", total=" + base::number_text(budget().total)) +
           (lower == "0" ? "" : ", lower=" + lower) + ")";
  }

 private:
  Vector reach_;
};

}  // namespace

SetPtr weighted_simplex(List<double> weights, double total, List<double> lower) {
  base::require(!weights.empty(), "a weighted simplex needs at least one weight");
  base::require(lower.size() == weights.size(),
                "a weighted simplex needs a lower bound for each of its " +
                    std::to_string(weights.size()) + " weights, not " +
                    std::to_string(lower.size()));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    base::require_positive("weight " + std::to_string(i) + " of a weighted simplex", weights[i]);
    base::require(base::is_moderate(lower[i]),
                  "lower bound " + std::to_string(i) +
                      " of a weighted simplex must be a number of magnitude up "
                      "to 1e50, not " +
                      base::number_text(lower[i]));
  }
  base::require(base::is_moderate(total),
                "the total of a weighted simplex must be a number of magnitude up to "
                "1e50, not " +
                    base::number_text(total));
  const double least = math::dot(weights, lower);
  base::require(total > least,
                "the total " + base::number_text(total) +
                    " of a weighted simplex leaves nothing to choose: its lower bounds "
                    "take " +
                    base::number_text(least) + " already");
  Budget budget{Vector(lower.begin(), lower.end()),
                Vector(weights.size(), std::numeric_limits<double>::infinity()),
                Vector(weights.begin(), weights.end()), total, false};
  budget.require_even("weighted simplex");
  return std::make_shared<WeightedSimplex>(budget);
}

SetPtr weighted_simplex(List<double> weights, double total, double lower) {
  return weighted_simplex(weights, total, Vector(weights.size(), lower));
}

}  // namespace keyhole::sets
