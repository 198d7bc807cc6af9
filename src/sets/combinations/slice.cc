#include "sets/combinations/slice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/combinations/append_rows.h"
#include "sets/combinations/column_generation.h"
#include "sets/combinations/slice_rows.h"
#include "sets/estimated_shape.h"
#include "sets/explored_points.h"
#include "sets/sampled_vertices.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Many rows make many steps, each of the cube of their number.
constexpr std::size_t most_slice_rows = 50;

/// Up to so many coordinates the minimisers are asked about the shape when the slice is made.
constexpr std::size_t most_estimated = 200;

/// Up to so many coordinates the simplex method on a description by inequalities is about as quick
/// as column generation or quicker; at 500 it takes ten times as long for a box.
constexpr std::size_t most_described = 200;

/// A and b as they were given.
struct GivenRows {
  Vector matrix;
  Vector right;

  [[nodiscard]] std::string text(const std::string& of) const {
    return "slice(" + of + ", A=" + base::matrix_text(matrix, matrix.size() / right.size()) +
           ", b=" + base::list_text(right, false) + ")";
  }
};

/// c = the direction within the hull of the slice, of length 1; false if there is nothing but
/// `roundings` of it.
bool make_unit(const SliceFrame& frame, std::span<const double> direction, double roundings,
               std::span<double> c) {
  const double largest = math::largest_magnitude(direction);
  if (!(largest > 0)) return false;
  int exponent = 0;
  std::frexp(largest, &exponent);  // a power of two rounds nothing
  for (std::size_t j = 0; j < c.size(); ++j) c[j] = std::ldexp(direction[j], -exponent);
  const double before = math::norm(c);
  frame.flatten(c);
  double length = math::norm(c);
  if (!(length > roundings * before)) return false;
  if (length < 1e-3 * before) {  // what was taken away has left roundings that c shows
    frame.flatten(c);
    length = math::norm(c);
  }
  for (double& number : c) number /= length;
  return true;
}

/// That of the first axis that there is anything of.
Vector first_direction(const SliceFrame& frame) {
  const std::size_t n = frame.base.size();
  Vector axis(n, 0.0);
  Vector c(n);
  for (std::size_t j = 0; j < n; ++j) {
    axis[j] = 1;
    if (make_unit(frame, axis, 1e-6, c)) break;
    axis[j] = 0;
  }
  return c;
}

class SliceOracle final : public Oracle {
 public:
  explicit SliceOracle(const SliceFrame& frame)
      : frame_(frame),
        columns_(frame),
        c_(frame.base.size()),
        instead_of_zero_(first_direction(frame)) {}

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

/// What is known of a slice besides its frame.
struct SliceShape {
  Geometry geometry;
  /// Vertices and weights to explore; none if they are to be found later.
  std::vector<Vector> vertices = {};
  Vector weights = {};
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

void make_consistent(Geometry& geometry) {
  geometry.outer_radius = std::min(geometry.outer_radius, geometry.diameter);
  geometry.diameter = std::min(geometry.diameter, 2 * geometry.outer_radius);
}

/// The frame's, or what the minimisers show if that ball is larger.
SliceShape find_shape(const SliceFrame& frame) {
  SliceShape result{.geometry = geometry_of_frame(frame)};
  Geometry& geometry = result.geometry;
  const std::size_t n = frame.base.size();
  if (n <= most_estimated) {
    SliceOracle oracle(frame);
    EstimatedShape shape =
        estimate_shape(n, [&oracle](std::span<const double> d, std::span<double> v) {
          oracle.minimise(d).write_to(v);
        });
    if (shape.hull_dimension() == frame.set->hull_dimension() - frame.count()) {
      const Geometry& seen = shape.geometry;
      geometry.diameter = std::min(geometry.diameter, seen.diameter);
      if (seen.inner_radius > geometry.inner_radius) {
        const double moved = distance_between(seen.centre, geometry.centre);
        geometry.outer_radius = std::min(geometry.outer_radius + moved, seen.outer_radius);
        geometry.centre = seen.centre;
        geometry.inner_radius = seen.inner_radius;
      }
      result.vertices = std::move(shape.vertices);
      result.weights = std::move(shape.weights);
    }
  }
  make_consistent(geometry);
  return result;
}

class Slice final : public Set {
 public:
  Slice(SliceFrame frame, SliceShape shape, GivenRows given)
      : Set(frame.base.size(), frame.set->hull_dimension() - frame.count(), shape.geometry),
        frame_(std::move(frame)),
        shape_(std::move(shape)),
        given_(std::move(given)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SliceOracle>(frame_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (shape_.vertices.empty()) return explore_vertices(*this);
    return KeptExploration::of(*this, [this]() -> SharedPoints {
      return std::make_shared<const ExploredPoints>(space_of(*this), shape_.vertices,
                                                    shape_.weights);
    });
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return is_point(x, dimension()) && is_on_rows(x) && frame_.set->contains(x);
  }
  void flatten(std::span<double> direction) const override { frame_.flatten(direction); }

  /// A ball of the set about a point of the slice is one of the slice.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    base::require(is_on_rows(centre),
                  "the centre " + base::list_text(centre, false) + " is not on A x = b");
    Geometry result = frame_.set->geometry_about(centre);
    result.outer_radius =
        std::min(result.outer_radius, outer_radius() + distance_between(centre, this->centre()));
    result.diameter = diameter();
    result.outer_radius_exact = result.diameter_exact = false;
    make_consistent(result);
    return result;
  }

  [[nodiscard]] std::string spec() const override { return given_.text(frame_.set->spec()); }

  [[nodiscard]] const SetPtr& of() const { return frame_.set; }
  [[nodiscard]] const GivenRows& given() const { return given_; }

 private:
  /// To the slack, and the roundings of the coordinates: a slice can be small and far from 0.
  [[nodiscard]] bool is_on_rows(std::span<const double> x) const {
    const double roundings = 8 * std::numeric_limits<double>::epsilon() * math::norm(centre());
    return frame_.off(x) <= slack() + roundings;
  }

  SliceFrame frame_;
  SliceShape shape_;
  GivenRows given_;
};

void require_rows(const SetPtr& set, std::span<const double> matrix,
                  std::span<const double> right) {
  base::require(set != nullptr, "a slice needs a set");
  base::require(!right.empty(), "a slice needs at least one row");
  const std::size_t n = set->dimension();
  const std::size_t m = right.size();
  base::require(matrix.size() == m * n, "the matrix of a slice with " + std::to_string(m) +
                                            " rows and " + std::to_string(n) + " columns has " +
                                            std::to_string(m * n) + " numbers, not " +
                                            std::to_string(matrix.size()));
  for (const auto& numbers : {matrix, right}) {
    for (const double number : numbers) {
      base::require(
          base::is_moderate(number),
          "a slice needs numbers of magnitude up to 1e50, not " + base::number_text(number));
    }
  }
}

/// By linear inequalities, with A x = b added to those of the set.
SetPtr described_slice(const Set& set, PolytopeConstraints all, const GivenRows& given) {
  PolytopeConstraints result{.n = all.n,
                             .lower = std::move(all.lower),
                             .upper = std::move(all.upper),
                             .source = given.text(set.spec())};
  const std::string of = of_set(set);
  append_rows(result.inequalities, all.inequalities, all.n, 0, "inequality", of);
  append_rows(result.equalities, all.equalities, all.n, 0, "equality", of);
  append_rows(result.equalities, {.dense = given.matrix, .right = given.right}, all.n, 0, "row",
              " of the slice");
  try {
    return polytope(result);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(about_another(error.what(), "the slice"));
  }
}

}  // namespace

SetPtr slice_by_columns(const SetPtr& set, std::span<const double> matrix,
                        std::span<const double> right) {
  require_rows(set, matrix, right);
  GivenRows given{Vector(matrix.begin(), matrix.end()), Vector(right.begin(), right.end())};
  SetPtr of = set;
  // A slice of a slice is one by the rows of both.
  if (const auto* const inner = dynamic_cast<const Slice*>(set.get())) {
    const GivenRows& first = inner->given();
    given.matrix.insert(given.matrix.begin(), first.matrix.begin(), first.matrix.end());
    given.right.insert(given.right.begin(), first.right.begin(), first.right.end());
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
  SliceShape shape = find_shape(frame);
  return std::make_shared<Slice>(std::move(frame), std::move(shape), std::move(given));
}

SetPtr slice(const SetPtr& set, List<double> matrix, List<double> right) {
  require_rows(set, matrix, right);
  if (set->dimension() > most_described) return slice_by_columns(set, matrix, right);
  auto description = set->linear_description();
  if (!description) return slice_by_columns(set, matrix, right);
  const GivenRows given{Vector(matrix.begin(), matrix.end()), Vector(right.begin(), right.end())};
  return described_slice(*set, std::move(*description), given);
}

}  // namespace keyhole::sets
