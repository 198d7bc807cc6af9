// Occupancy measures of Markov decision processes: how often policies take each action in each
// state.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/distributions/balance_rows.h"
#include "sets/distributions/decision_process.h"
#include "sets/distributions/transport_ball.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_occupied_pairs = 3000;
constexpr double most_discount = 0.9999;

/// The states of each step, one step after the other, of which runs of a number of steps have some,
/// and discounted ones only one; what some policy comes to, and how much begins in each.
struct OccupiedStates {
  std::vector<bool> reached = {};
  Vector begins = {};
};

/// What begins in a state or comes to it leaves it, with one of the actions. What leaves comes to
/// states `later` places on, with the probability `stays`, if those are there. With `sum` the sum
/// of all takes the place of the last row.
BalanceRows balances(const DecisionProcess& process, const OccupiedStates& states, double stays,
                     std::size_t later, std::optional<double> sum = {}) {
  std::vector<std::size_t> row_of;
  Vector right;
  for (std::size_t i = 0; i < states.reached.size(); ++i) {
    row_of.push_back(right.size());
    if (states.reached[i]) right.push_back(states.begins[i]);
  }
  const std::size_t last = right.size() - 1;
  if (sum) right[last] = *sum;
  BalanceRows rows;
  const auto add = [&](std::size_t row, double value) {
    if (!(sum && row == last)) rows.add_entry(row, value);
  };
  for (std::size_t i = 0; i < states.reached.size(); ++i) {
    const std::size_t to = i / process.states * process.states + later;
    for (std::size_t a = 0; a < process.actions; ++a) {
      if (states.reached[i]) {
        add(row_of[i], 1);
        const auto next = process.next(i % process.states * process.actions + a);
        for (std::size_t s = 0; s < next.size() && to < states.reached.size(); ++s) {
          const double comes = stays * next[s];
          if (comes > 0) add(row_of[to + s], -comes);
        }
        if (sum) rows.add_entry(last, 1);
      }
      rows.add_column();
    }
  }
  rows.finish(std::move(right));
  return rows;
}

/// `Parameter` is the discount or the number of steps.
template <class Policies, class Parameter>
struct OccupancyBody {
  DecisionProcess process;
  Parameter parameter;
  BalanceRows rows;
  std::vector<double> axis_lengths;
  double total;  // the sum of a measure

  OccupancyBody(DecisionProcess of, Parameter with, BalanceRows of_states, double sum)
      : process(std::move(of)),
        parameter(with),
        rows(std::move(of_states)),
        axis_lengths(rows.axis_lengths()),
        total(sum) {}

  [[nodiscard]] Policies policies() const { return Policies(process, parameter); }

  /// From the policy that takes all actions alike, by up to 100 steps of Newton's method, as many
  /// as take about half a second.
  [[nodiscard]] Vector centre() const {
    Policies mixed = policies();
    Vector x(rows.columns(), 1.0);
    mixed.realise(x);
    const double steps = std::min(100.0, std::floor(1e9 / rows.cost_of_step()));
    for (double step = 0; step < steps; ++step) {
      const double decrement = rows.centre_step(x);
      mixed.realise(x);
      if (decrement < 0.1) break;
    }
    return x;
  }

  /// The facets are x_j >= 0. No number is above 1, so that ||x - p||^2 <= <1 - 2 p, x> + ||p||^2
  /// and ||x - y||^2 <= ||x||^2 + ||y||^2 <= 2 sum x.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const {
    double r = std::numeric_limits<double>::infinity();
    Vector costs(p.size());
    for (std::size_t j = 0; j < p.size(); ++j) {
      costs[j] = 2 * p[j] - 1;
      if (rows.is_free(j) && axis_lengths[j] > 0) r = std::min(r, p[j] / axis_lengths[j]);
    }
    Policies farthest = policies();
    const Occupancy& found = farthest.minimise(costs);
    const double gain = math::reduce(found.pairs.size(), [&](std::size_t k) {
      return -costs[found.pairs[k]] * found.values[k];
    });
    const double R = std::sqrt(gain + math::squared_norm(p));
    const double D = std::min(2 * R, std::sqrt(2 * total));
    return {{p.begin(), p.end()}, r, std::min(R, D), D, false, false};
  }
};

template <class Body>
class OccupancyOracle final : public Oracle {
 public:
  OccupancyOracle(const Set& set, const Body& body)
      : body_(body), centre_(set.centre()), slack_(set.slack()), policies_(body.policies()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const Occupancy& found = policies_.minimise(direction);
    vertex_ = {{}, found.pairs, found.values};
    return vertex_;
  }

  /// gamma(w) = max_j (p_j - w_j) / p_j, the first of them.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    double gamma = 0;
    std::size_t first = w.size();
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (!body_.rows.is_free(j) || !((centre_[j] - w[j]) / centre_[j] > gamma)) continue;
      gamma = (centre_[j] - w[j]) / centre_[j];
      first = j;
    }
    if (first == w.size()) return 0;
    subgradient[first] = -1 / centre_[first];
    body_.rows.flatten(subgradient);
    return gamma;
  }

  void settle(std::span<double> point) override {
    settle_signs(point, slack_);
    for (std::size_t j = 0; j < point.size(); ++j) {
      if (!body_.rows.is_free(j)) settle_between(point[j], 0, 0, slack_);
    }
  }

 private:
  const Body& body_;
  const Vector& centre_;
  double slack_;
  decltype(std::declval<Body>().policies()) policies_;
  Vertex vertex_;
};

template <class Body>
class OccupancyMeasures final : public Set {
 public:
  OccupancyMeasures(Body body, std::string spec)
      : Set(body.rows.columns(), body.rows.hull_dimension(), body.geometry_about(body.centre())),
        body_(std::move(body)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<OccupancyOracle<Body>>(*this, body_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double most = body_.rows.is_free(j) ? 1 + slack() : slack();
      if (!(x[j] >= 0 && x[j] <= most)) return false;
    }
    return body_.rows.distance(x) <= slack();
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { body_.rows.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  Body body_;
  std::string spec_;
};

template <class Body>
SetPtr occupancy_measures(Body body, std::string spec) {
  return std::make_shared<OccupancyMeasures<Body>>(std::move(body), std::move(spec));
}

/// Rows that sum to 1 to rounding.
DecisionProcess read_process(const std::vector<std::vector<double>>& transitions,
                             std::span<const double> start) {
  require_probabilities("the start of a decision process", start, most_occupied_pairs);
  DecisionProcess process = {.states = start.size(), .start = {start.begin(), start.end()}};
  base::require(
      transitions.size() % process.states == 0 && transitions.size() >= 2 * process.states,
      "a decision process of " + std::to_string(process.states) +
          " states needs a row of transitions for each state and action, as many for "
          "each state and at least 2, not " +
          std::to_string(transitions.size()) + " rows");
  process.actions = transitions.size() / process.states;
  for (std::size_t pair = 0; pair < transitions.size(); ++pair) {
    const std::string row = "row " + std::to_string(pair) + " of the transitions (state " +
                            std::to_string(pair / process.actions) + ", action " +
                            std::to_string(pair % process.actions) + ")";
    base::require(transitions[pair].size() == process.states,
                  row + " needs a probability for each of " + std::to_string(process.states) +
                      " states, not " + std::to_string(transitions[pair].size()));
    require_probabilities(row, transitions[pair], most_occupied_pairs);
    const double sum = math::sum(transitions[pair]);
    for (const double chance : transitions[pair]) process.transitions.push_back(chance / sum);
  }
  return process;
}

/// The beginning of a spec.
std::string process_text(const char* name, const std::vector<std::vector<double>>& transitions,
                         std::span<const double> start) {
  Vector all;
  for (const Vector& row : transitions) all.insert(all.end(), row.begin(), row.end());
  return std::string(name) + "(" + base::matrix_text(all, start.size()) + ", " +
         base::list_text(start, false) + ", ";
}

void require_pairs(std::size_t pairs) {
  base::require(pairs <= most_occupied_pairs, "the states, actions and steps make " +
                                                  std::to_string(pairs) + " numbers: at most " +
                                                  std::to_string(most_occupied_pairs) +
                                                  " can be worked out");
}

std::vector<bool> started(const DecisionProcess& process) {
  std::vector<bool> result;
  for (const double chance : process.start) result.push_back(chance > 0);
  return result;
}

}  // namespace

SetPtr discounted_occupancy(const std::vector<std::vector<double>>& transitions, List<double> start,
                            double discount) {
  const DecisionProcess process = read_process(transitions, start);
  base::require(discount >= 0 && discount <= most_discount,
                "the discount of a decision process must be a number from 0 to " +
                    base::number_text(most_discount) + ", not " + base::number_text(discount));
  require_pairs(transitions.size());
  OccupiedStates states = {.reached = started(process)};
  for (std::vector<bool> before; discount > 0 && before != states.reached;) {
    before = states.reached;
    const std::vector<bool> after = process.after(before);
    for (std::size_t s = 0; s < after.size(); ++s) {
      if (after[s]) states.reached[s] = true;
    }
  }
  for (const double chance : process.start) states.begins.push_back((1 - discount) * chance);
  // All rows sum to 1 - discount times the sum of all, which so takes the place of one of them:
  // with a discount near 1 they would hardly tell how much there is in all.
  return occupancy_measures(
      OccupancyBody<DiscountedPolicies, double>(process, discount,
                                                balances(process, states, discount, 0, 1), 1),
      process_text("discounted_occupancy", transitions, start) + base::number_text(discount) + ")");
}

SetPtr episodic_occupancy(const std::vector<std::vector<double>>& transitions, List<double> start,
                          std::size_t steps) {
  const DecisionProcess process = read_process(transitions, start);
  base::require(steps >= 1 && steps <= most_occupied_pairs,
                "the steps of a decision process must be a number from 1 to " +
                    std::to_string(most_occupied_pairs) + ", not " + std::to_string(steps));
  require_pairs(steps * transitions.size());
  OccupiedStates states = {.begins = process.start};
  states.begins.resize(steps * process.states, 0.0);
  std::vector<bool> now = started(process);
  for (std::size_t h = 0; h < steps; ++h, now = process.after(now)) {
    states.reached.insert(states.reached.end(), now.begin(), now.end());
  }
  return occupancy_measures(
      OccupancyBody<EpisodicPolicies, std::size_t>(
          process, steps, balances(process, states, 1, process.states), static_cast<double>(steps)),
      process_text("episodic_occupancy", transitions, start) + std::to_string(steps) + ")");
}

}  // namespace keyhole::sets
