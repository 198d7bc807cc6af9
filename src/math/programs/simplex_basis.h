// A basis of  {l <= x <= u, A x <= b, C x = d}  and those rows of its tableau that are worth
// keeping.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "math/programs/index_list.h"
#include "math/programs/linear_program.h"
#include "math/programs/multiples.h"

namespace keyhole::math {

// Variable j < columns is a coordinate, variable columns + i the slack of row i. Nonbasic ones are
// at a bound (or, if they have none, at zero), basic ones follow:
//
//   basic i = constant - sum_j t_ij nonbasic j
//
// The slacks of all but k rows are basic, and so are k coordinates. Only the k rows t_i of these
// are kept, which is little where vertices have few coordinates between their bounds: all else
// follows by k products a number, as s = right - rows x. With them go two more rows: that of the
// reduced costs, and that of `resource`, the sum of all rows of constraints made unit vectors.
//
// Positions of basic variables: i < rows for slacks (those that are not basic have the value 0 and
// do not move), then from padded(rows) on the k coordinates in no order.
class SimplexBasis {
 public:
  enum class At : std::uint8_t { lower, upper, zero };
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr double no_bound = std::numeric_limits<double>::infinity();

  // All slacks basic, all coordinates at their lower bounds where there are any.
  explicit SimplexBasis(std::shared_ptr<const LinearConstraints> constraints);

  // Becomes the other basis, of the same constraints. Nothing is allocated. Reduced costs are left
  // out.
  void become(const SimplexBasis& other) noexcept;

  [[nodiscard]] const LinearConstraints& constraints() const noexcept { return *constraints_; }
  [[nodiscard]] double lower(std::size_t variable) const noexcept;
  [[nodiscard]] double upper(std::size_t variable) const noexcept;

  // Columns, by number.
  [[nodiscard]] std::size_t nonbasic(std::size_t column) const noexcept {
    return nonbasic_[column];
  }
  [[nodiscard]] At at(std::size_t variable) const noexcept { return at_[variable]; }
  // Whether a coordinate has no bound at all.
  [[nodiscard]] bool has_unbounded() const noexcept { return has_unbounded_; }
  [[nodiscard]] double nonbasic_value(std::size_t variable) const noexcept;
  // The coordinates, those that are basic left at zero.
  void nonbasic_coordinates(std::span<double> x) const noexcept;
  // By column, padded: the reduced cost; -1 if its variable may rise, 1 if it may fall, 0 if
  // neither or both; the squared length of the edge of the polytope it moves along, a unit of its
  // own,
  // ||dx||^2 + <resource, dx>^2 / 4.
  [[nodiscard]] std::span<const double> reduced() const noexcept { return {row(0), stride_}; }
  [[nodiscard]] std::span<const double> toward() const noexcept { return toward_; }
  [[nodiscard]] std::span<const double> lengths() const noexcept { return lengths_; }

  // Positions.
  [[nodiscard]] std::size_t positions() const noexcept { return first_coordinate_ + free_.size(); }
  [[nodiscard]] std::size_t most_positions() const noexcept { return values_.size(); }
  [[nodiscard]] std::size_t variable(std::size_t position) const noexcept {
    return position < first_coordinate_ ? columns_ + position : free_[position - first_coordinate_];
  }
  [[nodiscard]] std::span<const double> values() const noexcept { return padded_part(values_); }
  [[nodiscard]] std::span<const double> lowers() const noexcept { return padded_part(lowers_); }
  [[nodiscard]] std::span<const double> uppers() const noexcept { return padded_part(uppers_); }
  // Negative below the lower, positive above the upper bound, 0 within the tolerance.
  [[nodiscard]] double violation(std::size_t position) const noexcept;
  // The column last gathered.
  [[nodiscard]] std::span<const double> column() const noexcept { return padded_part(column_); }

  // The basic coordinates, and as many rows whose slacks are not basic, in no order.
  [[nodiscard]] std::span<const std::size_t> free() const noexcept { return free_.items(); }
  [[nodiscard]] std::span<const std::size_t> tight() const noexcept { return tight_.items(); }
  // The largest coordinate seen.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  // That of values.
  [[nodiscard]] double tolerance() const noexcept { return 1e-11 * scale_; }
  // Exchanges since the rows were made from the constraints.
  [[nodiscard]] std::size_t age() const noexcept { return age_; }

  // reduced_j = c_j - sum_i c_{basic i} t_ij.
  void price(std::span<const double> c) noexcept;
  // right - rows x, padded.
  void slacks(std::span<const double> x, std::span<double> of_x) noexcept;
  void gather_column(std::size_t column) noexcept;
  // The variable of the column that was gathered changes by this much, the basic ones with it.
  void move(double change) noexcept;
  // The variable of the column arrives at its other bound.
  void flip(std::size_t column) noexcept;
  // It becomes basic with this value in exchange for the one at the position, which arrives at a
  // bound.
  void exchange(std::size_t column, std::size_t position, double value, At arrives) noexcept;
  // The rows and the values of the same basis once more: each basic coordinate, in ascending order,
  // takes the place of the slack of a tight row, the one with the largest pivot.
  void refresh() noexcept;

 private:
  static constexpr std::size_t first_row = 2;  // of a coordinate
  [[nodiscard]] double* row(std::size_t i) noexcept { return rows_kept_.data() + i * stride_; }
  [[nodiscard]] const double* row(std::size_t i) const noexcept {
    return rows_kept_.data() + i * stride_;
  }
  [[nodiscard]] std::span<const double> padded_part(const std::vector<double>& all) const noexcept {
    return std::span(all).first(padded(positions()));
  }
  void set_column(std::size_t column, std::size_t variable) noexcept;
  void make_slack_basis() noexcept;
  void compute_values() noexcept;
  void take_slack(std::size_t position, double inverse) noexcept;
  void take_coordinate(std::size_t position, double inverse) noexcept;
  void append(std::size_t coordinate, double value) noexcept;
  template <class Weight>
  [[nodiscard]] std::size_t collect_terms(std::size_t count, Weight weight) noexcept;
  void combine_rows(std::span<const double> a, double scale, double* to) noexcept;
  void subtract_pivot_row(std::span<const double> factors, bool appended) noexcept;

  std::shared_ptr<const LinearConstraints> constraints_;
  std::shared_ptr<const std::vector<double>> transposed_;  // columns of the rows, each padded
  std::shared_ptr<const std::vector<double>> right_;       // padded
  std::shared_ptr<const std::vector<double>> resource_;
  std::size_t columns_;
  std::size_t rows_;
  std::size_t first_coordinate_;
  std::size_t stride_;
  std::vector<double> rows_kept_;  // reduced costs, resource, then those of free_
  std::vector<std::size_t> nonbasic_;
  std::vector<std::size_t> coordinate_;  // of a column, padded: 0 for a slack
  std::vector<At> at_;
  std::vector<double> toward_;
  std::vector<double> own_;  // 1 for a coordinate, 0 for a slack
  std::vector<double> lengths_;
  std::vector<double> values_;
  std::vector<double> lowers_;
  std::vector<double> uppers_;
  std::vector<double> column_;
  IndexList free_;
  IndexList tight_;
  std::vector<double> loose_;  // by rows, padded: 0 if it is tight, else 1
  IndexList to_enter_;
  IndexList to_leave_;
  std::vector<std::size_t> terms_;
  std::vector<double> weights_;
  std::vector<double> factors_;
  double scale_;
  bool has_unbounded_;
  std::size_t age_ = 0;
};

}  // namespace keyhole::math
