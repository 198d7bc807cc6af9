#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/spectral_sets.h"
#include "math/sums.h"
#include "sets/matrices/proved_programs.h"
#include "sets/matrices/random_signs.h"

namespace keyhole::sets {
namespace {

ProvedMaxNorm max_norm(std::size_t rows, std::size_t columns) {
  return ProvedMaxNorm(math::MaxNorm(rows, columns));
}

class MaxNormOracle final : public Oracle {
 public:
  MaxNormOracle(std::size_t rows, std::size_t columns, double radius)
      : rows_(rows),
        columns_(columns),
        radius_(radius),
        program_("the oracle of a max norm ball", math::MaxCutRelaxation(rows + columns)),
        norm_(max_norm(rows, columns)),
        direction_((rows + columns) * (rows + columns), 0.0),
        point_(rows * columns) {
    vertex_.dense = point_;
  }

  /// The block beside the diagonal of a correlation matrix of order m + n is U V' with rows of
  /// length 1.
  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::size_t order = rows_ + columns_;
    for (std::size_t i = 0; i < rows_; ++i) {
      std::copy_n(direction.data() + i * columns_, columns_, direction_.data() + i * order + rows_);
    }
    const std::span<const double> w = program_.minimise(direction_);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        point_[i * columns_ + j] = radius_ * w[i * order + rows_ + j];
      }
    }
    return vertex_;
  }

  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const double norm = norm_.find(w).lower;
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    if (!(norm > 0)) return 0;
    norm_.write_dual(subgradient);
    for (double& entry : subgradient) entry /= radius_;
    return norm / radius_;
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  double radius_;
  ProvedRelaxation program_;
  ProvedMaxNorm norm_;
  std::vector<double> direction_;
  std::vector<double> point_;
  Vertex vertex_;
};

class MaxNormBall final : public Set {
 public:
  MaxNormBall(std::size_t rows, std::size_t columns, double radius)
      : Set(rows * columns, rows * columns, own_geometry(rows, columns, radius)),
        rows_(rows),
        columns_(columns),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<MaxNormOracle>(rows_, columns_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_sign_products(rows_, columns_, radius_);
  }

  /// The norm is at least the largest entry, and at most the longest row and the longest column,
  /// since X = X I = I X.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const double most = radius_ + slack();
    if (!(math::largest_magnitude(x) <= most)) return false;
    if (longest(x, rows_, columns_, columns_, 1) <= most) return true;
    if (longest(x, columns_, rows_, 1, columns_) <= most) return true;
    return max_norm(rows_, columns_).is_at_most(most, x);
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  /// The norm is at most the Frobenius norm.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const double norm = max_norm(rows_, columns_).find(centre).upper;
    Geometry result = geometry();
    result.centre.assign(centre.begin(), centre.end());
    result.inner_radius = radius_ - norm;
    result.outer_radius = std::min(outer_radius() + math::norm(centre), diameter());
    result.outer_radius_exact = norm == 0;
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return "max_norm_ball(" + std::to_string(rows_) + ", " + std::to_string(columns_) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  /// The length of the longest of `count` rows or columns of `size` entries, `stride` from one to
  /// the next, `step` from entry to entry.
  static double longest(std::span<const double> x, std::size_t count, std::size_t size,
                        std::size_t stride, std::size_t step) {
    double result = 0;
    for (std::size_t i = 0; i < count; ++i) {
      result = std::max(result, std::sqrt(math::reduce(size, [&](std::size_t j) {
                          const double entry = x[i * stride + j * step];
                          return entry * entry;
                        })));
    }
    return result;
  }

  /// The Frobenius norm is at least the max norm, and equal to it for a single entry: r. No entry
  /// is larger than the radius, and in u v', u and v of signs, all are as large: R.
  static Geometry own_geometry(std::size_t rows, std::size_t columns, double radius) {
    const double R = radius * std::sqrt(static_cast<double>(rows * columns));
    return {std::vector<double>(rows * columns, 0.0), radius, R, 2 * R};
  }

  std::size_t rows_;
  std::size_t columns_;
  double radius_;
};

}  // namespace

SetPtr max_norm_ball(std::size_t m, std::size_t n, double radius) {
  base::require(m >= 1 && n >= 1, "a max norm ball needs at least one row and one column, not " +
                                      std::to_string(m) + " and " + std::to_string(n));
  base::require(m <= most_relaxation_order && n <= most_relaxation_order - m,
                "a max norm ball of " + std::to_string(m) + " x " + std::to_string(n) +
                    " matrices is too large: " + std::to_string(most_relaxation_order) +
                    " rows and columns together are the most");
  base::require_positive("the radius of a max norm ball", radius);
  return std::make_shared<MaxNormBall>(m, n, radius);
}

}  // namespace keyhole::sets
