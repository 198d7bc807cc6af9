#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "instances.h"
#include "instances/choices.h"
#include "keyhole/norm_balls.h"

namespace keyhole::tests {

/// max over 0 <= s <= 1 of a s^(1/p) + b (1 - s)^(1/p), which is concave, by golden section.
inline double best_share(double a, double b, double p) {
  if (std::isinf(p)) return a + b;
  const auto value = [&](double s) { return a * std::pow(s, 1 / p) + b * std::pow(1 - s, 1 / p); };
  constexpr double ratio = 0.6180339887498949;
  double low = 0;
  double high = 1;
  for (int k = 0; k < 60; ++k) {
    const double width = ratio * (high - low);
    (value(high - width) < value(low + width) ? low : high) =
        value(high - width) < value(low + width) ? high - width : low + width;
  }
  return std::max({a, b, value((low + high) / 2)});
}

/// The least of <d, x> over a weighted lp ball: of the p-th power of the radius coordinate i gets
/// one share, those before it the rest, which they divide in the same way.
inline double slow_lp_minimum(std::span<const double> d, double p, double radius,
                              const std::vector<double>& w) {
  double most = 0;
  for (std::size_t i = 0; i < d.size(); ++i) most = best_share(most, std::abs(d[i]) / w[i], p);
  return -radius * most;
}

inline std::vector<double> random_weights(std::size_t n, Random& random) {
  std::vector<double> w(n, std::exp(random.normal()));
  if (random.uniform() < 0.6) {
    for (double& weight : w) weight *= random.uniform(0.3, 3);
  }
  return w;
}

/// All vectors of n entries from {-value, 0, value}, value = value_of(the number that are not 0), 0
/// excepted; none where the value is 0.
template <class ValueOf>
std::vector<std::vector<double>> signed_vectors(std::size_t n, ValueOf value_of) {
  std::vector<std::vector<double>> all;
  std::vector<double> x(n, -1);
  for (;;) {
    const auto zeros = static_cast<std::size_t>(std::count(x.begin(), x.end(), 0.0));
    const double value = zeros == n ? 0 : value_of(n - zeros);
    if (value != 0) {
      all.push_back(x);
      for (double& entry : all.back()) entry *= value;
    }
    std::size_t i = 0;  // counts in base 3
    while (i < n && x[i] == 1) x[i++] = -1;
    if (i == n) return all;
    x[i] += 1;
  }
}

/// The slow minimum over those vectors; they are listed when first asked for.
template <class ValueOf>
std::function<double(std::span<const double>)> least_of_signed(ValueOf value_of) {
  return [value_of](std::span<const double> d) {
    return least_of(signed_vectors(d.size(), value_of))(d);
  };
}

/// {c + B u : ||u|| <= 1} with B = Q diag(axes), Q the product of n reflections: A = (B B')^-1.
/// Its least value by the columns of B, the share of each as in the ball.
inline Instance random_ellipsoid(std::size_t n, Random& random) {
  std::vector<double> axes(n);
  for (double& axis : axes) axis = std::exp(random.uniform(-1.5, 1.5));
  std::vector<double> q(n * n, 0.0);  // column k from k n on
  for (std::size_t k = 0; k < n; ++k) q[k * n + k] = 1;
  for (std::size_t pass = 0; pass < n; ++pass) {
    const std::vector<double> v = random.normals(n);
    double square = 0;
    for (const double value : v) square += value * value;
    for (std::size_t k = 0; k < n; ++k) {
      double product = 0;
      for (std::size_t i = 0; i < n; ++i) product += v[i] * q[k * n + i];
      for (std::size_t i = 0; i < n; ++i) q[k * n + i] -= 2 * product / square * v[i];
    }
  }
  std::vector<double> a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        a[i * n + j] += q[k * n + i] * q[k * n + j] / (axes[k] * axes[k]);
      }
    }
  }
  const std::vector<double> c =
      random.uniform() < 0.3 ? std::vector<double>(n, 0.0) : random.normals(n, 3);
  return {ellipsoid(a, c), [=](std::span<const double> d) {
            double at_centre = 0;
            double most = 0;
            for (std::size_t k = 0; k < n; ++k) {
              at_centre += d[k] * c[k];
              double along = 0;
              for (std::size_t i = 0; i < n; ++i) along += d[i] * q[k * n + i] * axes[k];
              most = best_share(most, std::abs(along), 2);
            }
            return at_centre - most;
          }};
}

/// Box and ball of sizes of all scales, some far apart, some with one in the other. The slow way is
/// the dual: max over mu >= 0 of min over the box of <d, x> + mu (||x - c||^2 - radius^2).
inline Instance random_ball_in_box(std::size_t n, Random& random) {
  const double scale = random.uniform() < 0.5 ? 1 : std::exp(random.normal() * 4);
  const double radius = scale * random.uniform(0.5, 2);
  std::vector<double> lower(n);
  std::vector<double> upper(n);
  std::vector<double> c(n);
  for (std::size_t i = 0; i < n; ++i) {
    lower[i] = scale * random.uniform(-1, 0.2) / std::sqrt(static_cast<double>(n));
    upper[i] = lower[i] + scale * random.uniform(0.4, 2) / std::sqrt(static_cast<double>(n));
    c[i] = random.uniform() < 0.5 ? 0 : scale * random.uniform(-0.2, 0.2) / static_cast<double>(n);
  }
  return {ball_in_box(lower, upper, radius, c), [=](std::span<const double> d) {
            double size = 0;
            for (const double value : d) size = std::max(size, std::abs(value));
            const auto dual = [&](double exponent) {
              const double mu = std::exp(exponent) * size / radius;
              long double sum = -static_cast<long double>(mu) * radius * radius;
              for (std::size_t i = 0; i < n; ++i) {
                const double x = std::clamp(c[i] - d[i] / (2 * mu), lower[i], upper[i]);
                sum += static_cast<long double>(d[i]) * x +
                       static_cast<long double>(mu) * (x - c[i]) * (x - c[i]);
              }
              return static_cast<double>(sum);
            };
            double corner = 0;
            for (std::size_t i = 0; i < n; ++i) corner += d[i] * (d[i] < 0 ? upper[i] : lower[i]);
            return size > 0 ? std::max(corner, largest_of_concave(-40, 10, dual)) : 0.0;
          }};
}

/// Some bounds are 0, some beyond the radius. The slow way: orthant by orthant.
inline Instance random_l1_ball_in_box(std::size_t n, Random& random) {
  const double scale = random.uniform() < 0.5 ? 1 : std::exp(random.normal() * 4);
  const double radius = scale * random.uniform(0.5, 2);
  std::vector<double> lower(n);
  std::vector<double> upper(n);
  for (std::size_t i = 0; i < n; ++i) {
    lower[i] = random.uniform() < 0.2 ? 0 : -radius * random.uniform(0.1, 1.5);
    upper[i] = lower[i] < 0 && random.uniform() < 0.2 ? 0 : radius * random.uniform(0.1, 1.5);
  }
  return {l1_ball_in_box(lower, upper, radius), [=](std::span<const double> d) {
            double best = std::numeric_limits<double>::infinity();
            for (std::size_t orthant = 0; orthant < std::size_t{1} << n; ++orthant) {
              std::vector<double> most(n);
              std::vector<double> of_magnitudes(n);
              for (std::size_t i = 0; i < n; ++i) {
                const bool above = ((orthant >> i) & 1U) != 0;
                most[i] = above ? upper[i] : -lower[i];
                of_magnitudes[i] = above ? d[i] : -d[i];
              }
              best = std::min(
                  best, least_of_budget(std::vector<double>(n, 0.0), most,
                                        std::vector<double>(n, 1.0), radius, false)(of_magnitudes));
            }
            return best;
          }};
}

/// The slow way is the dual: max over mu >= 0 of min over the ball of <d, x> + mu (<a, x> - b).
inline Instance random_cut_ball(std::size_t n, Random& random) {
  const double scale = random.uniform() < 0.5 ? 1 : std::exp(random.normal() * 4);
  const double radius = scale * random.uniform(0.5, 2);
  const std::vector<double> a = random.normals(n, std::exp(random.normal()));
  const std::vector<double> c =
      random.uniform() < 0.5 ? std::vector<double>(n, 0.0) : random.normals(n, scale);
  const double length = std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0));
  const double offset = std::inner_product(a.begin(), a.end(), c.begin(), 0.0) +
                        random.uniform(-0.95, 0.95) * radius * length;
  return {cut_ball(a, offset, radius, c), [=](std::span<const double> d) {
            const auto dual = [&](double mu) {
              double value = -mu * offset;
              double squares = 0;
              for (std::size_t i = 0; i < n; ++i) {
                const double e = d[i] + mu * a[i];
                value += e * c[i];
                squares += e * e;
              }
              return value - radius * std::sqrt(squares);
            };
            const double size = std::sqrt(std::inner_product(d.begin(), d.end(), d.begin(), 0.0));
            return largest_of_concave(0, 100 * size / length, dual);
          }};
}

/// The largest length of k of the numbers, by all choices of them.
inline double longest_part(std::span<const double> d, std::size_t k) {
  double longest = 0;
  for (std::size_t subset = 0; subset < std::size_t{1} << d.size(); ++subset) {
    double squares = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (((subset >> i) & 1U) == 0) continue;
      squares += d[i] * d[i];
      ++count;
    }
    if (count == k) longest = std::max(longest, squares);
  }
  return std::sqrt(longest);
}

inline std::vector<InstanceFamily> norm_ball_instances() {
  return {
      {"lp_ball",
       [](std::size_t n, Random& random) {
         const double powers[] = {1, 1.1, 1.5, 2, 3, 8, std::numeric_limits<double>::infinity()};
         const double p = powers[random.integer(0, 6)];
         const double radius = std::exp(random.normal());
         const std::vector<double> w = random_weights(n, random);
         return Instance{lp_ball(p, w, radius), [=](std::span<const double> d) {
                           return slow_lp_minimum(d, p, radius, w);
                         }};
       }},
      {"k_sparse_ball",
       [](std::size_t n, Random& random) {
         const std::size_t k = random.integer(1, n);
         const double radius = std::exp(random.normal());
         return Instance{k_sparse_ball(n, k, radius), least_of_signed([=](std::size_t count) {
                           return count == k ? radius : 0;
                         })};
       }},
      {"k_support_ball",
       [](std::size_t n, Random& random) {
         const std::size_t k = random.integer(1, n);
         const double radius = std::exp(random.normal());
         return Instance{k_support_ball(n, k, radius),
                         [=](std::span<const double> d) { return -radius * longest_part(d, k); }};
       }},
      {"k_norm_ball",
       [](std::size_t n, Random& random) {
         const std::size_t k = random.integer(1, n);
         const double radius = std::exp(random.normal());
         return Instance{
             k_norm_ball(n, k, radius), least_of_signed([=](std::size_t count) {
               return count == 1 ? radius : count == n ? radius / static_cast<double>(k) : 0;
             })};
       }},
      {"owl_ball",
       [](std::size_t n, Random& random) {
         std::vector<double> w(n);
         for (double& weight : w) weight = std::max(0.0, random.uniform(-0.3, 1));
         w[0] = random.uniform(0.5, 1);
         std::sort(w.begin(), w.end(), std::greater<>());
         const double radius = std::exp(random.normal());
         return Instance{owl_ball(w, radius), least_of_signed([=](std::size_t count) {
                           double sum = 0;
                           for (std::size_t k = 0; k < count; ++k) sum += w[k];
                           return radius / sum;
                         })};
       }},
      {"group_ball",
       [](std::size_t n, Random& random) {
         std::vector<std::size_t> sizes;
         for (std::size_t left = n; left > 0; left -= sizes.back()) {
           sizes.push_back(random.integer(1, left));
         }
         const double radius = std::exp(random.normal());
         // Between groups as for p = 1, within them as for p = 2.
         return Instance{group_ball(sizes, radius), [=](std::span<const double> d) {
                           double most = 0;
                           std::size_t i = 0;
                           for (const std::size_t size : sizes) {
                             double of_group = 0;
                             for (const std::size_t end = i + size; i < end; ++i) {
                               of_group = best_share(of_group, std::abs(d[i]), 2);
                             }
                             most = best_share(most, of_group, 1);
                           }
                           return -radius * most;
                         }};
       }},
      {"latent_group_ball",
       [](std::size_t n, Random& random) {
         std::vector<std::vector<std::size_t>> groups;
         for (std::size_t start = 0; start < n; start += random.integer(1, 2)) {
           groups.emplace_back();
           for (std::size_t i = start; i < std::min(n, start + 3); ++i) groups.back().push_back(i);
         }
         if (n > 1 && random.uniform() < 0.5) groups.push_back({n - 1, 0});
         const double radius = std::exp(random.normal());
         return Instance{latent_group_ball(groups, radius), [=](std::span<const double> d) {
                           double most = 0;
                           for (const std::vector<std::size_t>& group : groups) {
                             double of_group = 0;
                             for (const std::size_t i : group) {
                               of_group = best_share(of_group, std::abs(d[i]), 2);
                             }
                             most = best_share(most, of_group, 1);
                           }
                           return -radius * most;
                         }};
       },
       10},
      {"ellipsoid", random_ellipsoid},
      {"total_variation_ball",
       [](std::size_t n, Random& random) {
         const double radius = std::exp(random.normal());
         // All cumulative sums of differences of which one is +-radius, less their mean.
         std::vector<std::vector<double>> points;
         for (std::size_t k = 0; k + 1 < n; ++k) {
           for (const double step : {-radius, radius}) {
             std::vector<double> x(n, 0.0);
             for (std::size_t i = 1; i < n; ++i) x[i] = x[i - 1] + (i == k + 1 ? step : 0);
             double mean = 0;
             for (const double value : x) mean += value / static_cast<double>(n);
             for (double& value : x) value -= mean;
             points.push_back(x);
           }
         }
         return Instance{total_variation_ball(n, radius), least_of(points)};
       }},
      {"ball_in_box", random_ball_in_box},
      {"l1_ball_in_box", random_l1_ball_in_box},
      {"cut_ball", random_cut_ball},
  };
}

}  // namespace keyhole::tests
