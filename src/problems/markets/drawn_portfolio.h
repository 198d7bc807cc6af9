#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "keyhole/problems.h"

namespace keyhole::problems {

/// Writes the price relatives of day t, one a stock: a pure function of t.
using DrawRelatives = std::function<void(std::uint64_t t, std::span<double> relatives)>;

/// The portfolio() of a market of n stocks that is made up, with estimated bounds: 1.5 times the
/// largest of 1000 days. `spec` is the problem's text, `warning` what it says about its market.
[[nodiscard]] std::unique_ptr<Problem> drawn_portfolio(PortfolioRegion region, std::size_t n,
                                                       DrawRelatives draw, std::string spec,
                                                       std::string warning);

}  // namespace keyhole::problems
