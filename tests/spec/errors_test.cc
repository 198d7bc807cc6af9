// Every refusal, word for word.

#include <gtest/gtest.h>

#include <algorithm>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

std::string of_set(const std::string& text) {
  return message<SpecError>([&] { (void)make_set(text); });
}

const AlgorithmContext plain = {.set = ball(2)};
const AlgorithmContext full = {
    .set = ball(2), .loss_bound = 1, .gradient_bound = 1, .horizon = 100};

std::string of_learner(const std::string& text, const AlgorithmContext& context = full) {
  return message<SpecError>([&] { (void)make_algorithm(text, context); });
}

std::string of_problem(const std::string& text) {
  return message<SpecError>([&] { (void)make_problem(text); });
}

TEST(SpecErrors, Names) {
  EXPECT_EQ(of_set("simplx(3)"), "simplx(3): there is no set 'simplx'; did you mean 'simplex'?");
  EXPECT_EQ(of_set("recentred(bal(2), [0, 0])"),
            "recentred(bal(2), [0, 0]): there is no set 'bal' at column 11; did you mean 'ball'?");
  const auto sets =
      std::count_if(Catalogue::standard().entries().begin(), Catalogue::standard().entries().end(),
                    [](const auto& entry) { return entry.kind() == SpecKind::set; });
  EXPECT_EQ(of_set("pentagram(3)"),
            "pentagram(3): there is no set 'pentagram'; 'keyhole list sets' shows the " +
                std::to_string(sets) + " there are");
  EXPECT_EQ(of_set("fkm()"), "fkm(): 'fkm' is a learner, and a set is expected");
  EXPECT_EQ(of_set("scaled(quadratic, 2)"),
            "scaled(quadratic, 2): 'quadratic' at column 8 is a problem, and a set is expected");
  EXPECT_EQ(of_learner("ball(2)"), "ball(2): 'ball' is a set, and a learner is expected");
  EXPECT_EQ(of_learner("anytime(projecton_free)"),
            "anytime(projecton_free): there is no learner 'projecton_free' at column 9; did you "
            "mean 'projection_free'?");
  EXPECT_EQ(of_problem("quadratik"),
            "quadratik: there is no problem 'quadratik'; did you mean 'quadratic'?");
  EXPECT_EQ(of_problem("tracking(stay)"),
            "tracking(stay): 'stay' at column 10 is a learner, and a set is expected");
}

/// What somebody wrote is shown, but not for ever, and only as letters.
TEST(SpecErrors, ShowLettersAndNotTooMany) {
  const std::string many(100000, 'x');
  EXPECT_LT(of_set(many + "(2)").size(), 400U);
  EXPECT_LT(of_set("ball(2, " + many + "=3)").size(), 400U);
  EXPECT_LT(of_set("ball(" + std::string(100000, '9') + ")").size(), 400U);
  EXPECT_LT(of_set("ball(2, radius=" + many + ")").size(), 400U);
  EXPECT_EQ(of_set("b\xff\x1b(2)"), "b?\?(2): unexpected '?' at column 2");
  EXPECT_EQ(of_set("\xc3\xb6(2)").find('?'), std::string::npos);
}

TEST(SpecErrors, Keys) {
  EXPECT_EQ(of_set("ball(10, radios=2)"),
            "ball(10, radios=2): unknown key 'radios' at column 10; did you mean 'radius'?");
  EXPECT_EQ(of_set("ball(10, weight=2)"),
            "ball(10, weight=2): unknown key 'weight' at column 10: ball(n, radius=1)");
  EXPECT_EQ(of_set("image(ball(2, radus=3))"),
            "image(ball(2, radus=3)): ball at column 7: unknown key 'radus' at column 15; did you "
            "mean 'radius'?");
  EXPECT_EQ(of_set("ball(10, 2, 3)"),
            "ball(10, 2, 3): the argument at column 13 is one too many for ball(n, radius=1)");
  EXPECT_EQ(of_learner("stay(1)"), "stay(1): the argument at column 6 is one too many for stay()");
  EXPECT_EQ(of_set("ball(radius=2, 10)"),
            "ball(radius=2, 10): the argument at column 16 comes after one with a key, and needs a "
            "key itself");
  EXPECT_EQ(of_set("ball(10, n=10)"), "ball(10, n=10): n is given again at column 10");
  EXPECT_EQ(of_set("ball(n=1, radius=2, radius=2)"),
            "ball(n=1, radius=2, radius=2): radius is given again at column 21");
  EXPECT_EQ(of_set("ball()"), "ball(): n is missing, the number of coordinates: ball(n, radius=1)");
  EXPECT_EQ(of_set("ball"), "ball: n is missing, the number of coordinates: ball(n, radius=1)");
  EXPECT_EQ(of_set("scaled(simplex, 2)"),
            "scaled(simplex, 2): simplex at column 8: n is missing, the number of coordinates: "
            "simplex(n, total=1)");
  EXPECT_EQ(of_set("box(0, 1)"),
            "box(0, 1): n is missing, the number of coordinates: box(lower, upper, n)");
}

TEST(SpecErrors, Types) {
  EXPECT_EQ(of_set("ball(2.5)"), "ball(2.5): n at column 6 must be a whole number, not 2.5");
  EXPECT_EQ(of_set("ball(1e300)"),
            "ball(1e300): n at column 6 must be from 1 to 100000000, not 1e300");
  EXPECT_EQ(of_set("simplex(99999999999999999999)"),
            "simplex(99999999999999999999): n at column 9 must be from 2 to 100000000, not "
            "99999999999999999999");
  EXPECT_EQ(of_set("ball(inf)"), "ball(inf): n at column 6 must be a whole number, not inf");
  EXPECT_EQ(of_set("ball(two)"), "ball(two): n at column 6 must be a whole number, not two");
  EXPECT_EQ(of_set("ball(\"2\")"), "ball(\"2\"): n at column 6 must be a whole number, not \"2\"");
  EXPECT_EQ(of_set("ball(2, [1])"), "ball(2, [1]): radius at column 9 must be a number, not [1]");
  EXPECT_EQ(of_set("ball(2, 2x)"), "ball(2, 2x): radius at column 9 must be a number, not 2x");
  EXPECT_EQ(of_set("box([], 1)"),
            "box([], 1): lower at column 5 must be a number or list of numbers, not []");
  EXPECT_EQ(of_set("box([a], 1)"),
            "box([a], 1): lower at column 5 must be a number or list of numbers, not [a]");
  EXPECT_EQ(of_set("recentred(ball(2), 0)"),
            "recentred(ball(2), 0): centre at column 20 must be a list of numbers, not 0");
  EXPECT_EQ(of_set("polytope(2, A=[1, 2])"),
            "polytope(2, A=[1, 2]): A at column 15 must be a list of lists of numbers, not [1, 2]");
  EXPECT_EQ(of_set("scaled(2, 2)"), "scaled(2, 2): set at column 8 must be a set, not 2");
  EXPECT_EQ(of_learner("anytime([stay])"),
            "anytime([stay]): learner at column 9 must be a learner, not [stay]");
  EXPECT_EQ(of_learner("projection_free(constants=correct)"),
            "projection_free(constants=correct): constants at column 27 must be "
            "corrected or as_published, not correct; did you mean 'corrected'?");
  EXPECT_EQ(of_learner("fkm(constants=1)"),
            "fkm(constants=1): constants at column 15 must be zhao or textbook, not 1");
  EXPECT_EQ(of_problem("portfolio(relatives=yes)"),
            "portfolio(relatives=yes): relatives at column 21 must be true or false, not yes");
  EXPECT_EQ(of_problem("portfolio(tickers=A)"),
            "portfolio(tickers=A): tickers at column 19 must be a list of texts, not A");
  EXPECT_EQ(of_problem("replay(ball(2))"),
            "replay(ball(2)): file at column 8 must be a text, not ball(2)");
  EXPECT_EQ(of_set("ball([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])"),
            "ball([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]): n at column 6 must be a whole "
            "number, not [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...");
}

TEST(SpecErrors, Ranges) {
  EXPECT_EQ(of_set("ball(0)"), "ball(0): n at column 6 must be from 1 to 100000000, not 0");
  EXPECT_EQ(of_set("ball(-1)"), "ball(-1): n at column 6 must be from 1 to 100000000, not -1");
  EXPECT_EQ(of_set("simplex(1)"), "simplex(1): n at column 9 must be from 2 to 100000000, not 1");
  EXPECT_EQ(of_set("nuclear_ball(2, 1e5)"),
            "nuclear_ball(2, 1e5): n at column 17 must be from 1 to 10000, not 1e5");
  EXPECT_EQ(
      of_set("psd_trace_ball(2, residual=0.1)"),
      "psd_trace_ball(2, residual=0.1): residual at column 28 must be from 1e-12 to 0.01, not "
      "0.1");
  EXPECT_EQ(of_set("ball(2, radius=0)"),
            "ball(2, radius=0): radius at column 16 must be from 1e-50 to 1e+50, not 0");
  EXPECT_EQ(of_set("scaled(ball(2), 0)"),
            "scaled(ball(2), 0): scale at column 17 must be from -1e+50 to 1e+50 but 0, not 0");
  EXPECT_EQ(of_set("box([0, -inf], 1)"),
            "box([0, -inf], 1): lower, the number at column 9, must be from -1e+50 to 1e+50, not "
            "-inf");
  EXPECT_EQ(of_learner("projection_free(horizon=0)"),
            "projection_free(horizon=0): horizon at column 25 must be from 1 to 9007199254740992, "
            "not 0");
  EXPECT_EQ(of_problem("completion(n=1)"),
            "completion(n=1): n at column 14 must be from 2 to 4096, not 1");
}

TEST(SpecErrors, WhatSetsRefuse) {
  EXPECT_EQ(of_set("box(2, 1, 3)"),
            "box(2, 1, 3): coordinate 0 of a box is empty: its bounds are [2, 1]");
  EXPECT_EQ(of_set("scaled(box(2, 1, 3), 2)"),
            "scaled(box(2, 1, 3), 2): box at column 8: coordinate 0 of a box is empty: its bounds "
            "are [2, 1]");
  EXPECT_EQ(of_set("box([0, 0], [1, 1, 1])"),
            "box([0, 0], [1, 1, 1]): upper at column 13 must have one number for each of 2 "
            "coordinates, not 3");
  EXPECT_EQ(of_set("box([0, 0], 1, 3)"),
            "box([0, 0], 1, 3): lower at column 5 must have one number for each of 3 coordinates, "
            "not 2");
  EXPECT_EQ(of_set("translated(ball(2), [1, 2, 3])"),
            "translated(ball(2), [1, 2, 3]): shift at column 21 must have one number for each of 2 "
            "coordinates, not 3");
  EXPECT_EQ(of_set("recentred(ball(2), [0])"),
            "recentred(ball(2), [0]): the centre [0] has 1 coordinate, and ball(2) has 2");
  EXPECT_EQ(of_set("polytope(2, 0, 1, A=[[1, 2]])"),
            "polytope(2, 0, 1, A=[[1, 2]]): A has 1 rows, and b has 0 numbers");
  EXPECT_EQ(of_set("polytope(2, 0, 1, C=[[1, 2], [1]], d=[1, 1])"),
            "polytope(2, 0, 1, C=[[1, 2], [1]], d=[1, 1]): row 2 of C has 1 numbers, not 2");
  EXPECT_EQ(of_set("polytope(200, inequalities=3, equalities=0, digest=0e12)"),
            "polytope(200, inequalities=3, equalities=0, digest=0e12): the text of a large "
            "polytope holds a digest of its rows, not the rows: give A and b, C and d instead");
}

TEST(SpecErrors, WhatLearnersRefuse) {
  EXPECT_EQ(of_learner("projection_free", plain),
            "projection_free: loss_bound is missing, and the problem does not know it: write "
            "loss_bound=1, or what it is");
  EXPECT_EQ(of_learner("anytime(projection_free)", plain),
            "anytime(projection_free): projection_free at column 9: loss_bound is missing, and the "
            "problem does not know it: write loss_bound=1, or what it is");
  const AlgorithmContext unbounded = {.set = ball(2),
                                      .loss_bound = std::numeric_limits<double>::infinity(),
                                      .gradient_bound = std::numeric_limits<double>::quiet_NaN(),
                                      .horizon = 10};
  EXPECT_TRUE(of_learner("fkm", unbounded).starts_with("fkm: loss_bound is missing"));
  EXPECT_TRUE(of_learner("ogd", unbounded).starts_with("ogd: gradient_bound is missing"));
  EXPECT_TRUE(of_learner("ocg", unbounded).starts_with("ocg: gradient_bound is missing"));
  EXPECT_TRUE(
      of_learner("stochastic_ocg", unbounded).starts_with("stochastic_ocg: gradient_bound is mi"));
  EXPECT_EQ(of_learner("projection_free(loss_bound=1)", plain),
            "projection_free(loss_bound=1): horizon is missing: write horizon=1000, or wrap the "
            "learner in anytime");
  EXPECT_EQ(of_learner("anytime(projection_free(horizon=5))"),
            "anytime(projection_free(horizon=5)): learner at column 9 has a horizon, and anytime "
            "chooses its own: leave it out");
  for (const std::string inner : {"stay", "ogd", "anytime(ocg)", "fed_constant(fkm)"}) {
    EXPECT_EQ(of_learner("anytime(" + inner + ")"),
              "anytime(" + inner +
                  "): learner at column 9 must be one that takes a horizon; any other needs no "
                  "anytime");
  }
  EXPECT_EQ(of_learner("fed_constant(ogd)"),
            "fed_constant(ogd): learner at column 14 is told gradients, and must be told losses");
  EXPECT_EQ(of_learner("ogd(start=[3, 0])"),
            "ogd(start=[3, 0]): the start is not in the set ball(2)");
  EXPECT_EQ(of_learner("projection_free(c=3)"),
            "projection_free(c=3): delta = 1.1943215116604917 at the horizon 100 is larger than "
            "the inner radius 1 of the set: plays would leave it; choose a smaller one");
  EXPECT_EQ(message<InvalidArgument>([] { (void)make_algorithm("stay", {}); }),
            "an algorithm needs a set to play on");
}

TEST(SpecErrors, WhatProblemsRefuse) {
  EXPECT_EQ(of_problem("linear(ball(2), file=costs.csv, noise=1)"),
            "linear(ball(2), file=costs.csv, noise=1): noise at column 39 is for synthetic costs, "
            "and there is a file");
  EXPECT_EQ(of_problem("linear(ball(2), costs.csv, 1)"),
            "linear(ball(2), costs.csv, 1): spread at column 28 is for synthetic costs, and there "
            "is a file");
  EXPECT_EQ(of_problem("tracking(box(1, 0, 2))"),
            "tracking(box(1, 0, 2)): box at column 10: coordinate 0 of a box is empty: its bounds "
            "are [1, 0]");
}

}  // namespace
}  // namespace keyhole::tests
