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
  /// It ends when <c, x> is proved to be within so many lengths of the slice of the least.
  static constexpr double enough = 1e-10;

  /// The frame must outlive this.
  explicit ColumnGeneration(const SliceFrame& frame);

  /// x for a unit vector c of the directions of the hull of the slice: a pure function of c. It is
  /// in K, and on the rows but for rounding.
  std::span<const double> minimise(std::span<const double> c);

  /// After minimise(): how far <c, x> may be from the least, in lengths: more than `enough` where
  /// rounding, or the oracle of K, allows no less.
  [[nodiscard]] double gap() const { return upper_ - lower_; }
  /// Calls of the oracle of K, of the last minimise().
  [[nodiscard]] std::size_t calls() const { return calls_; }
  /// Of K.
  [[nodiscard]] Oracle& oracle() { return *oracle_; }

 private:
  /// Asks for the least of <c - Q'y, v>, and solves the master with v; column_ is then -cost and
  /// Q (v - x_0), in lengths. Whether this raises the lower bound.
  bool ask(std::span<const double> c, std::span<const double> y);
  void combine();

  const SliceFrame& frame_;
  std::unique_ptr<Oracle> oracle_;
  math::ColumnMaster master_;
  PolarDescent descent_;
  std::vector<double> points_;  // v of each place of the master, row by row
  std::vector<double> direction_;
  std::vector<double> point_;
  std::vector<double> away_;
  std::vector<double> column_;
  std::vector<double> best_;    // y of the lower bound
  std::vector<double> middle_;  // y between others
  double upper_ = 0;
  double lower_ = 0;
  std::size_t calls_ = 0;
};

}  // namespace keyhole::sets
