#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "sets/combinations/append_rows.h"
#include "sets/combinations/column_generation.h"
#include "sets/combinations/narrowed_shape.h"
#include "sets/combinations/slice_rows.h"
#include "sets/combinations/unit_direction.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// With 50 rows an answer takes up to three seconds.
constexpr std::size_t most_common_rows = 50;

/// Up to so many rows times coordinates the minimisers are asked about the shape, ten times as many
/// times as there are coordinates. Beyond, that takes more than a second.
constexpr std::size_t most_asked_about = 100;

/// The bounds that both keep; none count as infinite ones.
void narrow_bounds(PolytopeConstraints& all, const PolytopeConstraints& one) {
  for (std::size_t j = 0; j < all.n; ++j) {
    if (!one.lower.empty()) all.lower[j] = std::max(all.lower[j], one.lower[j]);
    if (!one.upper.empty()) all.upper[j] = std::min(all.upper[j], one.upper[j]);
  }
}

/// The polytope of all rows; none if a set gives none.
std::optional<PolytopeConstraints> joined_description(const std::vector<SetPtr>& sets) {
  const std::size_t n = sets.front()->dimension();
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  PolytopeConstraints all{.n = n,
                          .lower = Vector(n, -unbounded),
                          .upper = Vector(n, unbounded),
                          .source = list_spec("intersection", sets)};
  for (const SetPtr& set : sets) {
    const auto one = set->linear_description();
    if (!one) return std::nullopt;
    narrow_bounds(all, *one);
    append_rows(all.inequalities, one->inequalities, n, 0, "inequality", of_set(*set));
    append_rows(all.equalities, one->equalities, n, 0, "equality", of_set(*set));
  }
  return all;
}

/// What the sets have in common is {(x, ..., x)} in their product: a slice of that.
SliceFrame find_common(const std::vector<SetPtr>& sets) {
  const SetPtr all = product(sets);
  const std::size_t n = sets.front()->dimension();
  const std::size_t count = all->dimension() - n;
  Vector matrix(count * all->dimension(), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    matrix[i * all->dimension() + i % n] = 1;
    matrix[i * all->dimension() + n + i] = -1;
  }
  try {
    const SliceRows rows = independent_rows(*all, matrix, Vector(count, 0.0));
    base::require(rows.right.size() < all->hull_dimension(), "there is a single point at most");
    return find_frame(all, rows);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(
        std::string("the sets of an intersection must have inner points in common: where the ") +
        "points of all sets are equal, " + error.what());
  }
}

class CommonOracle final : public Oracle {
 public:
  CommonOracle(const SliceFrame& frame, const std::vector<SetPtr>& sets)
      : frame_(frame),
        columns_(frame),
        oracles_(oracles_of(sets)),
        lifted_(frame.base.size()),
        c_(frame.base.size()),
        instead_of_zero_(first_direction(frame, frame.base.size())),
        point_(sets.front()->dimension()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::copy(direction.begin(), direction.end(), lifted_.begin());
    const bool is_any = make_unit(frame_, lifted_, 1e-13, c_);
    const auto answer = columns_.minimise(is_any ? c_ : instead_of_zero_).first(point_.size());
    std::copy(answer.begin(), answer.end(), point_.begin());
    settle(point_);
    return vertex_;
  }

  /// Twice, for what one set has moved and another has bounds for.
  void settle(std::span<double> point) override {
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& oracle : oracles_) oracle->settle(point);
    }
  }

 private:
  const SliceFrame& frame_;
  ColumnGeneration columns_;
  std::vector<std::unique_ptr<Oracle>> oracles_;
  Vector lifted_;
  Vector c_;
  Vector instead_of_zero_;
  Vector point_;
  Vertex vertex_;
};

/// The directions of the hull.
JointHull common_hull(const SliceFrame& frame, std::size_t n) {
  const std::size_t dimension = frame.set->hull_dimension() - frame.count();
  if (dimension == n) return JointHull(n);
  Vector rows;
  Vector axis(frame.base.size());
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(axis.begin(), axis.end(), 0.0);
    axis[j] = 1;
    frame.flatten(axis);
    rows.insert(rows.end(), axis.begin(), axis.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return {std::move(rows), n, 1};
}

/// A ball of all sets is one of what they have in common, and so are those around.
Geometry common_geometry(const std::vector<SetPtr>& sets, std::span<const double> centre) {
  Geometry result = sets.front()->geometry_about(centre);
  for (const SetPtr& set : sets) {
    const Geometry one = set->geometry_about(centre);
    result.inner_radius = std::min(result.inner_radius, one.inner_radius);
    result.outer_radius = std::min(result.outer_radius, one.outer_radius);
    result.diameter = std::min(result.diameter, one.diameter);
  }
  result.outer_radius_exact = result.diameter_exact = false;
  make_consistent(result);
  return result;
}

/// A ball of the product about (x_0, ..., x_0) is a product of balls.
NarrowedShape common_shape(const SliceFrame& frame, const std::vector<SetPtr>& sets,
                           const JointHull& hull) {
  const Vector centre(frame.base.begin(),
                      frame.base.begin() + static_cast<std::ptrdiff_t>(sets.front()->dimension()));
  Geometry known = common_geometry(sets, centre);
  known.inner_radius = std::max(known.inner_radius, frame.depth);
  if (frame.count() * centre.size() > most_asked_about) return {.geometry = known};
  CommonOracle oracle(frame, sets);
  return narrowed_shape(std::move(known), hull.dimension(), oracle);
}

class CommonPart final : public Set {
 public:
  CommonPart(std::vector<SetPtr> sets, SliceFrame frame, JointHull hull, NarrowedShape shape)
      : Set(sets.front()->dimension(), hull.dimension(), shape.geometry),
        sets_(std::move(sets)),
        frame_(std::move(frame)),
        hull_(std::move(hull)),
        shape_(std::move(shape)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CommonOracle>(frame_, sets_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return shape_.vertices.empty() ? Set::exploration() : shape_.exploration(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return std::all_of(sets_.begin(), sets_.end(),
                       [&](const SetPtr& set) { return set->contains(x); });
  }
  void flatten(std::span<double> direction) const override { hull_.flatten(direction); }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return common_geometry(sets_, centre);
  }
  [[nodiscard]] std::string spec() const override { return list_spec("intersection", sets_); }

  [[nodiscard]] const std::vector<SetPtr>& sets() const { return sets_; }

 private:
  std::vector<SetPtr> sets_;
  SliceFrame frame_;
  JointHull hull_;
  NarrowedShape shape_;
};

/// By the oracles of the sets.
SetPtr common_part(const std::vector<SetPtr>& given) {
  std::vector<SetPtr> sets;
  for (const SetPtr& set : given) {
    const auto* const inner = dynamic_cast<const CommonPart*>(set.get());
    if (inner == nullptr) {
      sets.push_back(set);
    } else {
      sets.insert(sets.end(), inner->sets().begin(), inner->sets().end());
    }
  }
  const std::size_t rows = (sets.size() - 1) * sets.front()->dimension();
  base::require(rows <= most_common_rows,
                "an intersection of k sets that are not all given by linear inequalities takes up "
                "to " +
                    std::to_string(most_common_rows) + " / (k - 1) coordinates, not " +
                    std::to_string(sets.front()->dimension()));
  SliceFrame frame = find_common(sets);
  JointHull hull = common_hull(frame, sets.front()->dimension());
  NarrowedShape shape = common_shape(frame, sets, hull);
  return std::make_shared<CommonPart>(std::move(sets), std::move(frame), std::move(hull),
                                      std::move(shape));
}

}  // namespace

SetPtr intersection(const std::vector<SetPtr>& sets) {
  base::require(sets.size() >= 2,
                "an intersection needs at least two sets, not " + std::to_string(sets.size()));
  for (const SetPtr& set : sets) {
    base::require(set != nullptr, "an intersection needs sets, and one of them is missing");
    base::require(set->dimension() == sets.front()->dimension(),
                  "the sets of an intersection must have as many coordinates: " +
                      sets.front()->spec() + " has " + std::to_string(sets.front()->dimension()) +
                      " and " + set->spec() + " has " + std::to_string(set->dimension()));
  }
  const auto all = joined_description(sets);
  if (!all) return common_part(sets);
  try {
    return polytope(*all);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(about_another(error.what(), "the intersection"));
  }
}

}  // namespace keyhole::sets
