#include <algorithm>
#include <array>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "math/elementary.h"
#include "problems/draws.h"
#include "problems/markets/drawn_portfolio.h"
#include "problems/option_lists.h"

namespace keyhole::problems {
namespace {

/// r_ti = exp(drift_i + common z_t + own z_ti - own^2 / 2).
class LognormalMarket {
 public:
  LognormalMarket(std::size_t n, ProblemSeed seed) : draws_(seed), drift_(n), z_(n + 1) {
    draws_.normals(Purpose::rounds, 0, drift_);
    for (double& drift : drift_) drift *= 0.0005;
    std::array<double, 1> u{};
    draws_.uniforms(Purpose::rounds, 0, u);
    const auto best = static_cast<std::size_t>(u[0] * static_cast<double>(n));
    drift_[std::min(best, n - 1)] = 0.01;
  }

  void relatives(std::uint64_t t, std::span<double> relatives) {
    constexpr double common = 0.01;
    constexpr double own = 0.02;
    draws_.normals(Purpose::rounds, t, z_);
    for (std::size_t i = 0; i < drift_.size(); ++i) {
      relatives[i] = math::exp(drift_[i] + common * z_.back() + own * z_[i] - own * own / 2);
    }
  }

 private:
  Draws draws_;
  std::vector<double> drift_;
  std::vector<double> z_;  // of the stocks, and the market's
};

}  // namespace

std::unique_ptr<Problem> lognormal_market(const LognormalMarketOptions& options, ProblemSeed seed) {
  const std::size_t n = checked("lognormal_market", options).n;
  return drawn_portfolio(
      PortfolioRegion::simplex, n,
      [market = LognormalMarket(n, seed)](std::uint64_t t, std::span<double> relatives) mutable {
        market.relatives(t, relatives);
      },
      spec_of("lognormal_market", options),
      "the market is made up: lognormal price relatives, one stock far better than the others");
}

}  // namespace keyhole::problems
