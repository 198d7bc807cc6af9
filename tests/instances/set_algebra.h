#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "slow_set.h"

namespace keyhole::tests {

/// {lower <= x <= upper} and {x >= 0, sum x = total} or {x >= 0, sum x <= total}: the cheapest
/// coordinates are filled first.
inline Instance random_intersection(std::size_t wanted, Random& random) {
  const std::size_t n = std::min<std::size_t>(wanted, 12);  // projections take long
  std::vector<double> lower(n);
  std::vector<double> upper(n);
  for (std::size_t j = 0; j < n; ++j) {
    lower[j] = random.uniform(-1, 0.5);
    upper[j] = std::max(lower[j], 0.0) + random.uniform(0.2, 1);
  }
  const auto least = [lower](std::size_t j) { return std::max(lower[j], 0.0); };
  double low = 0;
  double high = 0;
  for (std::size_t j = 0; j < n; ++j) {
    low += least(j);
    high += upper[j];
  }
  const double total = low + random.uniform(0.3, 0.7) * (high - low);
  const bool solid = random.integer(0, 1) == 0;
  const SetPtr of_sum = solid ? solid_simplex(n, total) : simplex(n, total);
  return {intersection({box(lower, upper), of_sum}), [=](std::span<const double> d) {
            std::vector<std::size_t> order(n);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::sort(order.begin(), order.end(),
                      [&](std::size_t i, std::size_t j) { return d[i] < d[j]; });
            double left = total - low;
            double value = 0;
            for (std::size_t j = 0; j < n; ++j) value += d[j] * least(j);
            for (const std::size_t j : order) {
              const double more = solid && d[j] >= 0 ? 0 : std::min(left, upper[j] - least(j));
              value += d[j] * more;
              left -= more;
            }
            return value;
          }};
}

/// A box and a ball that both have the middle of the box. The least <d, x> + m / 2 ||x - c||^2 over
/// the box is clamp(c - d / m), and with the m for which that is at the boundary of the ball, or
/// with none, it is the least <d, x>.
inline Instance random_curved_intersection(std::size_t wanted, Random& random) {
  const std::size_t n = std::min<std::size_t>(wanted, 4);  // the kit asks thousands of times
  const SetPtr cube = random_box(n, random);
  const PolytopeConstraints bounds = *cube->linear_description();
  const std::vector<double> c =
      combine(1, cube->centre(), random.uniform(0, 1.5) * cube->inner_radius(), random.normals(n));
  const std::vector<double> away = combine(1, c, -1, cube->centre());
  const double radius =
      std::sqrt(inner(away, away)) + random.uniform(0.1, 0.9) * cube->outer_radius();
  return {intersection({cube, image(ball(n), radius, c)}), [=](std::span<const double> d) {
            std::vector<double> x(n);
            const auto distance_at = [&](double step) {
              for (std::size_t j = 0; j < n; ++j) {
                x[j] = std::clamp(c[j] - step * d[j], bounds.lower[j], bounds.upper[j]);
              }
              const std::vector<double> off = combine(1, x, -1, c);
              return std::sqrt(inner(off, off));
            };
            double low = 0;
            double high = 1e6 * cube->outer_radius();
            if (distance_at(high) > radius) {
              for (int k = 0; k < 200; ++k) {
                const double middle = 0.5 * (low + high);
                (distance_at(middle) > radius ? high : low) = middle;
              }
            }
            distance_at(high);
            return inner(d, x);
          }};
}

/// Two or three sets of the same dimension n, flat ones among them, some shifted.
inline std::vector<SetPtr> random_sets(std::size_t n, Random& random) {
  std::vector<SetPtr> sets;
  for (std::size_t count = random.integer(2, 3); count > 0; --count) {
    switch (random.integer(0, 3)) {
      case 0:
        sets.push_back(random_box(n, random));
        break;
      case 1:
        sets.push_back(image(simplex(n), random.uniform(0.5, 2), random.normals(n, 0.5)));
        break;
      case 2:
        sets.push_back(l1_ball(n, random.uniform(0.5, 2)));
        break;
      default:
        sets.push_back(image(path_splits(std::vector<std::size_t>{n}), 1, random.normals(n, 0.5)));
    }
  }
  return sets;
}

/// With one that is curved.
inline std::vector<SetPtr> random_curved_sets(std::size_t n, Random& random) {
  return {random_box(n, random), image(ball(n), random.uniform(0.5, 1), random.normals(n, 0.3))};
}

/// The answers of the sets, each checked elsewhere, put together by the definition.
inline std::function<double(std::span<const double>)> sum_of_minima(std::vector<SetPtr> sets,
                                                                    bool least) {
  return [sets = std::move(sets), least](std::span<const double> d) {
    double result = least ? std::numeric_limits<double>::infinity() : 0;
    for (const SetPtr& set : sets) {
      const double value = set->oracle()->minimise(d).dot(d);
      result = least ? std::min(result, value) : result + value;
    }
    return result;
  };
}

/// Of more coordinates than rows: sums of intervals, or of a ball; some have dependent rows.
inline Instance random_wide_image(std::size_t n, Random& random) {
  const std::size_t columns = n + random.integer(1, 6);
  std::vector<double> matrix = random.normals(n * columns);
  if (n > 2 && random.integer(0, 3) == 0) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix[(n - 1) * columns + j] = matrix[j] - matrix[columns + j];
    }
  }
  const std::vector<double> shift = random.normals(n);
  const bool is_round = random.integer(0, 1) == 0;
  return {affine_image(is_round ? ball(columns) : box(0, 1, columns), matrix, shift),
          [=](std::span<const double> d) {
            double value = 0;
            double square = 0;
            for (std::size_t i = 0; i < n; ++i) value += d[i] * shift[i];
            for (std::size_t j = 0; j < columns; ++j) {
              double along = 0;
              for (std::size_t i = 0; i < n; ++i) along += d[i] * matrix[i * columns + j];
              square += along * along;
              if (!is_round) value += std::min(along, 0.0);
            }
            return is_round ? value - std::sqrt(square) : value;
          }};
}

inline std::vector<InstanceFamily> set_algebra_instances() {
  return {
      {"wide_affine_image", random_wide_image, 8},
      {"intersection", random_intersection},
      {"curved_intersection", random_curved_intersection, 4},
      {"minkowski_sum",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_sets(n, random);
         return {minkowski_sum(sets), sum_of_minima(sets, false)};
       },
       8},
      {"hull_of_union",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_sets(n, random);
         return {hull_of_union(sets), sum_of_minima(sets, true)};
       },
       8},
      {"curved_minkowski_sum",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_curved_sets(std::min<std::size_t>(n, 5), random);
         return {minkowski_sum(sets), sum_of_minima(sets, false)};
       },
       8},
      {"curved_hull_of_union",
       [](std::size_t n, Random& random) -> Instance {
         const auto sets = random_curved_sets(std::min<std::size_t>(n, 5), random);
         return {hull_of_union(sets), sum_of_minima(sets, true)};
       },
       8},
  };
}

}  // namespace keyhole::tests
