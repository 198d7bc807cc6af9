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

inline std::vector<double> random_prices(std::size_t n, Random& random) {
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
  const std::vector<double> weights = random_prices(n, random);
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

/// The least of <d, x> over the points of {lower <= x <= upper, <weights, x> <= total}, or of those
/// with equality, that have at most one coordinate between its bounds: all vertices are such.
inline std::function<double(std::span<const double>)> least_of_budget(std::vector<double> lower,
                                                                      std::vector<double> upper,
                                                                      std::vector<double> weights,
                                                                      double total, bool flat) {
  return [=](std::span<const double> d) {
    const std::size_t n = d.size();
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t subset = 0; subset < std::size_t{1} << n; ++subset) {
      double value = 0;
      double left = total;
      for (std::size_t i = 0; i < n; ++i) {
        const double x = ((subset >> i) & 1U) == 0 ? lower[i] : upper[i];
        value += d[i] * x;
        left -= weights[i] * x;
      }
      if (!flat && left >= 0) best = std::min(best, value);
      for (std::size_t i = 0; i < n; ++i) {
        if (((subset >> i) & 1U) != 0) continue;
        const double x = lower[i] + left / weights[i];
        if (x >= lower[i] && x <= upper[i]) best = std::min(best, value + d[i] * (x - lower[i]));
      }
    }
    return best;
  };
}

/// Half of them with other bounds for each, else the same for all; total and bounds of any sign.
inline Instance random_capped_simplex(std::size_t n, Random& random) {
  const double scale = random.uniform() < 0.5 ? 1 : std::exp(random.normal() * 4);
  const bool same = random.uniform() < 0.5;
  std::vector<double> lower(n, random.uniform(-1, 1) * scale);
  std::vector<double> upper(n, lower.front() + random.uniform(0.1, 2) * scale);
  for (std::size_t i = 0; i < n && !same; ++i) {
    lower[i] = random.uniform() < 0.3 ? 0 : random.uniform(-1, 1) * scale;
    upper[i] = lower[i] + random.uniform(0.1, 2) * scale;
  }
  const double least = std::accumulate(lower.begin(), lower.end(), 0.0);
  const double most = std::accumulate(upper.begin(), upper.end(), 0.0);
  const double total = least + random.uniform(0.05, 0.95) * (most - least);
  return {capped_simplex(lower, upper, total),
          least_of_budget(lower, upper, std::vector<double>(n, 1.0), total, true)};
}

/// Weights from nearly the same to a factor of about 1e4.
inline Instance random_weighted_capped_simplex(std::size_t n, Random& random) {
  const double spread = random.uniform() < 0.5 ? 0.5 : 4;
  std::vector<double> weights(n);
  std::vector<double> lower(n);
  std::vector<double> upper(n);
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = std::exp(random.uniform(-spread, spread));
    lower[i] = random.uniform() < 0.3 ? 0 : random.uniform(-1, 1);
    upper[i] = lower[i] + random.uniform(0.1, 2) / weights[i];
  }
  const double least = std::inner_product(lower.begin(), lower.end(), weights.begin(), 0.0);
  const double most = std::inner_product(upper.begin(), upper.end(), weights.begin(), 0.0);
  const double total = least + random.uniform(0.05, 0.95) * (most - least);
  return {capped_simplex(lower, upper, total, weights),
          least_of_budget(lower, upper, weights, total, true)};
}

/// Half of them with bounds other than 0 and 1.
inline Instance random_knapsack(std::size_t n, Random& random) {
  const std::vector<double> weights = random_prices(n, random);
  std::vector<double> lower(n, 0.0);
  std::vector<double> upper(n, 1.0);
  const double share = random.uniform(0.05, 0.95);
  if (random.uniform() < 0.5) {
    for (std::size_t i = 0; i < n; ++i) {
      lower[i] = random.uniform(-1, 1);
      upper[i] = lower[i] + random.uniform(0.1, 4);
    }
  }
  const double least = std::inner_product(lower.begin(), lower.end(), weights.begin(), 0.0);
  const double most = std::inner_product(upper.begin(), upper.end(), weights.begin(), 0.0);
  const double capacity = least + share * (most - least);
  return {knapsack(weights, capacity, lower, upper),
          least_of_budget(lower, upper, weights, capacity, false)};
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

/// The corners of the box that keep the relations, of up to 12 numbers.
inline Instance random_partial_order(std::size_t n, Random& random) {
  const double scale = random.uniform() < 0.5 ? 1 : std::exp(random.normal() * 4);
  const double lower = random.uniform() < 0.5 ? 0 : scale * random.uniform(-2, 2);
  const double upper = lower + scale * random.uniform(0.3, 3);
  std::vector<std::size_t> names(n);
  std::iota(names.begin(), names.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(names[i - 1], names[random.integer(0, i - 1)]);
  std::vector<Edge> relations;
  const double share = random.uniform(0, 3) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (random.uniform() < share) relations.push_back({names[i], names[j]});
    }
  }
  const auto least = [=](std::span<const double> d) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t corner = 0; corner < std::size_t{1} << n; ++corner) {
      const auto is_high = [&](std::size_t i) { return (corner >> i & 1U) != 0; };
      double value = 0;
      for (std::size_t i = 0; i < n; ++i) value += d[i] * (is_high(i) ? upper : lower);
      bool keeps = true;
      for (const auto& [i, j] : relations) keeps = keeps && (!is_high(i) || is_high(j));
      if (keeps) best = std::min(best, value);
    }
    return best;
  };
  std::function<double(std::span<const double>)> slow;
  if (n <= 12) slow = least;
  return {partial_order(n, relations, lower, upper), slow};
}

/// The corners of the box that do not descend.
inline Instance random_isotonic(std::size_t n, Random& random) {
  const double scale = random.uniform() < 0.5 ? 1 : std::exp(random.normal() * 4);
  const double lower = random.uniform() < 0.5 ? 0 : scale * random.uniform(-2, 2);
  const double upper = lower + scale * random.uniform(0.3, 3);
  return {isotonic(n, lower, upper), [=](std::span<const double> d) {
            double best = std::numeric_limits<double>::infinity();
            for (std::size_t corner = 0; corner < std::size_t{1} << n; ++corner) {
              double value = 0;
              bool rises = true;
              for (std::size_t i = 0; i < n; ++i) {
                const std::size_t here = (corner >> i) & 1U;
                rises = rises && (i == 0 || here >= ((corner >> (i - 1)) & 1U));
                value += d[i] * (here == 0 ? lower : upper);
              }
              if (rises) best = std::min(best, value);
            }
            return best;
          }};
}

/// Positive probabilities.
inline std::vector<double> random_shares(std::size_t n, Random& random) {
  std::vector<double> q(n);
  double sum = 0;
  for (double& share : q) sum += share = random.uniform(0.1, 1);
  for (double& share : q) share /= sum;
  return q;
}

/// The slow way is the dual of Donsker and Varadhan: max over lambda > 0 of -lambda log sum q_i
/// exp(-d_i / lambda) - lambda radius, concave, and min d for lambda = 0.
inline Instance random_kl_ball(std::size_t n, Random& random) {
  const std::vector<double> q = random_shares(n, random);
  const double radius = std::exp(random.uniform(-9, 1.5));
  return {kl_ball(q, radius), [=](std::span<const double> d) {
            const double least = *std::min_element(d.begin(), d.end());
            const double width = *std::max_element(d.begin(), d.end()) - least;
            if (!(width > 0)) return least;
            const auto dual = [&](double exponent) {
              const double lambda = width * std::exp(exponent);
              long double mass = 0;
              for (std::size_t i = 0; i < n; ++i) {
                mass += q[i] * std::exp(static_cast<long double>(least - d[i]) / lambda);
              }
              return static_cast<double>(-lambda * (std::log(mass) + radius));
            };
            return least + largest_of_concave(-40, 20, dual);
          }};
}

/// The least <d, x> over the distributions with sum q_i f(x_i / q_i) <= radius, by the dual of
/// Ben-Tal and others: max over l >= 0 and a of a - l radius - l sum q_i f*((a - d_i) / l), concave
/// in both.
inline std::function<double(std::span<const double>)> least_by_divergence(
    const std::vector<double>& q, double radius, std::function<double(double)> conjugate) {
  return [=](std::span<const double> d) {
    const double least = *std::min_element(d.begin(), d.end());
    const double width = *std::max_element(d.begin(), d.end()) - least;
    if (!(width > 0)) return least;
    const auto dual = [&](double exponent) {
      const double l = width * std::exp(exponent);
      // f'(1) = 0, so a is between the least and the largest d_i.
      return largest_of_concave(0, width, [&](double a) {
        long double value = a - l * radius;
        for (std::size_t i = 0; i < q.size(); ++i) {
          value -= l * q[i] * conjugate((a - (d[i] - least)) / l);
        }
        return static_cast<double>(value);
      });
    };
    return least + largest_of_concave(-25, 12, dual);
  };
}

/// f(t) = (t - 1)^2, of which f*(s) = s + s^2 / 4 for s >= -2, else -1.
inline Instance random_chi_square_ball(std::size_t n, Random& random) {
  const std::vector<double> q = random_shares(n, random);
  const double radius = std::exp(random.uniform(-9, 1.5));
  return {chi_square_ball(q, radius),
          least_by_divergence(q, radius, [](double s) { return s >= -2 ? s + s * s / 4 : -1; })};
}

/// f(t) = (sqrt t - 1)^2 / 2, of which f*(s) = s / (1 - 2 s) for s < 1/2, else infinite.
inline Instance random_hellinger_ball(std::size_t n, Random& random) {
  const std::vector<double> q = random_shares(n, random);
  const double radius = std::exp(random.uniform(-5, 0));
  return {hellinger_ball(q, radius), least_by_divergence(q, radius * radius, [](double s) {
            return s < 0.5 ? s / (1 - 2 * s) : 1e30 * (1 + s);
          })};
}

/// The slow way is the dual: max over m >= 0 of sum q_i min_j (d_j + m |s_i - s_j|) - m radius,
/// concave.
/// The least <d, x> over the distributions to which q moves at no more than the radius, by the
/// multiplier of the radius.
inline std::function<double(std::span<const double>)> least_after_moving(
    std::vector<double> q, double radius, std::function<double(std::size_t, std::size_t)> cost) {
  return [=](std::span<const double> d) {
    const std::size_t n = q.size();
    const auto [least, largest] = std::minmax_element(d.begin(), d.end());
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) step = std::min(step, cost(i, j));
      }
    }
    const auto dual = [&](double m) {
      long double value = -m * radius;
      for (std::size_t i = 0; i < n; ++i) {
        double best = d[i];
        for (std::size_t j = 0; j < n; ++j) best = std::min(best, d[j] + m * cost(i, j));
        value += q[i] * best;
      }
      return static_cast<double>(value);
    };
    // From the steepest saving on nothing moves.
    return largest_of_concave(0, (*largest - *least) / step, dual);
  };
}

/// With probabilities of 0.
inline std::vector<double> random_distribution(std::size_t n, Random& random) {
  std::vector<double> q(n);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += q[i] = i > 0 && random.integer(0, 3) == 0 ? 0 : random.uniform(0.1, 1);
  }
  for (double& share : q) share /= sum;
  return q;
}

inline Instance random_wasserstein_ball(std::size_t n, Random& random) {
  const std::vector<double> q = random_distribution(n, random);
  std::vector<double> places(n);
  double place = random.uniform(-1, 1);
  for (double& one : places) one = place += random.uniform(0.1, 1);
  const double radius = (places.back() - places.front()) * std::exp(random.uniform(-6, 0));
  return {wasserstein_ball(q, radius, places),
          least_after_moving(q, radius, [places](std::size_t i, std::size_t j) {
            return std::abs(places[i] - places[j]);
          })};
}

inline Instance random_tv_distance_ball(std::size_t n, Random& random) {
  const std::vector<double> q = random_distribution(n, random);
  const double radius = std::exp(random.uniform(-8, 0));
  return {tv_distance_ball(q, radius),
          least_after_moving(q, radius,
                             [](std::size_t i, std::size_t j) { return i == j ? 0.0 : 1.0; })};
}

/// Costs that are no distance, some of them equal.
inline Instance random_wasserstein_costs(std::size_t n, Random& random) {
  const std::vector<double> q = random_distribution(n, random);
  std::vector<std::vector<double>> costs(n, std::vector<double>(n, 0.0));
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i != j) costs[i][j] = random.integer(0, 2) == 0 ? 0.5 : random.uniform(0.05, 2);
      largest = std::max(largest, costs[i][j]);
    }
  }
  const double radius = largest * std::exp(random.uniform(-6, 0));
  return {
      wasserstein_ball(q, radius, costs),
      least_after_moving(q, radius, [costs](std::size_t i, std::size_t j) { return costs[i][j]; })};
}

/// For each action of each state the probabilities of the next state.
inline std::vector<std::vector<double>> random_transitions(std::size_t states, std::size_t actions,
                                                           Random& random) {
  std::vector<std::vector<double>> rows(states * actions);
  for (std::vector<double>& row : rows) row = random_distribution(states, random);
  return rows;
}

/// The least cost over all ways to take one of `actions` in each of `states` places; occupancy()
/// tells the measure of such a way.
inline std::function<double(std::span<const double>)> least_of_policies(
    std::size_t states, std::size_t actions,
    const std::function<std::vector<double>(const std::vector<std::size_t>&)>& occupancy) {
  return [=](std::span<const double> d) {
    std::vector<std::vector<double>> measures;
    std::vector<std::size_t> policy(states, 0);
    for (std::size_t s = 0; s < states;) {
      measures.push_back(occupancy(policy));
      for (s = 0; s < states && ++policy[s] == actions; ++s) policy[s] = 0;
    }
    return least_of(measures)(d);
  };
}

/// The measure by adding up the steps of runs until nothing is left of them.
inline Instance random_discounted_occupancy(std::size_t n, Random& random) {
  const std::size_t actions = n > 4 && random.uniform() < 0.5 ? 3 : 2;
  const std::size_t states = std::max<std::size_t>(2, n / actions);
  const auto transitions = random_transitions(states, actions, random);
  const std::vector<double> start = random_distribution(states, random);
  const double discount = random.integer(0, 4) == 0 ? 0 : random.uniform(0, 0.95);
  return {discounted_occupancy(transitions, start, discount),
          least_of_policies(states, actions, [=](const std::vector<std::size_t>& policy) {
            std::vector<double> measure(states * actions, 0.0);
            std::vector<double> now = start;
            for (double left = 1; left > 1e-18; left *= discount) {
              std::vector<double> then(states, 0.0);
              for (std::size_t s = 0; s < states; ++s) {
                const std::size_t pair = s * actions + policy[s];
                measure[pair] += (1 - discount) * left * now[s];
                for (std::size_t to = 0; to < states; ++to) {
                  then[to] += now[s] * transitions[pair][to];
                }
              }
              now = then;
            }
            return measure;
          })};
}

inline Instance random_episodic_occupancy(std::size_t n, Random& random) {
  const std::size_t actions = 2;
  const std::size_t states = n > 8 && random.uniform() < 0.5 ? 3 : 2;
  const std::size_t steps = std::max<std::size_t>(1, n / (actions * states));
  const auto transitions = random_transitions(states, actions, random);
  const std::vector<double> start = random_distribution(states, random);
  return {episodic_occupancy(transitions, start, steps),
          least_of_policies(steps * states, actions, [=](const std::vector<std::size_t>& policy) {
            std::vector<double> measure(steps * states * actions, 0.0);
            std::vector<double> now = start;
            for (std::size_t h = 0; h < steps; ++h) {
              std::vector<double> then(states, 0.0);
              for (std::size_t s = 0; s < states; ++s) {
                const std::size_t action = policy[h * states + s];
                measure[(h * states + s) * actions + action] = now[s];
                for (std::size_t to = 0; to < states; ++to) {
                  then[to] += now[s] * transitions[s * actions + action][to];
                }
              }
              now = then;
            }
            return measure;
          })};
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

/// What flows through a tree of cells, node after node that has one of them only; empty if the
/// cells are no tree or something flows backwards.
inline std::vector<double> tree_flows(const std::vector<std::size_t>& cells,
                                      const std::vector<double>& supply,
                                      const std::vector<double>& demand) {
  const std::size_t n = demand.size();
  std::vector<double> left = supply;
  left.insert(left.end(), demand.begin(), demand.end());
  std::vector<double> x(supply.size() * n, 0.0);
  std::vector<std::size_t> open = cells;
  while (!open.empty()) {
    const auto leaf = std::find_if(open.begin(), open.end(), [&](std::size_t cell) {
      const auto in_row = std::count_if(open.begin(), open.end(),
                                        [&](std::size_t other) { return other / n == cell / n; });
      const auto in_column = std::count_if(
          open.begin(), open.end(), [&](std::size_t other) { return other % n == cell % n; });
      if (in_row == 1) x[cell] = left[cell / n];
      if (in_row != 1 && in_column == 1) x[cell] = left[supply.size() + cell % n];
      return in_row == 1 || in_column == 1;
    });
    if (leaf == open.end() || x[*leaf] < -1e-12) return {};
    left[*leaf / n] -= x[*leaf];
    left[supply.size() + *leaf % n] -= x[*leaf];
    open.erase(leaf);
  }
  for (const double rest : left) {
    if (std::abs(rest) > 1e-12) return {};
  }
  return x;
}

/// All vertices: the trees of m + n - 1 cells.
inline Instance random_transportation(std::size_t size, Random& random) {
  std::size_t m = 2;
  while ((m + 1) * (m + 1) <= size) ++m;
  const std::size_t n = std::max<std::size_t>(2, size / m);
  std::vector<double> supply(m);
  std::vector<double> demand(n);
  const bool ties = random.uniform() < 0.3;
  for (double& value : supply) value = ties ? static_cast<double>(n) : random.uniform(0.2, 2);
  for (double& value : demand) value = ties ? static_cast<double>(m) : random.uniform(0.2, 2);
  const double factor = std::accumulate(supply.begin(), supply.end(), 0.0) /
                        std::accumulate(demand.begin(), demand.end(), 0.0);
  for (double& value : demand) value *= factor;
  return {transportation(supply, demand), [=](std::span<const double> d) {
            std::vector<char> chosen(m * n, 0);
            std::fill_n(chosen.begin(), m + n - 1, 1);
            double best = std::numeric_limits<double>::infinity();
            do {
              std::vector<std::size_t> cells;
              for (std::size_t k = 0; k < m * n; ++k) {
                if (chosen[k] != 0) cells.push_back(k);
              }
              const std::vector<double> x = tree_flows(cells, supply, demand);
              if (x.empty()) continue;
              best = std::min(best, std::inner_product(d.begin(), d.end(), x.begin(), 0.0));
            } while (std::prev_permutation(chosen.begin(), chosen.end()));
            return best;
          }};
}

/// A simplex, or more points than that; some with a point twice, some flat, as are all above 8
/// coordinates, where membership takes long.
inline Instance random_convex_hull(std::size_t n, Random& random) {
  const std::size_t k = n > 8 ? 4 : n - (n > 2 && random.uniform() < 0.4 ? 1 : 0);
  const std::size_t count = k + 1 + (random.uniform() < 0.3 ? 0 : random.integer(1, k));
  const std::vector<double> shift = random.normals(n);
  const std::vector<double> across = random.normals(k * (n - k));
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> v = random.normals(k);
    for (std::size_t j = k; j < n; ++j) {
      v.push_back(std::inner_product(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(k),
                                     across.begin() + static_cast<std::ptrdiff_t>((j - k) * k),
                                     0.0));
    }
    for (std::size_t j = 0; j < n; ++j) v[j] += shift[j];
    points.push_back(v);
  }
  if (random.uniform() < 0.2) points.push_back(points.front());
  return {convex_hull(points), least_of(points)};
}

inline std::vector<InstanceFamily> choice_instances() {
  return {{"hypercube", random_hypercube},
          {"hypersimplex", random_hypersimplex},
          {"solid_hypersimplex", random_solid_hypersimplex},
          {"weighted_simplex", random_weighted_simplex},
          {"capped_simplex", random_capped_simplex},
          {"weighted_capped_simplex", random_weighted_capped_simplex},
          {"knapsack", random_knapsack},
          {"permutahedron", random_permutahedron},
          {"isotonic", random_isotonic},
          {"partial_order", random_partial_order},
          {"kl_ball", random_kl_ball, 50},
          {"chi_square_ball", random_chi_square_ball, 50},
          {"hellinger_ball", random_hellinger_ball, 50},
          {"tv_distance_ball", random_tv_distance_ball, 50},
          {"wasserstein_ball", random_wasserstein_ball, 50},
          {"wasserstein_ball_of_costs", random_wasserstein_costs, 50},
          {"discounted_occupancy", random_discounted_occupancy},
          {"episodic_occupancy", random_episodic_occupancy},
          {"birkhoff", random_birkhoff},
          {"transportation", random_transportation},
          {"convex_hull", random_convex_hull}};
}

}  // namespace keyhole::tests
