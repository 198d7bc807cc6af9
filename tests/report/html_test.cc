#include "report/html.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "report/assets.h"
#include "report/palette.h"
#include "report/text.h"
#include "sample.h"

namespace keyhole::report {
namespace {

using Json = nlohmann::json;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// What the page's script reads.
Json data_of(const std::string& page) {
  const std::string opening = "id=\"report-data\">";
  const auto begin = page.find(opening) + opening.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// The page without what the package and this folder put into it.
std::string own_part(std::string page) {
  for (const std::string_view asset :
       {assets::dygraph_js, assets::dygraph_css, assets::ticks_js, assets::panel_js,
        assets::curves_js, assets::bars_js, assets::report_js, assets::report_css}) {
    const auto at = page.find(asset);
    EXPECT_NE(at, std::string::npos);
    page.erase(at, asset.size());
  }
  return page;
}

Report one_figure(Figure figure) {
  return {.title = "One", .sections = {{.title = "A", .figures = {std::move(figure)}}}};
}

TEST(HtmlTest, SameReportSameBytes) {
  EXPECT_EQ(html(tests::sample_report()), html(tests::sample_report()));
}

TEST(HtmlTest, EverySeriesOfEveryFigureIsThere) {
  const Report report = tests::sample_report();
  const std::string page = html(report);
  const Json data = data_of(page);
  std::size_t number = 0;
  for (const Section& section : report.sections) {
    EXPECT_EQ(count(page, "<h2>" + section.title + "</h2>"), 1U);
    for (const Figure& figure : section.figures) {
      EXPECT_EQ(count(page, "data-figure=\"" + std::to_string(number) + "\""), 1U);
      const Json& json = data["figures"][number++];
      EXPECT_EQ(json["title"], figure.title);
      ASSERT_EQ(json["series"].size(), figure.series.size());
      for (std::size_t k = 0; k < figure.series.size(); ++k) {
        const Series& series = figure.series[k];
        EXPECT_EQ(json["series"][k]["name"], series.name);
        EXPECT_EQ(json["series"][k]["dashed"], series.style == Style::dashed);
        ASSERT_EQ(json["series"][k]["t"].size(), series.points.size());
        for (std::size_t i = 0; i < series.points.size(); ++i) {
          EXPECT_EQ(json["series"][k]["t"][i], series.points[i].t);
          const double mean = series.points[i].mean;
          EXPECT_NEAR(json["series"][k]["mean"][i].get<double>(), mean, 1e-7 * std::abs(mean));
        }
        EXPECT_EQ(json["series"][k].contains("lower"), series.points[0].lower.has_value());
      }
    }
  }
  EXPECT_EQ(data["figures"].size(), number);
  EXPECT_EQ(count(page, "<table class=\"listed\">"), 3U);
  EXPECT_EQ(count(page, "<dd>keyhole reproduce --repeats 20 --out results/figure1</dd>"), 1U);
}

TEST(HtmlTest, OneLearnerHasOneColourInAllFigures) {
  const Json data = data_of(html(tests::sample_report()));
  std::map<std::string, int> colours;
  for (const Json& figure : data["figures"]) {
    for (const Json& series : figure["series"]) {
      std::string name = series["name"];
      name = name.substr(0, name.find(", published"));
      const int colour = series["colour"];
      EXPECT_EQ(colours.emplace(name, colour).first->second, colour) << name;
    }
  }
  EXPECT_EQ(colours.size(), 7U);
  std::set<int> different;
  for (const auto& [name, colour] : colours) different.insert(colour);
  EXPECT_EQ(different.size(), 7U);
}

TEST(HtmlTest, ColoursBeginAgainWithDots) {
  Figure figure{.title = "many"};
  for (int k = 0; k < 10; ++k) {
    figure.series.push_back({.name = "s" + std::to_string(k), .points = {{1, 1}}});
  }
  const Json data = data_of(html(one_figure(figure)));
  const Json& series = data["figures"][0]["series"];
  EXPECT_EQ(series[7]["colour"], 7);
  EXPECT_EQ(series[7]["dots"], false);
  EXPECT_EQ(series[8]["colour"], 0);
  EXPECT_EQ(series[8]["dots"], true);
}

TEST(HtmlTest, TextCannotBecomeMarkup) {
  const std::string bad = "</script><script>alert('1')</script>\"onload=\"x <!-- & {{data}} \xff";
  Report report{.title = bad,
                .headline = bad,
                .introduction = {bad},
                .facts = {{bad, bad}},
                .sections = {{.title = bad,
                              .text = {bad},
                              .figures = {{.title = bad,
                                           .note = bad,
                                           .x_label = bad,
                                           .y_label = bad,
                                           .series = {{.name = bad, .points = {{1, 2}}}}}},
                              .tables = {{.title = bad,
                                          .verdict = {bad, Verdict::good},
                                          .note = bad,
                                          .header = {{bad}, {bad}, {bad}, {bad}},
                                          .rows = {{{bad, Verdict::bad}}}}}},
                             {.title = bad}}};
  const std::string page = html(report);
  const std::string plain = html(Report{.title = "plain", .sections = {{.title = "a"}}});
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
  const auto data = page.find("id=\"report-data\"");
  EXPECT_EQ(count(page.substr(0, data), "\"onload="), 0U);
  // Not one of them replaced as if the template had it: title, headline, introduction, fact;
  // contents and sections; paragraph, figure and table, whose cells know their columns; then the
  // data.
  EXPECT_EQ(count(page.substr(0, data), "{{data}}"),
            (2U + 1 + 1 + 2) + (2 + 2) + (1 + 2 + (2 + 1 + 4 + 1 + 4 + 1)));
  EXPECT_EQ(count(page.substr(data), "{{data}}"), 4U);
  EXPECT_EQ(data_of(page)["figures"][0]["y_label"].get<std::string>().substr(0, 20),
            bad.substr(0, 20));
}

TEST(HtmlTest, NothingIsFetched) {
  const std::string page = html(tests::sample_report());
  EXPECT_EQ(count(page, "sourceMappingURL"), 0U);
  const std::string own = own_part(page);
  EXPECT_FALSE(std::regex_search(own, std::regex("\\bsrc=|@import|url\\(|https?://")));
  EXPECT_EQ(count(own, "href=\"#section-"), 4U);
  EXPECT_EQ(count(own, "href="), 4U + 1U);  // and the blank icon
  EXPECT_NE(own.find("default-src 'none'"), std::string::npos);
}

TEST(HtmlTest, SizeIsReasonable) {
  const std::size_t bare = html(Report{.title = "bare"}).size();
  EXPECT_LT(bare, 180'000U);
  EXPECT_LT(html(tests::sample_report()).size(), bare + 200'000U);
}

TEST(HtmlTest, NumbersThatAreNoneLeaveGaps) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Json data = data_of(html(one_figure(
      {.title = "gaps", .series = {{.name = "a", .points = {{1, nan}, {2, inf}, {3, 4}}}}})));
  EXPECT_EQ(data["figures"][0]["series"][0]["mean"], Json::parse("[null, null, 4]"));
}

TEST(HtmlTest, VerdictsHaveSignsAndShortRowsAreFilled) {
  const std::string page =
      html({.title = "T",
            .sections = {
                {.title = "A",
                 .tables = {{.title = "t",
                             .header = {{"a"}, {"b", true}},
                             .rows = {{{"x", Verdict::good}}, {{"y"}, {"2", Verdict::warn}}}}}}}});
  EXPECT_NE(page.find("<tr><td class=\"good\"><span class=\"sign\">✓</span>&nbsp;x</td>"
                      "<td class=\"number\"></td></tr>"),
            std::string::npos);
  EXPECT_NE(page.find("<td class=\"number warn\"><span class=\"sign\">!</span>&nbsp;2</td>"),
            std::string::npos);
}

TEST(HtmlTest, TablesWithAVerdictAreTogether) {
  const Table plain{.title = "plain", .header = {{"a"}}, .rows = {{{"1"}}}};
  const Table judged{
      .title = "judged", .verdict = {"holds", Verdict::good}, .header = {{"a"}}, .rows = {{{"1"}}}};
  const std::string page =
      html({.title = "T", .sections = {{.title = "A", .tables = {plain, judged, judged, plain}}}});
  EXPECT_EQ(count(page, "<div class=\"judged\">"), 1U);
  EXPECT_EQ(count(page,
                  "<caption><span class=\"verdict good\"><span class=\"sign\">✓</span>&nbsp;"
                  "holds</span> <strong>judged</strong></caption>"),
            2U);
  EXPECT_EQ(count(page, "<div"), count(page, "</div>"));
}

TEST(HtmlTest, FaintSeriesTakeNoColour) {
  const Json data = data_of(
      html(one_figure({.title = "f",
                       .series = {{.name = "stay", .points = {{1, 1}}, .style = Style::faint},
                                  {.name = "a", .points = {{1, 2}}}}})));
  const Json& series = data["figures"][0]["series"];
  EXPECT_EQ(series[0]["faint"], true);
  EXPECT_EQ(series[1]["faint"], false);
  EXPECT_EQ(series[1]["colour"], 0);
}

TEST(TextTest, NumbersAsOneReadsThem) {
  EXPECT_EQ(readable(0), "0");
  EXPECT_EQ(readable(1), "1");
  EXPECT_EQ(readable(-0.36161), "-0.3616");
  EXPECT_EQ(readable(0.035), "0.035");
  EXPECT_EQ(readable(0.0001), "0.0001");
  EXPECT_EQ(readable(0.00001234567), "1.235e-05");
  EXPECT_EQ(readable(99.99999), "100");
  EXPECT_EQ(readable(999.95), "1000");
  EXPECT_EQ(readable(123456.7), "123457");
  EXPECT_EQ(readable(9876543), "9876543");
  EXPECT_EQ(readable(12345678), "1.235e+07");
  EXPECT_EQ(readable(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(readable(std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace keyhole::report
