#include "matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace keyhole::tests {
namespace {

Eigen::Map<const Eigen::VectorXd> vector_of(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

// With zeros below or to the right: for Jacobi's method alone, which compiles in a tenth of the
// time of what Eigen adds for matrices that are not square.
Eigen::MatrixXd squared(const Matrix& a) {
  const Eigen::Index n = std::max(a.rows(), a.cols());
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(n, n);
  square.topLeftCorner(a.rows(), a.cols()) = a;
  return square;
}

using SquareSvd = Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>;

}  // namespace

// Without eigenvectors, so without the time to compile them.
Eigen::VectorXd eigenvalues(const Matrix& a) {
  if (a.rows() == 1) return a.col(0);
  const double scale = std::max(a.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  const Eigen::Tridiagonalization<Eigen::MatrixXd> form(a / scale);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(form.diagonal(), form.subDiagonal(), Eigen::EigenvaluesOnly);
  return solver.eigenvalues() * scale;
}

Eigen::VectorXd singular_values(const Matrix& a) {
  return SquareSvd(squared(a)).singularValues().head(std::min(a.rows(), a.cols()));
}

Svd singular_decomposition(const Matrix& a) {
  const SquareSvd svd(squared(a), Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Index k = std::min(a.rows(), a.cols());
  return {svd.matrixU().topLeftCorner(a.rows(), k), svd.singularValues().head(k),
          svd.matrixV().topLeftCorner(a.cols(), k)};
}

Matrix composed(const Matrix& u, const Eigen::VectorXd& values, const Matrix& v) {
  return u * values.asDiagonal() * v.transpose();
}

std::optional<Eigen::VectorXd> solution(const Matrix& a, const Eigen::VectorXd& b) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(b);
}

double residual(const Matrix& a, std::span<const double> v, double lambda,
                std::span<const double> u) {
  return (a * vector_of(v) - lambda * vector_of(u)).norm();
}

void multiply(const Matrix& a, std::span<const double> x, std::span<double> y) {
  Eigen::Map<Eigen::VectorXd>(y.data(), a.rows()) = a * vector_of(x);
}

// Gram and Schmidt, twice, which is enough (Giraud, Langou, Rozloznik 2005).
Matrix orthonormalised(const Matrix& columns) {
  Eigen::MatrixXd q = columns;
  for (Eigen::Index j = 0; j < q.cols(); ++j) {
    const auto before = q.leftCols(j);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd along = before.transpose() * q.col(j);
      q.col(j) -= before * along;
    }
    q.col(j) /= q.col(j).norm();
  }
  return q;
}

Eigen::VectorXd random_spectrum(SpectrumKind kind, std::size_t k, Random& random) {
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

Matrix random_symmetric(SpectrumKind kind, std::size_t n, Random& random) {
  Matrix a;
  if (kind == SpectrumKind::noise) {
    a = normal_matrix(n, n, random);
  } else {
    const Matrix q = random_frame(n, n, random);
    a = composed(q, random_spectrum(kind, n, random), q);
  }
  return (a + a.transpose()) / 2;
}

Matrix random_rectangular(SpectrumKind kind, std::size_t m, std::size_t n, Random& random) {
  if (kind == SpectrumKind::noise) return normal_matrix(m, n, random);
  const std::size_t k = std::min(m, n);
  const Matrix u = random_frame(m, k, random);
  const Matrix v = random_frame(n, k, random);
  return composed(u, random_spectrum(kind, k, random), v);
}

}  // namespace keyhole::tests
