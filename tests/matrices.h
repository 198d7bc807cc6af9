#pragma once

// Random matrices of every kind that an oracle can meet, and their spectra by Eigen: slow and
// independent of the library's own kernels.

#include <Eigen/Dense>
#include <cmath>
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

inline Eigen::VectorXd eigenvalues(const Matrix& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

inline Eigen::VectorXd singular_values(const Matrix& a) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
}

inline Matrix normal_matrix(std::size_t rows, std::size_t columns, Random& random) {
  return matrix_of(random.normals(rows * columns), rows, columns);
}

/// Orthogonal, or the first columns of an orthogonal matrix; rows >= columns.
inline Matrix random_frame(std::size_t rows, std::size_t columns, Random& random) {
  const Eigen::HouseholderQR<Matrix> qr(normal_matrix(rows, columns, random));
  return qr.householderQ() *
         Matrix::Identity(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
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
inline Eigen::VectorXd random_spectrum(SpectrumKind kind, std::size_t k, Random& random) {
  Eigen::VectorXd s(static_cast<Eigen::Index>(k));
  for (Eigen::Index i = 0; i < s.size(); ++i) s[i] = random.normal();
  switch (kind) {
    case SpectrumKind::noise:
      break;
    case SpectrumKind::deficient:
      s.tail(s.size() / 2).setZero();
      break;
    case SpectrumKind::tied:
      s = s.array().round().min(1.0).max(-1.0).matrix();
      break;
    case SpectrumKind::positive:
      s = s.cwiseAbs();
      break;
    case SpectrumKind::negative:
      s = -s.cwiseAbs();
      break;
    case SpectrumKind::graded:
      for (Eigen::Index i = 0; i < s.size(); ++i) s[i] *= std::pow(10.0, -static_cast<double>(i));
      break;
    case SpectrumKind::rank_one:
      s.tail(s.size() - 1).setZero();
      break;
    case SpectrumKind::identity:
      s.setConstant(s[0]);
      break;
  }
  return s;
}

/// Exactly symmetric; "noise" is the Gaussian orthogonal ensemble, the others have the spectrum.
inline Matrix random_symmetric(SpectrumKind kind, std::size_t n, Random& random) {
  Matrix a;
  if (kind == SpectrumKind::noise) {
    a = normal_matrix(n, n, random);
  } else {
    const Matrix q = random_frame(n, n, random);
    a = q * random_spectrum(kind, n, random).asDiagonal() * q.transpose();
  }
  return (a + a.transpose()) / 2;
}

inline Matrix random_rectangular(SpectrumKind kind, std::size_t m, std::size_t n, Random& random) {
  if (kind == SpectrumKind::noise) return normal_matrix(m, n, random);
  const std::size_t k = std::min(m, n);
  return random_frame(m, k, random) * random_spectrum(kind, k, random).asDiagonal() *
         random_frame(n, k, random).transpose();
}

}  // namespace keyhole::tests
