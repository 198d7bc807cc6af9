// The vertex and the multipliers that belong to a basis, from the constraints alone.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/dense.h"
#include "math/programs/index_list.h"
#include "math/programs/simplex_basis.h"

namespace keyhole::math {

// With the tight rows W and the basic coordinates S in ascending order, A_WS x_S = right_W - A_WN
// x_N and A_WS^T y_W = c_S: by elimination, so that the digits follow from the basis, however it
// was come by. Nothing allocates after construction.
class BasicVertex {
 public:
  explicit BasicVertex(const LinearConstraints& constraints);

  // Whether the vertex is feasible (bounds exactly after rounding, rows to 2e-11 of `scale`) and
  // the multipliers are, for costs scaled to a largest of about 1. Where units are far apart
  // multipliers are large, and with them the roundings of those that should be zero: these are
  // forgiven if asked for.
  [[nodiscard]] bool compute(SimplexBasis& basis, std::span<const double> cost,
                             bool forgive_roundings) noexcept;

  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }
  [[nodiscard]] std::span<const double> multipliers() const noexcept { return y_; }

 private:
  [[nodiscard]] bool compute_point(const SimplexBasis& basis) noexcept;
  [[nodiscard]] bool is_feasible(SimplexBasis& basis) noexcept;
  [[nodiscard]] bool compute_multipliers(const SimplexBasis& basis, std::span<const double> cost,
                                         bool forgive_roundings) noexcept;
  void refine_multipliers(const LinearConstraints& constraints,
                          std::span<const double> cost) noexcept;

  IndexList tight_;  // ascending
  IndexList free_;   // ascending
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> solution_;
  std::vector<double> off_;
  std::vector<double> reduced_;
  std::vector<double> slacks_;
  Elimination elimination_;
};

}  // namespace keyhole::math
