#include "problems/markets/prices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "keyhole/error.h"
#include "problems/files.h"
#include "random.h"
#include "thrown.h"

namespace keyhole {
namespace {

using tests::message;
using tests::Random;
using Names = std::vector<std::string>;

const std::string wide =
    "date,B,A,C\n"
    "2013-02-19,10,4,1\n"
    "2013-02-20,11,5,2\n"
    "2013-02-21,22,4,8\n"
    "2013-03-01,11,2,4\n";

problems::PriceTable prices(const std::string& text, const PortfolioOptions& options = {}) {
  return problems::price_table(problems::parse_csv(text, "f.csv"), options);
}

problems::PriceRelatives relatives(const std::string& text, const PortfolioOptions& options = {},
                                   ProblemSeed seed = {}) {
  return problems::select_relatives(prices(text, options), "f.csv", options, seed);
}

std::string refusal(const std::string& text, const PortfolioOptions& options = {}) {
  return message<Error>([&] { (void)relatives(text, options); });
}

TEST(Prices, WideRelatives) {
  const problems::PriceRelatives all = relatives(wide);
  EXPECT_EQ(all.tickers, (Names{"B", "A", "C"}));
  EXPECT_EQ(all.days, (Names{"2013-02-20", "2013-02-21", "2013-03-01"}));
  EXPECT_EQ(all.relatives, (std::vector<double>{1.1, 1.25, 2, 2, 0.8, 4, 0.5, 0.5, 0.5}));
  EXPECT_EQ(all.incomplete, Names{});
  // The names of the first column, in any case; days as numbers.
  for (const std::string name : {"date", "Date", "day", "t", "T"}) {
    EXPECT_EQ(relatives(name + ",A,B\n9,1,2\n10,2,2\n").relatives, (std::vector<double>{2, 1}));
  }
}

TEST(Prices, FilesOfRelativesAreTakenAsTheyAre) {
  const problems::PriceRelatives all =
      relatives("day,x,y\n1,1.5,0.5\n2,1,0.25\n", {.relatives = true});
  EXPECT_EQ(all.days, (Names{"1", "2"}));
  EXPECT_EQ(all.relatives, (std::vector<double>{1.5, 0.5, 1, 0.25}));
}

TEST(Prices, RangesOfDaysAreInclusive) {
  EXPECT_EQ(prices(wide, {.from = "2013-02-20", .to = "2013-02-21"}).days,
            (Names{"2013-02-20", "2013-02-21"}));
  EXPECT_EQ(prices(wide, {.from = "2013-02-18"}).days.size(), 4U);
  EXPECT_EQ(prices(wide, {.to = "2013-02"}).days.size(), 3U);
  EXPECT_EQ(prices(wide, {.from = "2013-03", .to = "2013-03"}).days, (Names{"2013-03-01"}));
  const std::string days = "day,A,B\n9,1,1\n10,1,1\n11,1,1\n100,1,1\n";
  EXPECT_EQ(prices(days, {.from = "10", .to = "11"}).days, (Names{"10", "11"}));
  EXPECT_EQ(prices(days, {.from = "010", .to = "99"}).days, (Names{"10", "11"}));
  EXPECT_EQ(prices(days, {.to = "1000"}).days.size(), 4U);
}

TEST(Prices, RangesThatSelectNothing) {
  EXPECT_EQ(refusal(wide, {.from = "2020-01-01"}),
            "f.csv: no day from 2020-01-01; it has days from 2013-02-19 to 2013-03-01");
  EXPECT_EQ(refusal(wide, {.from = "2013-02-22", .to = "2013-02-28"}),
            "f.csv: no day from 2013-02-22 to 2013-02-28; it has days from 2013-02-19 to "
            "2013-03-01");
  EXPECT_EQ(refusal("day,A,B\n9,1,1\n10,1,1\n", {.to = "8"}),
            "f.csv: no day to 8; it has days from 9 to 10");
  EXPECT_EQ(refusal(wide, {.from = "2014", .to = "2013"}),
            "the days from 2014 to 2013 are none: exchange them");
  EXPECT_EQ(refusal("day,A,B\n9,1,1\n10,1,1\n", {.from = "2013-01-01"}),
            "f.csv: its days are whole numbers, which '2013-01-01' cannot be compared with");
  EXPECT_EQ(refusal(wide, {.from = "2013-03-01"}),
            "f.csv: 2013-03-01 is the only day of the range; a relative needs two prices");
  EXPECT_EQ(refusal("date,A,B\n"), "f.csv: there is no row below the header");
  EXPECT_EQ(relatives(wide, {.relatives = true, .from = "2013-03-01"}).days.size(), 1U);
}

TEST(Prices, BadCellsAreNamedByFileLineAndColumn) {
  EXPECT_EQ(refusal("date,A,B\n2013-01-01,1,2\n2013-01-02,1,x\n"),
            "f.csv:3: column 'B': 'x' is not a number");
  EXPECT_EQ(refusal("date,A,B\n2013-01-01,1,2\n2013-01-02,0,1\n"),
            "f.csv:3: column 'A': 0 is not positive, as prices and their relatives must be");
  EXPECT_EQ(refusal("date,A,B\n2013-01-01,1,-2.5\n2013-01-02,0,1\n"),
            "f.csv:2: column 'B': -2.5 is not positive, as prices and their relatives must be");
  EXPECT_EQ(refusal("date,A,B\n2013-01-01,1,1e30\n"),
            "f.csv:2: column 'B': 1e30 is not within 1e-25 to 1e25");
  EXPECT_EQ(refusal("date,A,B\n2013-01-01,1,1e-30\n"),
            "f.csv:2: column 'B': 1e-30 is not within 1e-25 to 1e25");
  EXPECT_EQ(refusal("date,A,B\n2013-01-02,1,2\n2013-01-01,1,2\n"),
            "f.csv:3: column 'date': 2013-01-01 comes after 2013-01-02; days must ascend (dates "
            "are written YYYY-MM-DD)");
  EXPECT_EQ(refusal("date,A,B\n2013-01-02,1,2\n2013-01-02,1,2\n"),
            "f.csv:3: column 'date': 2013-01-02 is there twice");
  EXPECT_EQ(refusal("t,A,B\n2,1,2\n02,1,2\n"), "f.csv:3: column 't': 02 is there twice");
  EXPECT_EQ(refusal("date,A,B\n,1,2\n"), "f.csv:2: column 'date': the day is empty");
  EXPECT_EQ(refusal("A,B\n1,2\n"),
            "f.csv:1: the first column is named 'A'; it must hold the days and be named date, day "
            "or t (or there must be columns date, close and Name)");
  // Outside the range only the days are looked at.
  EXPECT_EQ(relatives("t,A,B\n1,x,0\n2,1,2\n3,2,2\n", {.from = "2"}).days, (Names{"3"}));
}

TEST(Prices, TheLongForm) {
  const std::string text =
      "Name,volume,close,date\n"
      "B,7,10,2013-02-19\n"
      "B,,11,2013-02-20\n"
      "A,7,4,2013-02-19\n"
      "A,7,5,2013-02-20\n";
  const problems::PriceTable table = prices(text);
  EXPECT_EQ(table.days, (Names{"2013-02-19", "2013-02-20"}));
  EXPECT_EQ(table.tickers, (Names{"A", "B"}));
  EXPECT_EQ(table.prices, (std::vector<double>{4, 10, 5, 11}));
}

TEST(Prices, TheLongFormsRefusals) {
  const std::string head = "date,open,close,Name\n";
  EXPECT_EQ(refusal(head + "2013-01-02,1,2,A\n2013-01-01,1,2,B\n2013-01-01,1,2,A\n"),
            "f.csv:4: column 'date': 2013-01-01 of A comes after 2013-01-02; days must ascend "
            "(dates are written YYYY-MM-DD)");
  EXPECT_EQ(refusal(head + "2013-01-02,1,2,A\n2013-01-02,1,2,B\n2013-01-02,1,3,A\n"),
            "f.csv:4: column 'date': 2013-01-02 of A is there twice");
  EXPECT_EQ(refusal(head + "2013-01-02,1,2,A\n2013-01-02,1,none,B\n"),
            "f.csv:3: column 'close': 'none' is not a number");
  EXPECT_EQ(refusal(head + "2013-01-02,1,2,A\n2013-01-02,1,-1,B\n"),
            "f.csv:3: column 'close': -1 is not positive, as prices and their relatives must be");
  EXPECT_EQ(refusal(head + "2013-01-02,1,2,\n"), "f.csv:2: column 'Name': the ticker is empty");
  EXPECT_EQ(refusal(head + "2013-01-02,1,2,A\n", {.to = "2012"}),
            "f.csv: no day to 2012; it has days from 2013-01-02 to 2013-01-02");
  EXPECT_EQ(refusal(head), "f.csv: there is no row below the header");
}

TEST(Prices, LongAndWideGiveTheSameTable) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t n = random.integer(3, 6);
    const std::size_t days = random.integer(3, 12);
    std::string wide_text = "date";
    Names rows;
    for (std::size_t j = 0; j < n; ++j) wide_text += ",S" + std::to_string(j);
    for (std::size_t i = 0; i < days; ++i) {
      const std::string day = "2013-01-" + std::to_string(10 + i);
      wide_text += "\n" + day;
      for (std::size_t j = 0; j < n; ++j) {
        const bool missing = j >= 2 && random.integer(0, 40) == 0;
        const std::string close = missing ? "" : std::to_string(random.uniform(1, 100));
        wide_text += "," + close;
        // A missing price of the long form is an empty one or no row at all.
        if (!missing || random.integer(0, 1) == 0) {
          rows.push_back(day + ",1," + close + ",2,S" + std::to_string(j) + "\n");
        }
      }
    }
    if (random.integer(0, 1) == 0) {  // ticker by ticker instead of day by day
      std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.substr(a.rfind(',')) > b.substr(b.rfind(','));
      });
    }
    std::string long_text = "date,open,close,high,Name\n";
    for (const std::string& row : rows) long_text += row;
    const PortfolioOptions options{.from = "2013-01-11", .n = random.integer(0, 1) == 0 ? 2U : 0U};
    const problems::PriceTable a = prices(wide_text, options);
    const problems::PriceTable b = prices(long_text, options);
    EXPECT_EQ(a.days, b.days);
    EXPECT_EQ(a.tickers, b.tickers);
    ASSERT_EQ(a.prices.size(), b.prices.size());
    for (std::size_t k = 0; k < a.prices.size(); ++k) {
      EXPECT_TRUE(a.prices[k] == b.prices[k] ||
                  (std::isnan(a.prices[k]) && std::isnan(b.prices[k])));
    }
    const problems::PriceRelatives from_wide = relatives(wide_text, options, {.seed = 5});
    const problems::PriceRelatives from_long = relatives(long_text, options, {.seed = 5});
    EXPECT_EQ(from_wide.tickers, from_long.tickers);
    EXPECT_EQ(from_wide.relatives, from_long.relatives);
    EXPECT_EQ(from_wide.incomplete, from_long.incomplete);
  }
}

TEST(Prices, IncompleteTickersAreLeftOutAndCannotBeNamed) {
  const std::string text =
      "date,A,B,C,D\n2013-01-01,1,,3,4\n2013-01-02,1,2,3,4\n2013-01-03,1,2,3,\n";
  const problems::PriceRelatives all = relatives(text);
  EXPECT_EQ(all.tickers, (Names{"A", "C"}));
  EXPECT_EQ(all.incomplete, (Names{"B", "D"}));
  EXPECT_EQ(relatives(text, {.from = "2013-01-02"}).tickers, (Names{"A", "B", "C"}));
  EXPECT_EQ(refusal(text, {.tickers = {"A", "D"}}),
            "f.csv: the ticker 'D' has no price on 2013-01-03: leave it out, or choose other days");
  EXPECT_EQ(refusal(text, {.n = 3}),
            "f.csv: 3 tickers are needed, but only 2 have a price on every day from 2013-01-01 to "
            "2013-01-03");
  EXPECT_EQ(refusal("date,A,B\n1,1,\n2,1,1\n"),
            "f.csv: 2 tickers are needed, but only 1 have a price on every day from 1 to 2");
}

TEST(Prices, NamedTickersKeepTheirOrder) {
  const problems::PriceRelatives some = relatives(wide, {.tickers = {"C", "B"}});
  EXPECT_EQ(some.tickers, (Names{"C", "B"}));
  EXPECT_EQ(some.relatives, (std::vector<double>{2, 1.1, 4, 2, 0.5, 0.5}));
  EXPECT_EQ(relatives(wide, {.n = 2, .tickers = {"C", "B"}}).tickers, (Names{"C", "B"}));
  EXPECT_EQ(refusal(wide, {.tickers = {"A", "E"}}),
            "f.csv: there is no ticker 'E' among its 3 (B, A, C)");
  EXPECT_EQ(refusal(wide, {.tickers = {"A", "A"}}), "the ticker 'A' is named twice");
  EXPECT_EQ(refusal(wide, {.tickers = {"A"}}), "f.csv: 2 tickers are needed, but only 1 are named");
  EXPECT_EQ(refusal(wide, {.n = 3, .tickers = {"A", "B"}}),
            "n = 3 tickers are asked for, but 2 are named: leave n out");
}

TEST(Prices, DrawsAreUniformAndByTheSeed) {
  std::string text = "t";
  for (char c = 'a'; c <= 'f'; ++c) text += std::string(",") + c;
  text += "\n1,1,1,1,1,1,1\n2,1,2,3,4,5,6\n";
  // All 15 pairs of 6 tickers equally often: 3000 draws, 200 each, standard deviation 13.7; five
  // of them are allowed.
  std::map<Names, int> count;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const problems::PriceRelatives two = relatives(text, {.n = 2}, {.seed = seed});
    ++count[two.tickers];
    ASSERT_TRUE(std::is_sorted(two.tickers.begin(), two.tickers.end()));
    for (std::size_t j = 0; j < 2; ++j) ASSERT_EQ(two.relatives[j], two.tickers[j][0] - 'a' + 1);
  }
  EXPECT_EQ(count.size(), 15U);
  for (const auto& [pair, times] : count) EXPECT_NEAR(times, 200, 68) << pair[0] << pair[1];
  EXPECT_EQ(relatives(text, {.n = 6}).tickers.size(), 6U);
}

/// Prices of three stocks that begin at a price, and their relatives, over a number of days.
struct Walks {
  Walks(std::uint64_t seed, double start, double volatility, std::size_t count) {
    Random random(seed);
    std::vector<double> now(3, start);
    for (std::size_t day = 0; day < count; ++day) {
      for (double& price : now) {
        const double relative = std::exp(volatility * random.normal());
        price *= relative;
        prices.prices.push_back(price);
        relatives.prices.push_back(relative);
      }
    }
    prices.tickers = relatives.tickers = {"a", "b", "c"};
  }
  problems::PriceTable prices;
  problems::PriceTable relatives;
};

TEST(Prices, TakenForRelativesAndRelativesTakenForPrices) {
  using problems::likely_mistake;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const double volatility : {0.002, 0.02, 0.1}) {
      for (const double start : {0.01, 1.0, 50.0}) {
        const Walks walks(seed, start, volatility, 250);
        EXPECT_EQ(likely_mistake(walks.prices, false), "") << seed << " " << start;
        EXPECT_EQ(likely_mistake(walks.relatives, true), "") << seed << " " << start;
        EXPECT_NE(likely_mistake(walks.relatives, false).find("relatives = true"),
                  std::string::npos);
        // Prices that begin at 1 and hardly move are like relatives: nothing is said of them.
        if (start != 1.0) {
          EXPECT_NE(likely_mistake(walks.prices, true).find("leave relatives out"),
                    std::string::npos)
              << seed << " " << start << " " << volatility;
        }
      }
    }
  }
  // Too few to tell, gaps passed over, and money in the bank.
  EXPECT_EQ(likely_mistake(Walks(1, 1, 0.02, 3).relatives, false), "");
  Walks gaps(1, 50, 0.02, 250);
  for (std::size_t k = 0; k < gaps.prices.prices.size(); k += 7) {
    gaps.prices.prices[k] = problems::PriceTable::missing;
  }
  EXPECT_EQ(likely_mistake(gaps.prices, false), "");
  EXPECT_NE(likely_mistake(gaps.prices, true), "");
  const problems::PriceTable bank{.days = {}, .tickers = {"a"}, .prices = std::vector(90, 1.02)};
  EXPECT_EQ(likely_mistake(bank, true), "");
}

TEST(Prices, TheStandardAndPoors500) {
  KEYHOLE_DATA_FILE_OR_SKIP(path, "sp500_2013_2017_close.csv");
  const PortfolioOptions options{.prices = path, .from = "2013-02-18", .to = "2017-11-27"};
  const problems::PriceRelatives all = problems::select_relatives(
      problems::price_table(problems::read_csv(path), options), path, options, {});
  EXPECT_EQ(all.days.size(), 1203U);
  EXPECT_EQ(all.tickers.size(), 470U);
  EXPECT_EQ(all.incomplete.size(), 0U);
  const problems::PriceTable table = problems::price_table(problems::read_csv(path), options);
  EXPECT_EQ(problems::likely_mistake(table, false), "");
  EXPECT_NE(problems::likely_mistake(table, true), "");
  const auto [smallest, largest] = std::minmax_element(all.relatives.begin(), all.relatives.end());
  EXPECT_NEAR(*smallest, 0.37382, 5e-6);
  EXPECT_NEAR(*largest, 2.00951, 5e-6);
  double wealth = 1;
  for (std::size_t t = 0; t < 1203; ++t) {
    double mean = 0;
    for (std::size_t i = 0; i < 470; ++i) mean += all.relatives[t * 470 + i] / 470;
    wealth *= mean;
  }
  EXPECT_NEAR(wealth, 1.84513, 5e-6);
}

}  // namespace
}  // namespace keyhole
