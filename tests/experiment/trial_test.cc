// Learners that are too slow for a problem are left out there, and stay so.

#include "experiment/trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "experiment/run.h"
#include "experiment/unit.h"
#include "instances.h"

namespace keyhole::tests {
namespace {

using experiment::Trial;

/// Plays the centre, and takes its time.
class Slow final : public Algorithm {
 public:
  Slow(SetPtr set, const std::atomic<bool>& slow) : Algorithm(std::move(set)), slow_(slow) {}
  [[nodiscard]] std::string spec() const override { return "slow()"; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(set().centre().begin(), set().centre().end(), x.begin());
  }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t) const override { return {.note = "none"}; }
  void play(PlayId, Randomness&, std::span<double> y) override {
    recommend(y);
    if (slow_) std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  bool absorb(PlayId, double, Randomness&) override { return true; }
  [[nodiscard]] double loss_bound() const noexcept override { return 1; }

 private:
  const std::atomic<bool>& slow_;
};

Catalogue with_slow(const std::atomic<bool>& slow) {
  Catalogue all = catalogue();
  all.add(algorithm("slow", [&slow](const AlgorithmContext& context) {
    // Slow on the long problem only.
    static const std::atomic<bool> never = false;
    return std::make_unique<Slow>(context.set, *context.horizon > 20 ? slow : never);
  }));
  return all;
}

// A round of the others takes a microsecond, and 20 ms only if the machine is asleep.
const std::string text =
    "rounds = 70\nrepeats = 3\nslowest = 0.02\nproblems = ['target', 'short']\n"
    "learners = ['ogd', 'slow', 'stay']\ncontrols = false\n";

TEST(Trial, WhoIsTooSlowIsLeftOutAndTheRestIsTheSame) {
  const Folder folder;
  const std::atomic<bool> slow = true;
  experiment::RunOptions options = quick(folder.path("out"), 2);
  options.catalogue = with_slow(slow);
  const auto experiment = experiment::parse_experiment(text, "trial.toml", "", options.catalogue);
  const auto report = experiment::run(experiment, options);
  ASSERT_TRUE(report.complete);
  const auto& learners = report.summary.problems[0].learners;
  EXPECT_FALSE(learners[0].left_out);
  EXPECT_TRUE(learners[1].left_out);
  EXPECT_FALSE(learners[2].left_out);
  EXPECT_GE(learners[1].seconds_per_round.value(), 0.05);
  EXPECT_FALSE(report.summary.problems[1].learners[1].left_out);
  const auto curves = bytes(folder.path("out/curves.csv"));
  EXPECT_EQ(curves->find("\ntarget,slow,"), std::string::npos);
  EXPECT_NE(curves->find("\nshort,slow,"), std::string::npos);

  // The others play as they would without it.
  experiment::UnitWatch watch;
  const auto trial = Trial::read(bytes(folder.path("out/trial.json")).value(), experiment);
  ASSERT_TRUE(trial.has_value());
  EXPECT_EQ(trial->left_out(0, 1), learners[1].seconds_per_round);
  const auto part = run_unit(experiment, options.catalogue, 0, 1, watch, *trial);
  EXPECT_FALSE(part.players[1].played);
  const auto alone = run_unit(
      experiment::parse_experiment("rounds = 70\nrepeats = 3\nproblems = 'target'\nlearners = "
                                   "['ogd', 'stay']\ncontrols = false\n",
                                   "alone.toml", "", options.catalogue),
      options.catalogue, 0, 1, watch);
  EXPECT_EQ(part.players[0], alone.players[0]);
  EXPECT_EQ(part.players[2], alone.players[1]);
  EXPECT_EQ(experiment::read_part(experiment::part_text(part)), part);
}

TEST(Trial, AContinuedRunAgreesWithItself) {
  const Folder folder;
  std::atomic<bool> slow = true;
  experiment::RunOptions options = quick(folder.path("out"));
  options.catalogue = with_slow(slow);
  const auto experiment = experiment::parse_experiment(text, "trial.toml", "", options.catalogue);
  (void)experiment::run(experiment, options);
  const auto curves = bytes(folder.path("out/curves.csv"));
  const auto summary = bytes(folder.path("out/summary.json"));

  // It would be fast enough now, and stays left out.
  slow = false;
  std::filesystem::remove(folder.path("out/parts/0-1.json"));
  EXPECT_EQ(experiment::run(experiment, options).computed, 1U);
  EXPECT_EQ(bytes(folder.path("out/curves.csv")), curves);
  EXPECT_EQ(bytes(folder.path("out/summary.json")), summary);

  // Without the record (damaged, here) there is a new trial; parts that contradict it are done
  // again.
  std::string damaged = bytes(folder.path("out/trial.json")).value();
  damaged[40] = static_cast<char>(damaged[40] ^ 1);
  write_bytes(folder.path("out/trial.json"), damaged);
  const auto report = experiment::run(experiment, options);
  EXPECT_EQ(report.computed, 3U);  // of target; short is as it was
  EXPECT_FALSE(report.summary.problems[0].learners[1].left_out);
  EXPECT_NE(bytes(folder.path("out/curves.csv"))->find("\ntarget,slow,"), std::string::npos);
}

TEST(Trial, IsStoppedAndLeavesNoRecord) {
  const Folder folder;
  const std::atomic<bool> slow = true;
  const std::atomic<bool> stop = true;
  experiment::RunOptions options = quick(folder.path("out"));
  options.catalogue = with_slow(slow);
  options.stop = &stop;
  const auto experiment = experiment::parse_experiment(text, "trial.toml", "", options.catalogue);
  EXPECT_FALSE(experiment::run(experiment, options).complete);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out/trial.json")));
}

/// Hands out some problems and then no more, as one of several processes sees it.
std::function<std::optional<std::uint64_t>()> handing_out(std::vector<std::uint64_t> problems) {
  return [problems = std::move(problems), k = std::size_t{0}]() mutable {
    return k < problems.size() ? std::optional(problems[k++]) : std::nullopt;
  };
}

TEST(Trial, SeveralProcessesFindItOutTogether) {
  using experiment::Stage;
  const Folder folder;
  std::atomic<bool> slow = true;
  experiment::RunOptions options = quick(folder.path("out"));
  options.catalogue = with_slow(slow);
  const auto experiment = experiment::parse_experiment(text, "trial.toml", "", options.catalogue);
  const auto run_stage = [&](Stage stage, std::vector<std::uint64_t> problems = {}) {
    options.stage = stage;
    options.next = {};
    if (stage == Stage::trial) options.next = handing_out(std::move(problems));
    return experiment::run(experiment, options).complete;
  };
  EXPECT_TRUE(run_stage(Stage::trial, {0}));  // and then its process is killed
  EXPECT_TRUE(std::filesystem::exists(folder.path("out/trial/0.json")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("out/trial.json")));
  EXPECT_THROW((void)run_stage(Stage::units), experiment::RunError);

  slow = false;  // who was found to be slow stays so
  EXPECT_TRUE(run_stage(Stage::trial, {1, 0}));
  EXPECT_TRUE(run_stage(Stage::prepare));
  const auto trial = Trial::read(bytes(folder.path("out/trial.json")).value(), experiment);
  ASSERT_TRUE(trial.has_value());
  EXPECT_TRUE(trial->is_complete(experiment));
  EXPECT_GE(trial->left_out(0, 1).value(), 0.05);
  EXPECT_FALSE(trial->left_out(1, 1));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("out/trial")));
  EXPECT_TRUE(run_stage(Stage::units));
  EXPECT_TRUE(run_stage(Stage::results));
}

TEST(Trial, ADamagedShareIsFoundOutAgain) {
  using experiment::Stage;
  const Folder folder;
  std::atomic<bool> slow = true;
  experiment::RunOptions options = quick(folder.path("out"));
  options.catalogue = with_slow(slow);
  const auto experiment = experiment::parse_experiment(text, "trial.toml", "", options.catalogue);
  options.stage = Stage::trial;
  options.next = handing_out({0, 1});
  EXPECT_TRUE(experiment::run(experiment, options).complete);
  std::string damaged = bytes(folder.path("out/trial/0.json")).value();
  damaged[40] = static_cast<char>(damaged[40] ^ 1);
  write_bytes(folder.path("out/trial/0.json"), damaged);
  slow = false;
  options.stage = Stage::prepare;
  options.next = {};
  EXPECT_TRUE(experiment::run(experiment, options).complete);
  const auto trial = Trial::read(bytes(folder.path("out/trial.json")).value(), experiment);
  ASSERT_TRUE(trial.has_value());
  EXPECT_TRUE(trial->is_complete(experiment));
  EXPECT_FALSE(trial->left_out(0, 1));
}

TEST(Trial, IsOfOneExperimentAndWhole) {
  const std::atomic<bool> never = false;
  const auto one = experiment::parse_experiment(text, "a.toml", "", with_slow(never));
  const auto other = small_experiment(10, 2);
  const std::string written = Trial().text(one);
  EXPECT_TRUE(Trial::read(written, one).has_value());
  EXPECT_FALSE(Trial::read(written, other).has_value());
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_FALSE(Trial::read(written.substr(0, i), one).has_value()) << i;
  }
}

}  // namespace
}  // namespace keyhole::tests
