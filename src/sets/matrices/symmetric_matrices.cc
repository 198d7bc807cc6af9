#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "math/cholesky.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/extreme_pairs.h"
#include "math/sums.h"
#include "sets/matrices/matrix_options.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/outer_products.h"
#include "sets/matrices/symmetric_part.h"

// Sets of symmetric matrices that only their eigenvalues decide: a set of eigenvalues, symmetric
// under permutations, turned by every orthogonal matrix. Projections keep the eigenvectors (von
// Neumann), and radii about a centre that commutes with all of them are those of the eigenvalues.

namespace keyhole::sets {
namespace {

/// {sum |lambda_i| <= size} or {lambda >= 0, sum lambda_i <= size}.
struct Spectrum {
  std::size_t n;
  double size;
  bool positive;
  MatrixOracleOptions options;
};

class SymmetricOracle final : public Oracle {
 public:
  explicit SymmetricOracle(const Spectrum& spectrum)
      : spectrum_(spectrum),
        root_(std::sqrt(spectrum.size)),
        pair_(spectrum.n, method(spectrum.options), spectrum.options.threads,
              spectrum.options.residual),
        left_(spectrum.n),
        right_(spectrum.n),
        magnitudes_(spectrum.n) {
    if (spectrum.n <= math::largest_direct_order) prepare_projection();
  }

  const Vertex& minimise(std::span<const double> direction) override {
    vertex_ = {};
    const double lambda =
        spectrum_.positive ? pair_.smallest(direction) : pair_.largest_in_magnitude(direction);
    if (spectrum_.positive && !(lambda < 0)) return vertex_;
    // Both factors carry the root of the size, so that the product is symmetric to the last bit.
    const auto v = pair_.vector();
    for (std::size_t i = 0; i < v.size(); ++i) {
      right_[i] = root_ * v[i];
      left_[i] = lambda < 0 ? right_[i] : -right_[i];
    }
    vertex_.left = left_;
    vertex_.right = right_;
    return vertex_;
  }

  void project(std::span<const double> point, std::span<double> nearest) override {
    if (simplex_ == nullptr) prepare_projection();
    if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
    symmetrise(nearest, spectrum_.n);
    const std::span<double> lambda = decomposition_->decompose(nearest);
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      magnitudes_[i] = spectrum_.positive ? lambda[i] : std::abs(lambda[i]);
    }
    const double smallest = *std::min_element(magnitudes_.begin(), magnitudes_.end());
    if (smallest >= 0 && math::sum(magnitudes_) <= spectrum_.size) return;
    of_magnitudes_->project(magnitudes_, magnitudes_);
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      lambda[i] = std::copysign(magnitudes_[i], spectrum_.positive ? 1 : lambda[i]);
    }
    decomposition_->compose(nearest);
  }

 private:
  void prepare_projection() {
    simplex_ = solid_simplex(spectrum_.n, spectrum_.size);
    of_magnitudes_ = simplex_->oracle();
    decomposition_ = std::make_unique<math::SymmetricDecomposition>(spectrum_.n);
  }

  Spectrum spectrum_;
  double root_;
  math::ExtremeEigenpair pair_;
  std::vector<double> left_;
  std::vector<double> right_;
  Vertex vertex_;
  // Of projections; of large matrices they are made when first needed.
  std::vector<double> magnitudes_;
  SetPtr simplex_;
  std::unique_ptr<Oracle> of_magnitudes_;
  std::unique_ptr<math::SymmetricDecomposition> decomposition_;
};

/// About p = c I the radii are those of the eigenvalues about c 1: a unit direction of matrices has
/// eigenvalues of length 1.
Geometry own_geometry(const Spectrum& spectrum) {
  const std::size_t n = spectrum.n;
  std::vector<double> p(n * n, 0.0);
  if (!spectrum.positive) {
    const double r = spectrum.size / std::sqrt(static_cast<double>(n));
    return {std::move(p), r, spectrum.size, 2 * spectrum.size};
  }
  Geometry geometry = solid_simplex(n, spectrum.size)->geometry();
  for (std::size_t i = 0; i < n; ++i) p[i * n + i] = geometry.centre[i];
  geometry.centre = std::move(p);
  return geometry;
}

class SymmetricMatrices final : public Set {
 public:
  explicit SymmetricMatrices(const Spectrum& spectrum)
      : Set(spectrum.n * spectrum.n, spectrum.n * (spectrum.n + 1) / 2, own_geometry(spectrum)),
        spectrum_(spectrum) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<SymmetricOracle>(spectrum_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return spectrum_.positive ? random_squares(spectrum_.n, spectrum_.size)
                              : random_signed_squares(spectrum_.n, spectrum_.size);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const double euclidean = math::norm(x);
    if (!(euclidean <= spectrum_.size + slack())) return false;
    std::vector<double> scratch(x.size());
    if (!is_symmetric(x, spectrum_.n, slack(), scratch)) return false;
    if (spectrum_.positive) {
      return trace_of(x, spectrum_.n) <= spectrum_.size + slack() &&
             math::is_positive_definite(x, spectrum_.n, slack(), scratch);
    }
    return euclidean * std::sqrt(static_cast<double>(spectrum_.n)) <= spectrum_.size ||
           nuclear_norm(math::eigenvalues(x, spectrum_.n)) <= spectrum_.size + slack();
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { symmetrise(direction, spectrum_.n); }

  /// psd: the constraints <v v', X> >= 0 and tr X <= size are as far as those of the eigenvalues,
  /// and so are the farthest vertices, 0 and size v v' for the least eigenvalue. Nuclear ball: as
  /// for rectangular matrices.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const std::vector<double> lambda = math::eigenvalues(centre, spectrum_.n);
    const double size = spectrum_.size;
    if (spectrum_.positive) {
      Geometry geometry = solid_simplex(spectrum_.n, size)->geometry_about(lambda);
      geometry.centre.assign(centre.begin(), centre.end());
      return geometry;
    }
    const double largest = std::max(-lambda.front(), lambda.back());
    return {{centre.begin(), centre.end()},
            (size - nuclear_norm(lambda)) / std::sqrt(static_cast<double>(spectrum_.n)),
            std::sqrt(size * size + 2 * size * largest + math::squared_norm(lambda)),
            2 * size};
  }

  [[nodiscard]] std::string spec() const override {
    const std::string name = spectrum_.positive ? "psd_trace_ball(" : "symmetric_nuclear_ball(";
    const std::string size = spectrum_.positive ? ", trace=" : ", radius=";
    return name + std::to_string(spectrum_.n) +
           (spectrum_.size == 1 ? "" : size + base::number_text(spectrum_.size)) +
           options_text(spectrum_.options) + ")";
  }

 private:
  [[nodiscard]] double slack() const { return membership_tolerance * outer_radius(); }

  static double nuclear_norm(const std::vector<double>& lambda) {
    return math::reduce(lambda.size(), [&](std::size_t i) { return std::abs(lambda[i]); });
  }

  Spectrum spectrum_;
};

}  // namespace

SetPtr symmetric_nuclear_ball(std::size_t n, double radius, const MatrixOracleOptions& options) {
  base::require(n >= 1, "a symmetric nuclear ball needs matrices of at least one row");
  require_matrix_size("a symmetric nuclear ball", n, n);
  base::require_positive("the radius of a symmetric nuclear ball", radius);
  require_options(options);
  return std::make_shared<SymmetricMatrices>(Spectrum{n, radius, false, options});
}

SetPtr psd_trace_ball(std::size_t n, double trace, const MatrixOracleOptions& options) {
  base::require(n >= 1, "a psd trace ball needs matrices of at least one row");
  require_matrix_size("a psd trace ball", n, n);
  base::require_positive("the trace of a psd trace ball", trace);
  require_options(options);
  return std::make_shared<SymmetricMatrices>(Spectrum{n, trace, true, options});
}

}  // namespace keyhole::sets
