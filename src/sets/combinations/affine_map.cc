#include "sets/combinations/affine_map.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Up to so many dimensions of the hull flatten() takes its numbers from the stack.
constexpr std::size_t few_directions = 1024;

/// `rank` orthonormal vectors of the span of the candidates, one after the other: by Gram and
/// Schmidt's method, the longest of what is left first, each made orthogonal twice.
std::vector<Vector> orthonormal(std::vector<Vector> candidates, std::size_t rank) {
  std::vector<Vector> basis;
  while (basis.size() < rank) {
    const auto longest = std::max_element(
        candidates.begin(), candidates.end(),
        [](const Vector& a, const Vector& b) { return math::norm(a) < math::norm(b); });
    Vector q = *longest;
    for (int pass = 0; pass < 2; ++pass) {
      for (const Vector& other : basis) math::add(q, -math::dot(other, q), other);
      const double length = math::norm(q);
      for (double& coordinate : q) coordinate /= length;
    }
    for (Vector& candidate : candidates) math::add(candidate, -math::dot(q, candidate), q);
    basis.push_back(std::move(q));
  }
  return basis;
}

}  // namespace

AffineMap::AffineMap(SetPtr set, std::span<const double> matrix, std::span<const double> shift)
    : set_(std::move(set)),
      matrix_(matrix.begin(), matrix.end()),
      shift_(shift.begin(), shift.end()),
      centre_(shift.size()) {
  forward(set_->centre(), centre_);
  factorise();
  find_basis();
}

void AffineMap::multiply(std::span<const double> x, std::span<double> y) const {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = math::dot(row(i), x);
}

void AffineMap::forward(std::span<const double> x, std::span<double> y) const {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = math::dot(row(i), x) + shift_[i];
}

void AffineMap::transpose(std::span<const double> d, std::span<double> x) const {
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < d.size(); ++i) math::add(x, d[i], row(i));
}

void AffineMap::solve(std::span<double> t, std::span<double> z, std::span<double> scratch) const {
  std::fill(z.begin(), z.end(), 0.0);
  // The second step regains the digits that the normal equations lose.
  for (int step = 0; step < 2; ++step) {
    transpose(t, scratch);
    set_->flatten(scratch);
    pull_back(scratch);
    for (std::size_t i = 0; i < t.size(); ++i) t[i] -= math::dot(row(i), scratch);
    for (std::size_t j = 0; j < z.size(); ++j) z[j] += scratch[j];
  }
}

void AffineMap::pull_back(std::span<double> w) const {
  math::cholesky_solve(factor_, columns(), w);
  set_->flatten(w);
}

void AffineMap::flatten(std::span<double> direction) const {
  if (basis_.empty()) return;
  std::array<double, few_directions> small{};
  Vector large(basis_.size() > few_directions ? basis_.size() : 0);
  const std::span<double> along = large.empty() ? std::span<double>(small) : large;
  for (std::size_t k = 0; k < basis_.size(); ++k) along[k] = math::dot(basis_[k], direction);
  std::fill(direction.begin(), direction.end(), 0.0);
  for (std::size_t k = 0; k < basis_.size(); ++k) math::add(direction, along[k], basis_[k]);
}

void AffineMap::factorise() {
  const std::size_t n = columns();
  factor_.assign(n * n, 0.0);
  const double across = math::squared_norm(matrix_) / static_cast<double>(n);
  Vector flat(n);
  Vector image(rows());
  Vector column(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(flat.begin(), flat.end(), 0.0);
    flat[j] = 1;
    set_->flatten(flat);
    multiply(flat, image);
    transpose(image, column);
    set_->flatten(column);
    for (std::size_t i = 0; i < n; ++i) {
      factor_[i * n + j] = column[i] + across * ((i == j ? 1.0 : 0.0) - flat[i]);
    }
  }
  base::require(math::cholesky(factor_, n), "the matrix of an affine image is too nearly singular");
}

void AffineMap::find_basis() {
  const std::size_t rank = set_->hull_dimension();
  if (rank == rows()) return;
  std::vector<Vector> within;
  for (std::size_t j = 0; j < columns(); ++j) {
    Vector flat(columns(), 0.0);
    flat[j] = 1;
    set_->flatten(flat);
    within.emplace_back(rows());
    multiply(flat, within.back());
  }
  basis_ = orthonormal(std::move(within), rank);
}

}  // namespace keyhole::sets
