// The worst 2,000 rounds of a run.

#include "experiment/measures/worst_window.h"

#include <gtest/gtest.h>

#include <numeric>

#include "experiment/unit.h"
#include "instances.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using experiment::WorstWindow;

TEST(WorstWindow, IsTheLargestMeanOfTwoThousandInARow) {
  Random random(1);
  std::vector<double> numbers;
  WorstWindow window;
  for (int t = 0; t < 9000; ++t) {
    EXPECT_EQ(window.mean().has_value(), t >= 4048);
    numbers.push_back(t < 2048 ? 100 : random.normal() + (t > 5000 && t < 6000 ? 1 : 0));
    window.add(numbers.back());
  }
  double worst = -1;
  for (std::size_t first = 2048; first + 2000 <= numbers.size(); ++first) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
    worst = std::max(worst, std::accumulate(begin, begin + 2000, 0.0) / 2000);
  }
  EXPECT_NEAR(window.mean().value(), worst, 1e-12);
}

/// One who stays is never worse than staying; one who moves about is, and the summary says by how
/// much in units of the regret of staying.
TEST(WorstWindow, IsRelativeToStaying) {
  const Folder folder;
  Catalogue all = catalogue();
  all.add(algorithm("away", [](const AlgorithmContext& context) {
    return std::make_unique<Mischief>(context.set, Mischief::Kind::leaves, 4000);
  }));
  const auto experiment = experiment::parse_experiment(
      "rounds = 5000\nrepeats = 3\nseed = 2\nproblems = ['target']\n"
      "learners = ['ogd', 'away', 'stay']\ncontrols = false\n",
      "window.toml", "", all);
  auto options = quick(folder.path("out"));
  options.catalogue = all;
  const auto summary = experiment::run(experiment, options).summary;
  const auto& learners = summary.problems[0].learners;
  EXPECT_LT(learners[0].worst_window.value(), 0.2);
  EXPECT_GT(learners[1].worst_window.value(), 10);  // 3 from the centre, half of the time
  EXPECT_EQ(learners[2].worst_window.value(), 1);
  double worst = 0;
  double unit = 0;
  experiment::UnitWatch watch;
  for (std::uint64_t repeat = 0; repeat < 3; ++repeat) {
    const auto part = experiment::run_unit(experiment, all, 0, repeat, watch);
    worst = std::max(worst, part.players[1].worst_window.value());
    unit += part.players[2].average_regret.back() / 3;
  }
  EXPECT_NEAR(learners[1].worst_window.value(), 1 + worst / unit, 1e-9);
}

}  // namespace
}  // namespace keyhole::tests
