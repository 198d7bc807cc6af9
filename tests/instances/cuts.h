#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "instances/slices.h"
#include "sets/combinations/cut.h"

namespace keyhole::tests {

/// Rows that all leave a point so far on the way from the centre to a vertex, by a little or more.
inline SlicingRows random_cuts_at(double share, const SetPtr& set, std::size_t rows,
                                  Random& random) {
  SlicingRows result = random_rows_at(share, set, rows, random);
  const std::size_t n = set->dimension();
  for (std::size_t i = 0; i < rows; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < n; ++j) {
      square += result.matrix[i * n + j] * result.matrix[i * n + j];
    }
    result.right[i] +=
        std::pow(10, random.uniform(-2, 0)) * std::sqrt(square) * (1 - share) * set->outer_radius();
  }
  return result;
}

/// By the rows of the set and those of the cut together, a dense linear program.
inline std::function<double(std::span<const double>)> least_of_cut_rows(const SetPtr& set,
                                                                        const SlicingRows& rows) {
  PolytopeConstraints all = *set->linear_description();
  const std::size_t n = all.n;
  const std::size_t before = all.inequalities.right.size();
  for (std::size_t k = 0; k < rows.matrix.size(); ++k) {
    all.inequalities.sparse.push_back({before + k / n, k % n, rows.matrix[k]});
  }
  if (!all.inequalities.dense.empty()) {
    all.inequalities.dense.resize((before + rows.right.size()) * n);
  }
  all.inequalities.right.insert(all.inequalities.right.end(), rows.right.begin(), rows.right.end());
  all.inequalities.names.clear();
  const SetPtr described = polytope(all);
  return [described](std::span<const double> d) { return described->oracle()->minimise(d).dot(d); };
}

/// Of a ball, by trying which rows hold with equality: the minimiser over the smaller ball that
/// some rows leave, made orthonormal in long double, is the one of the cut if it keeps the others
/// and nothing below does.
inline double least_of_cut_ball(const std::vector<double>& centre, double radius,
                                const SlicingRows& rows, std::span<const double> d) {
  using Row = std::vector<long double>;
  const std::size_t n = centre.size();
  const std::size_t m = rows.right.size();
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t chosen = 0; chosen < (std::size_t{1} << m); ++chosen) {
    std::vector<Row> basis;
    Row flat(d.begin(), d.end());
    Row x(centre.begin(), centre.end());
    long double left = static_cast<long double>(radius) * radius;
    for (std::size_t i = 0; i < m; ++i) {
      if ((chosen >> i & 1) == 0) continue;
      Row q(rows.matrix.begin() + static_cast<std::ptrdiff_t>(i * n),
            rows.matrix.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
      for (const Row& other : basis) {
        long double along = 0;
        for (std::size_t j = 0; j < n; ++j) along += q[j] * other[j];
        for (std::size_t j = 0; j < n; ++j) q[j] -= along * other[j];
      }
      long double square = 0;
      for (const long double number : q) square += number * number;
      for (long double& number : q) number /= std::sqrt(square);
      // x onto the row along q, which leaves the rows before as they are.
      long double off = rows.right[i];
      long double along = 0;
      long double of_d = 0;
      for (std::size_t j = 0; j < n; ++j) {
        off -= rows.matrix[i * n + j] * x[j];
        along += rows.matrix[i * n + j] * q[j];
        of_d += q[j] * flat[j];
      }
      for (std::size_t j = 0; j < n; ++j) {
        x[j] += off / along * q[j];
        flat[j] -= of_d * q[j];
      }
      left -= off / along * (off / along);
      basis.push_back(q);
    }
    if (basis.size() > n || left < 0) continue;
    long double square = 0;
    for (const long double number : flat) square += number * number;
    long double value = 0;
    long double all = 0;
    for (const double number : d) all += static_cast<long double>(number) * number;
    const bool is_free =
        square > 1e-24L * all;  // else the rows leave a point, and flat is rounding
    for (std::size_t j = 0; j < n; ++j) {
      if (is_free) x[j] -= std::sqrt(left / square) * flat[j];
      value += d[j] * x[j];
    }
    bool keeps = true;
    for (std::size_t i = 0; i < m; ++i) {
      long double above = -static_cast<long double>(rows.right[i]);
      for (std::size_t j = 0; j < n; ++j) above += rows.matrix[i * n + j] * x[j];
      keeps = keeps && (above <= 1e-13L || (chosen >> i & 1) != 0);
    }
    if (keeps) least = std::min(least, value);
  }
  return static_cast<double>(least);
}

/// By columns it is another set than that of its spec, which has fewer roundings.
inline Instance random_described_cut(std::size_t wanted, Random& random, bool by_columns) {
  const std::size_t n = std::min<std::size_t>(std::max<std::size_t>(wanted, 3), 20);
  const SetPtr set = random_described(n, random);
  const SlicingRows by = random_cuts_at(random.uniform(0, 0.7), set, random.integer(1, 6), random);
  return {
      by_columns ? sets::cut_by_columns(set, by.matrix, by.right) : cut(set, by.matrix, by.right),
      least_of_cut_rows(set, by)};
}

inline Instance random_ball_cut(std::size_t wanted, Random& random) {
  const std::size_t n = std::min<std::size_t>(std::max<std::size_t>(wanted, 2), 20);
  const double radius = random.uniform(0.5, 2);
  const std::vector<double> shift = random.normals(n, 0.5);
  const SetPtr set = image(ball(n), radius, shift);
  const SlicingRows by = random_cuts_at(random.uniform(0, 0.7), set,
                                        random.integer(1, std::min<std::size_t>(n, 5)), random);
  return {cut(set, by.matrix, by.right),
          [=](std::span<const double> d) { return least_of_cut_ball(shift, radius, by, d); }};
}

inline std::vector<InstanceFamily> cut_instances() {
  return {
      {"cut", [](std::size_t n, Random& random) { return random_described_cut(n, random, false); }},
      {"curved_cut", random_ball_cut, 50},
  };
}

}  // namespace keyhole::tests
