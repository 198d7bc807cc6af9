// The master problem of a column generation:  min <f, w>  over
// {w >= 0, sum w = 1, sum_j w_j a_j = 0},  or <= 0,  for columns a_j that come one by one.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/dense.h"

namespace keyhole::math {

// The revised simplex method (Dantzig, "Linear Programming and Extensions", 1963, chapter 9) for
// the restricted master of Dantzig and Wolfe ("Decomposition principle for linear programs", 1960):
// few rows, and columns that join. BoundedSimplex has all its columns at construction; here the
// basis, of rows + 1 columns, is factorised anew at each step, which costs less than the oracle
// that finds a column.
//
// The first rows + 1 columns cost nothing and hold zero in their hull:
//
//   a_0 = -depth / sqrt(rows) (1, ..., 1),  a_i = depth e_i,
//
// so there is a feasible basis from the start. With inequalities they are a column a_0 < 0 and the
// slacks, columns e_i that do not count in sum w. Columns and costs should be of a size of about 1.
// Nothing allocates after construction. One a thread.
class ColumnMaster {
 public:
  // Up to so many rows. Up to `room` columns besides the first are kept; at least 2 rows + 4.
  ColumnMaster(std::size_t rows, std::size_t room);

  // Forgets all but the first columns.
  void start(double depth) noexcept;
  // The same for inequalities, as many as there are numbers: a_0 = -depths, all positive. What
  // value() says is not for them.
  void start_below(std::span<const double> depths) noexcept;

  // Takes a column, and gives its place, from 0 on. If there is no room it takes the place of the
  // one with the largest reduced cost, which the basis does not need.
  std::size_t add(std::span<const double> column, double cost) noexcept;

  // Makes the basis optimal for the columns that are there, or as good as rounding allows.
  void solve() noexcept;

  // After solve(): prices y with f_j - <y, a_j> >= value() for all columns but for rounding, and
  // the value of the weights. Where rounding has left off = ||sum_j w_j a_j|| it is what they cost
  // with a share of off / (off + depth) of what is at zero and costs nothing.
  [[nodiscard]] double value() const noexcept { return value_; }
  [[nodiscard]] std::span<const double> prices() const noexcept {
    return std::span(prices_).first(rows_);
  }
  // The columns of the basis: numbers up to rows for the first ones, rows + 1 + place for those
  // that were added. The weights are not negative, and sum to 1.
  [[nodiscard]] std::span<const std::size_t> basis() const noexcept { return basis_; }
  [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }

 private:
  // Room for so many rows, and the first columns of value 0.
  void clear(std::size_t rows) noexcept;
  [[nodiscard]] std::span<double> column(std::size_t j) noexcept {
    return std::span(columns_).subspan(j * rows_, rows_);
  }
  void pivot() noexcept;
  // sum w.
  [[nodiscard]] double total() const noexcept;
  // The value of the weights.
  void evaluate() noexcept;
  // Weights, without what is below 0, and prices of the basis; false if it is singular, and then
  // they are as they were.
  [[nodiscard]] bool compute() noexcept;
  // The column that gains most, or the first that gains anything; none if none does.
  [[nodiscard]] std::size_t entering(bool first) noexcept;
  // The position in the basis that a column takes; none if rounding leaves none. Of those that
  // come to 0 at about the same place it is the one of the largest pivot (Harris, "Pivot selection
  // methods of the Devex LP code", 1973): by a small one the basis would be nearly singular.
  [[nodiscard]] std::size_t leaving(std::size_t enters, bool first) noexcept;

  std::size_t rows_;
  std::vector<double> columns_;
  std::vector<double> costs_;
  std::vector<double> counts_;  // 1, or 0 for slacks: the coefficient in sum w = 1
  std::vector<double> reduced_;
  std::vector<unsigned char> is_basic_;
  std::size_t count_ = 0;
  std::vector<std::size_t> basis_;
  std::vector<double> weights_;
  std::vector<double> prices_;  // the last is that of sum w = 1
  std::vector<double> change_;
  std::vector<double> off_;
  Elimination elimination_;
  double value_ = 0;
  double depth_ = 0;
  double moved_ = 0;  // how far the last column that entered went
};

}  // namespace keyhole::math
