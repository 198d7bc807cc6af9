#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "instances.h"
#include "keyhole/choices.h"

namespace keyhole::tests {

/// The least of <d, v> over the points size 1_S, S any subset of `least` to `most` coordinates.
inline std::function<double(std::span<const double>)> least_of_subsets(std::size_t least,
                                                                       std::size_t most,
                                                                       double size) {
  return [=](std::span<const double> d) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t subset = 0; subset < std::size_t{1} << d.size(); ++subset) {
      std::size_t count = 0;
      double value = 0;
      for (std::size_t i = 0; i < d.size(); ++i) {
        if (((subset >> i) & 1U) == 0) continue;
        ++count;
        value += size * d[i];
      }
      if (least <= count && count <= most) best = std::min(best, value);
    }
    return best;
  };
}

inline std::vector<double> random_weights(std::size_t n, Random& random) {
  std::vector<double> weights(n);
  for (double& weight : weights) weight = random.uniform(0.3, 3);
  return weights;
}

inline Instance random_hypercube(std::size_t n, Random& /*random*/) {
  return {hypercube(n), least_of_subsets(0, n, 1)};
}

inline Instance random_hypersimplex(std::size_t n, Random& random) {
  const std::size_t k = random.integer(1, n - 1);
  const double size = random.uniform() < 0.5 ? 1 : random.uniform(0.5, 4);
  return {hypersimplex(n, k, size), least_of_subsets(k, k, size)};
}

inline Instance random_solid_hypersimplex(std::size_t n, Random& random) {
  const std::size_t k = random.integer(1, n);
  const double size = random.uniform() < 0.5 ? 1 : random.uniform(0.5, 4);
  return {solid_hypersimplex(n, k, size), least_of_subsets(0, k, size)};
}

inline Instance random_weighted_simplex(std::size_t n, Random& random) {
  const std::vector<double> weights = random_weights(n, random);
  const double total = random.uniform(0.5, 5);
  std::vector<double> lower(n, 0.0);
  if (random.uniform() < 0.7) {
    for (double& bound : lower) bound = random.uniform(-2, 0.1) / static_cast<double>(n);
  }
  const double left =
      total - std::inner_product(weights.begin(), weights.end(), lower.begin(), 0.0);
  std::vector<std::vector<double>> vertices(n + 1, lower);
  for (std::size_t i = 0; i < n; ++i) vertices[i][i] += left / weights[i];
  return {weighted_simplex(weights, total, lower), least_of(std::move(vertices))};
}

/// All vertices: any things that fit, and one more in part.
inline Instance random_knapsack(std::size_t n, Random& random) {
  const std::vector<double> weights = random_weights(n, random);
  const double capacity =
      random.uniform(0.05, 0.95) * std::accumulate(weights.begin(), weights.end(), 0.0);
  return {knapsack(weights, capacity), [=](std::span<const double> d) {
            double best = 0;
            for (std::size_t subset = 0; subset < std::size_t{1} << n; ++subset) {
              double value = 0;
              double left = capacity;
              for (std::size_t i = 0; i < n; ++i) {
                if (((subset >> i) & 1U) == 0) continue;
                value += d[i];
                left -= weights[i];
              }
              if (left < 0) continue;
              best = std::min(best, value);
              for (std::size_t i = 0; i < n; ++i) {
                if (((subset >> i) & 1U) != 0) continue;
                best = std::min(best, value + std::min(1.0, left / weights[i]) * d[i]);
              }
            }
            return best;
          }};
}

inline Instance random_permutahedron(std::size_t n, Random& random) {
  std::vector<double> values = random.normals(n, 2);
  if (random.uniform() < 0.5) {  // ties
    for (double& value : values) value = std::round(value);
    values[0] = 20;
  }
  return {permutahedron(values), [=](std::span<const double> d) {
            std::vector<double> order = values;
            std::sort(order.begin(), order.end());
            double best = std::numeric_limits<double>::infinity();
            do {
              best = std::min(best, std::inner_product(d.begin(), d.end(), order.begin(), 0.0));
            } while (std::next_permutation(order.begin(), order.end()));
            return best;
          }};
}

inline Instance random_birkhoff(std::size_t n, Random& /*random*/) {
  std::size_t side = 2;
  while ((side + 1) * (side + 1) <= n + n / 2 + 6) ++side;
  return {birkhoff(side), [=](std::span<const double> d) {
            std::vector<std::size_t> columns(side);
            std::iota(columns.begin(), columns.end(), std::size_t{0});
            double best = std::numeric_limits<double>::infinity();
            do {
              double value = 0;
              for (std::size_t i = 0; i < side; ++i) value += d[i * side + columns[i]];
              best = std::min(best, value);
            } while (std::next_permutation(columns.begin(), columns.end()));
            return best;
          }};
}

inline std::vector<InstanceFamily> choice_instances() {
  return {{"hypercube", random_hypercube},
          {"hypersimplex", random_hypersimplex},
          {"solid_hypersimplex", random_solid_hypersimplex},
          {"weighted_simplex", random_weighted_simplex},
          {"knapsack", random_knapsack},
          {"permutahedron", random_permutahedron},
          {"birkhoff", random_birkhoff}};
}

}  // namespace keyhole::tests
