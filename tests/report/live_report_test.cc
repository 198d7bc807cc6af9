// The report of a study that others play on, and of one with contexts.

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "cli/study.h"
#include "report/report.h"

namespace keyhole::tests {
namespace {

report::Report report_of(const Store& store) {
  return cli::study_report(store, "live", Catalogue::standard());
}

const report::Section& section(const report::Report& report, const std::string& title) {
  for (const report::Section& one : report.sections) {
    if (one.title == title) return one;
  }
  throw Error("there is no section " + title);
}

double cost_of(const std::vector<double>& x) { return (x[0] - 0.3) * (x[0] - 0.3); }

TEST(LiveReport, IsOfOneMoment) {
  const Store store = Store::in_memory();
  Study study = store.create("live", {.on = "ball(2)"});
  const auto play = [&] {
    const StudyPlay one = study.ask();
    study.tell(one.id, cost_of(one.point));
  };
  for (int round = 0; round < 1000; ++round) play();
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    while (!stop) play();
  });
  const report::Report report = report_of(store);
  stop = true;
  writer.join();
  const auto& counts = section(report, "Feedback").tables.at(0).rows;
  EXPECT_EQ(report.introduction.at(0), counts.at(0).at(1).text + " plays were asked for, and " +
                                           counts.at(1).at(1).text + " of them told.");
}

TEST(LiveReport, SaysForWhichContextValuesAre) {
  const Store store = Store::in_memory();
  Study study = store.create("live", {.on = Space({{"x", Number{.from = -1, .to = 1}}}, {},
                                                  {{"load", Number{.from = 0, .to = 1}}})});
  for (int round = 0; round < 2000; ++round) {
    const double load = round % 2;
    const StudyPlay play = study.ask("", {{"load", load}});
    study.tell(play.id, (play.point[0] - load + 0.5) * (play.point[0] - load + 0.5));
  }
  const report::Report report = report_of(store);
  const report::Section& recommended = section(report, "Recommendation");
  EXPECT_EQ(recommended.tables.at(0).note,
            "What is best in an average context. In another one: keyhole study recommend live "
            "--context NAME=VALUE.");
  // The best points of the two loads are half the range apart; plays are at either one.
  const report::Figure& distances = recommended.figures.at(1);
  EXPECT_EQ(distances.title, "How far it explores");
  EXPECT_LT(distances.series.at(0).points.back().mean, 0.1);
}

TEST(LiveReport, OfAStudyWithoutContextsSaysNothingOfThem) {
  const Store store = Store::in_memory();
  (void)store.create("live", {.on = "ball(2)"});
  EXPECT_EQ(section(report_of(store), "Recommendation").tables.at(0).note, "");
}

}  // namespace
}  // namespace keyhole::tests
