#include "matrices.h"

#include <Eigen/Dense>
#include <algorithm>

namespace keyhole::tests {
namespace {

Eigen::Map<const Eigen::VectorXd> vector_of(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace

Eigen::VectorXd eigenvalues(const Matrix& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd singular_values(const Matrix& a) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
}

Svd singular_decomposition(const Matrix& a) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
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

Matrix orthonormalised(const Matrix& columns) {
  const Eigen::HouseholderQR<Matrix> qr(columns);
  return qr.householderQ() * Matrix::Identity(columns.rows(), columns.cols());
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
  return random_frame(m, k, random) * random_spectrum(kind, k, random).asDiagonal() *
         random_frame(n, k, random).transpose();
}

}  // namespace keyhole::tests
