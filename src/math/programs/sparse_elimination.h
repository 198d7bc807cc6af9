// Sparse linear systems, solved in a fixed order: equal numbers in, equal digits out.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// A = L U for sparse k x k matrices, with pivots after Markowitz ("The elimination form of the
// inverse and its application to linear programming", 1957): of the entries of at least a tenth of
// the largest of their row, one with the fewest numbers it can fill in, looked for in the four
// shortest rows and columns (Suhl and Suhl, "Computing sparse LU factorizations for large-scale
// linear programming bases", 1990). Ties go by a fixed order. Triangular matrices, which bases of
// sparse linear programs nearly are, take no elimination at all. One a thread.
class SparseElimination {
 public:
  // The k x k matrix to come has no entries; then entries may be added, none twice.
  void reset(std::size_t k);
  void add(std::size_t row, std::size_t column, double value);

  // False if a pivot is below `smallest`. Uses the entries up.
  [[nodiscard]] bool factorise(double smallest);
  // x = A^-1 x.
  void solve(std::span<double> x);
  // x = A^-T x.
  void solve_transposed(std::span<double> x);

 private:
  struct Entry {
    std::size_t column;
    double value;
  };
  struct Pivot {
    std::size_t row;
    std::size_t column;
    double value;
  };
  struct Step {  // row `to` lost `weight` times row `from`
    std::size_t to;
    std::size_t from;
    double weight;
  };
  // Lines (rows or columns) by their number of entries, in doubly linked lists.
  struct Queue {
    std::vector<std::size_t> first;     // of each number of entries
    std::vector<std::size_t> next;      // of each line
    std::vector<std::size_t> previous;  // of each line
    void reset(std::size_t k);
    void insert(std::size_t line, std::size_t count);
    void remove(std::size_t line, std::size_t count);
  };

  void fill_queues();
  [[nodiscard]] bool choose(Pivot& best);
  void consider(std::size_t row, std::size_t column, Pivot& best, std::size_t& cost) const;
  [[nodiscard]] double largest_in(std::size_t row) const;
  void eliminate(const Pivot& pivot);
  void subtract(std::size_t to, const Pivot& pivot);

  std::size_t k_ = 0;
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<std::size_t>> columns_;  // the rows that have an entry there
  Queue by_row_;
  Queue by_column_;
  std::vector<std::size_t> place_;  // of each column: its place in the row that is changed, plus 1
  std::vector<Pivot> pivots_;
  std::vector<Step> steps_;
  std::vector<double> work_;
};

}  // namespace keyhole::math
