// The least of a linear function over a slice of a set, by nothing but that set's oracle.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "math/programs/column_master.h"
#include "sets/polar_descent.h"

namespace keyhole::sets {

/// {x in K : Q (x - x_0) = 0} and a ball of K about x_0.
struct SliceFrame {
  SetPtr set = nullptr;
  /// Q: orthonormal rows within the directions of the hull of K, one after the other.
  std::vector<double> rows = {};
  /// x_0.
  std::vector<double> base = {};
  /// x_0 + depth B is in K, within its hull; positive.
  double depth = 0;
  /// No two points of the slice are farther apart.
  double length = 0;

  [[nodiscard]] std::size_t count() const { return rows.size() / base.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(rows).subspan(i * base.size(), base.size());
  }
  /// Entry i of Q (x - x_0).
  [[nodiscard]] double along(std::size_t i, std::span<const double> x) const;
  /// How far x is from {Q (x - x_0) = 0}.
  [[nodiscard]] double off(std::span<const double> x) const;
  /// The orthogonal projection onto the directions of the hull of the slice.
  void flatten(std::span<double> direction) const;
};

/// Column generation (Dantzig, Wolfe, "Decomposition principle for linear programs", Oper. Res. 8,
/// 1960): the master problem is the least of <c, x> over the convex combinations x of the points of
/// K seen so far with Q x = Q x_0. Its prices y ask the oracle of K for the least of <c - Q'y, v>,
/// which is a lower bound for the slice, and v joins. It starts from a simplex in the ball about
/// x_0. On a polytope it ends after finitely many steps.
///
/// Where K is curved these prices approach slowly. So others are asked about in turns with them,
/// and what they find joins as well. First those of a climb of the dual function by the method of
/// Broyden, Fletcher, Goldfarb and Shanno (sets/polar_descent.h): where K is curved everywhere it
/// soon comes to a v that is in the slice but for little. When that raises the lower bound no more,
/// the middle between the prices of the master and the best ones so far (Ben-Ameur, Neto,
/// "Acceleration of cutting-plane and column generation algorithms", Networks 49, 2007).
///
/// One a thread. No call allocates but what the oracle of K does.
class ColumnGeneration {
 public:
  /// It ends when <c, x> is proved to be within so many lengths of the slice of the least, unless
  /// told otherwise.
  static constexpr double enough = 1e-10;
  /// Or when rounding, or the oracle of K, allows no less: within so many, or there is no answer.
  /// Of 3.2e4 answers of slices of group balls, which are the worst, 42 are above 1e-10, and the
  /// largest gap is 1.5e-8.
  static constexpr double promised = 1e-6;

  /// The frame must outlive this. It asks the oracle of K up to so many times for an answer, and
  /// once more.
  ColumnGeneration(const SliceFrame& frame, std::size_t most_calls, double gap = enough);
  explicit ColumnGeneration(const SliceFrame& frame)
      : ColumnGeneration(frame, plenty_of_calls(frame)) {}

  /// 1000, and 100 for each row: more than any answer was seen to take.
  [[nodiscard]] static std::size_t plenty_of_calls(const SliceFrame& frame) {
    return 1000 + 100 * frame.count();
  }

  /// x for a unit vector c of the directions of the hull of the slice: a pure function of c. It is
  /// in K, and on the rows but for rounding. Throws Error if the proof fails.
  std::span<const double> minimise(std::span<const double> c);

  /// After minimise(): how far <c, x> may be from the least, in lengths.
  [[nodiscard]] double gap() const { return upper_ - lower_; }
  /// After minimise(): y of the lower bound, the least of <c - Q'y, v>: the proof of the gap.
  [[nodiscard]] std::span<const double> prices() const { return best_prices_; }
  /// Calls of the oracle of K, of the last minimise().
  [[nodiscard]] std::size_t calls() const { return calls_; }
  /// Of K.
  [[nodiscard]] Oracle& oracle() { return *oracle_; }

 private:
  /// Asks for the least of <c - Q'y, v>, and solves the master with v; column_ is then -cost and
  /// Q (v - x_0), in lengths. Whether this raises the lower bound.
  bool ask(std::span<const double> c, std::span<const double> y);
  /// x, of the weights of the master. It becomes the best point.
  void combine();
  /// Unless it is on the rows but for rounding: x to x - Q'd, d = Q (x - x_0), and from there
  /// towards x_0 by a share of ||d|| / (||d|| + depth): so it is between x and x_0 - depth / ||d||
  /// Q'd, both of which are in K.
  void return_to_rows();

  const SliceFrame& frame_;
  std::size_t most_calls_;
  double enough_;
  std::unique_ptr<Oracle> oracle_;
  math::ColumnMaster master_;
  PolarDescent descent_;
  std::vector<double> points_;  // v of each place of the master, row by row
  std::vector<double> direction_;
  std::vector<double> point_;
  std::vector<double> best_point_;  // x of the upper bound
  std::vector<double> away_;
  std::vector<double> column_;
  std::vector<double> best_prices_;  // y of the lower bound
  std::vector<double> middle_;       // y between others
  double upper_ = 0;
  double lower_ = 0;
  std::size_t calls_ = 0;
};

}  // namespace keyhole::sets
