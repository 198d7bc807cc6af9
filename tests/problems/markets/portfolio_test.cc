#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "keyhole/keyhole.h"
#include "keyhole/testing.h"
#include "problems/files.h"
#include "problems/markets/log_wealth.h"
#include "random.h"
#include "thrown.h"

namespace keyhole {
namespace {

using tests::message;
using tests::Random;
using tests::TemporaryFile;
using Vector = std::vector<double>;

const std::string small_prices =
    "date,A,B,C\n"
    "2013-02-19,10,4,\n"
    "2013-02-20,11,5,3\n"
    "2013-02-21,22,4,3\n";

/// The shares of a play.
Vector shares(PortfolioRegion region, const Vector& y) {
  Vector x = y;
  if (region == PortfolioRegion::enlarged) {
    for (double& coordinate : x)
      coordinate = (coordinate + 1) / (2 * static_cast<double>(y.size()));
  }
  return x;
}

/// A random point of a problem's set: a mean of vertices, drawn towards one of them.
Vector random_point(const Problem& problem, Random& random) {
  const auto oracle = problem.set().oracle();
  Vector x(problem.set().dimension(), 0.0);
  double left = 1;
  for (int k = 0; k < 4; ++k) {
    const double weight = k == 3 ? left : left * random.uniform();
    left -= weight;
    oracle->minimise(random.normals(x.size())).add_to(x, weight);
  }
  return x;
}

TEST(Portfolio, LossOfAFileOnTheSimplex) {
  const TemporaryFile file(small_prices);
  const auto problem = portfolio({.prices = file.path()}, {});
  EXPECT_EQ(problem->set().spec(), "simplex(2)");
  EXPECT_EQ(problem->rounds(), 2U);
  EXPECT_EQ(problem->spec(), "portfolio(region=simplex, prices=\"" + file.path() + "\", n=2)");
  EXPECT_EQ(
      problem->warnings(),
      (std::vector<std::string>{
          file.path() + ": 1 tickers lack a price on some day of the range and were left out: C"}));
  problem->draw(2);
  EXPECT_DOUBLE_EQ(problem->value(Vector{0.25, 0.75}), -std::log(0.25 * 2 + 0.75 * 0.8));
  problem->draw(1);
  EXPECT_DOUBLE_EQ(problem->value(Vector{0.25, 0.75}), -std::log(0.25 * 1.1 + 0.75 * 1.25));
  EXPECT_THROW(problem->draw(3), InvalidArgument);
  // M at the vertex A of day 2, G at its vertex B: sqrt(2) * 0.6 / 0.8.
  EXPECT_DOUBLE_EQ(problem->bounds().loss, std::log(2));
  EXPECT_DOUBLE_EQ(problem->bounds().gradient, std::sqrt(2.0) * 0.6 / 0.8);
  EXPECT_TRUE(problem->bounds().proven);
}

TEST(Portfolio, TheEnlargedRegionIsThePapers) {
  const auto problem = portfolio({.region = PortfolioRegion::enlarged, .n = 100}, {});
  const Geometry& geometry = problem->set().geometry();
  EXPECT_EQ(geometry.centre, Vector(100, 0.0));
  EXPECT_NEAR(geometry.inner_radius, 1, 1e-12);
  EXPECT_NEAR(geometry.outer_radius, std::sqrt(4 * 100 * 100 - 3 * 100), 1e-9);
  problem->draw(1);
  EXPECT_NEAR(problem->value(Vector(100, 0.0)), std::log(2), 0.05);  // half is lost
  // x = e_1 there is y = 2n e_1 - 1: as on the simplex.
  const auto on_simplex = portfolio({.n = 100}, {});
  on_simplex->draw(1);
  Vector y(100, -1.0);
  y[0] = 199;
  Vector x(100, 0.0);
  x[0] = 1;
  EXPECT_DOUBLE_EQ(problem->value(y), on_simplex->value(x));
  // Nothing is left at y = -1: the tangent from w_0 = 1/2n.
  EXPECT_DOUBLE_EQ(problem->value(Vector(100, -1.0)), std::log(200) + 1);
  EXPECT_GE(problem->bounds().loss, std::log(200) + 1);
}

TEST(Portfolio, SpecsAndWarningsSaySynthetic) {
  const auto problem = portfolio({}, {});
  EXPECT_EQ(problem->spec(), "portfolio(region=simplex, prices=\"synthetic\", n=100)");
  ASSERT_EQ(problem->warnings().size(), 1U);
  EXPECT_NE(problem->warnings()[0].find("synthetic"), std::string::npos);
  EXPECT_FALSE(problem->bounds().proven);
  EXPECT_EQ(problem->rounds(), std::numeric_limits<std::uint64_t>::max());
  const auto enlarged =
      portfolio({.region = PortfolioRegion::enlarged, .prices = "synthetic", .n = 7}, {});
  EXPECT_EQ(enlarged->spec(), "portfolio(region=enlarged, prices=\"synthetic\", n=7)");
}

TEST(Portfolio, SpecsOfFiles) {
  const TemporaryFile file("day,A,B\n1,0.5,2\n2,1,1\n3,2,2\n");
  const auto named = portfolio({.region = PortfolioRegion::enlarged,
                                .prices = file.path(),
                                .relatives = true,
                                .from = "2",
                                .to = "3",
                                .tickers = {"B", "A"}},
                               {});
  EXPECT_EQ(named->spec(), "portfolio(region=enlarged, prices=\"" + file.path() +
                               "\", relatives=true, from=\"2\", to=\"3\", tickers=[\"B\", \"A\"])");
  EXPECT_EQ(named->rounds(), 2U);
  EXPECT_TRUE(named->warnings().empty());
}

TEST(Portfolio, Refusals) {
  const auto refusal = [](const PortfolioOptions& options) {
    return message<Error>([&] { (void)portfolio(options, {}); });
  };
  EXPECT_EQ(refusal({.from = "2013"}),
            "the synthetic market has no days, no names and no file: days, tickers and relatives "
            "need prices = a file");
  EXPECT_EQ(refusal({.n = 1}), "a portfolio needs at least 2 stocks, not 1");
  EXPECT_EQ(refusal({.prices = "/nowhere/x.csv"}),
            "/nowhere/x.csv: cannot be opened: No such file or directory");
  const TemporaryFile bad("date,A,B\n2013-01-01,1,2\n2013-01-02,1,zero\n");
  EXPECT_EQ(refusal({.prices = bad.path()}), bad.path() + ":3: column 'B': 'zero' is not a number");
  const auto problem = portfolio({.n = 2}, {});
  const auto total = problem->total();
  EXPECT_EQ(message<InvalidArgument>([&] { total->add(); }),
            "no loss has been drawn yet that could be added");
}

TEST(Portfolio, TheEnlargedSetPassesTheKit) {
  const auto problem = portfolio({.region = PortfolioRegion::enlarged, .n = 9}, {});
  const testing::Report report = testing::check_set(problem->shared_set());
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(LogLoss, ContinuesAlongItsTangentAndIsConvex) {
  const problems::LogLoss phi{0.05};
  EXPECT_DOUBLE_EQ(phi(0.5), -std::log(0.5));
  EXPECT_DOUBLE_EQ(phi(0.05), -std::log(0.05));
  EXPECT_DOUBLE_EQ(phi(0), -std::log(0.05) + 1);
  EXPECT_DOUBLE_EQ(phi(-0.05), -std::log(0.05) + 2);
  EXPECT_DOUBLE_EQ(phi.slope(0.5), -2);
  EXPECT_DOUBLE_EQ(phi.slope(0.01), -20);
  // Convex, and above all of its tangents, across the floor too.
  Random random(1);
  for (int trial = 0; trial < 10000; ++trial) {
    const double a = random.uniform(-0.1, 0.3);
    const double b = random.uniform(-0.1, 0.3);
    EXPECT_LE(phi((a + b) / 2), (phi(a) + phi(b)) / 2 + 1e-14);
    EXPECT_GE(phi(b), phi(a) + phi.slope(a) * (b - a) - 1e-14);
  }
}

/// Both regions of the synthetic market, and of a file with a relative below 1/2n.
std::vector<std::unique_ptr<Problem>> all_problems() {
  static const TemporaryFile file("day,A,B,C\n1,1.5,0.05,1\n2,1,1.3,0.9\n3,0.4,2,1.1\n");
  std::vector<std::unique_ptr<Problem>> problems;
  for (const PortfolioRegion region : {PortfolioRegion::simplex, PortfolioRegion::enlarged}) {
    problems.push_back(portfolio({.region = region, .n = 12}, {.seed = 4}));
    problems.push_back(portfolio({.region = region, .prices = file.path(), .relatives = true}, {}));
  }
  return problems;
}

TEST(Portfolio, TheFloorNeverChangesALossOnTheSimplex) {
  const auto problem = std::move(all_problems()[1]);
  problem->draw(1);
  EXPECT_DOUBLE_EQ(problem->value(Vector{0, 1, 0}), -std::log(0.05));
  EXPECT_DOUBLE_EQ(problem->bounds().loss, -std::log(0.05));
}

TEST(Portfolio, GradientsMatchFiniteDifferences) {
  Random random(5);
  for (const auto& problem : all_problems()) {
    const std::size_t n = problem->set().dimension();
    const bool enlarged = problem->set().hull_dimension() == n;
    // The second derivative of -log along a coordinate is g^2, and 0 below the floor: a difference
    // across the floor is off by up to h g^2 / 4, others by less; 1e-7 is left for rounding.
    const double h = enlarged ? 1e-5 : 1e-7;
    for (int trial = 0; trial < 100; ++trial) {
      problem->draw(random.integer(1, 3));
      Vector x = random_point(*problem, random);
      Vector gradient(n);
      problem->gradient(x, gradient);
      for (std::size_t i = 0; i < n; ++i) {
        const double middle = x[i];
        x[i] = middle + h;
        const double above = problem->value(x);
        x[i] = middle - h;
        const double below = problem->value(x);
        x[i] = middle;
        EXPECT_NEAR((above - below) / (2 * h), gradient[i],
                    0.26 * h * gradient[i] * gradient[i] + 1e-7 * (1 + std::abs(gradient[i])));
      }
    }
  }
}

TEST(Portfolio, LossesAreConvexAndWithinTheirBounds) {
  Random random(6);
  for (const auto& problem : all_problems()) {
    const std::size_t n = problem->set().dimension();
    const LossBounds bounds = problem->bounds();
    Vector gradient(n);
    for (int trial = 0; trial < 300; ++trial) {
      problem->draw(random.integer(1, 3));
      const Vector x = random_point(*problem, random);
      const Vector y = random_point(*problem, random);
      ASSERT_TRUE(problem->set().contains(x));
      const double at_x = problem->value(x);
      EXPECT_LE(std::abs(at_x), bounds.loss);
      problem->gradient(x, gradient);
      double along = 0;
      for (std::size_t i = 0; i < n; ++i) along += gradient[i] * (y[i] - x[i]);
      EXPECT_GE(problem->value(y), at_x + along - 1e-12);
      problem->set().flatten(gradient);
      const double length =
          std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
      EXPECT_LE(length, bounds.gradient * (1 + 1e-12));
    }
  }
}

TEST(Portfolio, TotalsAreSumsOfTheirDays) {
  Random random(7);
  for (const auto& problem : all_problems()) {
    const std::size_t n = problem->set().dimension();
    const std::vector<std::uint64_t> days = {2, 1, 3, 2, 2};
    const auto total = problem->total();
    for (const std::uint64_t t : days) {
      problem->draw(t);
      total->add();
    }
    const Vector x = random_point(*problem, random);
    double value = 0;
    Vector gradient(n);
    Vector one(n);
    for (const std::uint64_t t : days) {
      problem->draw(t);
      value += problem->value(x);
      problem->gradient(x, one);
      for (std::size_t i = 0; i < n; ++i) gradient[i] += one[i];
    }
    EXPECT_NEAR(total->value(x), value, 1e-12 * (1 + std::abs(value)));
    total->gradient(x, one);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(one[i], gradient[i], 1e-12 * (1 + std::abs(gradient[i])));
    }
  }
}

TEST(Portfolio, LineMinimaAreMinima) {
  Random random(8);
  int inside = 0;
  for (const auto& problem : all_problems()) {
    const std::size_t n = problem->set().dimension();
    const auto total = problem->total();
    for (std::uint64_t t = 1; t <= 3; ++t) {
      problem->draw(t);
      total->add();
    }
    for (int trial = 0; trial < 200; ++trial) {
      const Vector x = random_point(*problem, random);
      const Vector y = random_point(*problem, random);
      const double longest = trial % 2 == 0 ? 1 : random.uniform();
      Vector d(n);
      for (std::size_t i = 0; i < n; ++i) d[i] = y[i] - x[i];
      const auto at = [&](double step) {
        Vector point(n);
        for (std::size_t i = 0; i < n; ++i) point[i] = x[i] + step * d[i];
        return point;
      };
      const double step = total->line_minimum(x, d, longest);
      ASSERT_GE(step, 0);
      ASSERT_LE(step, longest);
      // Against the bisection that every sum of losses has, and against a grid.
      const double bisected = total->TotalLoss::line_minimum(x, d, longest);
      EXPECT_LE(total->value(at(step)), total->value(at(bisected)) + 1e-13);
      for (int k = 0; k <= 20; ++k) {
        EXPECT_LE(total->value(at(step)), total->value(at(longest * k / 20)) + 1e-13);
      }
      if (step > 0 && step < longest) {
        ++inside;
        Vector gradient(n);
        total->gradient(at(step), gradient);
        EXPECT_NEAR(std::inner_product(d.begin(), d.end(), gradient.begin(), 0.0), 0, 1e-11);
      }
    }
  }
  EXPECT_GT(inside, 100);
}

TEST(Portfolio, TheRegionsAgreeOnTheSameShares) {
  Random random(9);
  const auto a = portfolio({.n = 12}, {.seed = 4});
  const auto b = portfolio({.region = PortfolioRegion::enlarged, .n = 12}, {.seed = 4});
  for (std::uint64_t t = 1; t <= 20; ++t) {
    a->draw(t);
    b->draw(t);
    const Vector y = random_point(*b, random);
    const Vector x = shares(PortfolioRegion::enlarged, y);
    EXPECT_NEAR(a->value(x), b->value(y), 1e-13);
  }
}

}  // namespace
}  // namespace keyhole
