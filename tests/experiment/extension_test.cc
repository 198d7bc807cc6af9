// A larger experiment in the directory of a smaller one: nothing is computed again, and the results
// are byte for byte those of the larger one from nothing.

#include "experiment/extension.h"

#include <gtest/gtest.h>

#include "experiment/unit.h"
#include "instances.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::Experiment;

Experiment parsed(const std::string& text, const Catalogue& all = catalogue()) {
  return experiment::parse_experiment(text, "e.toml", "", all);
}

const std::string settings = "rounds = 60\nseed = 3\ncheckpoints = [33]\n";
const std::string smaller =
    settings + "repeats = 3\nproblems = ['target']\nlearners = ['anytime', 'ogd']\n";
const std::string more_repeats =
    settings + "repeats = 5\nproblems = ['target']\nlearners = ['anytime', 'ogd']\n";
const std::string another_problem =
    settings + "repeats = 3\nproblems = ['target', 'short']\nlearners = ['anytime', 'ogd']\n";
// Another one is first, so that 'fed_constant' is fed by another one, and a name is new.
const std::string another_learner =
    settings +
    "repeats = 3\nproblems = ['target']\n"
    "learners = ['projection_free', {name = 'new', spec = 'ogd'}, 'anytime']\n";
const std::string all_of_it =
    settings +
    "repeats = 5\nproblems = ['target', {name = 'late', spec = 'target', delay = 9}]\n"
    "learners = ['anytime', 'projection_free', 'ogd', 'leaves']\n";

/// All results of a directory.
std::vector<std::optional<std::string>> results_of(const std::string& out,
                                                   const Experiment& experiment) {
  std::vector<std::optional<std::string>> all = {
      bytes(out + "/curves.csv"), bytes(out + "/summary.json"), bytes(out + "/experiment.toml")};
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    for (std::uint64_t repeat = 0; repeat < experiment.repeats; ++repeat) {
      all.push_back(
          bytes(out + "/parts/" + std::to_string(p) + "-" + std::to_string(repeat) + ".json"));
    }
  }
  return all;
}

TEST(Extension, HasTheBytesOfTheLargerExperimentFromNothing) {
  for (const std::string& text : {more_repeats, another_problem, another_learner, all_of_it}) {
    const Folder folder;
    const Experiment larger = parsed(text);
    const auto fresh = experiment::run(larger, quick(folder.path("fresh")));
    const std::string out = folder.path("out");
    const auto first = experiment::run(parsed(smaller), quick(out));
    EXPECT_FALSE(first.extended);
    const auto second = experiment::run(larger, quick(out, 2));
    EXPECT_TRUE(second.extended);
    EXPECT_TRUE(second.complete);
    EXPECT_EQ(second.warnings, fresh.warnings) << text;
    const auto results = results_of(out, larger);
    EXPECT_TRUE(std::all_of(results.begin(), results.end(), [](auto& one) { return !!one; }));
    EXPECT_EQ(results, results_of(folder.path("fresh"), larger)) << text;
    EXPECT_FALSE(experiment::run(larger, quick(out)).extended);
  }
}

TEST(Extension, ComputesNothingAgain) {
  const Folder folder;
  std::atomic<std::uint64_t> draws = 0;
  auto options = quick(folder.path("out"));
  options.catalogue = catalogue(&draws);
  (void)experiment::run(parsed(smaller), options);
  EXPECT_EQ(draws, 3U * 60U);
  draws = 0;
  EXPECT_EQ(experiment::run(parsed(more_repeats), options).computed, 2U);
  EXPECT_EQ(draws, 2U * 60U);
  // A learner that is new plays alone.
  Catalogue with_one_more = catalogue(&draws);
  with_one_more.add(algorithm("fine", [](const AlgorithmContext& context) {
    return std::make_unique<Mischief>(context.set, Mischief::Kind::none);
  }));
  draws = 0;
  const std::string text = settings +
                           "repeats = 5\nproblems = ['target']\n"
                           "learners = ['anytime', 'ogd', 'fine']\n";
  options.catalogue = with_one_more;
  const Experiment with_fine = parsed(text, with_one_more);
  EXPECT_EQ(experiment::run(with_fine, options).computed, 5U);
  EXPECT_EQ(draws, 5U * 60U);
  experiment::UnitWatch watch;
  const auto known = run_unit(with_fine, with_one_more, 0, 0, watch);
  watch.rounds = 0;
  auto without = known;
  without.players[2] = {.played = false, .spec = "fine"};
  without.players[0].algorithm = "not computed";
  const auto again = run_unit(with_fine, with_one_more, 0, 0, watch, {}, &without);
  EXPECT_EQ(again.players[0].algorithm, "not computed");
  EXPECT_EQ(again.players[2], known.players[2]);
}

TEST(Extension, OfAHalfFinishedExperimentAndAfterAFullDisk) {
  const Folder folder;
  const Experiment larger = parsed(all_of_it);
  (void)experiment::run(larger, quick(folder.path("fresh")));
  const std::string out = folder.path("out");
  (void)experiment::run(parsed(smaller), quick(out));
  std::filesystem::remove(out + "/parts/0-1.json");
  std::filesystem::remove(out + "/curves.csv");
  class NoRenames final : public base::Disk {
   public:
    int rename(const std::string& from, const std::string& to) override {
      errno = ENOSPC;
      return left-- > 0 ? Disk::rename(from, to) : -1;
    }
    int left = 0;
  };
  for (int renames = 0; renames < 4; ++renames) {
    NoRenames disk;
    disk.left = renames;
    auto options = quick(out);
    options.disk = &disk;
    EXPECT_NE(message<Error>([&] { (void)experiment::run(larger, options); }),
              "nothing was thrown");
  }
  EXPECT_TRUE(experiment::run(larger, quick(out)).complete);
  EXPECT_EQ(results_of(out, larger), results_of(folder.path("fresh"), larger));
}

TEST(Extension, WhatIsNoneIsRefusedAndNothingIsOverwritten) {
  const Folder folder;
  const std::string out = folder.path("out");
  (void)experiment::run(parsed(all_of_it), quick(out));
  const auto before = bytes(out + "/curves.csv");
  const auto refusal = [&](const std::string& text) {
    const std::string said =
        message<experiment::RunError>([&] { (void)experiment::run(parsed(text), quick(out)); });
    const std::string begin =
        out + ": the directory holds another experiment (see its experiment.toml): ";
    const std::string end = "; choose another directory; nothing was overwritten";
    EXPECT_TRUE(said.starts_with(begin) && said.ends_with(end)) << said;
    return said.substr(begin.size(), said.size() - begin.size() - end.size());
  };
  EXPECT_EQ(refusal(smaller), "it has 5 repeats, here there are only 3");
  EXPECT_EQ(refusal(more_repeats),
            "its problem 'late' is not the one at place 2 here (new problems come last)");
  std::string fewer = all_of_it;
  fewer.replace(fewer.find(", 'leaves'"), 10, "");
  EXPECT_EQ(refusal(fewer), "its learner 'leaves' is missing here");
  std::string longer = all_of_it;
  longer.replace(longer.find("60"), 2, "61");
  EXPECT_EQ(refusal(longer), "its 'rounds' is 60, here it is 61");
  EXPECT_EQ(refusal("slowest = 0.5\n" + all_of_it), "its 'slowest' is not set, here it is 0.5");
  std::string marks = all_of_it;
  marks.replace(marks.find("33"), 2, "32");
  EXPECT_EQ(refusal(marks), "its 'checkpoints' are others");
  EXPECT_EQ(bytes(out + "/curves.csv"), before);
  EXPECT_EQ(bytes(out + "/experiment.toml"), all_of_it);
}

TEST(Extension, TriesOnlyWhatIsNewForBeingTooSlow) {
  const Folder folder;
  const std::string slowest = "slowest = 5\n";
  (void)experiment::run(parsed(slowest + smaller), quick(folder.path("out")));
  const auto before = bytes(folder.path("out/trial.json"));
  const auto larger = parsed(slowest + all_of_it);
  EXPECT_FALSE(experiment::Trial::read(*before, larger)->is_complete(larger));
  EXPECT_TRUE(experiment::run(larger, quick(folder.path("out"))).complete);
  const auto after = bytes(folder.path("out/trial.json"));
  EXPECT_TRUE(experiment::Trial::read(*after, larger)->is_complete(larger));
}

}  // namespace
}  // namespace keyhole::tests
