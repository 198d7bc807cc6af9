#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "keyhole/spectral_sets.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/extreme_pairs.h"
#include "math/sums.h"
#include "sets/matrices/matrix_options.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/outer_products.h"
#include "sets/matrices/random_frames.h"
#include "sets/matrices/spectrum.h"
#include "sets/matrices/symmetric_part.h"
#include "sets/proof.h"

// The sets of symmetric matrices whose vertices have rank one, or are 0.

namespace keyhole::sets {
namespace {

/// Which eigenvalues there may be.
enum class Eigenvalues {
  any_sign,  ///< sum |lambda_i| <= size
  positive,  ///< lambda >= 0, sum lambda_i <= size
  simplex,   ///< lambda >= 0, sum lambda_i = size
};

struct SymmetricShape {
  Eigenvalues kind;
  std::size_t n;
  double size;
  MatrixOracleOptions options;
};

class SymmetricOracle final : public SpectralOracle {
 public:
  SymmetricOracle(const SpectralSet& set, const SymmetricShape& shape)
      : SpectralOracle(set),
        kind_(shape.kind),
        root_(std::sqrt(shape.size)),
        pair_(shape.n, method(shape.options), shape.options.threads, shape.options.residual),
        left_(shape.n),
        right_(shape.n) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    vertex_ = {};
    const bool any_sign = kind_ == Eigenvalues::any_sign;
    const double lambda =
        any_sign ? pair_.largest_in_magnitude(direction) : pair_.smallest(direction);
    require_end("an extreme eigenvector from being found", pair_.is_proved());
    if (kind_ == Eigenvalues::positive && !(lambda < 0)) return vertex_;
    // Both factors carry the root of the size, so that the product is symmetric to the last bit.
    const auto v = pair_.vector();
    for (std::size_t i = 0; i < v.size(); ++i) {
      right_[i] = root_ * v[i];
      left_[i] = any_sign && !(lambda < 0) ? -right_[i] : right_[i];
    }
    vertex_.left = left_;
    vertex_.right = right_;
    return vertex_;
  }

 private:
  Eigenvalues kind_;
  double root_;
  math::ExtremeEigenpair pair_;
  std::vector<double> left_;
  std::vector<double> right_;
  Vertex vertex_;
};

SetPtr eigenvalues_of(const SymmetricShape& shape) {
  switch (shape.kind) {
    case Eigenvalues::any_sign:
      return l1_ball(shape.n, shape.size);
    case Eigenvalues::positive:
      return solid_simplex(shape.n, shape.size);
    default:
      return simplex(shape.n, shape.size);
  }
}

class SymmetricMatrices final : public SpectralSet {
 public:
  SymmetricMatrices(const SymmetricShape& shape, std::string spec)
      : SpectralSet(shape.n, eigenvalues_of(shape),
                    shape.kind == Eigenvalues::simplex ? std::optional(shape.size) : std::nullopt),
        shape_(shape),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SymmetricOracle>(*this, shape_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    switch (shape_.kind) {
      case Eigenvalues::any_sign:
        return random_signed_squares(shape_.n, shape_.size);
      case Eigenvalues::positive:
        return random_squares(shape_.n, shape_.size);
      default:
        return random_projectors(shape_.n, 1, shape_.size);
    }
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    const bool any_sign = shape_.kind == Eigenvalues::any_sign;
    std::vector<double> scratch(dimension());
    if (!may_contain(x, shape_.size, any_sign, scratch)) return false;
    const double most = shape_.size + slack();
    if (!any_sign) return trace().has_value() || trace_of(x, shape_.n) <= most;
    return math::norm(x) * std::sqrt(static_cast<double>(shape_.n)) <= shape_.size ||
           nuclear_norm(math::eigenvalues(x, shape_.n)) <= most;
  }

  /// Of the nuclear ball as for rectangular matrices.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    if (shape_.kind != Eigenvalues::any_sign) return SpectralSet::geometry_about(centre);
    const std::vector<double> lambda = math::eigenvalues(centre, shape_.n);
    const double size = shape_.size;
    return {{centre.begin(), centre.end()},
            (size - nuclear_norm(lambda)) / std::sqrt(static_cast<double>(shape_.n)),
            std::sqrt(size * size + 2 * size * math::largest_magnitude(lambda) +
                      math::squared_norm(lambda)),
            2 * size};
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  static double nuclear_norm(const std::vector<double>& lambda) {
    return math::reduce(lambda.size(), [&](std::size_t i) { return std::abs(lambda[i]); });
  }

  SymmetricShape shape_;
  std::string spec_;
};

/// `name` is that of the set, "psd trace ball", and `of_size` that of its size, "trace".
SetPtr symmetric_matrices(std::string name, const std::string& of_size,
                          const SymmetricShape& shape) {
  base::require(shape.n >= 1, "a " + name + " needs matrices of at least one row");
  require_matrix_size("a " + name, shape.n, shape.n);
  base::require_positive("the " + of_size + " of a " + name, shape.size);
  require_options(shape.options);
  std::replace(name.begin(), name.end(), ' ', '_');
  const std::string size =
      shape.size == 1 ? "" : ", " + of_size + "=" + base::number_text(shape.size);
  return std::make_shared<SymmetricMatrices>(
      shape, spec_of(name, shape.options, std::to_string(shape.n) + size));
}

}  // namespace

SetPtr symmetric_nuclear_ball(std::size_t n, double radius, const MatrixOracleOptions& options) {
  return symmetric_matrices("symmetric nuclear ball", "radius",
                            {Eigenvalues::any_sign, n, radius, options});
}

SetPtr psd_trace_ball(std::size_t n, double trace, const MatrixOracleOptions& options) {
  return symmetric_matrices("psd trace ball", "trace", {Eigenvalues::positive, n, trace, options});
}

SetPtr spectraplex(std::size_t n, double trace, const MatrixOracleOptions& options) {
  base::require(n >= 2, "a spectraplex of matrices of order " + std::to_string(n) +
                            " is a single point or empty: order 2 or more is needed");
  return symmetric_matrices("spectraplex", "trace", {Eigenvalues::simplex, n, trace, options});
}

}  // namespace keyhole::sets
