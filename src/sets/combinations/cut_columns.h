// The least of a linear function over a set with further inequalities, by nothing but that set's
// oracle.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "math/programs/column_master.h"
#include "sets/polar_descent.h"

namespace keyhole::sets {

/// {x in K : <a_i, x - x_0> <= s_i}.
struct CutFrame {
  SetPtr set = nullptr;
  /// a_i, within the directions of the hull of K, one after the other.
  std::vector<double> rows = {};
  /// x_0, a point of K.
  std::vector<double> base = {};
  /// s_i, positive.
  std::vector<double> slacks = {};
  /// A ball of K about x_0 of this radius keeps the rows; 0 if it is not known.
  double depth = 0;
  /// What is proved is so in these lengths: about that of the cut.
  double length = 0;

  [[nodiscard]] std::size_t count() const { return slacks.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(rows).subspan(i * base.size(), base.size());
  }
  /// <a_i, x - x_0> - s_i: positive where x breaks the row.
  [[nodiscard]] double above(std::size_t i, std::span<const double> x) const;
};

/// Column generation as ColumnGeneration has it for a slice, with prices of one sign. What K itself
/// answers is the answer if it keeps all rows. Otherwise the master has the rows that it breaks.
/// Others join when it costs more to keep them by a way back towards x_0 than the master has left
/// to gain: most rows of a cut are never met.
///
/// Prices between those of the master and the best ones are asked about in turns with it, and
/// before those the prices of a climb of the dual function by the method of Broyden, Fletcher,
/// Goldfarb and Shanno, which takes the rows of the master for equalities: its points count
/// whatever its prices are, and its bounds where all prices have the right sign.
///
/// One a thread. No call allocates but what the oracle of K does.
class CutColumns {
 public:
  /// The frame must outlive this.
  explicit CutColumns(const CutFrame& frame);

  /// x for a unit vector c of the directions of the hull of K: a pure function of c. It is in K,
  /// and keeps the rows but for rounding. It ends when <c, x> is proved to be within
  /// ColumnGeneration::enough lengths of the least; rounding may allow no less. Throws Error if it
  /// is not proved to be within ColumnGeneration::promised.
  std::span<const double> minimise(std::span<const double> c);
  /// The same if it is known that the oracle of K may answer `v` to c, for which it is not asked.
  /// It ends when the gap is `enough`, or when that takes too long, which is no error.
  std::span<const double> approach(std::span<const double> c, std::span<const double> v,
                                   double enough);

  /// After both: how far <c, x> may be from the least, in lengths.
  [[nodiscard]] double gap() const { return upper_ - lower_; }
  /// After minimise(): y_i <= 0 for each row. The least of <c - sum y_i a_i, v> over K proves the
  /// gap.
  [[nodiscard]] std::span<const double> prices() const { return best_prices_; }
  /// Calls of the oracle of K, of the last minimise().
  [[nodiscard]] std::size_t calls() const { return calls_; }
  /// Of K.
  [[nodiscard]] Oracle& oracle() { return *oracle_; }

 private:
  /// Asks for the least of <c - sum y_i a_i, v>, a price for each row of the master, and solves the
  /// master with v; column_ is then -cost and what v has above those rows, in lengths. Whether this
  /// raises the lower bound.
  bool ask(std::span<const double> c, std::span<const double> y);
  /// What point_ costs, and has above the rows.
  void look(std::span<const double> c);
  /// Finds the best point, with the answer of K to c in point_.
  void go_on(std::span<const double> c, double enough, std::size_t idle_rounds);
  /// point_ to a place of the master.
  void keep_at(std::size_t place);
  /// The master for the rows that are there, with all points that are kept. Whether the climb,
  /// which begins at the answer of K to c, has a next step.
  bool begin();
  /// Makes the weights of the master an answer, if that is better than the one before.
  void take_answer();
  /// Rows that the weights of the master break, by more than what they may gain, join. Whether
  /// there are any: then begin() is next.
  [[nodiscard]] bool enlarge();
  /// Forgets the points that have no weight.
  void keep_basis();
  /// What the weights of the master cost, and what they have above row i.
  [[nodiscard]] double mixed_cost() const;
  [[nodiscard]] double mixed_above(std::size_t i) const;
  /// The share of the way to x_0 that keeps row i.
  [[nodiscard]] double share_back(std::size_t i, double above) const;
  [[nodiscard]] std::span<double> point_at(std::size_t place) {
    return std::span(points_).subspan(place * point_.size(), point_.size());
  }
  [[nodiscard]] std::span<double> above_at(std::size_t place) {
    return std::span(above_).subspan(place * frame_.count(), frame_.count());
  }

  const CutFrame& frame_;
  std::unique_ptr<Oracle> oracle_;
  math::ColumnMaster master_;
  PolarDescent descent_;
  double rounding_;                   // of what is above a row, in lengths
  std::vector<std::size_t> working_;  // the rows of the master
  std::vector<double> depths_;        // their slacks, in lengths
  std::vector<unsigned char> works_;  // by row
  std::vector<std::size_t> kept_;
  std::size_t places_ = 0;      // of the master that are taken
  std::vector<double> points_;  // v of each, row by row
  std::vector<double> above_;   // what it has above all rows, in lengths, likewise
  std::vector<double> costs_;   // <c, v - x_0>, in lengths
  std::vector<double> direction_;
  std::vector<double> point_;
  std::vector<double> of_rows_;        // of point_, as above_
  double cost_ = 0;                    // of point_
  std::vector<double> first_of_rows_;  // of the answer of K to c
  double first_cost_ = 0;
  std::vector<double> best_point_;
  std::vector<double> column_;
  std::vector<double> prices_;
  std::vector<double> best_prices_;  // y of the lower bound, by row
  double upper_ = 0;
  double lower_ = 0;
  std::size_t calls_ = 0;
};

}  // namespace keyhole::sets
