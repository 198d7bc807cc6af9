#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "base/require.h"
#include "keyhole/error.h"
#include "math/random/ars.h"
#include "problems/markets/prices.h"

namespace keyhole::problems {
namespace {

std::string joined(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < most; ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  return names.size() > most ? text + ", ..." : text;
}

/// The first day on which a ticker has no price; days.size() if it has all.
std::size_t first_missing(const PriceTable& table, std::size_t ticker) {
  std::size_t day = 0;
  while (day < table.days.size() &&
         !std::isnan(table.prices[day * table.tickers.size() + ticker])) {
    ++day;
  }
  return day;
}

std::vector<std::size_t> named(const PriceTable& table, const std::string& file,
                               const std::vector<std::string>& names) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t j = 0; j < table.tickers.size(); ++j) places.emplace(table.tickers[j], j);
  std::unordered_set<std::string> seen;
  std::vector<std::size_t> chosen;
  for (const std::string& name : names) {
    base::require(seen.insert(name).second, "the ticker '" + name + "' is named twice");
    const auto place = places.find(name);
    if (place == places.end()) {
      throw InputError(file + ": there is no ticker '" + name + "' among its " +
                       std::to_string(table.tickers.size()) + " (" + joined(table.tickers, 5) +
                       ")");
    }
    const std::size_t missing = first_missing(table, place->second);
    if (missing < table.days.size()) {
      throw InputError(file + ": the ticker '" + name + "' has no price on " + table.days[missing] +
                       ": leave it out, or choose other days");
    }
    chosen.push_back(place->second);
  }
  return chosen;
}

/// n of the complete tickers: each has a random word by its place among the sorted names, and the n
/// smallest words win.
std::vector<std::size_t> drawn(const PriceTable& table, std::vector<std::size_t> complete,
                               std::size_t n, ProblemSeed seed) {
  std::sort(complete.begin(), complete.end(),
            [&](std::size_t a, std::size_t b) { return table.tickers[a] < table.tickers[b]; });
  std::vector<std::uint64_t> words(2 * complete.size());
  math::Ars(seed.seed, seed.stream).words(0, 0, words);
  std::vector<std::size_t> places(complete.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return words[2 * a] < words[2 * b]; });
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < n; ++k) chosen.push_back(complete[places[k]]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

PriceRelatives select_relatives(const PriceTable& table, const std::string& file,
                                const PortfolioOptions& options, ProblemSeed seed) {
  base::require(options.n == 0 || options.tickers.empty() || options.n == options.tickers.size(),
                "n = " + std::to_string(options.n) + " tickers are asked for, but " +
                    std::to_string(options.tickers.size()) + " are named: leave n out");
  const std::string range = " on every day from " + table.days.front() + " to " + table.days.back();
  PriceRelatives result;
  std::vector<std::size_t> complete;
  for (std::size_t j = 0; j < table.tickers.size(); ++j) {
    if (first_missing(table, j) == table.days.size()) {
      complete.push_back(j);
    } else {
      result.incomplete.push_back(table.tickers[j]);
    }
  }
  if (!options.tickers.empty()) {
    complete = named(table, file, options.tickers);
  } else if (options.n > 0 && options.n <= complete.size()) {
    complete = drawn(table, complete, options.n, seed);
  }
  const std::size_t n = complete.size();
  if (n < std::max<std::size_t>(2, options.n)) {
    throw InputError(file + ": " + std::to_string(std::max<std::size_t>(2, options.n)) +
                     " tickers are needed, but only " + std::to_string(n) +
                     (options.tickers.empty() ? " have a price" + range : " are named"));
  }
  const std::size_t first = options.relatives ? 0 : 1;
  if (table.days.size() <= first) {
    throw InputError(file + ": " + table.days.front() +
                     " is the only day of the range; a relative needs two prices");
  }
  for (const std::size_t j : complete) result.tickers.push_back(table.tickers[j]);
  for (std::size_t day = first; day < table.days.size(); ++day) {
    result.days.push_back(table.days[day]);
    const double* const today = table.prices.data() + day * table.tickers.size();
    for (const std::size_t j : complete) {
      result.relatives.push_back(
          options.relatives ? today[j]
                            : today[j] / table.prices[(day - 1) * table.tickers.size() + j]);
    }
  }
  return result;
}

}  // namespace keyhole::problems
