// Occupancy measures next to linear programs, and where their formulas are known.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "instances/choices.h"
#include "keyhole/polytope.h"
#include "math/sums.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Rows = std::vector<Vector>;

/// In each of two states: stay, or go to the other.
const Rows stay_or_go = {{1, 0}, {0, 1}, {0, 1}, {1, 0}};

TEST(DiscountedOccupancy, KnownAnswersAndTies) {
  const SetPtr set = discounted_occupancy(stay_or_go, {1, 0}, 0.5);
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_EQ(minimiser(set, {0, 0, 0, 0}), (Vector{1, 0, 0, 0}));
  EXPECT_EQ(minimiser(set, {0, 0, -1, 0}), (Vector{0, 0.5, 0.5, 0}));
  // Going costs 1 once, staying 1 each time.
  expect_near(minimiser(set, {1, 1, 0, 1}), {0, 0.5, 0.5, 0}, 1e-15);
  // Going and coming back: half of what is left each time.
  expect_near(minimiser(set, {1, 0, 1, 0}), {0, 2.0 / 3, 0, 1.0 / 3}, 1e-15);
  EXPECT_EQ(set->spec(), "discounted_occupancy([[1, 0], [0, 1], [0, 1], [1, 0]], [1, 0], 0.5)");
  EXPECT_FALSE(set->contains(Vector{0, 0.5, 0.4, 0.1 + 1e-6}));
  EXPECT_FALSE(set->contains(Vector{0.6, 0, 0.4, 0}));
}

TEST(EpisodicOccupancy, KnownAnswersAndTies) {
  const SetPtr set = episodic_occupancy(stay_or_go, {1, 0}, 2);
  EXPECT_EQ(set->dimension(), 8U);
  EXPECT_EQ(set->hull_dimension(), 3U);  // state 1 is not reached at step 0
  EXPECT_EQ(minimiser(set, Vector(8, 0.0)), (Vector{1, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(minimiser(set, {0, 1, 0, 0, 0, 0, 0, -2}), (Vector{0, 1, 0, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(set->contains(Vector{0.25, 0.75, 0, 0, 0.25, 0, 0.5, 0.25}));
  EXPECT_FALSE(set->contains(Vector{0.25, 0.75, 0, 0, 0.5, 0, 0.25, 0.25}));
  EXPECT_FALSE(set->contains(Vector{0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0}));
  EXPECT_EQ(set->spec(), "episodic_occupancy([[1, 0], [0, 1], [0, 1], [1, 0]], [1, 0], 2)");
}

TEST(DiscountedOccupancy, WithoutAFutureIsAProductOfSimplices) {
  Random random(1);
  const SetPtr now = discounted_occupancy(stay_or_go, {0.25, 0.75}, 0);
  const SetPtr once = episodic_occupancy(stay_or_go, {0.25, 0.75}, 1);
  const SetPtr simplices = product({simplex(2, 0.25), simplex(2, 0.75)});
  for (int trial = 0; trial < 50; ++trial) {
    const Vector d = random.normals(4);
    EXPECT_EQ(minimiser(now, d), minimiser(simplices, d));
    EXPECT_EQ(minimiser(once, d), minimiser(simplices, d));
  }
}

/// The balance of each state, written down once more, for a program of its own.
SetPtr discounted_rows(const Rows& transitions, const Vector& start, double discount) {
  const std::size_t states = start.size();
  const std::size_t pairs = transitions.size();
  PolytopeConstraints rows = {.n = pairs, .lower = Vector(pairs, 0.0)};
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double leaves = pair / (pairs / states) == s ? 1 : 0;
      rows.equalities.dense.push_back(leaves - discount * transitions[pair][s]);
    }
    rows.equalities.right.push_back((1 - discount) * start[s]);
  }
  return polytope(rows);
}

TEST(DiscountedOccupancy, MatchesTheLinearProgramOfManyStates) {
  Random random(2);
  for (const double discount : {0.5, 0.99, 0.9999}) {
    for (int process = 0; process < 3; ++process) {
      const std::size_t states = 12;
      const Rows transitions = random_transitions(states, 4, random);
      const Vector start(states, 1.0 / static_cast<double>(states));
      const SetPtr set = discounted_occupancy(transitions, start, discount);
      const SetPtr program = discounted_rows(transitions, start, discount);
      EXPECT_GT(set->inner_radius(), 0.5 * program->inner_radius());
      EXPECT_LT(set->inner_radius(), (1 + 1e-9) * program->inner_radius());
      for (int trial = 0; trial < 20; ++trial) {
        const Vector d = random.normals(set->dimension());
        const Vector x = minimiser(set, d);
        EXPECT_TRUE(set->contains(x));
        EXPECT_NEAR(math::dot(d, x), math::dot(d, minimiser(program, d)), 1e-9);
        EXPECT_NEAR(math::sum(x), 1, 1e-13);
      }
    }
  }
}

/// States of the chain are reached by one of two actions only, which learners must not lose.
TEST(EpisodicOccupancy, OfALockHasItsCentreFarFromTheBoundary) {
  const std::size_t states = 6;
  Rows transitions;
  for (std::size_t s = 0; s < states; ++s) {
    Vector on(states, 0.0);
    Vector back(states, 0.0);
    on[std::min(s + 1, states - 1)] = 1;
    back[0] = 1;
    transitions.push_back(on);
    transitions.push_back(back);
  }
  Vector start(states, 0.0);
  start[0] = 1;
  const SetPtr set = episodic_occupancy(transitions, start, states);
  EXPECT_EQ(set->hull_dimension(), 1U + 2 + 3 + 4 + 5 + 6);
  // The uniform policy opens it once in 64 times.
  EXPECT_GT(set->centre()[(states - 1) * 2 * states + (states - 1) * 2], 1.0 / 64);
  Vector d(set->dimension(), 0.0);
  d[(states - 1) * 2 * states + (states - 1) * 2] = -1;
  EXPECT_EQ(math::dot(d, minimiser(set, d)), -1);
}

TEST(Occupancy, Refusals) {
  EXPECT_EQ(refusal([] {
              return discounted_occupancy({{1, 0}, {0, 1}}, {1, 0}, 0.5);
            }),
            "a decision process of 2 states needs a row of transitions for each state and action, "
            "as many for each state and at least 2, not 2 rows");
  EXPECT_EQ(refusal([] {
              return discounted_occupancy({{1, 0}, {0, 1}, {0.5, 0.25}, {1, 0}}, {1, 0}, 0.5);
            }),
            "the probabilities of row 2 of the transitions (state 1, action 0) sum to 0.75, not to "
            "1");
  EXPECT_EQ(refusal([] {
              return episodic_occupancy({{1, 0}, {0, 1}, {0, 1}, {1}}, {1, 0}, 2);
            }),
            "row 3 of the transitions (state 1, action 1) needs a probability for each of 2 "
            "states, not 1");
  EXPECT_EQ(refusal([] {
              return discounted_occupancy(stay_or_go, {1, 0}, 1);
            }),
            "the discount of a decision process must be a number from 0 to 0.9999, not 1");
  EXPECT_EQ(refusal([] {
              return episodic_occupancy(stay_or_go, {1, 0}, 0);
            }),
            "the steps of a decision process must be a number from 1 to 3000, not 0");
  EXPECT_EQ(refusal([] {
              return episodic_occupancy(stay_or_go, {1, 0}, 751);
            }),
            "the states, actions and steps make 3004 numbers: at most 3000 can be worked out");
  EXPECT_THROW((void)episodic_occupancy(stay_or_go, {1}, 2), InvalidArgument);
  EXPECT_THROW((void)discounted_occupancy(stay_or_go, {0.5, 0.4}, 0.5), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
