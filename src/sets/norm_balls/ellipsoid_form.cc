#include "sets/norm_balls/ellipsoid_form.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/spectral/decompositions.h"
#include "math/sums.h"

namespace keyhole::sets {

EllipsoidFactor::EllipsoidFactor(std::span<const double> matrix, std::size_t n)
    : n_(n), lower_(matrix.begin(), matrix.end()) {
  base::require(math::cholesky(lower_, n),
                "the matrix of an ellipsoid is not positive definite: the set has no end");
}

void EllipsoidFactor::solve_lower(std::span<double> x) const {
  for (std::size_t i = 0; i < n_; ++i) {
    x[i] = (x[i] - math::dot(row(i).first(i), x.first(i))) / row(i)[i];
  }
}

void EllipsoidFactor::solve_upper(std::span<double> x) const {
  for (std::size_t i = n_; i-- > 0;) {
    x[i] /= row(i)[i];
    math::add(x.first(i), -x[i], row(i).first(i));
  }
}

void EllipsoidFactor::times_lower(std::span<double> x) const {
  for (std::size_t i = n_; i-- > 0;) x[i] = math::dot(row(i).first(i + 1), x.first(i + 1));
}

void EllipsoidFactor::times_upper(std::span<double> x) const {
  for (std::size_t i = 0; i < n_; ++i) {
    math::add(x.first(i), x[i], row(i).first(i));
    x[i] *= row(i)[i];
  }
}

std::vector<double> EllipsoidFactor::inverse() const {
  std::vector<double> result(n_ * n_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    const auto column = std::span(result).subspan(i * n_, n_);
    column[i] = 1;
    math::cholesky_solve(lower_, n_, column);
  }
  return result;
}

EllipsoidForm::EllipsoidForm(std::vector<double> a, std::vector<double> c)
    : matrix(std::move(a)),
      centre(std::move(c)),
      factor(matrix, centre.size()),
      inverse(factor.inverse()) {
  math::SymmetricDecomposition decomposition(centre.size());
  const auto values = decomposition.decompose(matrix);
  // The smallest may have lost its sign to rounding; what is nearly flat is refused later.
  for (const double value : values) roots.push_back(std::sqrt(std::max(value, 0.0)));
  eigenvectors.assign(decomposition.vectors().begin(), decomposition.vectors().end());
}

double EllipsoidForm::gauge(std::span<const double> x, std::span<double> y) const {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] - centre[i];
  factor.times_upper(y);
  return math::norm(y);
}

}  // namespace keyhole::sets
