#include "math/spectral/decompositions.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/spectral/tridiagonalisation.h"

namespace keyhole::math {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Matrix>;
using Map = Eigen::Map<Matrix>;

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

Eigen::MatrixXd symmetrised(std::span<const double> a, Eigen::Index n) {
  const ConstMap matrix(a.data(), n, n);
  return 0.5 * (matrix + matrix.transpose());
}

}  // namespace

// SelfAdjointEigenSolver::compute() step by step: as a whole it brings the eigenvectors with it,
// half of the time that this file would take to compile.
std::vector<double> eigenvalues(std::span<const double> a, std::size_t n) {
  if (n == 1) return {a[0]};
  Eigen::MatrixXd matrix = symmetrised(a, index(n));
  const double largest = matrix.cwiseAbs().maxCoeff();
  const double scale = largest == 0 ? 1 : largest;
  matrix /= scale;
  const Eigen::Tridiagonalization<Eigen::MatrixXd> form(matrix);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(form.diagonal(), form.subDiagonal(), Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) {
    return std::vector(n, std::numeric_limits<double>::quiet_NaN());
  }
  const Eigen::VectorXd values = solver.eigenvalues() * scale;
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

  // The eigenvalues, and those vectors of the tridiagonal form that are asked for.
  void solve(std::span<const double> a, int what) {
    const ConstMap given(a.data(), n, n);
    // A power of two brings the entries to about 1, as the reduction needs them.
    const double largest = given.cwiseAbs().maxCoeff();
    const double scale = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1;
    Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(
        form.matrix().data(), n, n,
        Eigen::OuterStride<>(static_cast<Eigen::Index>(form.stride()))) =
        (given / scale + given.transpose() / scale) / 2;
    form.reduce();
    std::copy_n(form.diagonal().begin(), n, diagonal.data());
    std::copy_n(form.off_diagonal().begin(), n - 1, off_diagonal.data());
    solver.computeFromTridiagonal(diagonal, off_diagonal, what);
    values = solver.eigenvalues() * scale;
  }

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
  w.solve(a, Eigen::ComputeEigenvectors);
  w.vectors = w.solver.eigenvectors();
  for (Eigen::Index j = 0; j < w.n; ++j) {
    w.form.back_transform({w.vectors.data() + j * w.n, static_cast<std::size_t>(w.n)});
  }
  return {w.values.data(), static_cast<std::size_t>(w.n)};
}

std::span<double> SymmetricDecomposition::values_of(std::span<const double> a) {
  workspace_->solve(a, Eigen::EigenvaluesOnly);
  return {workspace_->values.data(), static_cast<std::size_t>(workspace_->n)};
}

bool SymmetricDecomposition::is_proved() const noexcept {
  return workspace_->solver.info() == Eigen::Success;
}

std::span<const double> SymmetricDecomposition::vectors() const {
  const Eigen::MatrixXd& vectors = workspace_->vectors;
  return {vectors.data(), static_cast<std::size_t>(vectors.size())};
}

void SymmetricDecomposition::compose(std::span<double> a) {
  Workspace& w = *workspace_;
  w.scaled.noalias() = w.vectors * w.values.asDiagonal();
  w.matrix.noalias() = w.scaled * w.vectors.transpose();
  Map(a.data(), w.n, w.n) = 0.5 * (w.matrix + w.matrix.transpose());
}

}  // namespace keyhole::math
