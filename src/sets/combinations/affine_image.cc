#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/sets.h"
#include "math/dense.h"
#include "math/spectral/singular_decomposition.h"
#include "math/sums.h"
#include "sets/combinations/affine_map.h"
#include "sets/combinations/reduced_image.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class AffineOracle final : public Oracle {
 public:
  AffineOracle(const Set& image, const AffineMap& map)
      : map_(map),
        slack_(image.slack()),
        oracle_(map.set().oracle()),
        before_(map.columns()),
        unsettled_(map.columns()),
        scratch_(map.columns()),
        residual_(map.rows()),
        point_(map.rows()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    map_.transpose(direction, before_);
    const Vertex& v = oracle_->minimise(before_);
    if (v.dense.empty() && v.left.empty()) {
      for (std::size_t i = 0; i < point_.size(); ++i) {
        const auto row = map_.row(i);
        const auto term = [&](std::size_t k) { return row[v.indices[k]] * v.values[k]; };
        point_[i] = math::reduce(v.indices.size(), term) + map_.shift()[i];
      }
    } else {
      v.write_to(before_);
      map_.forward(before_, point_);
    }
    return vertex_;
  }

  /// Follows where the preimage is settled.
  void settle(std::span<double> point) override {
    for (std::size_t i = 0; i < point.size(); ++i) residual_[i] = point[i] - map_.centre()[i];
    map_.solve(residual_, before_, scratch_);
    if (!(math::norm(residual_) <= slack_)) return;
    math::add(before_, 1, map_.set().centre());
    unsettled_ = before_;
    oracle_->settle(before_);
    if (before_ == unsettled_) return;
    for (std::size_t j = 0; j < before_.size(); ++j) before_[j] -= unsettled_[j];
    for (std::size_t i = 0; i < point.size(); ++i) point[i] += math::dot(map_.row(i), before_);
  }

 private:
  const AffineMap& map_;
  double slack_;
  std::unique_ptr<Oracle> oracle_;
  Vector before_;
  Vector unsettled_;
  Vector scratch_;
  Vector residual_;
  Vector point_;
  Vertex vertex_;
};

/// Of A v + b with v from an exploration of the preimage. The variances are those of uncorrelated
/// coordinates, V_i = sum_j A_ij^2 var_j; then (y_i - p_i)^2 / V_i is at most the squared radius of
/// the preimage, for each i (Cauchy and Schwarz).
struct AffineMoments {
  Vector mean;
  Vector variance;
  double squared_radius = 0;
  double squared_extent = 0;

  AffineMoments(const Exploration& of, const AffineMap& map, double diameter)
      : mean(map.rows()), variance(map.rows()) {
    map.forward(of.mean(), mean);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const auto row = map.row(i);
      variance[i] = math::reduce(row.size(),
                                 [&](std::size_t j) { return row[j] * row[j] * of.variance()[j]; });
    }
    const double largest = math::largest_magnitude(variance);
    double least = largest;
    for (double& value : variance) {
      if (!(value > 0)) value = largest;  // a row of zeros
      least = std::min(least, value);
    }
    const double of_diameter = diameter * diameter / least;
    const auto rows = static_cast<double>(mean.size());
    squared_radius = std::min(rows * of.squared_radius(), of_diameter);
    squared_extent = std::min(rows * of.squared_extent(), of_diameter);
  }
};

/// With B = A on the hull's directions the covariance is B Sigma B', and its inverse on A (v - p)
/// is B (B'B)^-1 Sigma^-1 (v - p).
class AffineExploration final : public Exploration {
 public:
  AffineExploration(const Set& image, std::unique_ptr<Exploration> of, const AffineMap& map,
                    AffineMoments moments)
      : Exploration(image, std::move(moments.mean), std::move(moments.variance),
                    moments.squared_radius, of->needs(), moments.squared_extent),
        of_(std::move(of)),
        map_(map),
        before_(map.columns()) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    of_->draw(bits, before_);
    map_.forward(before_, v);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    of_->score(bits, before_);
    map_.pull_back(before_);
    map_.multiply(before_, w);
  }

 private:
  std::unique_ptr<Exploration> of_;
  const AffineMap& map_;
  Vector before_;
};

/// The least and the largest singular value.
struct Stretch {
  double least;
  double most;
};

Geometry stretched(Geometry of, const Stretch& by, std::span<const double> centre) {
  of.centre.assign(centre.begin(), centre.end());
  of.inner_radius *= by.least;
  of.outer_radius *= by.most;
  of.diameter *= by.most;
  of.outer_radius_exact = of.diameter_exact = false;
  return of;
}

class AffineImage final : public Set {
 public:
  AffineImage(AffineMap map, const Stretch& stretch)
      : Set(map.rows(), map.set().hull_dimension(),
            stretched(map.set().geometry(), stretch, map.centre())),
        map_(std::move(map)),
        stretch_(stretch) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<AffineOracle>(*this, map_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    auto of = map_.set().exploration();
    AffineMoments moments(*of, map_, diameter());
    return std::make_unique<AffineExploration>(*this, std::move(of), map_, std::move(moments));
  }

  /// What is computed back carries roundings, also where the preimage has signs and bounds: so
  /// the point is moved a share of 1e-9 towards the centre first.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    Vector residual(x.begin(), x.end());
    math::add(residual, -1, map_.centre());
    Vector before(map_.columns());
    Vector scratch(map_.columns());
    map_.solve(residual, before, scratch);
    if (!(math::norm(residual) <= slack())) return false;
    const Vector& p = map_.set().centre();
    for (std::size_t j = 0; j < before.size(); ++j) {
      before[j] = p[j] + (1 - membership_tolerance) * before[j];
    }
    return map_.set().contains(before);
  }

  void flatten(std::span<double> direction) const override { map_.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Vector residual(centre.begin(), centre.end());
    math::add(residual, -1, map_.centre());
    Vector before(map_.columns());
    Vector scratch(map_.columns());
    map_.solve(residual, before, scratch);
    math::add(before, 1, map_.set().centre());
    return stretched(map_.set().geometry_about(before), stretch_, centre);
  }

  [[nodiscard]] std::string spec() const override {
    return affine_image_text(map_.set(), map_.matrix(), map_.shift());
  }

 private:
  AffineMap map_;
  Stretch stretch_;
};

void require_shape(const SetPtr& set, std::span<const double> matrix,
                   std::span<const double> shift) {
  base::require(set != nullptr, "an affine image needs a set");
  const std::size_t n = set->dimension();
  const std::size_t m = shift.size();
  base::require(m >= 1, "an affine image needs at least one row");
  base::require(matrix.size() == m * n, "the matrix of an affine image with " + std::to_string(m) +
                                            " rows and " + std::to_string(n) + " columns has " +
                                            std::to_string(m * n) + " numbers, not " +
                                            std::to_string(matrix.size()));
  for (const auto& numbers : {matrix, shift}) {
    for (const double number : numbers) {
      base::require(base::is_moderate(number),
                    "an affine image needs numbers of magnitude up to 1e50, not " +
                        base::number_text(number));
    }
  }
}

}  // namespace

SetPtr affine_image(SetPtr set, List<double> matrix, List<double> shift) {
  require_shape(set, matrix, shift);
  const std::size_t n = set->dimension();
  const Vector sigma = math::singular_values(matrix, shift.size(), n);
  const Stretch stretch{sigma.back(), sigma.front()};
  if (shift.size() < n || !(stretch.least > 1e-12 * stretch.most)) {
    return reduced_image(set, matrix, shift);
  }
  AffineMap map(std::move(set), matrix, shift);
  require_fair_image(stretch.least, stretch.most, map.set(), shift, map.centre());
  return std::make_shared<AffineImage>(std::move(map), stretch);
}

}  // namespace keyhole::sets
