#include "math/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "math/tridiagonalisation.h"

namespace keyhole::math {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Matrix>;
using Map = Eigen::Map<Matrix>;

// Above it Jacobi's method is slow, and divide and conquer is tried first. That of Eigen 3.4.0 can
// answer NaN (seen with singular values that fall by tens), so its answers are checked.
constexpr Eigen::Index largest_for_jacobi = 32;
constexpr double acceptable = 1e-12;
constexpr unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;

// Whether the singular values have the Euclidean norm of the matrix.
bool is_plausible(const Eigen::VectorXd& values, const ConstMap& matrix) {
  return std::abs(values.norm() - matrix.norm()) <= acceptable * matrix.norm();
}

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

Eigen::MatrixXd symmetrised(std::span<const double> a, Eigen::Index n) {
  const ConstMap matrix(a.data(), n, n);
  return 0.5 * (matrix + matrix.transpose());
}

}  // namespace

std::vector<double> eigenvalues(std::span<const double> a, std::size_t n) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetrised(a, index(n)),
                                                              Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

std::vector<double> singular_values(std::span<const double> a, std::size_t rows,
                                    std::size_t columns) {
  const ConstMap matrix(a.data(), index(rows), index(columns));
  Eigen::VectorXd values;
  if (std::min(matrix.rows(), matrix.cols()) > largest_for_jacobi) {
    values = Eigen::BDCSVD<Eigen::MatrixXd>(matrix).singularValues();
  }
  if (values.size() == 0 || !is_plausible(values, matrix)) {
    values = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  }
  return {values.begin(), values.end()};
}

// Householder's reduction is our own: Eigen's allocates, and its rotations of the tridiagonal form
// do not.
struct SymmetricDecomposition::Workspace {
  explicit Workspace(Eigen::Index order)
      : n(order),
        form(static_cast<std::size_t>(order)),
        diagonal(order),
        off_diagonal(order - 1),
        solver(order),
        values(order),
        vectors(order, order),
        matrix(order, order),
        scaled(order, order) {}

  Eigen::Index n;
  Tridiagonalisation form;
  Eigen::VectorXd diagonal;
  Eigen::VectorXd off_diagonal;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;  // of the tridiagonal form
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  Eigen::MatrixXd matrix;
  Eigen::MatrixXd scaled;
};

SymmetricDecomposition::SymmetricDecomposition(std::size_t n)
    : workspace_(std::make_unique<Workspace>(index(n))) {}

SymmetricDecomposition::~SymmetricDecomposition() = default;

std::span<double> SymmetricDecomposition::decompose(std::span<const double> a) {
  Workspace& w = *workspace_;
  const ConstMap given(a.data(), w.n, w.n);
  // A power of two brings the entries to about 1, as the reduction needs them.
  const double largest = given.cwiseAbs().maxCoeff();
  const double scale = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1;
  Map(w.form.matrix().data(), w.n, w.n) = (given / scale + given.transpose() / scale) / 2;
  w.form.reduce();
  std::copy_n(w.form.diagonal().begin(), w.n, w.diagonal.data());
  std::copy_n(w.form.off_diagonal().begin(), w.n - 1, w.off_diagonal.data());
  w.solver.computeFromTridiagonal(w.diagonal, w.off_diagonal, Eigen::ComputeEigenvectors);
  w.values = w.solver.eigenvalues() * scale;
  w.vectors = w.solver.eigenvectors();
  for (Eigen::Index j = 0; j < w.n; ++j) {
    w.form.back_transform({w.vectors.data() + j * w.n, static_cast<std::size_t>(w.n)});
  }
  return {w.values.data(), static_cast<std::size_t>(w.n)};
}

void SymmetricDecomposition::compose(std::span<double> a) {
  Workspace& w = *workspace_;
  w.scaled.noalias() = w.vectors * w.values.asDiagonal();
  w.matrix.noalias() = w.scaled * w.vectors.transpose();
  Map(a.data(), w.n, w.n) = 0.5 * (w.matrix + w.matrix.transpose());
}

struct SingularDecomposition::Workspace {
  Workspace(Eigen::Index r, Eigen::Index c)
      : rows(r),
        columns(c),
        matrix(r, c),
        values(std::min(r, c)),
        u(r, values.size()),
        v(c, values.size()),
        scaled(r, values.size()) {
    if (is_small()) {
      jacobi = Eigen::JacobiSVD<Eigen::MatrixXd>(r, c, thin);
    } else {
      divided = Eigen::BDCSVD<Eigen::MatrixXd>(r, c, thin);
    }
  }

  [[nodiscard]] bool is_small() const { return values.size() <= largest_for_jacobi; }

  template <class Svd>
  void take(const Svd& svd) {
    values = svd.singularValues();
    u = svd.matrixU();
    v = svd.matrixV();
  }
  // U diag(values) V' to `scaled` and out.
  template <class Out>
  void compose(Out& out) {
    scaled.noalias() = u * values.asDiagonal();
    out.noalias() = scaled * v.transpose();
  }

  Eigen::Index rows;
  Eigen::Index columns;
  Eigen::JacobiSVD<Eigen::MatrixXd> jacobi;
  Eigen::BDCSVD<Eigen::MatrixXd> divided;
  Eigen::MatrixXd matrix;  // by columns, as Eigen would copy it otherwise
  Eigen::VectorXd values;
  Eigen::MatrixXd u;
  Eigen::MatrixXd v;
  Eigen::MatrixXd scaled;
  Eigen::MatrixXd composed;
};

SingularDecomposition::SingularDecomposition(std::size_t rows, std::size_t columns)
    : workspace_(std::make_unique<Workspace>(index(rows), index(columns))) {}

SingularDecomposition::~SingularDecomposition() = default;

std::span<double> SingularDecomposition::decompose(std::span<const double> a) {
  Workspace& w = *workspace_;
  const ConstMap given(a.data(), w.rows, w.columns);
  w.matrix = given;
  bool found = false;
  if (!w.is_small()) {
    w.take(w.divided.compute(w.matrix));
    w.composed.resize(w.rows, w.columns);
    w.compose(w.composed);
    found =
        is_plausible(w.values, given) && (w.composed - given).norm() <= acceptable * given.norm();
  }
  if (!found) w.take(w.jacobi.compute(w.matrix, thin));
  return {w.values.data(), static_cast<std::size_t>(w.values.size())};
}

void SingularDecomposition::compose(std::span<double> a) {
  Workspace& w = *workspace_;
  Map out(a.data(), w.rows, w.columns);
  w.compose(out);
}

}  // namespace keyhole::math
