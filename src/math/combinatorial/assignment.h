// Assignments of least cost: the rows of a matrix to different columns.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// min sum_i c_{i, column(i)} over all ways to give each of the rows a column of its own, rows <=
// columns: shortest augmenting paths, row after row, with the lengths that the potentials reduce
// (Jonker, Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
// problems", Computing 38, 1987). O(rows^2 columns).
//
// The answer is a pure function of the costs: of columns equally near the first is taken. Costs
// times a power of two give the same. No call of minimise() allocates. One a thread.
class Assignment {
 public:
  Assignment(std::size_t rows, std::size_t columns);

  // The column of each row, for the costs row by row; it holds until the next call.
  std::span<const std::size_t> minimise(std::span<const double> costs);

  // After minimise(): u and v with u_i + v_j <= c_ij, equal where j is the column of i, and v_j <=
  // 0, equal where no row has j; all to rounding. So sum u + sum v is the least cost.
  [[nodiscard]] std::span<const double> row_potentials() const noexcept { return u_; }
  [[nodiscard]] std::span<const double> column_potentials() const noexcept { return v_; }

 private:
  void augment(std::span<const double> costs, std::size_t row);

  std::size_t columns_;
  std::vector<double> u_;
  std::vector<double> v_;
  std::vector<std::size_t> column_;    // of each row
  std::vector<std::size_t> row_;       // of each column; as many as there are rows for none
  std::vector<double> distance_;       // from the row that is to be assigned to each column
  std::vector<std::size_t> previous_;  // the row before each column on the path to it
  std::vector<std::size_t> scanned_;   // columns whose distance is known, and after them the others
};

}  // namespace keyhole::math
