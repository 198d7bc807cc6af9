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

/// An experiment with a learner that is too slow for its first problem, until it is told otherwise.
class TrialTest : public ::testing::Test {
 protected:
  TrialTest() { options_.catalogue = with_slow(slow_); }

  Folder folder_;
  std::atomic<bool> slow_ = true;
  experiment::RunOptions options_ = quick(folder_.path("out"));
  experiment::Experiment experiment_ =
      experiment::parse_experiment(text, "trial.toml", "", with_slow(slow_));
};

TEST_F(TrialTest, WhoIsTooSlowIsLeftOutAndTheRestIsTheSame) {
  options_.threads = 2;
  const auto report = experiment::run(experiment_, options_);
  ASSERT_TRUE(report.complete);
  const auto& learners = report.summary.problems[0].learners;
  EXPECT_FALSE(learners[0].left_out);
  EXPECT_TRUE(learners[1].left_out);
  EXPECT_FALSE(learners[2].left_out);
  EXPECT_GE(learners[1].seconds_per_round.value(), 0.05);
  EXPECT_FALSE(report.summary.problems[1].learners[1].left_out);
  const auto curves = bytes(folder_.path("out/curves.csv"));
  EXPECT_EQ(curves->find("\ntarget,slow,"), std::string::npos);
  EXPECT_NE(curves->find("\nshort,slow,"), std::string::npos);

  // The others play as they would without it.
  experiment::UnitWatch watch;
  const auto trial = Trial::read(bytes(folder_.path("out/trial.json")).value(), experiment_);
  ASSERT_TRUE(trial.has_value());
  EXPECT_EQ(trial->left_out(0, 1), learners[1].seconds_per_round);
  const auto part = run_unit(experiment_, options_.catalogue, 0, 1, watch, *trial);
  EXPECT_FALSE(part.players[1].played);
  const auto alone = run_unit(
      experiment::parse_experiment("rounds = 70\nrepeats = 3\nproblems = 'target'\nlearners = "
                                   "['ogd', 'stay']\ncontrols = false\n",
                                   "alone.toml", "", options_.catalogue),
      options_.catalogue, 0, 1, watch);
  EXPECT_EQ(part.players[0], alone.players[0]);
  EXPECT_EQ(part.players[2], alone.players[1]);
  EXPECT_EQ(experiment::read_part(experiment::part_text(part)), part);
}

TEST_F(TrialTest, AContinuedRunAgreesWithItself) {
  (void)experiment::run(experiment_, options_);
  const auto curves = bytes(folder_.path("out/curves.csv"));
  const auto summary = bytes(folder_.path("out/summary.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out/trial")));

  // It would be fast enough now, and stays left out.
  slow_ = false;
  std::filesystem::remove(folder_.path("out/parts/0-1.json"));
  EXPECT_EQ(experiment::run(experiment_, options_).computed, 1U);
  EXPECT_EQ(bytes(folder_.path("out/curves.csv")), curves);
  EXPECT_EQ(bytes(folder_.path("out/summary.json")), summary);

  // Without the record (damaged, here) there is a new trial; parts that contradict it are done
  // again.
  std::string damaged = bytes(folder_.path("out/trial.json")).value();
  damaged[40] = static_cast<char>(damaged[40] ^ 1);
  write_bytes(folder_.path("out/trial.json"), damaged);
  const auto report = experiment::run(experiment_, options_);
  EXPECT_EQ(report.computed, 3U);  // of target; short is as it was
  EXPECT_FALSE(report.summary.problems[0].learners[1].left_out);
  EXPECT_NE(bytes(folder_.path("out/curves.csv"))->find("\ntarget,slow,"), std::string::npos);
}

TEST_F(TrialTest, IsStoppedAndLeavesNoRecord) {
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  EXPECT_FALSE(experiment::run(experiment_, options_).complete);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out/trial.json")));
}

/// Hands out some problems and then no more, as one of several processes sees it.
std::function<std::optional<std::uint64_t>()> handing_out(std::vector<std::uint64_t> problems) {
  return [problems = std::move(problems), k = std::size_t{0}]() mutable {
    return k < problems.size() ? std::optional(problems[k++]) : std::nullopt;
  };
}

TEST_F(TrialTest, SeveralProcessesFindItOutTogether) {
  using experiment::Stage;
  const auto run_stage = [&](Stage stage, std::vector<std::uint64_t> problems = {}) {
    options_.stage = stage;
    options_.next = {};
    if (stage == Stage::trial) options_.next = handing_out(std::move(problems));
    return experiment::run(experiment_, options_).complete;
  };
  EXPECT_TRUE(run_stage(Stage::trial, {0}));  // and then its process is killed
  EXPECT_TRUE(std::filesystem::exists(folder_.path("out/trial/0.json")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out/trial.json")));
  EXPECT_THROW((void)run_stage(Stage::units), experiment::RunError);

  slow_ = false;  // who was found to be slow stays so
  EXPECT_TRUE(run_stage(Stage::trial, {1, 0}));
  EXPECT_TRUE(run_stage(Stage::prepare));
  const auto trial = Trial::read(bytes(folder_.path("out/trial.json")).value(), experiment_);
  ASSERT_TRUE(trial.has_value());
  EXPECT_TRUE(trial->is_complete(experiment_));
  EXPECT_GE(trial->left_out(0, 1).value(), 0.05);
  EXPECT_FALSE(trial->left_out(1, 1));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out/trial")));
  EXPECT_TRUE(run_stage(Stage::units));
  EXPECT_TRUE(run_stage(Stage::results));
}

TEST_F(TrialTest, ADamagedShareIsFoundOutAgain) {
  using experiment::Stage;
  options_.stage = Stage::trial;
  options_.next = handing_out({0, 1});
  EXPECT_TRUE(experiment::run(experiment_, options_).complete);
  std::string damaged = bytes(folder_.path("out/trial/0.json")).value();
  damaged[40] = static_cast<char>(damaged[40] ^ 1);
  write_bytes(folder_.path("out/trial/0.json"), damaged);
  slow_ = false;
  options_.stage = Stage::prepare;
  options_.next = {};
  EXPECT_TRUE(experiment::run(experiment_, options_).complete);
  const auto trial = Trial::read(bytes(folder_.path("out/trial.json")).value(), experiment_);
  ASSERT_TRUE(trial.has_value());
  EXPECT_TRUE(trial->is_complete(experiment_));
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
