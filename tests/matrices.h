#pragma once

// Random matrices of every kind that an oracle can meet, and their spectra by Eigen: slow and
// independent of the library's own kernels. The decompositions take long to compile: matrices.cc
// does so once for all tests.

#include <Eigen/Core>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "random.h"

namespace keyhole::tests {

/// Row by row, as the library has it.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline std::vector<double> entries(const Matrix& a) { return {a.data(), a.data() + a.size()}; }

inline Matrix matrix_of(std::span<const double> x, std::size_t rows, std::size_t columns) {
  return Eigen::Map<const Matrix>(x.data(), static_cast<Eigen::Index>(rows),
                                  static_cast<Eigen::Index>(columns));
}

inline double length(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())).norm();
}

/// Of a symmetric matrix, rising.
Eigen::VectorXd eigenvalues(const Matrix& a);

/// Falling.
Eigen::VectorXd singular_values(const Matrix& a);

/// A = U diag(values) V', as many columns as values.
struct Svd {
  Matrix u;
  Eigen::VectorXd values;
  Matrix v;
};
Svd singular_decomposition(const Matrix& a);

/// U diag(values) V'.
Matrix composed(const Matrix& u, const Eigen::VectorXd& values, const Matrix& v);

/// The solution of A x = b; nothing if A is singular.
std::optional<Eigen::VectorXd> solution(const Matrix& a, const Eigen::VectorXd& b);

/// ||A v - lambda u||.
double residual(const Matrix& a, std::span<const double> v, double lambda,
                std::span<const double> u);
inline double residual(const Matrix& a, double lambda, std::span<const double> v) {
  return residual(a, v, lambda, v);
}

/// y = A x.
void multiply(const Matrix& a, std::span<const double> x, std::span<double> y);

inline Matrix normal_matrix(std::size_t rows, std::size_t columns, Random& random) {
  return matrix_of(random.normals(rows * columns), rows, columns);
}

/// The orthogonal factor of a QR decomposition; rows >= columns.
Matrix orthonormalised(const Matrix& columns);

/// Orthogonal, or the first columns of an orthogonal matrix; rows >= columns.
inline Matrix random_frame(std::size_t rows, std::size_t columns, Random& random) {
  return orthonormalised(normal_matrix(rows, columns, random));
}

enum class SpectrumKind { noise, deficient, tied, positive, negative, graded, rank_one, identity };

inline constexpr SpectrumKind all_spectrum_kinds[] = {
    SpectrumKind::noise,    SpectrumKind::deficient, SpectrumKind::tied,
    SpectrumKind::positive, SpectrumKind::negative,  SpectrumKind::graded,
    SpectrumKind::rank_one, SpectrumKind::identity};

inline std::string spectrum_name(SpectrumKind kind) {
  switch (kind) {
    case SpectrumKind::noise:
      return "noise";
    case SpectrumKind::deficient:
      return "deficient";
    case SpectrumKind::tied:
      return "tied";
    case SpectrumKind::positive:
      return "positive";
    case SpectrumKind::negative:
      return "negative";
    case SpectrumKind::graded:
      return "graded";
    case SpectrumKind::rank_one:
      return "rank_one";
    case SpectrumKind::identity:
      return "identity";
  }
  return "";
}

/// k numbers: normal, half of them 0, -1, 0 or 1, positive, negative, falling by tens, one, equal.
Eigen::VectorXd random_spectrum(SpectrumKind kind, std::size_t k, Random& random);

/// Exactly symmetric; "noise" is the Gaussian orthogonal ensemble, the others have the spectrum.
Matrix random_symmetric(SpectrumKind kind, std::size_t n, Random& random);

Matrix random_rectangular(SpectrumKind kind, std::size_t m, std::size_t n, Random& random);

}  // namespace keyhole::tests
