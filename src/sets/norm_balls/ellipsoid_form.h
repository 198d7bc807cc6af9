// An ellipsoid's matrix, factorised.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::sets {

/// A = L L', L lower triangular; of an A that is not positive definite InvalidArgument. All in
/// place.
class EllipsoidFactor {
 public:
  /// Row by row.
  EllipsoidFactor(std::span<const double> matrix, std::size_t n);

  /// x = L^-1 x.
  void solve_lower(std::span<double> x) const;
  /// x = L'^-1 x.
  void solve_upper(std::span<double> x) const;
  /// x = L x.
  void times_lower(std::span<double> x) const;
  /// x = L' x.
  void times_upper(std::span<double> x) const;
  /// A^-1.
  [[nodiscard]] std::vector<double> inverse() const;

 private:
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(lower_).subspan(i * n_, n_);
  }

  std::size_t n_;
  std::vector<double> lower_;
};

/// (x - c)' A (x - c) in all the ways that are needed of it.
struct EllipsoidForm {
  std::vector<double> matrix;
  std::vector<double> centre;
  EllipsoidFactor factor;
  std::vector<double> inverse;
  /// Square roots of the eigenvalues of A, and the eigenvectors, that of roots[k] from k n on.
  std::vector<double> roots;
  std::vector<double> eigenvectors;

  EllipsoidForm(std::vector<double> a, std::vector<double> c);

  [[nodiscard]] std::size_t n() const { return centre.size(); }
  [[nodiscard]] std::span<const double> axis(std::size_t k) const {
    return std::span(eigenvectors).subspan(k * n(), n());
  }
  /// y = L'(x - c), whose length, which it gives, is the gauge of x.
  double gauge(std::span<const double> x, std::span<double> y) const;
};

}  // namespace keyhole::sets
