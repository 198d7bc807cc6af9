// Linear programs, large and sparse:  min <c, x>  over  {l <= x <= u, A x <= b, C x = d}.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "math/programs/linear_program.h"
#include "math/programs/sparse_elimination.h"

namespace keyhole::math {

// Throws InvalidArgument if CLP is not installed, or the library was built without it: nothing
// below works then.
void require_sparse_programs();
[[nodiscard]] bool has_sparse_programs();

// The optimal basis is found by CLP's primal simplex method, always by a fresh model, from the
// feasible basis of construction: what was solved before leaves no trace. The vertex and the
// multipliers are then computed from the basis alone by our own sparse elimination, refined once,
// and checked, primal and dual. So the answer is a pure function of the constraints and c, for the
// same build and version of CLP; where the optimal basis is the only one, for all.
//
// Only sparse_program.cc knows CLP. One a thread; copies share the constraints.
class SparseProgram {
 public:
  // `length` is the size of the coordinates to expect: tolerances go by it.
  SparseProgram(std::shared_ptr<const SparseConstraints> constraints, double length);

  // c times a power of two gives the same digits.
  [[nodiscard]] LinearResult minimise(std::span<const double> c);

  // After `optimal`: the vertex. Bounds hold exactly, rows to 4e-10 of the length.
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }

  // After `optimal`: y_i <= 0 with c - A^T y the reduced costs, for the c whose largest entry is
  // between 1/2 and 1; of equalities any sign.
  [[nodiscard]] std::span<const double> multipliers() const noexcept { return y_; }

  // After `infeasible`: variables whose bounds contradict each other; after `unbounded`: those that
  // change along the ray. Coordinate j is j, row i is columns + i. Empty if CLP does not say.
  [[nodiscard]] const std::vector<std::size_t>& culprits() const noexcept { return culprits_; }

  // Pivots of the last call.
  [[nodiscard]] std::size_t iterations() const noexcept { return iterations_; }

 private:
  struct Start;

  void read_basis(std::span<const unsigned char> basis);
  void find_culprits(std::vector<double> of_columns, std::vector<double> of_rows);
  [[nodiscard]] bool finish();
  [[nodiscard]] bool solve_for_vertex();
  [[nodiscard]] bool vertex_is_feasible();
  [[nodiscard]] bool multipliers_are_feasible();
  [[nodiscard]] double residual(std::size_t row) const;

  std::shared_ptr<const SparseConstraints> k_;
  std::shared_ptr<const Start> start_;
  double length_;
  std::vector<double> cost_;  // c, scaled
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<std::size_t> tight_;       // rows with nonbasic slacks, ascending
  std::vector<std::size_t> free_;        // basic coordinates, ascending
  std::vector<std::size_t> free_place_;  // of each coordinate: its place among those, or none
  std::vector<double> solution_;
  std::vector<double> reduced_;
  SparseElimination elimination_;
  std::vector<std::size_t> culprits_;
  std::size_t iterations_ = 0;
};

}  // namespace keyhole::math
