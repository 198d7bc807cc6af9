#include <gtest/gtest.h>

#include "instances.h"
#include "keyhole/experiment.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

ExperimentText text_of(const std::string& learners, std::uint64_t rounds = 50) {
  return {.toml = "rounds = " + std::to_string(rounds) +
                  "\nrepeats = 2\nproblems = 'target'\ncontrols = false\nlearners = " + learners};
}

TEST(RunExperiment, IsTheRunOfTheSameText) {
  const Folder folder;
  const ExperimentText text = text_of("['anytime', 'ogd']");
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  const ExperimentOutcome outcome =
      run_experiment(text,
                     {.directory = folder.path("out"),
                      .threads = 2,
                      .progress =
                          [&](std::uint64_t so_far, std::uint64_t all) {
                            done = so_far;
                            total = all;
                          },
                      .timing_seconds = 0},
                     catalogue());
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.computed, 2U);
  EXPECT_EQ(outcome.warnings, std::vector<std::string>());
  EXPECT_EQ(done, 100U);
  EXPECT_EQ(total, 100U);
  const auto parsed = experiment::parse_experiment(text.toml, "a.toml", "", catalogue());
  (void)experiment::run(parsed, quick(folder.path("other")));
  EXPECT_EQ(bytes(folder.path("out/curves.csv")), bytes(folder.path("other/curves.csv")));
}

TEST(RunExperiment, StopsAndGoesOn) {
  const Folder folder;
  std::atomic<bool> stop = true;
  ExperimentOptions options = {
      .directory = folder.path("out"), .threads = 1, .stop = &stop, .timing_seconds = 0};
  EXPECT_FALSE(run_experiment(text_of("'ogd'", 100'000), options, catalogue()).complete);
  stop = false;
  EXPECT_TRUE(run_experiment(text_of("'ogd'", 100'000), options, catalogue()).complete);
  EXPECT_EQ(run_experiment(text_of("'ogd'", 100'000), options, catalogue()).computed, 0U);
}

TEST(RunExperiment, NestsWhatWasThrown) {
  const Folder folder;
  const ExperimentOptions options = {.directory = folder.path("out"), .threads = 1};
  try {
    run_experiment(text_of("'throws'"), options, catalogue());
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "problem 'target', repeat 0, learner 'throws': mischief in round 7");
    EXPECT_EQ(message<std::runtime_error>([&] { std::rethrow_if_nested(error); }),
              "mischief in round 7");
  }
}

TEST(CanonicalExperiment, IsThePrintedConfig) {
  const std::string once = canonical_experiment(text_of("'ogd'"), catalogue());
  EXPECT_EQ(once,
            "rounds = 50\nrepeats = 2\nseed = 0\ncontrols = false\nproblems = [\n  {name = "
            "\"target\", spec = \"target\"},\n]\nlearners = [\n  {name = \"ogd\", spec = "
            "\"ogd\"},\n]\n");
  EXPECT_EQ(canonical_experiment({.toml = once}, catalogue()), once);
}

TEST(CanonicalExperiment, SaysWhereOnlyOfATextWithAName) {
  const auto refusal = [](const std::string& name) {
    return message<InputError>(
        [&] { (void)canonical_experiment({.toml = "\nround = 3", .name = name}, catalogue()); });
  };
  EXPECT_EQ(refusal("a.toml"), "a.toml:2: unknown key 'round'; did you mean 'rounds'?");
  EXPECT_EQ(refusal(""), "unknown key 'round'; did you mean 'rounds'?");
}

}  // namespace
}  // namespace keyhole::tests
