#pragma once

// Spectra by Eigen's dense solvers: of symmetric matrices A by the singular values of A + c I, c
// large enough for them to be eigenvalues, which is no route that the library takes.

#include <algorithm>
#include <cmath>

#include "instances.h"
#include "instances/norm_balls.h"
#include "keyhole/spectral_sets.h"
#include "matrices.h"

namespace keyhole::tests {

/// The order of square matrices of about n entries, 2 to 6.
inline std::size_t order_of(std::size_t n) {
  std::size_t order = 2;
  while (order < 6 && order * order < n) ++order;
  return order;
}

/// The sum of the k smallest eigenvalues of (D + D')/2.
inline double sum_of_smallest_eigenvalues(std::span<const double> d, std::size_t n, std::size_t k) {
  const Matrix a = matrix_of(d, n, n);
  const double shift = a.norm();
  const auto order = static_cast<Eigen::Index>(n);
  const Matrix shifted = 0.5 * (a + a.transpose()) + shift * Matrix::Identity(order, order);
  const Eigen::VectorXd falling = singular_values(shifted);
  return falling.tail(static_cast<Eigen::Index>(k)).sum() - static_cast<double>(k) * shift;
}

inline Instance random_spectraplex(std::size_t n, Random& random) {
  const std::size_t order = order_of(n);
  const double trace = random.integer(0, 1) == 0 ? 1 : std::exp(random.normal());
  const bool certified = random.integer(0, 1) == 0;
  const double residual = certified ? 1e-10 : 1e-6;
  return {spectraplex(order, trace, {.certified = certified, .residual = residual}),
          [order, trace](std::span<const double> d) {
            return trace * sum_of_smallest_eigenvalues(d, order, 1);
          }};
}

inline Instance random_fantope(std::size_t n, Random& random) {
  const std::size_t order = order_of(n);
  const std::size_t k = random.integer(1, order - 1);
  return {fantope(order, k), [order, k](std::span<const double> d) {
            return sum_of_smallest_eigenvalues(d, order, k);
          }};
}

inline Instance random_operator_norm_ball(std::size_t n, Random& random) {
  std::size_t m = random.integer(1, order_of(n));
  std::size_t columns = (n + m - 1) / m;
  if (random.integer(0, 1) == 0) std::swap(m, columns);
  const double radius = random.integer(0, 1) == 0 ? 1 : std::exp(random.normal());
  return {operator_norm_ball(m, columns, radius), [=](std::span<const double> d) {
            return -radius * singular_values(matrix_of(d, m, columns)).sum();
          }};
}

inline Instance random_schatten_ball(std::size_t n, Random& random) {
  std::size_t m = random.integer(1, order_of(n));
  std::size_t columns = (n + m - 1) / m;
  if (random.integer(0, 1) == 0) std::swap(m, columns);
  const double radius = random.integer(0, 1) == 0 ? 1 : std::exp(random.normal());
  const double p = random.uniform() < 0.5 ? random.uniform(1.2, 2) : random.uniform(2, 8);
  return {schatten_ball(m, columns, p, radius), [=](std::span<const double> d) {
            const Eigen::VectorXd s = singular_values(matrix_of(d, m, columns));
            const std::vector<double> values(s.begin(), s.end());
            return slow_lp_minimum(values, p, radius, std::vector<double>(values.size(), 1.0));
          }};
}

/// min <D, X> over the correlation matrices of order n, by Burer and Monteiro: X = V V' with rows
/// of length 1 in n dimensions, one row after the other. The dual, Diag(||sum_j C_ij v_j||) + C,
/// says how far the value is off: if that is too much, the answer is not a number.
inline double slow_correlation_minimum(std::span<const double> d, std::size_t n) {
  const auto order = static_cast<Eigen::Index>(n);
  const Matrix whole = 0.5 * (matrix_of(d, n, n) + matrix_of(d, n, n).transpose());
  Matrix c = whole;
  c.diagonal().setZero();
  const double length = c.norm();
  if (length == 0) return whole.trace();
  c /= length;
  Random random(n);
  Matrix v = normal_matrix(n, n, random);
  for (Eigen::Index i = 0; i < order; ++i) v.row(i).normalize();
  Eigen::VectorXd lengths(order);
  double value = 0;
  for (int sweep = 0; sweep < 100'000; ++sweep) {
    for (Eigen::Index i = 0; i < order; ++i) {
      const Eigen::RowVectorXd g = c.row(i) * v;
      lengths[i] = g.norm();
      if (lengths[i] > 0) v.row(i) = -g / lengths[i];
    }
    const double next = (c * v).cwiseProduct(v).sum();
    const bool settled = sweep > 500 && std::abs(value - next) <= 1e-16;
    value = next;
    if (settled) break;
  }
  Matrix z = c;
  z.diagonal() += lengths;
  const double below = static_cast<double>(n) * std::min(eigenvalues(z).minCoeff(), 0.0);
  const double least = below - lengths.sum();
  return value - least <= 1e-7 ? whole.trace() + length * value : std::nan("");
}

inline Instance random_elliptope(std::size_t n, Random&) {
  const std::size_t order = order_of(n);
  return {elliptope(order),
          [order](std::span<const double> d) { return slow_correlation_minimum(d, order); }};
}

/// By the correlation matrices of all rows and columns. They are few: the kit asks for membership
/// thousands of times, and each is a program of its own.
inline Instance random_max_norm_ball(std::size_t n, Random& random) {
  std::size_t m = random.integer(1, 2);
  std::size_t columns = std::min<std::size_t>(3, (n + m - 1) / m);
  if (random.integer(0, 1) == 0) std::swap(m, columns);
  const double radius = random.integer(0, 1) == 0 ? 1 : std::exp(random.normal());
  return {max_norm_ball(m, columns, radius), [=](std::span<const double> d) {
            const std::size_t order = m + columns;
            std::vector<double> whole(order * order, 0.0);
            for (std::size_t i = 0; i < m; ++i) {
              for (std::size_t j = 0; j < columns; ++j) {
                whole[i * order + m + j] = d[i * columns + j];
              }
            }
            return radius * slow_correlation_minimum(whole, order);
          }};
}

inline std::vector<InstanceFamily> spectral_set_instances() {
  return {{"spectraplex", random_spectraplex},
          {"fantope", random_fantope},
          {"operator_norm_ball", random_operator_norm_ball},
          {"schatten_ball", random_schatten_ball},
          {"elliptope", random_elliptope},
          {"max_norm_ball", random_max_norm_ball}};
}

}  // namespace keyhole::tests
