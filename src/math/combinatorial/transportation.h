// The cheapest way to send what rows have to columns that need it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace keyhole::math {

// min <c, x> over {x >= 0, row sums a, column sums b}, a, b > 0, sum a = sum b, by the simplex
// method on the trees of m + n - 1 cells (Dantzig, "Application of the simplex method to a
// transportation problem", 1951): from the cheapest column of each row on, the cell that saves most
// enters until none does. O(m n) a step.
//
// So that no step stands still, each row has a 4e-14th of the total more, and the last column m
// times that (Orden, "The transshipment problem", 1956); the flows at the end are those of the tree
// without it.
//
// The answer is a pure function of a, b and c: of equal cells the first. Costs times a power of two
// give the same. No call of minimise() allocates. One a thread.
class Transportation {
 public:
  Transportation(std::vector<double> of_rows, std::vector<double> of_columns);

  // False only if a bound on the steps, far above what is needed, was not enough: then the flows
  // mean nothing.
  [[nodiscard]] bool minimise(std::span<const double> costs);

  // After minimise(): the cells i n + j of the tree, and what flows through each, >= 0.
  [[nodiscard]] std::span<const std::size_t> cells() const noexcept { return cells_; }
  [[nodiscard]] std::span<const double> flows() const noexcept { return flows_; }

 private:
  [[nodiscard]] std::size_t nodes() const noexcept { return m_ + n_; }
  [[nodiscard]] std::size_t row_of(std::size_t edge) const noexcept { return cells_[edge] / n_; }
  [[nodiscard]] std::size_t column_of(std::size_t edge) const noexcept {
    return m_ + cells_[edge] % n_;
  }
  void start(std::span<const double> costs);
  void grow_tree(std::span<const double> costs);
  [[nodiscard]] std::size_t entering(std::span<const double> costs, double tolerance) const;
  void replace(std::size_t cell);
  void find_flows();

  std::size_t m_;
  std::size_t n_;
  std::vector<double> a_;
  std::vector<double> b_;
  double more_;                     // what each row has more
  std::vector<double> left_;        // of each node: what is not sent, or not received
  std::vector<std::size_t> cells_;  // the edges of the tree
  std::vector<double> flows_;
  // The tree, its nodes the rows and then the columns, from row 0 on.
  std::vector<double> potential_;
  std::vector<std::size_t> parent_;  // edge to it
  std::vector<std::size_t> depth_;   // edges to the root
  std::vector<std::size_t> order_;   // parents first
  std::vector<std::size_t> first_;   // of the edges of each node in edges_
  std::vector<std::size_t> edges_;
};

}  // namespace keyhole::math
