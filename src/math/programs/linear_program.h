// What a linear program is made of:  min <c, x>  over  {l <= x <= u, A x <= b, C x = d}.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// {l <= x <= u, A x <= b, C x = d}. Bounds may be infinite. Rows should have norms of about 1:
// tolerances are lengths. Powers of two do that without touching a digit.
struct LinearConstraints {
  std::size_t columns = 0;
  std::size_t inequalities = 0;    // the first rows; the others are equalities
  std::vector<double> rows = {};   // A, then C, row-major
  std::vector<double> right = {};  // b, then d
  std::vector<double> lower = {};
  std::vector<double> upper = {};

  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return {rows.data() + i * columns, columns};
  }
};

// The numbers of a row that are not zero, by ascending columns.
struct SparseRow {
  std::span<const std::size_t> columns;
  std::span<const double> values;

  // <row, x>, the sum in the order of reduce().
  [[nodiscard]] double dot(std::span<const double> x) const noexcept;
  // y += weight row.
  void add_to(std::span<double> y, double weight) const noexcept;
};

// The same constraints, row by row without the zeros.
struct SparseConstraints {
  std::size_t columns = 0;
  std::size_t inequalities = 0;
  std::vector<std::size_t> starts = {0};  // row i has the entries starts[i] up to starts[i + 1]
  std::vector<std::size_t> indices = {};
  std::vector<double> values = {};
  std::vector<double> right = {};
  std::vector<double> lower = {};
  std::vector<double> upper = {};

  [[nodiscard]] SparseRow row(std::size_t i) const noexcept {
    const std::size_t size = starts[i + 1] - starts[i];
    return {{indices.data() + starts[i], size}, {values.data() + starts[i], size}};
  }
};

enum class LinearResult { optimal, infeasible, unbounded, stuck };

}  // namespace keyhole::math
