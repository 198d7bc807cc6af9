// A synthetic market: price relatives of any number of stocks for any number of days, made up.
//
// The relative of stock i on day t is exp(l_ti) with the log-return
//
//   l_ti = drift_i + beta_i m_t + s_{sector(i), t} + sigma_i e_ti + j_ti
//
//   market       m_t ~ N(0, 0.9 %)
//   sectors      s_kt ~ N(0, 0.6 %), k = i mod 11
//   own noise    e_ti ~ N(0, 1)
//   jumps        j_ti ~ N(0, 5 %) with probability 1 %, else 0
//   beta_i       1 + 0.3 z, kept within 0.2 to 2
//   sigma_i      1.1 % exp(0.3 z'), kept within 0.4 % to 4 %
//   drift_i      0.05 % + 0.02 % z'' - (variance of l_ti)/2, so that the mean relative is
//                1.0005 give or take 0.0002
//
// with N(mean, standard deviation), every z, m, s, e, j independent. A stock has a daily standard
// deviation of 1.7 % typically, an even mix of many 0.92 %, about those of large US companies in
// calm years. No memory, no volatility that comes in clusters: days are independent of each other,
// and day t is a pure function of (seed, stream, t), and stock i the same whatever their number.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/problems.h"
#include "math/random/ars.h"

namespace keyhole::problems {

/// The synthetic market of a seed. Not thread-safe.
class SyntheticMarket {
 public:
  /// What a stock is like.
  struct Stock {
    /// Its answer to the market.
    double beta;
    /// The standard deviation of its own noise.
    double sigma;
    /// The constant part of its log-return.
    double drift;
    /// The standard deviation of its log-return.
    double deviation;
  };

  /// n stocks, drawn from the seed.
  SyntheticMarket(std::size_t n, ProblemSeed seed);

  /// The stocks.
  [[nodiscard]] const std::vector<Stock>& stocks() const noexcept { return stocks_; }
  /// The price relatives of day t >= 1, one a stock.
  void relatives(std::uint64_t t, std::span<double> relatives);

 private:
  math::Ars generator_;
  std::vector<Stock> stocks_;
  std::vector<double> noise_;
  std::vector<double> jump_;
};

}  // namespace keyhole::problems
