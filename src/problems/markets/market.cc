#include "problems/markets/market.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.h"
#include "math/random/gaussian.h"

namespace keyhole::problems {
namespace {

constexpr double market_deviation = 0.009;
constexpr std::size_t sectors = 11;
constexpr double sector_deviation = 0.006;
constexpr double jump_probability = 0.01;
constexpr double jump_threshold = 2.3263478740408408;  // P(z > threshold) = 1 %
constexpr double jump_deviation = 0.05;
constexpr double mean_return = 0.0005;
constexpr double mean_return_spread = 0.0002;

// Which normal numbers are used for what: the id is 0 for the stocks and t for day t.
constexpr unsigned attempt_beta = 0;
constexpr unsigned attempt_sigma = 1;
constexpr unsigned attempt_drift = 2;
constexpr unsigned attempt_factors = 0;
constexpr unsigned attempt_noise = 1;
constexpr unsigned attempt_jump = 2;
constexpr unsigned attempt_jump_size = 3;

}  // namespace

SyntheticMarket::SyntheticMarket(std::size_t n, ProblemSeed seed)
    : generator_(seed.seed, seed.stream), noise_(n), jump_(n) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto z = [&](unsigned attempt) { return math::gaussian(generator_, 0, attempt, i); };
    Stock stock{};
    stock.beta = std::clamp(1 + 0.3 * z(attempt_beta), 0.2, 2.0);
    stock.sigma = std::clamp(0.011 * math::exp(0.3 * z(attempt_sigma)), 0.004, 0.04);
    const double of_market = stock.beta * market_deviation;
    const double variance = of_market * of_market + sector_deviation * sector_deviation +
                            stock.sigma * stock.sigma +
                            jump_probability * jump_deviation * jump_deviation;
    stock.drift = mean_return + mean_return_spread * z(attempt_drift) - variance / 2;
    stock.deviation = std::sqrt(variance);
    stocks_.push_back(stock);
  }
}

void SyntheticMarket::relatives(std::uint64_t t, std::span<double> relatives) {
  std::array<double, 1 + sectors> factors{};
  math::gaussians(generator_, t, attempt_factors, factors);
  const double market = market_deviation * factors[0];
  math::gaussians(generator_, t, attempt_noise, noise_);
  math::gaussians(generator_, t, attempt_jump, jump_);
  for (std::size_t i = 0; i < stocks_.size(); ++i) {
    const Stock& stock = stocks_[i];
    double log_return = stock.drift + stock.beta * market +
                        sector_deviation * factors[1 + i % sectors] + stock.sigma * noise_[i];
    if (jump_[i] > jump_threshold) {
      log_return += jump_deviation * math::gaussian(generator_, t, attempt_jump_size, i);
    }
    relatives[i] = math::exp(log_return);
  }
}

}  // namespace keyhole::problems
