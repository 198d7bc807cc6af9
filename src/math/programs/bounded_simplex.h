// Linear programs, small and dense:  min <c, x>  over  {l <= x <= u, A x <= b, C x = d}.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "math/dense.h"
#include "math/programs/basic_vertex.h"
#include "math/programs/linear_program.h"
#include "math/programs/simplex_basis.h"
#include "math/programs/simplex_steps.h"

namespace keyhole::math {

// The primal simplex method with bounded variables (Dantzig, "Linear Programming and Extensions",
// 1963, chapters 5 to 7 and 18): phase 1 once, at construction, by the sum of infeasibilities; then
// each minimisation starts from the same feasible basis. So the answer is a pure function of the
// constraints and c, ties and degenerate vertices included, and starting cold costs little: on
// dense random polytopes with rapidly changing c it beats the last basis.
//
// A step goes along the steepest edge, to where the ratio test stops it (math/simplex_steps.h).
// After a run of steps that do not move, Bland's rule ("New finite pivoting rules", 1977) until one
// does, which cannot cycle. The optimal vertex is computed again from its basis, and checked,
// primal and dual (math/basic_vertex.h); if the tableau has drifted too far it is made again and
// the method goes on.
//
// No call of minimise() allocates. One a thread; copies share the constraints.
class BoundedSimplex {
 public:
  explicit BoundedSimplex(LinearConstraints constraints);

  // Whether there is any point; `stuck` if rounding prevents an answer. Else `optimal`.
  [[nodiscard]] LinearResult start() const noexcept { return start_result_; }

  // Only if start() is `optimal`. c times a power of two gives the same digits; c = 0 gives the
  // vertex of the starting basis.
  LinearResult minimise(std::span<const double> c);

  // After `optimal`: the vertex. Bounds hold exactly, rows to about 1e-12 of the largest
  // coordinate.
  [[nodiscard]] std::span<const double> x() const noexcept { return vertex_.x(); }

  // After `optimal`: y_i <= 0 with c - A^T y the reduced costs, for the c whose largest entry is
  // between 1/2 and 1; of equalities any sign.
  [[nodiscard]] std::span<const double> multipliers() const noexcept {
    return vertex_.multipliers();
  }

  // After `infeasible`: variables whose bounds contradict each other; after `unbounded`: those that
  // change along the ray. Coordinate j is j, row i is columns + i.
  [[nodiscard]] std::vector<std::size_t> culprits() const;

  [[nodiscard]] const LinearConstraints& constraints() const noexcept { return *constraints_; }
  // Pivots and bound flips of the last call.
  [[nodiscard]] std::size_t iterations() const noexcept { return iterations_; }

 private:
  [[nodiscard]] LinearResult phase_1();
  void price_infeasibility() noexcept;
  [[nodiscard]] LinearResult improve(bool phase_1) noexcept;

  std::shared_ptr<const LinearConstraints> constraints_;
  SimplexBasis now_;
  SimplexBasis start_;
  LinearResult start_result_ = LinearResult::stuck;
  RatioTest ratio_test_;
  BasicVertex vertex_;
  std::vector<double> cost_;  // c, scaled; in phase 1 the gradient of the infeasibility
  std::size_t iterations_ = 0;
  std::size_t ray_column_ = 0;
};

}  // namespace keyhole::math
