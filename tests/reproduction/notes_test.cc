#include "reproduction/notes.h"

#include <gtest/gtest.h>

namespace keyhole::reproduction {
namespace {

report::Series curve(const std::string& name, const std::vector<double>& means, double band = 0) {
  report::Series series{.name = name};
  double t = 1;
  for (const double mean : means) {
    series.points.push_back({.t = t, .mean = mean, .lower = mean - band, .upper = mean + band});
    t *= 2;
  }
  return series;
}

TEST(Notes, TheBandOfTheDefaultLearnerDoesNotStretchAFigure) {
  report::Figure narrow{
      .title = "", .series = {curve("Proposed", {10, 5, 4}, 1), curve(default_learner, {9, 5}, 2)}};
  make_readable(narrow);
  EXPECT_TRUE(narrow.series[1].points[0].upper);
  EXPECT_EQ(narrow.note, "");

  report::Figure wide{
      .title = "",
      .note = "Dashed: the paper's.",
      .series = {curve("Proposed", {10, 5, 4}, 1), curve(default_learner, {9, 5}, 3)}};
  make_readable(wide);
  EXPECT_FALSE(wide.series[1].points[0].lower);
  EXPECT_FALSE(wide.series[1].points[1].upper);
  EXPECT_TRUE(wide.series[0].points[0].upper);
  EXPECT_EQ(wide.note,
            "Dashed: the paper's. The band of posterior (default) is too wide to be drawn.");
}

TEST(Notes, CurvesThatLieOnEachOtherSaySo) {
  report::Figure figure{.title = "",
                        .series = {curve("a", {10, 5, 0}), curve("b", {10, 5, 0.2}),
                                   curve("c", {10.05, 5.05}), curve("d", {10, 4.95, 0.05})}};
  make_readable(figure);
  EXPECT_EQ(figure.note, "On each other lie a, c, d.");
}

TEST(Notes, CurvesWithoutARoundInCommonDoNot) {
  report::Figure figure{.title = "", .series = {curve("a", {1, 2}), curve("b", {1, 2})}};
  for (report::Point& point : figure.series[1].points) point.t += 0.5;
  make_readable(figure);
  EXPECT_EQ(figure.note, "");
}

TEST(Notes, AControlThatBeatsEveryLearnerIsNamed) {
  Outcome outcome;
  const auto control = [](const std::string& name, const std::vector<double>& means) {
    report::Series series = curve(name, means);
    series.style = report::Style::faint;
    return series;
  };
  outcome.curves.average_loss = {curve("Proposed", {9, 7, 5}), curve("FKM", {9, 8, 6}),
                                 curve(default_learner, {9, 6})};
  EXPECT_EQ(better_controls(outcome), "");
  outcome.curves.average_loss.push_back(control("stay", {5.5, 5.5, 5.5}));
  EXPECT_EQ(better_controls(outcome), "");
  // Below all at the end, and above the one that ends before.
  outcome.curves.average_loss.push_back(control("random vertex", {9, 6.5, 4}));
  EXPECT_EQ(better_controls(outcome), "");
  outcome.curves.average_loss.push_back(control("fed a constant", {9, 5.5, 4}));
  EXPECT_EQ(better_controls(outcome),
            "Controls, which learn nothing, and end below every learner: fed a constant.");
}

}  // namespace
}  // namespace keyhole::reproduction
