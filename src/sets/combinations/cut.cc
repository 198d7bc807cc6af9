#include "sets/combinations/cut.h"

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
#include "sets/combinations/append_rows.h"
#include "sets/combinations/column_generation.h"
#include "sets/combinations/given_rows.h"
#include "sets/combinations/narrowed_shape.h"
#include "sets/combinations/unit_direction.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Many rows make many steps, each of the cube of the number of those that are met: an answer takes
/// a second with a hundred.
constexpr std::size_t most_cut_rows = 100;

/// Up to so many rows times coordinates the minimisers are asked about the shape: about as many
/// times as there are coordinates, and ten times as many. Beyond, that takes more than a second.
constexpr std::size_t most_asked = 400;

/// In diameters: what a point that keeps the rows by most may be below the most.
constexpr double about = 1e-3;

/// Of a unit vector: what is left of a row that is the same at all points of the set.
constexpr double no_change = 1e-9;

/// What rounding may take from lengths that are right.
constexpr double but_for_rounding = 1 - 1e-9;

/// Of the diameter: a cut that leaves less is taken for one that leaves nothing.
constexpr double least_left = 1e-6;

class CutOracle final : public Oracle {
 public:
  explicit CutOracle(const CutFrame& frame)
      : frame_(frame),
        columns_(frame),
        c_(frame.base.size()),
        instead_of_zero_(first_direction(*frame.set, frame.base.size())) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const bool is_any = make_unit(*frame_.set, direction, 1e-13, c_);
    vertex_.dense = columns_.minimise(is_any ? c_ : instead_of_zero_);
    return vertex_;
  }

  void settle(std::span<double> point) override { columns_.oracle().settle(point); }

 private:
  const CutFrame& frame_;
  CutColumns columns_;
  Vector c_;
  Vector instead_of_zero_;
  Vertex vertex_;
};

/// How deep x_0 is: a ball about it in K whose points keep all rows.
struct Deep {
  Vector point;
  double radius = 0;
};

/// The slacks of p are those of the frame. With v a point of K all of whose slacks are at least t,
/// and s the least of p, the point p + share (v - p) has a ball of radius (1 - share) r in K and
/// slacks of at least (1 - share) s + share t. The share makes the two equal, if s < r.
Deep deep_between(const Set& set, double least, std::span<const double> v, double t) {
  const double r = set.inner_radius();
  const double share = (r - least) / (r - least + t);
  Deep result{set.centre(), (1 - share) * r * but_for_rounding};
  for (std::size_t j = 0; j < v.size(); ++j) result.point[j] += share * (v[j] - result.point[j]);
  return result;
}

/// The point (v, u) of K times an interval with the largest u for which all rows of v have slacks
/// of u - lift at least.
Deep find_deep(const CutFrame& frame) {
  const Set& set = *frame.set;
  const std::size_t n = set.dimension();
  const double r = set.inner_radius();
  const double least = *std::min_element(frame.slacks.begin(), frame.slacks.end());
  if (least >= r) return {set.centre(), r * but_for_rounding};
  const double lift = r + std::max(0.0, -least);
  const double most = lift + least + set.outer_radius();
  CutFrame lifted{
      .set = product({frame.set, box(0, most, 1)}), .base = set.centre(), .length = set.diameter()};
  lifted.base.push_back(0);
  for (std::size_t i = 0; i < frame.count(); ++i) {
    const auto a = frame.row(i);
    lifted.rows.insert(lifted.rows.end(), a.begin(), a.end());
    lifted.rows.push_back(1);
    lifted.slacks.push_back(frame.slacks[i] + lift);
  }
  Vector up(n + 1, 0.0);
  up[n] = -1;
  CutColumns columns(lifted);
  Vector answer = lifted.base;
  answer[n] = most;
  std::span<const double> last = columns.approach(up, answer, about);
  if (last[n] - lift <= about * set.diameter()) {
    last = columns.approach(up, answer, ColumnGeneration::enough);
  }
  const double t = last[n] - lift;
  const std::string of = of_set(set);
  base::require(t + (columns.gap() + least_left) * set.diameter() >= 0,
                "no point" + of + " has A x <= b: the cut is empty");
  base::require(t > least_left * set.diameter(),
                "A x <= b leaves nothing" + of +
                    " but a part of its boundary, or less than 1e-6 of its diameter: the cut has "
                    "no inside; for A x = b there is slice()");
  return deep_between(set, least, last.first(n), t);
}

class Cut final : public Set {
 public:
  Cut(CutFrame frame, NarrowedShape shape, GivenRows given)
      : Set(frame.base.size(), frame.set->hull_dimension(), shape.geometry),
        frame_(std::move(frame)),
        shape_(std::move(shape)),
        given_(std::move(given)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CutOracle>(frame_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return shape_.vertices.empty() ? Set::exploration() : shape_.exploration(*this);
  }
  /// To the slack, and the roundings of the coordinates: a cut can be small and far from 0.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (!is_point(x, dimension()) || !frame_.set->contains(x)) return false;
    const double roundings = 8 * std::numeric_limits<double>::epsilon() * math::norm(centre());
    for (std::size_t i = 0; i < frame_.count(); ++i) {
      if (!(frame_.above(i, x) <= slack() + roundings)) return false;
    }
    return true;
  }
  void flatten(std::span<double> direction) const override { frame_.set->flatten(direction); }

  /// A ball of the set, as large as the rows allow.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Geometry result = frame_.set->geometry_about(centre);
    for (std::size_t i = 0; i < frame_.count(); ++i) {
      result.inner_radius =
          std::min(result.inner_radius, -frame_.above(i, centre) * but_for_rounding);
    }
    base::require(result.inner_radius > 0,
                  "the centre " + base::list_text(centre, false) + " is not within A x < b");
    result.outer_radius =
        std::min(result.outer_radius, outer_radius() + distance_between(centre, this->centre()));
    result.diameter = diameter();
    result.outer_radius_exact = result.diameter_exact = false;
    make_consistent(result);
    return result;
  }

  [[nodiscard]] std::string spec() const override { return given_.text("cut", frame_.set->spec()); }

  [[nodiscard]] const SetPtr& of() const { return frame_.set; }
  [[nodiscard]] const GivenRows& given() const { return given_; }

 private:
  CutFrame frame_;
  NarrowedShape shape_;
  GivenRows given_;
};

}  // namespace

CutFrame find_cut(const SetPtr& set, std::span<const double> matrix,
                  std::span<const double> right) {
  const std::size_t n = set->dimension();
  const Vector& p = set->centre();
  CutFrame frame{.set = set, .base = p, .length = set->diameter()};
  const auto oracle = set->oracle();
  Vector v(n);
  for (std::size_t i = 0; i < right.size(); ++i) {
    Vector a(matrix.begin() + static_cast<std::ptrdiff_t>(i * n),
             matrix.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
    const double size = math::norm(a);
    base::require(size > 0, "row " + std::to_string(i) + " of the cut is zero: leave it out");
    for (double& number : a) number /= size;
    double slack = right[i] / size - math::dot(a, p);
    constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
    const double off = membership_tolerance * set->outer_radius() +
                       roundings * (std::abs(right[i] / size) + math::norm(p));
    set->flatten(a);
    const double length = math::norm(a);
    if (length <= no_change) {
      base::require(slack >= -off, "the cut is empty: row " + std::to_string(i) +
                                       " has the same value at all points" + of_set(*set) +
                                       ", and that is above " + base::number_text(right[i]));
      continue;
    }
    slack /= length;
    for (double& number : a) number /= -length;
    if (slack < set->outer_radius()) oracle->minimise(a).write_to(v);
    for (double& number : a) number = -number;
    const double most = math::reduce(n, [&](std::size_t j) { return a[j] * (v[j] - p[j]); });
    if (slack >= set->outer_radius() || slack >= most) continue;
    frame.rows.insert(frame.rows.end(), a.begin(), a.end());
    frame.slacks.push_back(slack);
  }
  base::require(frame.count() <= most_cut_rows,
                "a cut takes up to " + std::to_string(most_cut_rows) +
                    " rows that not all points of the set keep, not " +
                    std::to_string(frame.count()) +
                    ": describe the set by linear inequalities, as a polytope");
  if (frame.count() == 0) return frame;
  Deep deep = find_deep(frame);
  for (std::size_t i = 0; i < frame.count(); ++i) {
    const auto a = frame.row(i);
    frame.slacks[i] -=
        math::reduce(n, [&](std::size_t j) { return a[j] * (deep.point[j] - p[j]); });
    deep.radius = std::min(deep.radius, frame.slacks[i] * but_for_rounding);
  }
  frame.base = std::move(deep.point);
  frame.depth = deep.radius;
  return frame;
}

SetPtr cut_by_columns(const SetPtr& set, std::span<const double> matrix,
                      std::span<const double> right) {
  require_rows("cut", set, matrix, right);
  GivenRows given(matrix, right);
  SetPtr of = set;
  // A cut of a cut is one by the rows of both.
  if (const auto* const inner = dynamic_cast<const Cut*>(set.get())) {
    given.prepend(inner->given());
    of = inner->of();
  }
  CutFrame frame = find_cut(of, given.matrix, given.right);
  if (frame.count() == 0) return set;
  Geometry known{.centre = frame.base, .inner_radius = frame.depth};
  known.outer_radius = of->outer_radius() + distance_between(frame.base, of->centre());
  known.diameter = of->diameter();
  known.outer_radius_exact = known.diameter_exact = false;
  NarrowedShape shape{.geometry = known};
  if (frame.count() * of->dimension() <= most_asked) {
    CutOracle oracle(frame);
    shape = narrowed_shape(std::move(known), of->hull_dimension(), oracle);
  } else {
    make_consistent(shape.geometry);
  }
  return std::make_shared<Cut>(std::move(frame), std::move(shape), std::move(given));
}

SetPtr cut(const SetPtr& set, List<double> matrix, List<double> right) {
  require_rows("cut", set, matrix, right);
  if (set->dimension() > most_described) return cut_by_columns(set, matrix, right);
  auto description = set->linear_description();
  if (!description) return cut_by_columns(set, matrix, right);
  return described_by_rows("cut", *set, std::move(*description), {matrix, right});
}

}  // namespace keyhole::sets
