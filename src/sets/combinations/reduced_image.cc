#include "sets/combinations/reduced_image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "math/dense.h"
#include "math/spectral/singular_decomposition.h"
#include "math/sums.h"
#include "sets/combinations/narrowed_shape.h"
#include "sets/separation.h"
#include "sets/set_list.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// A singular value that is this share of the largest is rounding.
constexpr double no_stretch = 1e-12;

/// y = A x + b, A row by row.
struct WideMap {
  SetPtr set;
  Vector matrix;
  Vector shift;

  [[nodiscard]] std::size_t columns() const { return set->dimension(); }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(matrix).subspan(i * columns(), columns());
  }
  void forward(std::span<const double> x, std::span<double> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = math::dot(row(i), x) + shift[i];
  }
};

class ReducedOracle final : public Oracle {
 public:
  explicit ReducedOracle(const WideMap& map)
      : map_(map), oracle_(map.set->oracle()), before_(map.columns()), point_(map.shift.size()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::fill(before_.begin(), before_.end(), 0.0);
    for (std::size_t i = 0; i < direction.size(); ++i) {
      math::add(before_, direction[i], map_.row(i));
    }
    oracle_->minimise(before_).write_to(before_);
    map_.forward(before_, point_);
    return vertex_;
  }

 private:
  const WideMap& map_;
  std::unique_ptr<Oracle> oracle_;
  Vector before_;
  Vector point_;
  Vertex vertex_;
};

class ReducedImage final : public Set {
 public:
  ReducedImage(WideMap map, JointHull hull, NarrowedShape shape)
      : Set(map.shift.size(), hull.dimension(), shape.geometry),
        map_(std::move(map)),
        hull_(std::move(hull)),
        shape_(std::move(shape)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ReducedOracle>(map_);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return shape_.exploration(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return is_point(x, dimension()) && Separation(*this).is_within(x, slack());
  }
  void flatten(std::span<double> direction) const override { hull_.flatten(direction); }
  [[nodiscard]] std::string spec() const override {
    return affine_image_text(*map_.set, map_.matrix, map_.shift);
  }

 private:
  WideMap map_;
  JointHull hull_;
  NarrowedShape shape_;
};

/// A times the directions of the hull of the set, column by column.
Vector columns_within(const WideMap& map) {
  const std::size_t m = map.shift.size();
  const std::size_t n = map.columns();
  Vector columns(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    Vector row(map.row(i).begin(), map.row(i).end());
    map.set->flatten(row);
    for (std::size_t j = 0; j < n; ++j) columns[j * m + i] = row[j];
  }
  return columns;
}

}  // namespace

std::string affine_image_text(const Set& set, std::span<const double> matrix,
                              std::span<const double> shift) {
  return "affine_image(" + set.spec() + ", matrix=" + base::matrix_text(matrix, set.dimension()) +
         ", shift=" + base::list_text(shift, true) + ")";
}

void require_fair_image(double least, double most, const Set& set, std::span<const double> shift,
                        std::span<const double> centre) {
  base::require(
      most <= 1e4 * least,
      "the columns of the matrix of an affine image are too nearly dependent, or their units too "
      "far apart: its singular values are between " +
          base::number_text(least) + " and " + base::number_text(most) +
          ", and 1e4 is the largest ratio");
  const double r = set.inner_radius();
  base::require(least * r >= 1e-6 * most * set.outer_radius(),
                "the affine image is too thin: with singular values between " +
                    base::number_text(least) + " and " + base::number_text(most) +
                    " its inner radius may be less than 1e-6 of the outer one");
  // As for images: what is computed back carries the rounding of y - shift.
  const double rounding = std::numeric_limits<double>::epsilon() *
                          std::sqrt(static_cast<double>(shift.size())) *
                          std::max(math::largest_magnitude(shift), math::largest_magnitude(centre));
  base::require(rounding <= 1e-1 * membership_tolerance * least * r,
                "the affine image is too far away (" + base::number_text(math::norm(centre)) +
                    ") compared with its inner radius " + base::number_text(least * r) +
                    ": choose coordinates nearer the origin");
}

SetPtr reduced_image(const SetPtr& set, std::span<const double> matrix,
                     std::span<const double> shift) {
  WideMap map{set, Vector(matrix.begin(), matrix.end()), Vector(shift.begin(), shift.end())};
  const std::size_t m = shift.size();
  const std::size_t n = set->dimension();
  const Vector columns = columns_within(map);
  Vector sigma = math::singular_values(columns, n, m);
  const double most = sigma.front();
  base::require(most > no_stretch * math::norm(matrix),
                "the affine image is a single point: the matrix takes all points of " +
                    set->spec() + " to the same one");
  while (!(sigma.back() > no_stretch * most)) sigma.pop_back();
  const double least = sigma.back();
  Geometry known{.centre = Vector(m)};
  map.forward(set->centre(), known.centre);
  require_fair_image(least, most, *set, shift, known.centre);
  known.inner_radius = least * set->inner_radius();
  known.outer_radius = most * set->outer_radius();
  known.diameter = most * set->diameter();
  known.outer_radius_exact = known.diameter_exact = false;
  JointHull hull = sigma.size() == m ? JointHull(m) : JointHull(columns, m, most);
  ReducedOracle oracle(map);
  NarrowedShape shape = narrowed_shape(std::move(known), hull.dimension(), oracle);
  return std::make_shared<ReducedImage>(std::move(map), std::move(hull), std::move(shape));
}

}  // namespace keyhole::sets
