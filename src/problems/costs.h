#pragma once

#include <memory>
#include <span>
#include <vector>

#include "keyhole/problem.h"

namespace keyhole::problems {

/// f_t(x) = c_t . x + b_t.
class Costs : public Problem {
 public:
  [[nodiscard]] double value(std::span<const double> x) const override;
  void gradient(std::span<const double> x, std::span<double> gradient) const override;
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// c_t.
  [[nodiscard]] std::span<const double> cost() const noexcept { return cost_; }
  /// b_t.
  [[nodiscard]] double constant() const noexcept { return constant_; }

 protected:
  using Problem::Problem;

  /// Makes c, which stays where it is, the current cost vector, and b the current constant.
  void set_cost(std::span<const double> c, double b = 0) noexcept {
    cost_ = c;
    constant_ = b;
  }

 private:
  std::span<const double> cost_;
  double constant_ = 0;
};

/// M and G of the costs that it is shown: proven, by two calls of the oracle for each.
class CostBounds {
 public:
  /// None shown yet.
  explicit CostBounds(const Set& set);

  /// Shows c . x + b.
  void widen(std::span<const double> c, double b = 0);
  /// The least and the largest of all on the set, and the longest c within its hull.
  [[nodiscard]] LossBounds bounds() const;

 private:
  const Set& set_;
  std::unique_ptr<Oracle> oracle_;
  std::vector<double> direction_;
  LossBounds bounds_;
};

}  // namespace keyhole::problems
