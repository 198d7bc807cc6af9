#pragma once

// Spectra by Eigen's dense solvers: of symmetric matrices A by the singular values of A + c I, c
// large enough for them to be eigenvalues, which is no route that the library takes.

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

inline std::vector<InstanceFamily> spectral_set_instances() {
  return {{"spectraplex", random_spectraplex},
          {"fantope", random_fantope},
          {"operator_norm_ball", random_operator_norm_ball},
          {"schatten_ball", random_schatten_ball}};
}

}  // namespace keyhole::tests
