#pragma once

#include <algorithm>
#include <cmath>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/polytope.h"
#include "sets/combinations/slice.h"

namespace keyhole::tests {

/// A and b of a slice.
struct SlicingRows {
  std::vector<double> matrix;
  std::vector<double> right;
};

/// Normal rows through a point that is so far on the way from the centre to a vertex.
inline SlicingRows random_rows_at(double share, const SetPtr& set, std::size_t rows,
                                  Random& random) {
  const std::size_t n = set->dimension();
  std::vector<double> x(n);
  set->oracle()->minimise(random.normals(n)).write_to(x);
  for (std::size_t j = 0; j < n; ++j) x[j] = set->centre()[j] + share * (x[j] - set->centre()[j]);
  SlicingRows result{random.normals(rows * n), std::vector<double>(rows, 0.0)};
  for (std::size_t k = 0; k < rows * n; ++k) result.right[k / n] += result.matrix[k] * x[k % n];
  return result;
}

/// Through the centre, or up to 0.7 of the way to a vertex.
inline SlicingRows random_rows(const SetPtr& set, std::size_t rows, Random& random) {
  const double share = random.integer(0, 3) == 0 ? 0 : random.uniform(0, 0.7);
  return random_rows_at(share, set, rows, random);
}

/// A set that linear inequalities describe, with more dimensions than rows.
inline SetPtr random_described(std::size_t n, Random& random) {
  switch (random.integer(0, 4)) {
    case 0:
      return random_box(n, random);
    case 1:
      return simplex(n, random.uniform(0.5, 2));
    case 2:
      return image(solid_simplex(n), -2, random.normals(n, 0.5));
    case 3:
      return hypersimplex(n, random.integer(1, n - 1));
    default:
      return random_polytope(n, 0, random);
  }
}

/// By the rows of the set and those of the slice together, a dense linear program.
inline std::function<double(std::span<const double>)> least_of_rows(const SetPtr& set,
                                                                    const SlicingRows& rows) {
  PolytopeConstraints all = *set->linear_description();
  const std::size_t n = all.n;
  const std::size_t before = all.equalities.right.size();
  for (std::size_t k = 0; k < rows.matrix.size(); ++k) {
    all.equalities.sparse.push_back({before + k / n, k % n, rows.matrix[k]});
  }
  if (!all.equalities.dense.empty()) all.equalities.dense.resize((before + rows.right.size()) * n);
  all.equalities.right.insert(all.equalities.right.end(), rows.right.begin(), rows.right.end());
  all.equalities.names.clear();
  const SetPtr described = polytope(all);
  return [described](std::span<const double> d) { return described->oracle()->minimise(d).dot(d); };
}

/// Of an image of a ball: a smaller ball within the rows, made orthonormal in long double.
inline std::function<double(std::span<const double>)> least_of_ball_slice(
    const std::vector<double>& centre, double radius, const SlicingRows& rows) {
  using Row = std::vector<long double>;
  const std::size_t n = centre.size();
  std::vector<Row> basis;
  Row off;
  for (std::size_t i = 0; i < rows.right.size(); ++i) {
    Row q(rows.matrix.begin() + static_cast<std::ptrdiff_t>(i * n),
          rows.matrix.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
    long double right = rows.right[i];
    for (std::size_t j = 0; j < n; ++j) right -= q[j] * centre[j];
    for (std::size_t k = 0; k < basis.size(); ++k) {
      long double along = 0;
      for (std::size_t j = 0; j < n; ++j) along += q[j] * basis[k][j];
      for (std::size_t j = 0; j < n; ++j) q[j] -= along * basis[k][j];
      right -= along * off[k];
    }
    long double square = 0;
    for (const long double number : q) square += number * number;
    for (long double& number : q) number /= std::sqrt(square);
    basis.push_back(q);
    off.push_back(right / std::sqrt(square));
  }
  long double left = static_cast<long double>(radius) * radius;
  for (const long double number : off) left -= number * number;
  return [=](std::span<const double> d) {
    long double value = 0;
    Row flat(d.begin(), d.end());
    for (std::size_t j = 0; j < n; ++j) value += flat[j] * centre[j];
    for (std::size_t k = 0; k < basis.size(); ++k) {
      long double along = 0;
      for (std::size_t j = 0; j < n; ++j) along += flat[j] * basis[k][j];
      for (std::size_t j = 0; j < n; ++j) flat[j] -= along * basis[k][j];
      value += along * off[k];
    }
    long double square = 0;
    for (const long double number : flat) square += number * number;
    return static_cast<double>(value - std::sqrt(left * square));
  };
}

/// By columns it is another set than that of its spec, which has fewer roundings.
inline Instance random_described_slice(std::size_t wanted, Random& random, bool by_columns) {
  const std::size_t rows = random.integer(1, 3);
  const std::size_t n = std::min<std::size_t>(std::max(wanted, rows + 3), 20);
  const SetPtr set = random_described(n, random);
  const SlicingRows by = random_rows(set, rows, random);
  return {by_columns ? sets::slice_by_columns(set, by.matrix, by.right)
                     : slice(set, by.matrix, by.right),
          least_of_rows(set, by)};
}

inline Instance random_ball_slice(std::size_t wanted, Random& random) {
  const std::size_t n = std::min<std::size_t>(std::max<std::size_t>(wanted, 3), 20);
  const std::size_t rows = random.integer(1, n - 1);
  const double radius = random.uniform(0.5, 2);
  const std::vector<double> shift = random.normals(n, 0.5);
  const SetPtr set = image(ball(n), radius, shift);
  const SlicingRows by = random_rows(set, rows, random);
  return {slice(set, by.matrix, by.right), least_of_ball_slice(shift, radius, by)};
}

inline std::vector<InstanceFamily> slice_instances() {
  return {
      {"slice",
       [](std::size_t n, Random& random) { return random_described_slice(n, random, false); }},
      {"curved_slice", random_ball_slice, 50},
  };
}

}  // namespace keyhole::tests
