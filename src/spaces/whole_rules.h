// Constraints with whole numbers in them, and the points with whole numbers that they allow.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spaces/constraint.h"
#include "spaces/domains.h"

namespace keyhole::spaces {

// A point of the space has whole numbers between their steps. Around it they are in a cell: each is
// at the step below or at the step above.
//
// If the constraints allow all corners of the cell, rounding one by one is right. If they allow
// some, a mixture of these whose mean is the point is searched for, by column generation (Dantzig
// and Wolfe, "Decomposition principle for linear programs", 1960). There is one wherever the
// corners of cell and constraints are whole: always for a totally unimodular matrix and whole right
// sides (Hoffman and Kruskal, "Integral boundary points of convex polyhedra", 1956). Else it is the
// allowed point nearest to the one that was rounded one by one, in shares of the ranges; there
// other numbers may move too.
class WholeRules {
 public:
  /// The constraints may be without whole numbers. Throws InvalidArgument, which quotes those with
  /// some, if they allow no whole numbers; `middle` is a point of the space to begin a search from.
  WholeRules(const std::vector<SpaceParameter>& parameters,
             const std::vector<Constraint>& constraints, std::span<const double> middle);

  /// Whether there is anything to obey.
  [[nodiscard]] bool any() const noexcept { return !rows_.empty(); }

  /// Makes a point that is allowed of `rounded`, which is x with its whole numbers rounded one by
  /// one. A share that is uniform from 0 to 1 chooses from a mixture whose mean is x, if there is
  /// one. Without a share it is the one nearest to x.
  void obey(std::span<const double> x, std::span<double> rounded,
            std::optional<double> share) const;

  /// A whole number of a constraint.
  struct Whole {
    std::size_t column;
    Ladder ladder;
  };
  /// A number of a constraint that is not whole.
  struct Other {
    std::size_t column;
    double lower;
    double upper;
  };
  /// A constraint: a coefficient for each of wholes() and others().
  struct Row {
    std::vector<double> of_wholes = {};
    std::vector<double> of_others = {};
    double right = 0;
    bool equality = false;
    /// How far the sum may be out, as a share of the magnitudes that are summed.
    double rounding = 0;
    /// How far it may be out at most: less than a step of a whole number makes.
    double most_rounding = std::numeric_limits<double>::infinity();
    [[nodiscard]] double slack(double size) const {
      return std::min(rounding * size, most_rounding);
    }
  };
  [[nodiscard]] const std::vector<Whole>& wholes() const noexcept { return wholes_; }
  [[nodiscard]] const std::vector<Other>& others() const noexcept { return others_; }
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }

  /// Whether a point with whole numbers obeys.
  [[nodiscard]] bool allows(std::span<const double> x) const;

 private:
  /// The places below and above each whole number of a point, and where it is between them.
  struct Cell {
    std::vector<std::int64_t> from = {};
    std::vector<std::int64_t> to = {};
    std::vector<double> x = {};
  };

  void add_columns(const std::vector<SpaceParameter>& parameters,
                   std::span<const unsigned char> is_linked);
  void add_row(const Constraint& constraint);
  /// Of a row of whole numbers alone: 0 if its sum has no roundings.
  [[nodiscard]] double most_rounding(const Row& row) const;
  [[nodiscard]] bool allows_all(const Cell& cell, std::span<const double> x) const;
  /// A corner of the cell from a mixture whose mean is x; none if there is no such mixture.
  [[nodiscard]] std::optional<std::vector<double>> draw(const Cell& cell, std::span<const double> x,
                                                        double share) const;

  std::vector<Whole> wholes_;
  std::vector<Other> others_;
  std::vector<Row> rows_;
  std::vector<double> one_allowed_;  // a point, for where a search takes too long
};

}  // namespace keyhole::spaces
