// The map behind an affine image.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::sets {

/// y = A x + b, A row by row, and its inverse on the hull of the set, by least squares.
class AffineMap {
 public:
  /// The shapes fit and A has full column rank; else InvalidArgument, or nonsense.
  AffineMap(SetPtr set, std::span<const double> matrix, std::span<const double> shift);

  [[nodiscard]] const Set& set() const { return *set_; }
  [[nodiscard]] std::size_t rows() const { return shift_.size(); }
  [[nodiscard]] std::size_t columns() const { return set_->dimension(); }
  [[nodiscard]] const std::vector<double>& matrix() const { return matrix_; }
  [[nodiscard]] const std::vector<double>& shift() const { return shift_; }
  /// A p + b.
  [[nodiscard]] const std::vector<double>& centre() const { return centre_; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(matrix_).subspan(i * columns(), columns());
  }

  /// y = A x.
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// y = A x + b.
  void forward(std::span<const double> x, std::span<double> y) const;
  /// x = A' d.
  void transpose(std::span<const double> d, std::span<double> x) const;

  /// z = argmin ||A z - t|| over the directions z of the set's hull, and t -= A z.
  void solve(std::span<double> t, std::span<double> z, std::span<double> scratch) const;
  /// w = (A'A)^-1 w within the directions of the set's hull.
  void pull_back(std::span<double> w) const;
  /// The orthogonal projection onto A times the directions of the set's hull.
  void flatten(std::span<double> direction) const;

 private:
  /// Cholesky's factor of P A'A P + c (1 - P), P the projection onto the hull's directions.
  void factorise();
  /// Of A times the hull's directions; empty if those are all there are.
  void find_basis();

  SetPtr set_;
  std::vector<double> matrix_;
  std::vector<double> shift_;
  std::vector<double> centre_;
  std::vector<double> factor_;
  std::vector<std::vector<double>> basis_;  // orthonormal
};

}  // namespace keyhole::sets
