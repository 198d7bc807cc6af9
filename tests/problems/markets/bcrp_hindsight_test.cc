#include <cmath>
#include <vector>

#include "bcrp.h"
#include "gtest/gtest.h"
#include "keyhole/keyhole.h"
#include "problems/files.h"

namespace keyhole {
namespace {

TEST(BestRebalancedPortfolio, OfKnownFilesInHindsight) {
  for (const tests::KnownPortfolio& known : tests::known_portfolios()) {
    KEYHOLE_DATA_FILE_OR_SKIP(path, known.file);
    const auto problem = portfolio({.prices = path, .relatives = true}, {});
    const auto total = tests::whole_total(*problem);
    const FixedPoint best = best_fixed_point(problem->set(), *total, {.tolerance = 1e-8});
    EXPECT_LE(best.gap, 1e-8);
    EXPECT_NEAR(std::exp(-best.value), known.best, 5e-5) << known.file;
    std::vector<double> weights(known.stocks, 0.0);
    for (const auto& [stock, weight] : known.weights) weights[stock] = weight;
    for (std::size_t i = 0; i < known.stocks; ++i) {
      EXPECT_NEAR(best.point[i], weights[i], 5.5e-5) << known.file << ", stock " << i + 1;
    }
    // Cover's method knows nothing of it: each is within its own gap of the best.
    const tests::Rebalanced cover = tests::cover(*problem, 2e-7);
    EXPECT_NEAR(total->value(cover.x), best.value, cover.gap + 1e-8);
  }
}

/// On the enlarged region it is the same portfolio: to lose a part of the wealth never helps.
TEST(BestRebalancedPortfolio, OfKnownFilesOnTheEnlargedRegion) {
  for (const tests::KnownPortfolio& known : tests::known_portfolios()) {
    KEYHOLE_DATA_FILE_OR_SKIP(path, known.file);
    const auto problem =
        portfolio({.region = PortfolioRegion::enlarged, .prices = path, .relatives = true}, {});
    const auto total = tests::whole_total(*problem);
    const FixedPoint best = best_fixed_point(problem->set(), *total, {.tolerance = 1e-6});
    EXPECT_NEAR(std::exp(-best.value), known.best, 5e-5) << known.file;
  }
}

}  // namespace
}  // namespace keyhole
