#include "sets/combinations/slice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/combinations/column_generation.h"
#include "sets/combinations/given_rows.h"
#include "sets/combinations/narrowed_shape.h"
#include "sets/combinations/slice_rows.h"
#include "sets/combinations/unit_direction.h"
#include "sets/sampled_vertices.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Many rows make many steps, each of the cube of their number.
constexpr std::size_t most_slice_rows = 50;

/// How near to the least the points to explore are, in lengths of the slice: 22 s become 1.8 s for
/// the diagonal of spectraplex(20) (bench_start), and the variances of the points are 0.92 to 1 of
/// those of vertices (slices of lp_ball(220, 3), 30 groups of 8, ball(220)).
constexpr double explored_gap = 1e-2;

class SliceOracle final : public Oracle {
 public:
  explicit SliceOracle(const SliceFrame& frame, double gap = ColumnGeneration::enough)
      : frame_(frame),
        columns_(frame, ColumnGeneration::plenty_of_calls(frame), gap),
        c_(frame.base.size()),
        instead_of_zero_(first_direction(frame, frame.base.size())) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const bool is_any = make_unit(frame_, direction, 1e-13, c_);
    vertex_.dense = columns_.minimise(is_any ? c_ : instead_of_zero_);
    return vertex_;
  }

  void settle(std::span<double> point) override { columns_.oracle().settle(point); }

 private:
  const SliceFrame& frame_;
  ColumnGeneration columns_;
  Vector c_;
  Vector instead_of_zero_;
  Vertex vertex_;
};

/// About x_0, with the ball there. With w the part of x - p along the slice ||w||^2 <= R^2 -
/// ||g||^2 for all x of the slice, ||g|| its distance from p: so none is farther from x_0 than the
/// root of that and the length of x_0's own w.
Geometry geometry_of_frame(const SliceFrame& frame) {
  const double R = frame.set->outer_radius();
  const double away = frame.off(frame.set->centre());
  const double beside = distance_between(frame.base, frame.set->centre());
  Geometry result{.centre = frame.base, .inner_radius = frame.depth};
  result.outer_radius = std::sqrt(std::max(0.0, (R - away) * (R + away))) +
                        std::sqrt(std::max(0.0, (beside - away) * (beside + away)));
  result.diameter = frame.length;
  result.outer_radius_exact = result.diameter_exact = false;
  return result;
}

NarrowedShape find_shape(const SliceFrame& frame) {
  SliceOracle oracle(frame);
  return narrowed_shape(geometry_of_frame(frame), frame.set->hull_dimension() - frame.count(),
                        oracle);
}

class Slice final : public Set {
 public:
  Slice(SliceFrame frame, NarrowedShape shape, GivenRows given)
      : Set(frame.base.size(), frame.set->hull_dimension() - frame.count(), shape.geometry),
        frame_(std::move(frame)),
        shape_(std::move(shape)),
        given_(std::move(given)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SliceOracle>(frame_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (shape_.vertices.empty()) {
      return explore_vertices(
          *this, [this] { return std::make_unique<SliceOracle>(frame_, explored_gap); });
    }
    return shape_.exploration(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return is_point(x, dimension()) && is_on_rows(x) && frame_.set->contains(x);
  }
  void flatten(std::span<double> direction) const override { frame_.flatten(direction); }

  /// A ball of the set about a point of the slice is one of the slice: the larger one of that and
  /// what is left of the slice's own.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    base::require(is_on_rows(centre),
                  "the centre " + base::list_text(centre, false) + " is not on A x = b");
    Geometry result = Set::geometry_about(centre);
    const Geometry of_set = frame_.set->geometry_about(centre);
    result.inner_radius = std::max(result.inner_radius, of_set.inner_radius);
    result.outer_radius = std::min(result.outer_radius, of_set.outer_radius);
    make_consistent(result);
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return given_.text("slice", frame_.set->spec());
  }

  [[nodiscard]] const SetPtr& of() const { return frame_.set; }
  [[nodiscard]] const GivenRows& given() const { return given_; }

 private:
  /// To the slack, and the roundings of the coordinates: a slice can be small and far from 0.
  [[nodiscard]] bool is_on_rows(std::span<const double> x) const {
    const double roundings = 8 * std::numeric_limits<double>::epsilon() * math::norm(centre());
    return frame_.off(x) <= slack() + roundings;
  }

  SliceFrame frame_;
  NarrowedShape shape_;
  GivenRows given_;
};

}  // namespace

SetPtr slice_by_columns(const SetPtr& set, std::span<const double> matrix,
                        std::span<const double> right) {
  require_rows("slice", set, matrix, right);
  GivenRows given(matrix, right);
  SetPtr of = set;
  // A slice of a slice is one by the rows of both.
  if (const auto* const inner = dynamic_cast<const Slice*>(set.get())) {
    given.prepend(inner->given());
    of = inner->of();
  }
  const SliceRows rows = independent_rows(*of, given.matrix, given.right);
  const std::size_t count = rows.right.size();
  if (count == 0) return set;
  base::require(count <= most_slice_rows,
                "a slice takes up to " + std::to_string(most_slice_rows) +
                    " independent rows, not " + std::to_string(count) +
                    ": describe the set by linear inequalities, as a polytope");
  base::require(count < of->hull_dimension(),
                "the slice has " + std::to_string(count) + " independent rows and " +
                    std::to_string(of->hull_dimension()) +
                    " dimensions to cut: it is a single point at most, which leaves nothing to "
                    "choose");
  SliceFrame frame = find_frame(of, rows);
  NarrowedShape shape = find_shape(frame);
  return std::make_shared<Slice>(std::move(frame), std::move(shape), std::move(given));
}

SetPtr slice(const SetPtr& set, List<double> matrix, List<double> right) {
  require_rows("slice", set, matrix, right);
  if (set->dimension() > most_described) return slice_by_columns(set, matrix, right);
  auto description = set->linear_description();
  if (!description) return slice_by_columns(set, matrix, right);
  return described_by_rows("slice", *set, std::move(*description), {matrix, right});
}

}  // namespace keyhole::sets
