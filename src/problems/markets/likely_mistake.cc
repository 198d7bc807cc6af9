#include <cmath>

#include "problems/markets/prices.h"

namespace keyhole::problems {

// Relatives scatter about 1 and do not depend on each other, so that they differ from the day
// before by more than from 1: the mean square of the former is twice that of the latter. Prices,
// even those that begin at 1, wander away from 1 by small steps.
std::string likely_mistake(const PriceTable& table, bool taken_for_relatives) {
  constexpr std::uint64_t fewest_changes = 10;
  constexpr double small = 0.1;        // changes, as a share of the distance from 1, of prices
  constexpr double large = 0.1 * 0.1;  // the mean square distance from 1 of prices
  const std::size_t n = table.tickers.size();
  std::uint64_t count = 0;
  double changes = 0;
  double distances = 0;
  for (std::size_t k = n; k < table.prices.size(); ++k) {
    const double today = table.prices[k];
    const double before = table.prices[k - n];
    if (std::isnan(today) || std::isnan(before)) continue;
    ++count;
    changes += (today - before) * (today - before);
    distances += (today - 1) * (today - 1);
  }
  if (count < fewest_changes) return "";
  if (!taken_for_relatives && changes > distances) {
    return "its numbers scatter about 1 as price relatives do, and are taken for prices: set "
           "relatives = true if they are relatives";
  }
  if (taken_for_relatives && distances > large * static_cast<double>(count) &&
      changes < small * distances) {
    return "its numbers are far from 1 and change little from day to day, as prices do, and are "
           "taken for relatives: leave relatives out if they are prices";
  }
  return "";
}

}  // namespace keyhole::problems
