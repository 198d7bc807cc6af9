// Price relatives r_ti = close of stock i on day t / its close on the day before, from a file of
// prices or of the relatives themselves.
//
// Wide:  date,AAPL,IBM         Long (Kaggle's "S&P 500 stock data"; other columns are passed over,
//        2013-02-19,65.7,200.3 any order):
//        2013-02-20,64.1,199.3         date,open,high,low,close,volume,Name
//                                      2013-02-19,..,..,..,65.7,..,AAPL
//
// A file is long if it has columns date, close and Name, whatever their case; else its first column
// must be named date, day or t, and each other column is a ticker. Days ascend: as numbers if all
// are whole numbers, else as text, which suits dates written YYYY-MM-DD.

#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "keyhole/problems.h"
#include "problems/csv.h"

namespace keyhole::problems {

/// The prices, or relatives, of a range of days.
struct PriceTable {
  /// A price that is missing or empty.
  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  /// The days of the range, ascending.
  std::vector<std::string> days;
  /// Wide: in the order of the columns; long: sorted.
  std::vector<std::string> tickers;
  /// prices[day * tickers.size() + ticker], from 1e-25 to 1e25 or missing.
  std::vector<double> prices;
};

/// The prices of the days from options.from to options.to. Throws InputError with file, line and
/// column unless all of them are empty or positive numbers, and unless days ascend, each once.
[[nodiscard]] PriceTable price_table(const CsvTable& table, const PortfolioOptions& options);

/// What the user should know if the numbers look like relatives and are taken for prices, or the
/// other way round; empty if they do not.
[[nodiscard]] std::string likely_mistake(const PriceTable& table, bool taken_for_relatives);

/// The relatives of some stocks.
struct PriceRelatives {
  /// Their names.
  std::vector<std::string> tickers;
  /// The days, those of the later price.
  std::vector<std::string> days;
  /// relatives[day * tickers.size() + ticker].
  std::vector<double> relatives;
  /// The tickers of the file that lack a price on some day of the range, and so could not be drawn.
  std::vector<std::string> incomplete;
};

/// The relatives of the tickers that the options name, in that order, or of options.n that the seed
/// draws from the sorted names of the complete ones, or of all complete ones, in the order of the
/// table. Throws InputError if there are too few, or if a named one is unknown or incomplete;
/// `file` stands in the messages.
[[nodiscard]] PriceRelatives select_relatives(const PriceTable& table, const std::string& file,
                                              const PortfolioOptions& options, ProblemSeed seed);

}  // namespace keyhole::problems
