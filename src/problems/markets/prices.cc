#include "problems/markets/prices.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "keyhole/error.h"

namespace keyhole::problems {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::optional<std::size_t> column_named(const CsvTable& table, std::string_view name) {
  for (std::size_t j = 0; j < table.header.size(); ++j) {
    if (same_word(table.header[j], name)) return j;
  }
  return std::nullopt;
}

/// How the days of a file are ordered, and which of them are wanted.
class Days {
 public:
  Days(const CsvTable& table, std::size_t column, const PortfolioOptions& options)
      : from_(options.from), to_(options.to) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::string& day = table.rows[row][column];
      if (day.empty()) throw InputError(csv_place(table, row, column) + "the day is empty");
      whole_numbers_ = whole_numbers_ && is_whole_number(day);
    }
    for (const std::string& end : {from_, to_}) {
      if (whole_numbers_ && !end.empty() && !is_whole_number(end)) {
        throw InputError(table.file + ": its days are whole numbers, which '" + end +
                         "' cannot be compared with");
      }
    }
    if (!from_.empty() && !to_.empty() && before(to_, from_) && !to_includes(from_)) {
      throw InputError("the days from " + from_ + " to " + to_ + " are none: exchange them");
    }
  }

  /// Whether day a comes before day b.
  [[nodiscard]] bool before(std::string_view a, std::string_view b) const {
    if (whole_numbers_) {
      a = without_zeros(a);
      b = without_zeros(b);
      if (a.size() != b.size()) return a.size() < b.size();
    }
    return a < b;
  }

  [[nodiscard]] bool wanted(const std::string& day) const {
    return (from_.empty() || !before(day, from_)) && (to_.empty() || to_includes(day));
  }

  [[noreturn]] void fail_none(const CsvTable& table, std::size_t column) const {
    if (table.rows.empty()) throw InputError(table.file + ": there is no row below the header");
    const auto earlier = [&](const auto& a, const auto& b) { return before(a[column], b[column]); };
    const auto [first, last] = std::minmax_element(table.rows.begin(), table.rows.end(), earlier);
    throw InputError(table.file + ": no day" + (from_.empty() ? "" : " from " + from_) +
                     (to_.empty() ? "" : " to " + to_) + "; it has days from " + (*first)[column] +
                     " to " + (*last)[column]);
  }

 private:
  static bool is_whole_number(std::string_view day) {
    return std::all_of(day.begin(), day.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  static std::string_view without_zeros(std::string_view day) {
    return day.substr(std::min(day.find_first_not_of('0'), day.size()));
  }
  /// Up to and with the last day; 2017-11 has all days that begin so.
  [[nodiscard]] bool to_includes(std::string_view day) const {
    return !before(to_, day) || (!whole_numbers_ && day.starts_with(to_));
  }

  const std::string& from_;
  const std::string& to_;
  bool whole_numbers_ = true;
};

/// Throws unless a day comes after the one before.
void require_after(const CsvTable& table, std::size_t row, std::size_t column, const Days& days,
                   const std::string& previous, const std::string& of_ticker) {
  const std::string& day = table.rows[row][column];
  if (days.before(previous, day)) return;
  const bool twice = !days.before(day, previous);
  throw InputError(
      csv_place(table, row, column) + day + of_ticker +
      (twice ? " is there twice"
             : " comes after " + previous + "; days must ascend (dates are written YYYY-MM-DD)"));
}

double price(const CsvTable& table, std::size_t row, std::size_t column) {
  if (table.rows[row][column].empty()) return PriceTable::missing;
  const double value = csv_number(table, row, column);
  if (!(value > 0)) {
    throw InputError(csv_place(table, row, column) + table.rows[row][column] +
                     " is not positive, as prices and their relatives must be");
  }
  if (value < 1e-25 || value > 1e25) {
    throw InputError(csv_place(table, row, column) + table.rows[row][column] +
                     " is not within 1e-25 to 1e25");
  }
  return value;
}

PriceTable wide_table(const CsvTable& table, const PortfolioOptions& options) {
  const std::string& first = table.header[0];
  if (!same_word(first, "date") && !same_word(first, "day") && !same_word(first, "t")) {
    throw InputError(table.file + ":1: the first column is named '" + first +
                     "'; it must hold the days and be named date, day or t (or there must be "
                     "columns date, close and Name)");
  }
  const Days days(table, 0, options);
  PriceTable prices;
  prices.tickers.assign(table.header.begin() + 1, table.header.end());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (row > 0) require_after(table, row, 0, days, table.rows[row - 1][0], "");
    if (!days.wanted(table.rows[row][0])) continue;
    prices.days.push_back(table.rows[row][0]);
    for (std::size_t j = 1; j < table.header.size(); ++j) {
      prices.prices.push_back(price(table, row, j));
    }
  }
  if (prices.days.empty()) days.fail_none(table, 0);
  return prices;
}

/// The different texts of a column, sorted, and where each stands among them.
class Index {
 public:
  template <class Before>
  Index(std::vector<std::string> texts, const Before& before) : texts_(std::move(texts)) {
    std::sort(texts_.begin(), texts_.end(), before);
    for (std::size_t k = 0; k < texts_.size(); ++k) places_.emplace(texts_[k], k);
  }
  std::size_t operator[](const std::string& text) const { return places_.at(text); }
  std::vector<std::string>& texts() { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

PriceTable long_table(const CsvTable& table, const PortfolioOptions& options, std::size_t date,
                      std::size_t close, std::size_t name) {
  const Days days(table, date, options);
  // The days of the range and all tickers, and for each ticker the row that was read last.
  std::unordered_map<std::string_view, std::size_t> latest;
  std::unordered_map<std::string_view, std::size_t> seen_days;
  std::vector<std::string> day_names;
  std::vector<std::string> ticker_names;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& ticker = table.rows[row][name];
    if (ticker.empty()) throw InputError(csv_place(table, row, name) + "the ticker is empty");
    const auto [place, is_new] = latest.emplace(ticker, row);
    if (is_new) {
      ticker_names.push_back(ticker);
    } else {
      require_after(table, row, date, days, table.rows[place->second][date], " of " + ticker);
      place->second = row;
    }
    const std::string& day = table.rows[row][date];
    if (days.wanted(day) && seen_days.emplace(day, row).second) day_names.push_back(day);
  }
  if (day_names.empty()) days.fail_none(table, date);
  Index day_index(std::move(day_names), [&](auto& a, auto& b) { return days.before(a, b); });
  Index ticker_index(std::move(ticker_names), std::less<>());
  PriceTable prices;
  prices.prices.assign(day_index.texts().size() * ticker_index.texts().size(), PriceTable::missing);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& day = table.rows[row][date];
    if (!days.wanted(day)) continue;
    const std::size_t i = day_index[day];
    const std::size_t j = ticker_index[table.rows[row][name]];
    prices.prices[i * ticker_index.texts().size() + j] = price(table, row, close);
  }
  prices.days = std::move(day_index.texts());
  prices.tickers = std::move(ticker_index.texts());
  return prices;
}

}  // namespace

PriceTable price_table(const CsvTable& table, const PortfolioOptions& options) {
  const auto date = column_named(table, "date");
  const auto close = column_named(table, "close");
  const auto name = column_named(table, "name");
  if (date && close && name) return long_table(table, options, *date, *close, *name);
  return wide_table(table, options);
}

}  // namespace keyhole::problems
