#include "sets/distributions/decision_process.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {

std::vector<bool> DecisionProcess::after(const std::vector<bool>& before) const {
  std::vector<bool> result(states, false);
  for (std::size_t pair = 0; pair < states * actions; ++pair) {
    if (!before[pair / actions]) continue;
    for (std::size_t to = 0; to < states; ++to) {
      if (next(pair)[to] > 0) result[to] = true;
    }
  }
  return result;
}

void share_out(std::span<double> x) {
  const double sum = math::sum(x);
  for (double& value : x) value = sum > 0 ? value / sum : 1 / static_cast<double>(x.size());
}

void Occupancy::add(std::size_t pair, double value) {
  if (value == 0) return;
  pairs.push_back(pair);
  values.push_back(value);
}

DiscountedPolicies::DiscountedPolicies(const DecisionProcess& process, double discount)
    : process_(process),
      discount_(discount),
      policy_(process.states),
      chain_(process.states * process.states),
      ends_(process.states),
      leaves_(process.states),
      values_(process.states),
      measure_(process.states) {
  occupancy_.pairs.reserve(process.states);
  occupancy_.values.reserve(process.states);
}

void DiscountedPolicies::follow() {
  const std::size_t n = process_.states;
  for (std::size_t s = 0; s < n; ++s) {
    const std::span<const double> next = process_.next(policy_[s]);
    for (std::size_t to = 0; to < n; ++to) chain_[s * n + to] = discount_ * next[to];
  }
}

void DiscountedPolicies::eliminate() {
  const std::size_t n = process_.states;
  std::fill(ends_.begin(), ends_.end(), 1 - discount_);
  for (std::size_t m = n; m-- > 0;) {
    const std::span<const double> last = std::span(chain_).subspan(m * n, m);
    leaves_[m] = ends_[m] + math::sum(last);
    for (std::size_t s = 0; s < m; ++s) {
      if (chain_[s * n + m] == 0) continue;
      const double share = chain_[s * n + m] / leaves_[m];
      chain_[s * n + m] = share;
      math::add(std::span(chain_).subspan(s * n, m), share, last);
      ends_[s] += share * ends_[m];
    }
  }
}

void DiscountedPolicies::find_values(std::span<const double> costs) {
  const std::size_t n = process_.states;
  for (std::size_t s = 0; s < n; ++s) values_[s] = costs[policy_[s]];
  for (std::size_t m = n; m-- > 0;) {
    for (std::size_t s = 0; s < m; ++s) values_[s] += chain_[s * n + m] * values_[m];
  }
  for (std::size_t m = 0; m < n; ++m) {
    const double of_others =
        math::dot(std::span(chain_).subspan(m * n, m), std::span<const double>(values_).first(m));
    values_[m] = (values_[m] + of_others) / leaves_[m];
  }
}

bool DiscountedPolicies::improve(std::span<const double> costs) {
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() *
      std::max(math::largest_magnitude(values_), math::largest_magnitude(costs));
  bool has_changed = false;
  for (std::size_t s = 0; s < process_.states; ++s) {
    double least = values_[s] - rounding;
    for (std::size_t pair = s * process_.actions; pair < (s + 1) * process_.actions; ++pair) {
      const double value = costs[pair] + discount_ * math::dot(process_.next(pair), values_);
      if (!(value < least)) continue;
      least = value;
      has_changed |= policy_[s] != pair;
      policy_[s] = pair;
    }
  }
  return has_changed;
}

void DiscountedPolicies::find_measure() {
  const std::size_t n = process_.states;
  for (std::size_t s = 0; s < n; ++s) measure_[s] = (1 - discount_) * process_.start[s];
  for (std::size_t m = n; m-- > 0;) {
    measure_[m] /= leaves_[m];
    math::add(std::span(measure_).first(m), measure_[m],
              std::span<const double>(chain_).subspan(m * n, m));
  }
  for (std::size_t s = 0; s < n; ++s) {
    math::add(std::span(measure_).subspan(s + 1), measure_[s],
              std::span<const double>(chain_).subspan(s * n + s + 1, n - s - 1));
  }
}

const Occupancy& DiscountedPolicies::minimise(std::span<const double> costs) {
  for (std::size_t s = 0; s < process_.states; ++s) {
    const auto first = costs.begin() + static_cast<std::ptrdiff_t>(s * process_.actions);
    const auto end = first + static_cast<std::ptrdiff_t>(process_.actions);
    policy_[s] = static_cast<std::size_t>(std::min_element(first, end) - costs.begin());
  }
  // Each policy costs less from some state and from none more; where rounding hides that, the end.
  double before = std::numeric_limits<double>::infinity();
  do {
    follow();
    eliminate();
    find_values(costs);
    const double total = math::sum(values_);
    if (!(total < before)) break;
    before = total;
  } while (improve(costs));
  find_measure();
  occupancy_.pairs.clear();
  occupancy_.values.clear();
  for (std::size_t s = 0; s < process_.states; ++s) occupancy_.add(policy_[s], measure_[s]);
  return occupancy_;
}

void DiscountedPolicies::realise(std::span<double> x) {
  const std::size_t n = process_.states;
  std::fill(chain_.begin(), chain_.end(), 0.0);
  for (std::size_t s = 0; s < n; ++s) {
    share_out(x.subspan(s * process_.actions, process_.actions));
    for (std::size_t pair = s * process_.actions; pair < (s + 1) * process_.actions; ++pair) {
      math::add(std::span(chain_).subspan(s * n, n), discount_ * x[pair], process_.next(pair));
    }
  }
  eliminate();
  find_measure();
  for (std::size_t pair = 0; pair < x.size(); ++pair) x[pair] *= measure_[pair / process_.actions];
}

EpisodicPolicies::EpisodicPolicies(const DecisionProcess& process, std::size_t steps)
    : process_(process),
      steps_(steps),
      policy_(steps * process.states),
      values_(2 * process.states),
      measure_(2 * process.states) {
  occupancy_.pairs.reserve(policy_.size());
  occupancy_.values.reserve(policy_.size());
}

const Occupancy& EpisodicPolicies::minimise(std::span<const double> costs) {
  const std::size_t n = process_.states;
  const std::size_t actions = process_.actions;
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t h = steps_; h-- > 0;) {
    const std::span<double> now = std::span(values_).subspan(h % 2 * n, n);
    const std::span<const double> then = std::span(values_).subspan((h + 1) % 2 * n, n);
    for (std::size_t s = 0; s < n; ++s) {
      now[s] = std::numeric_limits<double>::infinity();
      for (std::size_t a = 0; a < actions; ++a) {
        const double value =
            costs[(h * n + s) * actions + a] + math::dot(process_.next(s * actions + a), then);
        if (!(value < now[s])) continue;
        now[s] = value;
        policy_[h * n + s] = a;
      }
    }
  }
  occupancy_.pairs.clear();
  occupancy_.values.clear();
  std::copy(process_.start.begin(), process_.start.end(), measure_.begin());
  for (std::size_t h = 0; h < steps_; ++h) {
    const std::span<double> now = std::span(measure_).subspan(h % 2 * n, n);
    const std::span<double> then = std::span(measure_).subspan((h + 1) % 2 * n, n);
    std::fill(then.begin(), then.end(), 0.0);
    for (std::size_t s = 0; s < n; ++s) {
      if (now[s] == 0) continue;
      const std::size_t a = policy_[h * n + s];
      occupancy_.add((h * n + s) * actions + a, now[s]);
      math::add(then, now[s], process_.next(s * actions + a));
    }
  }
  return occupancy_;
}

void EpisodicPolicies::realise(std::span<double> x) {
  const std::size_t n = process_.states;
  const std::size_t actions = process_.actions;
  std::copy(process_.start.begin(), process_.start.end(), measure_.begin());
  for (std::size_t h = 0; h < steps_; ++h) {
    const std::span<double> now = std::span(measure_).subspan(h % 2 * n, n);
    const std::span<double> then = std::span(measure_).subspan((h + 1) % 2 * n, n);
    std::fill(then.begin(), then.end(), 0.0);
    for (std::size_t s = 0; s < n; ++s) {
      const std::span<double> of_state = x.subspan((h * n + s) * actions, actions);
      share_out(of_state);
      for (std::size_t a = 0; a < actions; ++a) {
        of_state[a] *= now[s];
        math::add(then, of_state[a], process_.next(s * actions + a));
      }
    }
  }
}

}  // namespace keyhole::sets
