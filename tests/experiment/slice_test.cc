// An experiment in slices, by several processes, with and without a common disk.

#include "experiment/slice.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "experiment/gather.h"
#include "instances.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::Experiment;
using experiment::RunError;
using experiment::Slice;
using experiment::Stage;

const std::string sliced_text =
    "rounds = 50\nrepeats = 5\nproblems = ['target', 'short', {name = 'late', spec = 'target', "
    "delay = 7}]\nlearners = ['anytime', 'ogd']\n";

Experiment sliced(const std::string& more = "") {
  return experiment::parse_experiment(more + sliced_text, "s.toml", "", catalogue());
}

experiment::RunOptions stage(const std::string& out, Stage stage, Slice slice = {}) {
  experiment::RunOptions options = quick(out);
  options.stage = stage;
  options.slice = slice;
  return options;
}

TEST(Slice, EachUnitIsInOneAndAllAreAsLarge) {
  for (const std::uint64_t problems : {1U, 3U, 8U, 16U}) {
    for (const std::uint64_t count : {1U, 2U, 3U, 7U, 8U, 9U, 100U}) {
      std::map<std::uint64_t, std::uint64_t> sizes;
      std::map<std::uint64_t, std::set<std::uint64_t>> seen;  // problems of each
      const std::uint64_t units = problems * 64;
      for (std::uint64_t unit = 0; unit < units; ++unit) {
        const std::uint64_t slice = experiment::slice_of(unit, count);
        ASSERT_GE(slice, 1U);
        ASSERT_LE(slice, count);
        ++sizes[slice];
        seen[slice].insert(unit % problems);
      }
      for (const auto& [slice, size] : sizes) {
        EXPECT_GE(size, units / count) << slice;
        EXPECT_LE(size, units / count + 1) << slice;
      }
      for (const auto& [slice, some] : seen) {  // none has only some of the problems
        if (count == 100) continue;
        EXPECT_EQ(some.size(), problems) << slice << "/" << count;
      }
    }
  }
}

TEST(Slice, IsReadFromTextsAndFromSlurm) {
  EXPECT_EQ(experiment::read_slice("3/8"), (Slice{3, 8}));
  for (const std::string bad : {"", "3", "0/8", "9/8", "3/", "/8", "a/8", "3/8/9", "-1/8"}) {
    EXPECT_EQ(message<InvalidArgument>([&] { (void)experiment::read_slice(bad); }),
              "a slice is k/N, k from 1 to N, such as 3/8, or slurm; not '" + bad + "'");
  }
  const auto array = [](const char* id, const char* first, const char* last, const char* count) {
    ::setenv("SLURM_ARRAY_TASK_ID", id, 1);
    ::setenv("SLURM_ARRAY_TASK_MIN", first, 1);
    ::setenv("SLURM_ARRAY_TASK_MAX", last, 1);
    ::setenv("SLURM_ARRAY_TASK_COUNT", count, 1);
    return experiment::read_slice("slurm");
  };
  EXPECT_EQ(array("1", "1", "8", "8"), (Slice{1, 8}));
  EXPECT_EQ(array("7", "0", "7", "8"), (Slice{8, 8}));
  EXPECT_EQ(array("5", "5", "5", "1"), (Slice{1, 1}));
  EXPECT_EQ(array("4", "0", "6", "4"), (Slice{3, 4}));
  EXPECT_THROW((void)array("5", "3", "9", "3"), InvalidArgument);  // 3, 5, 9
  EXPECT_THROW((void)array("3", "3", "10", "3"), InvalidArgument);
  EXPECT_THROW((void)array("x", "1", "8", "8"), InvalidArgument);
  for (const char* name : {"ID", "MIN", "MAX", "COUNT"}) {
    ::unsetenv((std::string("SLURM_ARRAY_TASK_") + name).c_str());
  }
  EXPECT_THROW((void)experiment::read_slice("slurm"), InvalidArgument);
}

TEST(Slice, AllOfThemAtOnceGiveTheSameBytes) {
  const Folder folder;
  const Experiment experiment = sliced();
  (void)experiment::run(experiment, quick(folder.path("whole")));
  const std::string out = folder.path("out");
  std::vector<pid_t> children;
  for (std::uint64_t k = 1; k <= 4; ++k) {  // none of them finds the directory made
    children.push_back(::fork());
    if (children.back() != 0) continue;
    int code = 1;
    try {
      code = experiment::run(experiment, stage(out, Stage::units, {k, 4})).complete ? 0 : 2;
    } catch (const std::exception& error) {
      std::fputs(error.what(), stderr);
    }
    ::_exit(code);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_FALSE(std::filesystem::exists(out + "/curves.csv"));
  EXPECT_TRUE(experiment::run(experiment, stage(out, Stage::results)).complete);
  EXPECT_EQ(bytes(out + "/curves.csv"), bytes(folder.path("whole/curves.csv")));
  EXPECT_EQ(bytes(out + "/summary.json"), bytes(folder.path("whole/summary.json")));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(out)) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
}

TEST(Slice, MissingPartsAreNamedWithTheirSlices) {
  const Folder folder;
  const Experiment experiment = sliced();
  const std::string out = folder.path("out");
  for (const std::uint64_t k : {1U, 2U, 4U}) {
    const auto report = experiment::run(experiment, stage(out, Stage::units, {k, 4}));
    EXPECT_EQ(report.computed, report.units);
  }
  const auto merge = [&] {
    return message<RunError>(
        [&] { (void)experiment::run(experiment, stage(out, Stage::results)); });
  };
  EXPECT_EQ(merge(), out +
                         "/parts: 3 of 15 parts are missing: problem 'late', repeat 0 (slice 3/4); "
                         "problem 'short', repeat 1 (slice 3/4); problem 'short', repeat 3 (slice "
                         "3/4). Run these slices again: 3/4");
  (void)experiment::run(experiment, stage(out, Stage::units, {3, 4}));
  EXPECT_EQ(merge(), "nothing was thrown");
}

TEST(Slice, NeedsATrialThatWasMadeBefore) {
  const Folder folder;
  const Experiment experiment = sliced("slowest = 5\n");
  const std::string out = folder.path("out");
  const auto slice = [&] {
    return message<RunError>([&] {
      (void)experiment::run(experiment, stage(out, Stage::units, {1, 2}));
    });
  };
  EXPECT_NE(slice().find("'slowest': find out once who is too slow (--trial)"), std::string::npos);
  EXPECT_TRUE(experiment::run(experiment, stage(out, Stage::prepare)).complete);
  EXPECT_TRUE(std::filesystem::exists(out + "/trial.json"));
  EXPECT_TRUE(std::filesystem::is_empty(out + "/parts"));
  EXPECT_EQ(slice(), "nothing was thrown");
}

TEST(Slice, NumbersBehindThoseOfUnitsAreOfProblemsToBeTimed) {
  const Folder folder;
  const Experiment experiment = sliced();
  const std::string out = folder.path("out");
  auto options = stage(out, Stage::units);
  options.timing_seconds = 0.002;
  const std::uint64_t last = experiment::unit_count(experiment) + 2;  // of three problems
  std::atomic<std::uint64_t> count = 0;
  options.next = [&]() -> std::optional<std::uint64_t> {
    const std::uint64_t number = count++;
    return number < last ? std::optional(number) : std::nullopt;
  };
  EXPECT_EQ(experiment::run(experiment, options).computed, experiment::unit_count(experiment));
  const auto report = experiment::run(experiment, stage(out, Stage::results));
  for (std::size_t p = 0; p < 3; ++p) {
    for (const auto& learner : report.summary.problems[p].learners) {
      EXPECT_EQ(learner.seconds_per_round.has_value(), p < 2) << learner.named.name;
    }
  }
}

TEST(Slice, TimesSayWhereTheyWereMeasured) {
  const Folder folder;
  const Experiment experiment = sliced();
  const std::string out = folder.path("out");
  for (const std::uint64_t k : {1U, 2U}) {
    auto options = stage(out, Stage::units, {k, 2});
    options.timing_seconds = 0.002;
    (void)experiment::run(experiment, options);
  }
  const auto report = experiment::run(experiment, stage(out, Stage::results));
  for (const auto& problem : report.summary.problems) {
    for (const auto& learner : problem.learners) {
      EXPECT_GT(learner.seconds_per_round.value_or(0), 0) << learner.named.name;
      EXPECT_EQ(learner.timed_on, base::host_name());
    }
  }
}

TEST(Gather, DirectoriesOfSeveralMachinesBecomeOne) {
  const Folder folder;
  const Experiment experiment = sliced();
  (void)experiment::run(experiment, quick(folder.path("whole")));
  std::vector<std::string> places;
  for (std::uint64_t k = 1; k <= 3; ++k) {
    places.push_back(folder.path("machine" + std::to_string(k)));
    (void)experiment::run(experiment, stage(places.back(), Stage::units, {k, 3}));
  }
  const std::string damaged = places[1] + "/parts/1-0.json";
  const auto whole_part = bytes(damaged);
  ASSERT_TRUE(whole_part.has_value());
  write_bytes(damaged, whole_part->substr(0, 50));
  const auto options = stage(folder.path("out"), Stage::results);
  EXPECT_EQ(gather(experiment, options, places),
            (std::vector<std::string>{
                damaged + ": it is damaged, or of another trace revision, and was passed over"}));
  EXPECT_NE(message<RunError>([&] {
              (void)experiment::run(experiment, options);
            }).find("1 of 15 parts are missing: problem 'short', repeat 0 (slice 2/3)"),
            std::string::npos);
  write_bytes(damaged, *whole_part);
  EXPECT_TRUE(gather(experiment, options, places).empty());
  EXPECT_TRUE(experiment::run(experiment, options).complete);
  EXPECT_EQ(bytes(folder.path("out/curves.csv")), bytes(folder.path("whole/curves.csv")));
  EXPECT_EQ(bytes(folder.path("out/summary.json")), bytes(folder.path("whole/summary.json")));
  // Neither other experiments nor folders without one are taken.
  (void)experiment::run(small_experiment(10, 2), quick(folder.path("other")));
  for (const std::string& place : {folder.path("other"), folder.path("nothing")}) {
    EXPECT_THROW((void)gather(experiment, options, {place}), RunError);
  }
}

}  // namespace
}  // namespace keyhole::tests
