// What the sets {lower <= x <= upper, <weights, x> <= total} have in common, with equality in place
// of the inequality for the flat ones: all but their oracles, their outer radii and where they are
// explored.

#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "keyhole/polytope.h"
#include "keyhole/set.h"
#include "math/programs/row_in_box.h"

namespace keyhole::sets {

/// The constraints; weights > 0, upper bounds may be infinite.
struct Budget {
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<double> weights;
  double total = 0;
  /// Whether all of the total is spent.
  bool flat = false;

  /// How far a ball within the hull reaches along each axis, as multiples of the same length: by
  /// the whole radius, or less where an axis is not in the hull of a flat set. All 1 if all weights
  /// are.
  [[nodiscard]] std::vector<double> axes() const;
  /// r = the distance from p to the nearest plane of a constraint, within the hull.
  [[nodiscard]] double inner_radius(std::span<const double> p) const;
  /// Throws InvalidArgument if the weights are more than a factor of 1e5 apart.
  void require_even(const std::string& what) const;
};

class BudgetSet : public Set {
 public:
  [[nodiscard]] bool contains(std::span<const double> x) const override;
  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }
  void flatten(std::span<double> direction) const override;
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override;

  [[nodiscard]] const Budget& budget() const { return budget_; }
  /// By how much a point may miss a bound for settle() to correct it.
  [[nodiscard]] double bound_slack() const;

 protected:
  BudgetSet(Budget budget, Geometry geometry);

 private:
  Budget budget_;
  double squared_norm_;  // of the weights
  // By how much <weights, x> may miss the total: a move by a length of e, out of K, changes it by e
  // times the smallest weight to e times the norm of them; this is between the two.
  double row_slack_ = 0;
};

class BudgetOracle : public Oracle {
 public:
  explicit BudgetOracle(const BudgetSet& set);

  /// Clamped to the bounds, and if that exceeds the total by RowInBox.
  bool do_project(std::span<const double> point, std::span<double> nearest) override;
  /// The largest of <c, w - p> / (b - <c, p>) over the constraints <c, x> <= b, bounds first.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override;
  void settle(std::span<double> point) override;

 private:
  /// A point that has the same projection where all of the total is spent, moved along the weights.
  /// From afar the digits of what moves nothing would hide the others.
  std::span<const double> brought_near(std::span<const double> point);

  const BudgetSet& set_;
  math::RowInBox row_;
  double far_;
  std::vector<double> near_;
};

}  // namespace keyhole::sets
