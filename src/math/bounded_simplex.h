// Linear programs, small and dense:  min <c, x>  over  {l <= x <= u, A x <= b, C x = d}.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "math/dense.h"
#include "math/linear_program.h"

namespace keyhole::math {

// The primal simplex method with bounded variables on a dense tableau (Dantzig, "Linear Programming
// and Extensions", 1963, chapters 5 to 7 and 18): phase 1 once, at construction, by the sum of
// infeasibilities; then each minimisation starts from the same feasible basis. So the answer
// is a pure function of the constraints and c, ties and degenerate vertices included, and starting
// cold costs little: on dense random polytopes with rapidly changing c it beats the last basis.
//
// Entering: the most promising reduced cost, the first of equal ones. Leaving: the largest pivot
// that Harris' two passes allow ("Pivot selection methods of the Devex LP code", 1973). After a run
// of steps that do not move, Bland's rule ("New finite pivoting rules", 1977) until one does, which
// cannot cycle. The optimal vertex is computed anew from its basis by elimination in ascending
// order of rows and columns, and checked, primal and dual; if the tableau has drifted too far it is
// made anew and the method goes on.
//
// A pivot is a change of the tableau of rank one. minimise() only notes these changes, and works
// out the one row and the one column that a step needs: with k steps behind it that takes k (m + n)
// operations instead of m n. Where the steps are so many that this no longer pays, they are
// applied.
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
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }

  // After `optimal`: y_i <= 0 with c - A^T y the reduced costs, for the c whose largest entry is
  // between 1/2 and 1; of equalities any sign.
  [[nodiscard]] std::span<const double> multipliers() const noexcept { return y_; }

  // After `infeasible`: variables whose bounds contradict each other; after `unbounded`: those that
  // change along the ray. Coordinate j is j, row i is columns + i.
  [[nodiscard]] std::vector<std::size_t> culprits() const;

  [[nodiscard]] const LinearConstraints& constraints() const noexcept { return *constraints_; }
  // Pivots and bound flips of the last call.
  [[nodiscard]] std::size_t iterations() const noexcept { return iterations_; }

 private:
  enum class At : std::uint8_t { lower, upper, zero };
  // Basic variable i is value[i] = (B^-1 right)_i - sum_j t_ij x_{nonbasic j}.
  struct Tableau {
    std::vector<double> t;
    std::vector<double> value;
    std::vector<double> lower;  // of the basic variables, as is `upper`
    std::vector<double> upper;
    std::vector<std::size_t> basic;
    std::vector<std::size_t> nonbasic;
    std::vector<At> at;
    double scale = 0;  // the largest coordinate seen
  };
  struct Leaving {
    double step;
    std::size_t row;
    At to;
  };

  [[nodiscard]] double lower(std::size_t variable) const noexcept;
  [[nodiscard]] double upper(std::size_t variable) const noexcept;
  [[nodiscard]] double nonbasic_value(std::size_t j) const noexcept;
  [[nodiscard]] double feasibility_tolerance() const noexcept { return 1e-11 * now_.scale; }
  [[nodiscard]] double violation(std::size_t i) const noexcept;
  [[nodiscard]] double* row(std::size_t i) noexcept { return now_.t.data() + i * columns_; }
  // Row i of the tableau without the pending pivots.
  [[nodiscard]] const double* base_row(std::size_t i) const noexcept {
    return (deferring_ ? start_.t.data() : now_.t.data()) + i * columns_;
  }

  void set_basic(std::size_t i, std::size_t variable) noexcept;
  void make_slack_tableau();
  [[nodiscard]] std::span<const std::size_t> tight() const noexcept {
    return {tight_.data(), in_basis_};
  }
  [[nodiscard]] std::span<const std::size_t> free() const noexcept {
    return {free_.data(), in_basis_};
  }
  void collect_basis() noexcept;
  void refactorise();
  void compute_values();
  LinearResult phase_1();
  void price_infeasibility();
  void price(std::span<const double> c);
  LinearResult improve(bool phase_1);
  [[nodiscard]] std::size_t entering(bool bland) const noexcept;
  [[nodiscard]] Leaving leaving(double sign, bool bland) noexcept;
  void move(std::size_t column, double sign, const Leaving& leaving);
  void pivot(std::size_t r, std::size_t e) noexcept;
  void begin() noexcept;
  void gather_column(std::size_t e) noexcept;
  void defer_pivot(std::size_t r, std::size_t e) noexcept;
  void apply_pending() noexcept;
  [[nodiscard]] bool finish(bool forgive_roundings);
  void refine_multipliers() noexcept;

  std::shared_ptr<const LinearConstraints> constraints_;
  std::size_t columns_;
  std::size_t rows_;
  Tableau start_;
  Tableau now_;
  LinearResult start_result_;
  std::vector<double> cost_;     // c, scaled
  std::vector<double> reduced_;  // of the nonbasic variables
  std::vector<double> x_;
  std::vector<double> y_;
  // While deferring_, the tableau is start_.t - sum of u_k v_k^T over the pending pivots.
  bool deferring_ = false;
  std::size_t pending_ = 0;
  std::size_t most_pending_;
  std::vector<double> pending_u_;
  std::vector<double> pending_v_;
  std::vector<double> column_;      // of the tableau: that of the entering variable
  std::vector<double> speed_;       // of the basic variables, as the entering one moves
  std::vector<double> distance_;    // that they can go
  std::vector<std::size_t> tight_;  // the first in_basis_: rows with nonbasic slacks, ascending
  std::vector<std::size_t> free_;   // the first in_basis_: basic coordinates, ascending
  std::vector<double> solution_;
  std::size_t in_basis_ = 0;
  Elimination elimination_;
  std::size_t iterations_ = 0;
  std::size_t pivots_since_fresh_ = 0;
  std::size_t ray_column_ = 0;
};

}  // namespace keyhole::math
