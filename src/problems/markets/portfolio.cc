#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "base/joined.h"
#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "problems/markets/drawn_portfolio.h"
#include "problems/markets/log_wealth.h"
#include "problems/markets/market.h"
#include "problems/markets/prices.h"
#include "problems/option_lists.h"

namespace keyhole::problems {
namespace {

using Row = std::span<const double>;

SetPtr region_set(PortfolioRegion region, std::size_t n) {
  if (region == PortfolioRegion::simplex) return simplex(n);
  const std::vector<double> centre(n, 0.0);
  return recentred(image(solid_simplex(n), 2 * static_cast<double>(n), -1), centre);
}

WealthMap region_map(PortfolioRegion region, std::size_t n) {
  if (region == PortfolioRegion::simplex) return {};
  return {.shift = 1, .scale = 2 * static_cast<double>(n)};
}

/// The M and G of single days, widened day by day.
class Bounds {
 public:
  Bounds(PortfolioRegion region, LogLoss loss) : region_(region), loss_(loss) {}

  void widen(Row r) {
    const auto [least, most] = std::minmax_element(r.begin(), r.end());
    const bool flat = region_ == PortfolioRegion::simplex;
    // phi decreases: between the least and the most wealth that there can be.
    const double poorest = flat ? *least : 0;
    M_ = std::max({M_, std::abs(loss_(poorest)), std::abs(loss_(*most))});
    // The gradient is phi'(w) r / scale, steepest for the poorest; there the enlarged region has
    // 1 / w_0, and the simplex takes what of r is along it.
    const double scale = region_map(region_, r.size()).scale;
    const double mean = flat ? math::sum(r) / static_cast<double>(r.size()) : 0;
    const double length = std::sqrt(
        math::reduce(r.size(), [&](std::size_t i) { return (r[i] - mean) * (r[i] - mean); }));
    G_ = std::max(G_, -loss_.slope(poorest) * length / scale);
  }

  [[nodiscard]] LossBounds times(double factor, bool proven) const {
    return {.loss = factor * M_, .gradient = factor * G_, .proven = proven};
  }

 private:
  PortfolioRegion region_;
  LogLoss loss_;
  double M_ = 0;
  double G_ = 0;
};

/// What both kinds of portfolio have in common: the loss of the current day.
class Portfolio : public Problem {
 public:
  Portfolio(PortfolioRegion region, std::size_t n, LogLoss loss)
      : Problem(region_set(region, n)), map_(region_map(region, n)), loss_(loss) {}

  [[nodiscard]] double value(Row x) const override { return loss_(map_(relatives(), x)); }

  void gradient(Row x, std::span<double> gradient) const override {
    const Row r = relatives();
    const double slope = loss_.slope(map_(r, x)) / map_.scale;
    for (std::size_t i = 0; i < r.size(); ++i) gradient[i] = slope * r[i];
  }

  /// The relatives of the current day.
  [[nodiscard]] virtual Row relatives() const = 0;

 protected:
  [[nodiscard]] const WealthMap& map() const noexcept { return map_; }
  [[nodiscard]] const LogLoss& loss() const noexcept { return loss_; }

 private:
  WealthMap map_;
  LogLoss loss_;
};

/// The sum over days that a portfolio shows one by one: `keep` makes a day's relatives last.
class Total final : public TotalLogLoss {
 public:
  Total(const Portfolio& portfolio, LogLoss loss, WealthMap map, std::function<Row(Row)> keep)
      : TotalLogLoss(loss, map), portfolio_(portfolio), keep_(std::move(keep)) {}

  void add() override {
    base::require(portfolio_.drawn() > 0, "no loss has been drawn yet that could be added");
    add_day(keep_(portfolio_.relatives()));
  }

 private:
  const Portfolio& portfolio_;
  std::function<Row(Row)> keep_;
};

/// w_0 of n stocks.
LogLoss loss_of(std::size_t n, double smallest_relative) {
  return {std::min(1 / (2 * static_cast<double>(n)), smallest_relative)};
}

/// Relatives from a file.
class FilePortfolio final : public Portfolio {
 public:
  FilePortfolio(PortfolioOptions options, PriceRelatives data, std::string mistake)
      : Portfolio(options.region, data.tickers.size(),
                  loss_of(data.tickers.size(),
                          *std::min_element(data.relatives.begin(), data.relatives.end()))),
        options_(std::move(options)),
        data_(std::move(data)),
        mistake_(std::move(mistake)) {
    Bounds bounds(options_.region, loss());
    for (std::size_t t = 1; t <= data_.days.size(); ++t) bounds.widen(row(t));
    bounds_ = bounds.times(1, true);
  }

  [[nodiscard]] std::string spec() const override {
    PortfolioOptions shown = options_;
    shown.n = shown.tickers.empty() ? data_.tickers.size() : 0;
    return spec_of("portfolio", shown);
  }

  [[nodiscard]] std::uint64_t rounds() const noexcept override { return data_.days.size(); }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] std::vector<std::string> warnings() const override {
    std::vector<std::string> warnings;
    if (!mistake_.empty()) warnings.push_back(options_.prices + ": " + mistake_);
    if (!data_.incomplete.empty() && options_.tickers.empty()) {
      warnings.push_back(options_.prices + ": " + std::to_string(data_.incomplete.size()) +
                         " tickers lack a price on some day of the range and were left out: " +
                         base::joined(data_.incomplete));
    }
    return warnings;
  }

  [[nodiscard]] Row relatives() const override { return current_; }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override {
    return std::make_unique<Total>(*this, loss(), map(), [](Row r) { return r; });
  }

 private:
  [[nodiscard]] Row row(std::uint64_t t) const {
    const std::size_t n = data_.tickers.size();
    return Row(data_.relatives).subspan((t - 1) * n, n);
  }
  void realise(std::uint64_t t) override { current_ = row(t); }

  PortfolioOptions options_;
  PriceRelatives data_;
  std::string mistake_;  // empty if there is none
  LossBounds bounds_;
  Row current_;
};

/// Relatives that are drawn.
class DrawnPortfolio final : public Portfolio {
 public:
  DrawnPortfolio(PortfolioRegion region, std::size_t n, DrawRelatives draw, std::string spec,
                 std::string warning)
      : Portfolio(region, n, loss_of(n, 1)),
        draw_(std::move(draw)),
        spec_(std::move(spec)),
        warning_(std::move(warning)),
        relatives_(n) {
    constexpr std::uint64_t sample = 1000;  // days
    constexpr double allowance = 1.5;
    Bounds bounds(region, loss());
    for (std::uint64_t t = 1; t <= sample; ++t) {
      draw_(t, relatives_);
      bounds.widen(relatives_);
    }
    bounds_ = bounds.times(allowance, false);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::vector<std::string> warnings() const override { return {warning_}; }

  [[nodiscard]] Row relatives() const override { return relatives_; }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override {
    // The current day is overwritten by the next: the sum keeps copies.
    auto copied = [copies = std::deque<std::vector<double>>()](Row r) mutable {
      return Row(copies.emplace_back(r.begin(), r.end()));
    };
    return std::make_unique<Total>(*this, loss(), map(), std::move(copied));
  }

 private:
  void realise(std::uint64_t t) override { draw_(t, relatives_); }

  DrawRelatives draw_;
  std::string spec_;
  std::string warning_;
  std::vector<double> relatives_;
  LossBounds bounds_;
};

}  // namespace

std::unique_ptr<Problem> drawn_portfolio(PortfolioRegion region, std::size_t n, DrawRelatives draw,
                                         std::string spec, std::string warning) {
  return std::make_unique<DrawnPortfolio>(region, n, std::move(draw), std::move(spec),
                                          std::move(warning));
}

std::unique_ptr<Problem> portfolio(const PortfolioOptions& options, ProblemSeed seed) {
  checked("portfolio", options);
  if (options.prices.empty() || options.prices == "synthetic") {
    base::require(
        options.from.empty() && options.to.empty() && options.tickers.empty() && !options.relatives,
        "the synthetic market has no days, no names and no file: days, tickers and relatives "
        "need prices = a file");
    const std::size_t n = options.n == 0 ? 100 : options.n;
    base::require(n >= 2, "a portfolio needs at least 2 stocks, not " + std::to_string(n));
    return drawn_portfolio(
        options.region, n,
        [market = SyntheticMarket(n, seed)](std::uint64_t t, std::span<double> relatives) mutable {
          market.relatives(t, relatives);
        },
        spec_of("portfolio",
                PortfolioOptions{.region = options.region, .prices = "synthetic", .n = n}),
        "the market is synthetic: price relatives drawn from a factor model, no real prices");
  }
  const PriceTable table = price_table(read_csv(options.prices), options);
  return std::make_unique<FilePortfolio>(options,
                                         select_relatives(table, options.prices, options, seed),
                                         likely_mistake(table, options.relatives));
}

}  // namespace keyhole::problems
