#include "report/results.h"

#include <gtest/gtest.h>

#include "keyhole/error.h"
#include "report/html.h"
#include "sample.h"
#include "thrown.h"

namespace keyhole::report {
namespace {

const std::string header = "problem,learner,measure,round,mean,lower,upper,repeats\n";

/// A directory of results for each test, removed at its end.
class ResultsTest : public ::testing::Test {
 protected:
  ResultsTest()
      : directory_(std::filesystem::path(::testing::TempDir()) /
                   ("keyhole_results_" +
                    std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(directory_);
  }
  ~ResultsTest() override { std::filesystem::remove_all(directory_); }
  ResultsTest(const ResultsTest&) = delete;
  ResultsTest& operator=(const ResultsTest&) = delete;

  void write(const std::string& curves, const std::string& summary) {
    std::ofstream(directory_ / "curves.csv") << curves;
    std::ofstream(directory_ / "summary.json") << summary;
  }
  [[nodiscard]] Report report() const { return of_results(directory_.string()); }
  /// What is said of such files.
  std::string refusal(const std::string& curves, const std::string& summary) {
    write(curves, summary);
    return tests::message<InputError>([this] { return report(); });
  }

  std::filesystem::path directory_;
};

TEST_F(ResultsTest, ASectionAProblemWithLossRegretAndTable) {
  tests::write_sample_results(directory_);
  const Report read = report();
  EXPECT_EQ(read.title, "Experiment " + directory_.filename().string());
  ASSERT_EQ(read.sections.size(), 3U);
  ASSERT_EQ(read.facts.size(), 6U);
  EXPECT_EQ(read.facts[0].label, "seed");
  EXPECT_EQ(read.facts[0].value, "1");
  for (std::size_t p = 0; p < 3; ++p) {
    const tests::SampleProblem& problem = tests::sample_problems()[p];
    const Section& section = read.sections[p];
    EXPECT_EQ(section.title, problem.name);
    ASSERT_EQ(section.figures.size(), 2U);
    for (std::size_t k = 0; k < 7; ++k) {
      for (const std::size_t regret : {0U, 1U}) {
        const Series& series = section.figures[regret].series.at(k);
        const Series expected =
            tests::sample_series(problem, tests::sample_learners()[k], regret == 1);
        EXPECT_EQ(series.name, expected.name);
        ASSERT_EQ(series.points.size(), expected.points.size());
        for (std::size_t i = 0; i < series.points.size(); ++i) {
          EXPECT_EQ(series.points[i].t, expected.points[i].t);
          EXPECT_EQ(series.points[i].mean, expected.points[i].mean);
          EXPECT_EQ(series.points[i].lower, expected.points[i].lower);
          EXPECT_EQ(series.points[i].upper, expected.points[i].upper);
        }
      }
    }
    ASSERT_EQ(section.tables.size(), 1U);
    EXPECT_EQ(section.tables[0].rows.size(), 7U);
    const auto& fkm = section.tables[0].rows[1];
    EXPECT_EQ(fkm[0].text, "FKM");
    EXPECT_EQ(fkm[3].text, "4001");
    EXPECT_EQ(fkm[3].verdict, Verdict::good);
    EXPECT_EQ(section.tables[0].rows[5][7].verdict, Verdict::warn);
  }
  EXPECT_EQ(html(read), html(of_results(directory_.string() + "/")));
}

TEST_F(ResultsTest, IsCalledByTheExperiment) {
  write(header, R"({"title": "Splits of a budget", "problems": [{"name": "p"}]})");
  EXPECT_EQ(report().title, "Splits of a budget");
  const std::filesystem::path named = directory_ / "study.quick.results";
  std::filesystem::create_directories(named);
  std::ofstream(named / "curves.csv") << header;
  std::ofstream(named / "summary.json") << R"({"problems": [{"name": "p"}]})";
  EXPECT_EQ(of_results(named.string()).title, "Experiment study.quick");
}

TEST_F(ResultsTest, WhatIsOptionalMayBeMissing) {
  write(header + "p,a,average_loss,1,2,,,1\np,a,average_loss,2,1.5,,,1\n",
        R"({"problems": [{"name": "p", "learners": [{"name": "a", "regret_bound": null}]},)"
        R"({"name": "no curves"}]})");
  const Report read = report();
  ASSERT_EQ(read.sections.size(), 2U);
  EXPECT_EQ(read.sections[0].figures.size(), 1U);
  EXPECT_FALSE(read.sections[0].figures[0].series[0].points[0].lower);
  ASSERT_EQ(read.sections[0].tables.size(), 1U);
  EXPECT_EQ(read.sections[0].tables[0].header.size(), 2U);  // the learner and that it has no bound
  EXPECT_TRUE(read.sections[1].figures.empty());
  EXPECT_TRUE(read.facts.empty());
}

TEST_F(ResultsTest, WhatLearnersBelieveIsATable) {
  write(header, R"({"problems": [{"name": "p", "learners": [
      {"name": "a", "beliefs": {"noise": 0.25, "fit": -1}},
      {"name": "b", "beliefs": {}},
      {"name": "c", "beliefs": {"noise": 2, "restarts": 0.5}}]}]})");
  const auto tables = report().sections[0].tables;
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].title, "What the learners believe");
  ASSERT_EQ(tables[1].header.size(), 4U);
  EXPECT_EQ(tables[1].header[3].title, "restarts");
  ASSERT_EQ(tables[1].rows.size(), 2U);
  EXPECT_EQ(tables[1].rows[0][1].text, "0.25");
  EXPECT_EQ(tables[1].rows[0][3].text, "");
  EXPECT_EQ(tables[1].rows[1][0].text, "c");
  EXPECT_EQ(tables[1].rows[1][3].text, "0.5");
  EXPECT_NE(refusal(header, R"({"problems": [{"name": "p", "learners": [
      {"name": "a", "beliefs": {"noise": "much"}}]}]})")
                .find("should be a number"),
            std::string::npos);
}

TEST_F(ResultsTest, ABoundThatIsBroken) {
  write(header, R"({"problems": [{"name": "p", "learners": [
      {"name": "a", "average_regret": {"mean": 3}, "regret_bound": {"per_round": 2, "holds": true}},
      {"name": "b", "average_regret": {"mean": 3}, "regret_bound": {"per_round": 2, "holds": false}}
      ]}]})");
  const auto rows = report().sections[0].tables[0].rows;
  EXPECT_EQ(rows[0][2].verdict, Verdict::bad);
  EXPECT_EQ(rows[1][2].verdict, Verdict::none);
  EXPECT_EQ(rows[1][2].text, "2 (no theorem)");
}

TEST_F(ResultsTest, AVacuousBoundHasNoTick) {
  write(header, R"({"problems": [{"name": "p", "loss_bound": 3, "learners": [
      {"name": "a", "average_regret": {"mean": 1}, "regret_bound": {"per_round": 6, "holds": true}},
      {"name": "b", "average_regret": {"mean": 1}, "regret_bound": {"per_round": 5, "holds": true}}
      ]}]})");
  const auto rows = report().sections[0].tables[0].rows;
  EXPECT_EQ(rows[0][2].verdict, Verdict::none);
  EXPECT_EQ(rows[0][2].text, "6 (vacuous)");
  EXPECT_EQ(rows[1][2].verdict, Verdict::good);
}

TEST_F(ResultsTest, ControlsAreFaint) {
  write(header + "p,a,average_loss,1,2,,,1\np,stay,average_loss,1,2,,,1\n", R"({"problems": []})");
  const auto series = report().sections[0].figures[0].series;
  EXPECT_EQ(series[0].style, Style::solid);
  EXPECT_EQ(series[1].style, Style::faint);
}

TEST_F(ResultsTest, QuotedNamesAndProblemsWithoutSummary) {
  write(header + "\"a \"\"b\"\", c\",\"x\ny\",average_regret,1,-2,-3,-1,4\r\n",
        R"({"problems": []})");
  const Report read = report();
  ASSERT_EQ(read.sections.size(), 1U);
  EXPECT_EQ(read.sections[0].title, "a \"b\", c");
  EXPECT_EQ(read.sections[0].figures[0].series[0].name, "x\ny");
  EXPECT_EQ(read.sections[0].figures[0].series[0].points[0].upper, -1);
}

TEST_F(ResultsTest, MissingFilesAreNamed) {
  EXPECT_NE(tests::message<InputError>([&] { return report(); }).find("summary.json"),
            std::string::npos);
  std::ofstream(directory_ / "summary.json") << "{}";
  EXPECT_NE(tests::message<InputError>([&] { return report(); }).find("curves.csv"),
            std::string::npos);
}

TEST_F(ResultsTest, MalformedCurvesAreRefusedWithTheLine) {
  const std::string good = "p,a,average_loss,1,2,1,3,4\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "line 1: the header should be problem,learner"},
      {"round,mean\n", "line 1: the header should be"},
      {header + good + "p,a,average_loss,2,2\n", "line 3: there should be 8 fields"},
      {header + "p,a,loss,1,2,1,3,4\n", "line 2: the measure 'loss' is not"},
      {header + "p,a,average_loss,one,2,1,3,4\n", "the round 'one' is not a number"},
      {header + "p,a,average_loss,0,2,1,3,4\n", "the round 0 is below 1"},
      {header + "p,a,average_loss,1,nan,1,3,4\n", "the mean 'nan' is not a number"},
      {header + "p,a,average_loss,1,2x,1,3,4\n", "the mean '2x' is not a number"},
      {header + "p,a,average_loss,1,,1,3,4\n", "the mean '' is not a number"},
      {header + "p,a,average_loss,1,2,1,,4\n", "one is blank and one is not"},
      {header + "p,a,average_loss,1,2,3,4,4\n", "the mean 2 is not between lower 3 and upper 4"},
      {header + good + good, "line 3: the rounds of a do not ascend at 1"},
      {header + "\"p,a\n", "a quote is not closed"},
      {header + "\"p\"x,a,average_loss,1,2,1,3,4\n", "text after a closing quote"},
      {header + "\n", "line 2: there should be 8 fields"}};
  for (const auto& [curves, expected] : cases) {
    const std::string said = refusal(curves, R"({"problems": [{"name": "p"}]})");
    EXPECT_NE(said.find(expected), std::string::npos) << said << "\nfor\n" << curves;
    EXPECT_NE(said.find("curves.csv"), std::string::npos) << said;
  }
}

TEST_F(ResultsTest, MalformedSummariesAreRefusedWithThePlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "parse error"},
      {"[1]", "the file should be an object but is [1]"},
      {"{}", "there are no problems in it"},
      {R"({"problems": 3})", "problems should be a list but is 3"},
      {R"({"problems": [3]})", "problems[0] should be an object but is 3"},
      {R"({"problems": [{}]})", "problems[0] has no name"},
      {R"({"problems": [{"name": 1}]})", "problems[0].name should be a text but is 1"},
      {R"({"problems": [{"name": "p", "learners": [{"name": "a", "average_loss": 1}]}]})",
       "problems[0].learners[0].average_loss should be an object but is 1"},
      {R"({"problems": [{"name": "p", "learners": [{"name": "a", "alarms": "x"}]}]})",
       "problems[0].learners[0].alarms should be a number but is \"x\""},
      {R"({"problems": [{"name": "p"}], "seed": []})", "seed should be a text or a number"}};
  for (const auto& [summary, expected] : cases) {
    const std::string said = refusal(header, summary);
    EXPECT_NE(said.find(expected), std::string::npos) << said << "\nfor\n" << summary;
    EXPECT_NE(said.find("summary.json"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace keyhole::report
