#include "problems/markets/market.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace keyhole {
namespace {

TEST(SyntheticMarket, IsAPureFunctionOfSeedStreamAndDay) {
  problems::SyntheticMarket one(30, {.seed = 7, .stream = 3});
  problems::SyntheticMarket two(30, {.seed = 7, .stream = 3});
  std::vector<double> a(30);
  std::vector<double> b(30);
  for (const std::uint64_t t : {5U, 1U, 1000000U, 2U}) {
    one.relatives(t, a);
    two.relatives(9, b);
    two.relatives(t, b);
    EXPECT_EQ(a, b);
  }
  problems::SyntheticMarket other_seed(30, {.seed = 8, .stream = 3});
  problems::SyntheticMarket other_stream(30, {.seed = 7, .stream = 4});
  for (problems::SyntheticMarket* other : {&other_seed, &other_stream}) {
    other->relatives(2, b);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_NE(a[i], b[i]);
  }
}

TEST(SyntheticMarket, AStockIsTheSameWhateverTheirNumber) {
  problems::SyntheticMarket few(3, {});
  problems::SyntheticMarket many(200, {});
  std::vector<double> a(3);
  std::vector<double> b(200);
  for (std::uint64_t t = 1; t <= 50; ++t) {
    few.relatives(t, a);
    many.relatives(t, b);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a[i], b[i]);
  }
}

TEST(SyntheticMarket, DigitsAreTheSameEverywhere) {
  problems::SyntheticMarket market(2, {.seed = 1, .stream = 1});
  std::vector<double> r(2);
  market.relatives(1, r);
  EXPECT_EQ(r, (std::vector<double>{1.0182199136471886, 0.98178557918782006}));
}

TEST(SyntheticMarket, StocksAreLikeTheParametersSay) {
  const std::size_t n = 2000;
  const problems::SyntheticMarket market(n, {.seed = 2});
  double beta = 0;
  double log_sigma = 0;
  double mean_return = 0;
  double deviation = 0;
  for (const auto& stock : market.stocks()) {
    beta += stock.beta / n;
    log_sigma += std::log(stock.sigma / 0.011) / n;
    mean_return += (stock.drift + stock.deviation * stock.deviation / 2) / n;
    deviation += stock.deviation / n;
    EXPECT_GE(stock.beta, 0.2);
    EXPECT_LE(stock.beta, 2);
    EXPECT_GE(stock.sigma, 0.004);
    EXPECT_LE(stock.sigma, 0.04);
  }
  // Standard errors 0.3 / sqrt 2000 = 0.0067, likewise, and 0.0002 / sqrt 2000 = 4.5e-6; five each.
  EXPECT_NEAR(beta, 1, 0.034);
  EXPECT_NEAR(log_sigma, 0, 0.034);
  EXPECT_NEAR(mean_return, 0.0005, 2.3e-5);
  EXPECT_GT(deviation, 0.015);
  EXPECT_LT(deviation, 0.02);
}

/// Mean and standard deviation of numbers.
struct Moments {
  double count = 0;
  double sum = 0;
  double squares = 0;
  void add(double x) {
    ++count;
    sum += x;
    squares += x * x;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double variance() const { return squares / count - mean() * mean(); }
};

TEST(SyntheticMarket, RelativesHaveTheStatedMomentsJumpsAndCorrelations) {
  const std::size_t n = 23;  // stocks 0, 11 and 22 share a sector
  const int days = 20000;
  problems::SyntheticMarket market(n, {.seed = 3});
  std::vector<double> r(n);
  std::vector<Moments> log_return(n);
  Moments relative;
  double same_sector = 0;
  double other_sector = 0;
  double large_moves = 0;
  for (std::uint64_t t = 1; t <= days; ++t) {
    market.relatives(t, r);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      log_return[i].add(std::log(r[i]));
      mean += r[i] / n;
      if (std::abs(std::log(r[i])) > 5 * market.stocks()[i].deviation) ++large_moves;
    }
    relative.add(mean);
    const auto centred = [&](std::size_t i) { return std::log(r[i]) - market.stocks()[i].drift; };
    same_sector += centred(0) * centred(11) / days;
    other_sector += centred(0) * centred(1) / days;
  }
  double mean_return = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& stock = market.stocks()[i];
    const double deviation = stock.deviation;
    mean_return += (stock.drift + deviation * deviation / 2) / n;
    // Standard error of a mean: deviation / sqrt(days) = deviation 0.0071; five of them.
    EXPECT_NEAR(log_return[i].mean(), stock.drift, 0.036 * deviation) << i;
    // Variance: jumps give the fourth moment of a log-return at most about 3 + 3 * 0.01 (5 % /
    // deviation)^4 <= 7 times the squared variance here, so the standard error is sqrt(6 / days) =
    // 0.017; five of them.
    EXPECT_NEAR(log_return[i].variance() / (deviation * deviation), 1, 0.087) << i;
  }
  // The mean of all relatives: standard deviation of a day about 1 %, error 7e-5; five of them.
  EXPECT_NEAR(relative.mean(), 1 + mean_return, 3.6e-4);
  EXPECT_GT(std::sqrt(relative.variance()), 0.008);
  EXPECT_LT(std::sqrt(relative.variance()), 0.012);
  // Covariances: beta beta' 0.9 %^2, and 0.6 %^2 more in the same sector. The product of two
  // log-returns has standard deviation below 2 (1.9 %)^2, error 5.1e-6 here; five of them.
  const auto market_part = [&](std::size_t i, std::size_t j) {
    return market.stocks()[i].beta * market.stocks()[j].beta * 0.009 * 0.009;
  };
  EXPECT_NEAR(same_sector, market_part(0, 11) + 0.006 * 0.006, 2.6e-5);
  EXPECT_NEAR(other_sector, market_part(0, 1), 2.6e-5);
  // A normal law would move more than five deviations 0.3 times in 460000; jumps do so often.
  EXPECT_GT(large_moves, 100);
}

}  // namespace
}  // namespace keyhole
