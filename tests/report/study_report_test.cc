// The report of a study: means, intervals, the price of exploring, delays and marks.

#include <gtest/gtest.h>

#include "report/gnuplot_script.h"
#include "report/html.h"
#include "report/study.h"
#include "study_sample.h"

namespace keyhole::report {
namespace {

TEST(StudyReport, ShowsLossesRecommendationAndFeedback) {
  const Report report = of_study(tests::sample_history());
  EXPECT_EQ(report.title, "Study <sample>");
  ASSERT_EQ(report.introduction.size(), 3U);
  EXPECT_EQ(report.introduction[0], "400 plays were asked for, and 398 of them told.");
  EXPECT_EQ(report.introduction[2],
            "The learner has started again because the losses changed, before play 201: the "
            "vertical lines.");
  ASSERT_EQ(report.sections.size(), 3U);
  // Stretches of 16 plays; the losses of each are 1, 1.1, 1.2, 1.3 four times.
  const Figure& losses = report.sections[0].figures.at(0);
  ASSERT_EQ(losses.series.size(), 2U);
  ASSERT_EQ(losses.series[0].points.size(), 25U);
  const Point& first = losses.series[0].points[0];
  EXPECT_EQ(first.t, 16);
  EXPECT_NEAR(first.mean, 1.15, 1e-12);
  // 1.96 sqrt(0.2 / 15 / 16), the squares being 4 (0.15^2 + 0.05^2) 2 = 0.2.
  EXPECT_NEAR(*first.upper - first.mean, 1.96 * std::sqrt(0.2 / 15 / 16), 1e-12);
  EXPECT_NEAR(first.mean - *first.lower, 1.96 * std::sqrt(0.2 / 15 / 16), 1e-12);
  EXPECT_NEAR(losses.series[1].points[11].mean, 1.15, 1e-12);
  ASSERT_EQ(losses.marks.size(), 1U);
  EXPECT_EQ(losses.marks[0].t, 201);
  // The nearest quarter is at the recommendation, but in the stretch of the restart.
  const Figure& cost = report.sections[0].figures.at(1);
  EXPECT_NEAR(cost.series[1].points[0].mean, 1, 1e-12);
  EXPECT_NEAR(cost.series[0].points[0].mean, 1.15, 1e-12);
  EXPECT_NEAR(report.sections[1].figures.at(1).series[0].points[0].mean, 0.15, 1e-12);
  EXPECT_NEAR(report.sections[1].figures.at(1).series[1].points[0].mean, 0.3, 1e-12);
  const Figure& delays = report.sections[2].figures.at(0);
  EXPECT_EQ(delays.groups, (std::vector<std::string>{"0", "1", "2 to 3"}));
  EXPECT_EQ(delays.series[0].points[0].mean, 99);
  EXPECT_EQ(delays.series[0].points[1].mean, 100);
  EXPECT_EQ(delays.series[0].points[2].mean, 199);
}

TEST(StudyReport, OfGainsAndOfNothing) {
  StudyHistory history = tests::sample_history();
  history.maximize = true;
  const Report gains = of_study(history);
  EXPECT_EQ(gains.sections[0].title, "Gains");
  EXPECT_NE(gains.sections[0].text[0].find("has cost about -"), std::string::npos);
  history = {.name = "new"};
  const Report nothing = of_study(history);
  EXPECT_EQ(nothing.sections.size(), 2U);
  EXPECT_EQ(nothing.introduction[0], "0 plays were asked for, and 0 of them told.");
  history.plays = {{.loss = 1, .delay = 0}};
  EXPECT_EQ(of_study(history).sections[0].figures[0].series[0].points.size(), 1U);
  history.plays = {{}, {}};
  EXPECT_EQ(of_study(history).sections.size(), 2U);
}

TEST(StudyReport, MarksAreDrawn) {
  const Report report = of_study(tests::sample_history());
  const std::string page = html(report);
  EXPECT_EQ(page, html(report));
  EXPECT_NE(page.find(R"("marks":[{"t":201,"name":"restart"}])"), std::string::npos);
  EXPECT_EQ(page.find("<sample>"), std::string::npos);
  const std::string script =
      gnuplot_script(report.sections[0].figures[0], Colours(report), "losses");
  EXPECT_NE(script.find("set arrow from first 201, graph 0 to first 201, graph 1 nohead"),
            std::string::npos);
}

}  // namespace
}  // namespace keyhole::report
