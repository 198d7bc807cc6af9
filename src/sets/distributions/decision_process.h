// Markov decision processes: which policy costs least, and how often it takes each action.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace keyhole::sets {

/// In each of S states one of A actions is taken, which leads to the next state by chance.
struct DecisionProcess {
  std::size_t states = 0;
  std::size_t actions = 0;
  /// P(s' | s, a): row s A + a has the S probabilities of the next state; they sum to 1 to
  /// rounding.
  std::vector<double> transitions = {};
  /// The probability that a run starts in each state.
  std::vector<double> start = {};

  [[nodiscard]] std::span<const double> next(std::size_t pair) const {
    return std::span(transitions).subspan(pair * states, states);
  }
  /// The states that some policy reaches from these, and may be in after one more step.
  [[nodiscard]] std::vector<bool> after(const std::vector<bool>& before) const;
};

/// x becomes shares of its sum; equal ones if that is 0.
void share_out(std::span<double> x);

/// How often a policy that takes one action in each state of each step takes it: of all pairs of a
/// state and an action, those that are taken.
struct Occupancy {
  std::vector<std::size_t> pairs = {};
  std::vector<double> values = {};

  void add(std::size_t pair, double value);
};

/// Runs that go on with the probability `discount` after each step. One a thread.
class DiscountedPolicies {
 public:
  DiscountedPolicies(const DecisionProcess& process, double discount);

  /// Of the policy of least <costs, occupancy>, by policy iteration (Howard 1960): it begins with
  /// the first of the cheapest actions in each state, and changes an action only if another one
  /// costs less by more than roundings. The occupancy sums to 1.
  const Occupancy& minimise(std::span<const double> costs);

  /// Replaces x by the measure of the policy that takes the actions of each state in proportion to
  /// it; any where it has none.
  void realise(std::span<double> x);

 private:
  /// The chain of the policy.
  void follow();
  /// Eliminates one state after the other from the chain, without a subtraction
  /// (Grassmann, Taksar, Heyman 1985): so no digits are lost for a discount near 1.
  void eliminate();
  /// v = costs + discount P v for the policy.
  void find_values(std::span<const double> costs);
  /// Whether an action has changed.
  bool improve(std::span<const double> costs);
  /// y = (1 - discount) start + discount P' y for the chain.
  void find_measure();

  const DecisionProcess& process_;
  double discount_;
  std::vector<std::size_t> policy_;  // the pair of each state
  std::vector<double> chain_;        // rates between states; eliminated ones have shares
  std::vector<double> ends_;         // the rate at which the chain ends in each state
  std::vector<double> leaves_;       // and at which it leaves the state for those that are left
  std::vector<double> values_;
  std::vector<double> measure_;
  Occupancy occupancy_;
};

/// Runs of a number of steps. Pair (h S + s) A + a is action a in state s at step h. One a thread.
class EpisodicPolicies {
 public:
  EpisodicPolicies(const DecisionProcess& process, std::size_t steps);

  /// Of the policy of least <costs, occupancy>, by backward induction (Bellman 1957), of equal
  /// actions the first. The occupancy of each step sums to 1.
  const Occupancy& minimise(std::span<const double> costs);

  /// As for discounted runs.
  void realise(std::span<double> x);

 private:
  const DecisionProcess& process_;
  std::size_t steps_;
  std::vector<std::size_t> policy_;  // the action of each state of each step
  std::vector<double> values_;       // of the states of a step, and of the step after it
  std::vector<double> measure_;
  Occupancy occupancy_;
};

}  // namespace keyhole::sets
