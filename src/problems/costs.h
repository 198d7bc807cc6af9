#pragma once

#include <memory>
#include <span>

#include "keyhole/problem.h"

namespace keyhole {

/// f_t(x) = c_t . x.
class Costs : public Problem {
 public:
  [[nodiscard]] double value(std::span<const double> x) const override;
  void gradient(std::span<const double> x, std::span<double> gradient) const override;
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// c_t.
  [[nodiscard]] std::span<const double> cost() const noexcept { return cost_; }

 protected:
  using Problem::Problem;

  /// Makes c the current cost vector; it stays where it is.
  void set_cost(std::span<const double> c) noexcept { cost_ = c; }

 private:
  std::span<const double> cost_;
};

}  // namespace keyhole
