#include "bcrp.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "keyhole/keyhole.h"
#include "problems/files.h"

namespace keyhole {
namespace {

TEST(RebalancedPortfolio, OfKnownFiles) {
  for (const tests::KnownPortfolio& known : tests::known_portfolios()) {
    KEYHOLE_DATA_FILE_OR_SKIP(path, known.file);
    const auto problem = portfolio({.prices = path, .relatives = true}, {});
    ASSERT_EQ(problem->rounds(), known.days);
    ASSERT_EQ(problem->set().dimension(), known.stocks);
    const auto total = tests::whole_total(*problem);
    const std::vector<double> uniform(known.stocks, 1 / static_cast<double>(known.stocks));
    EXPECT_NEAR(std::exp(-total->value(uniform)), known.uniform, 5e-5) << known.file;
    const tests::Rebalanced best = tests::cover(*problem, 2e-7);
    EXPECT_LE(best.gap, 2e-7);
    EXPECT_NEAR(std::exp(-total->value(best.x)), known.best, 5e-5) << known.file;
    std::vector<double> weights(known.stocks, 0.0);
    for (const auto& [stock, weight] : known.weights) weights[stock] = weight;
    for (std::size_t i = 0; i < known.stocks; ++i) {
      EXPECT_NEAR(best.x[i], weights[i], 5.5e-5) << known.file << ", stock " << i + 1;
    }
  }
}

/// The same shares on the paper's region: y = 2n x - 1 has the same losses.
TEST(RebalancedPortfolio, OfKnownFilesOnTheEnlargedRegion) {
  for (const tests::KnownPortfolio& known : tests::known_portfolios()) {
    KEYHOLE_DATA_FILE_OR_SKIP(path, known.file);
    const auto problem =
        portfolio({.region = PortfolioRegion::enlarged, .prices = path, .relatives = true}, {});
    const auto total = tests::whole_total(*problem);
    EXPECT_NEAR(std::exp(-total->value(std::vector<double>(known.stocks, 1.0))), known.uniform,
                5e-5);
    const std::vector<double> half(known.stocks, 0.0);
    EXPECT_NEAR(total->value(half),
                static_cast<double>(known.days) * std::log(2) - std::log(known.uniform), 1e-4);
  }
}

TEST(RebalancedPortfolio, UniformOfTheStandardAndPoors500) {
  KEYHOLE_DATA_FILE_OR_SKIP(path, "sp500_2013_2017_close.csv");
  const auto problem = portfolio({.prices = path, .from = "2013-02-18", .to = "2017-11-27"}, {});
  ASSERT_EQ(problem->rounds(), 1203U);
  ASSERT_EQ(problem->set().dimension(), 470U);
  EXPECT_TRUE(problem->warnings().empty());
  const auto total = tests::whole_total(*problem);
  EXPECT_NEAR(std::exp(-total->value(std::vector<double>(470, 1.0 / 470))), 1.84513, 5e-6);
  // The least relative, 0.37382, makes the largest loss.
  EXPECT_NEAR(problem->bounds().loss, -std::log(0.37382), 2e-5);
  const auto drawn = portfolio({.prices = path, .n = 100}, {.seed = 1});
  EXPECT_EQ(drawn->set().spec(), "simplex(100)");
}

}  // namespace
}  // namespace keyhole
