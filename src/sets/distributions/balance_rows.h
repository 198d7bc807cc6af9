// What the measures of a decision process satisfy: linear equations with few numbers a column.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::sets {

/// {x : E x = b, x_j = 0 for columns without an entry}, the rows of E independent. Thread-safe.
class BalanceRows {
 public:
  /// Row by row later; a column at a time here.
  void add_column() { starts_.push_back(rows_.size()); }
  void add_entry(std::size_t row, double value);
  /// Once all are there.
  void finish(std::vector<double> right);

  [[nodiscard]] std::size_t columns() const { return starts_.size() - 1; }
  [[nodiscard]] std::size_t rows() const { return right_.size(); }
  [[nodiscard]] bool is_free(std::size_t column) const {
    return starts_[column] < starts_[column + 1];
  }
  /// The number of free columns less that of rows.
  [[nodiscard]] std::size_t hull_dimension() const;

  /// x - E' (E E')^-1 E x; 0 where a column is not free.
  void flatten(std::span<double> x) const;
  /// How far x is from the hull, ||E' (E E')^-1 (E x - b)||, of columns that are free.
  [[nodiscard]] double distance(std::span<const double> x) const;
  /// ||P e_j|| for each column, P the flattening. Of many rows 1, which is never too small.
  [[nodiscard]] std::vector<double> axis_lengths() const;

  /// Newton's step from x > 0 towards the largest product of the free x_j with E x = b, damped so
  /// that it stays above 0 (Nesterov, Nemirovskii 1994), is added to x. The Newton decrement; 0
  /// where rounding hides the step.
  double centre_step(std::span<double> x) const;
  /// About how many operations that takes.
  [[nodiscard]] double cost_of_step() const;

 private:
  /// Calls visit(row, value) for the entries of a column.
  template <class Visit>
  void for_each(std::size_t column, const Visit& visit) const {
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) visit(rows_[k], values_[k]);
  }
  /// E diag(weights) E', its lower triangle.
  [[nodiscard]] std::vector<double> gram(std::span<const double> weights) const;
  /// y += E x.
  void multiply(std::span<const double> x, std::span<double> y) const;

  std::vector<std::size_t> starts_ = {0};
  std::vector<std::size_t> rows_;
  std::vector<double> values_;
  std::vector<double> right_;
  std::vector<double> factor_;  // Cholesky's, of E E'
};

}  // namespace keyhole::sets
