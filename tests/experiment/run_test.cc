#include "experiment/run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "experiment/directory.h"
#include "experiment/measures/grid.h"
#include "experiment/measures/interval.h"
#include "experiment/unit.h"
#include "instances.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::Experiment;
using experiment::RunError;
using experiment::RunOptions;
using experiment::RunReport;

std::vector<std::string> files_of(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return {names.begin(), names.end()};
}

TEST(Run, LeavesADirectoryOfResults) {
  const Folder folder;
  const Experiment experiment = small_experiment(64, 3);
  const std::string out = folder.path("new/results");
  const RunReport report = experiment::run(experiment, quick(out));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.units, 3U);
  EXPECT_EQ(report.computed, 3U);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(files_of(out),
            (std::vector<std::string>{"curves.csv", "experiment.toml", "lock", "meta.json", "parts",
                                      "summary.json", "times"}));
  EXPECT_EQ(files_of(out + "/parts"),
            (std::vector<std::string>{"0-0.json", "0-1.json", "0-2.json"}));
  EXPECT_EQ(bytes(out + "/experiment.toml"), experiment.text);
  const std::string meta = bytes(out + "/meta.json").value();
  EXPECT_NE(meta.find("\"version\": \"" + std::string(version) + "\""), std::string::npos);
  EXPECT_NE(meta.find("\"commit\": \""), std::string::npos);
  EXPECT_NE(meta.find("\"trace_revision\": " + std::to_string(trace_revision)), std::string::npos);
}

TEST(Run, CurvesAreMeansAndIntervalsOverTheRepeats) {
  const Folder folder;
  const Experiment experiment = small_experiment(20, 4);
  const RunReport report = experiment::run(experiment, quick(folder.path("out")));
  // The same from the units, by the textbook's formulas.
  std::string expected = "problem,learner,measure,round,mean,lower,upper,repeats\n";
  std::vector<experiment::Part> parts;
  experiment::UnitWatch watch;
  for (std::uint64_t repeat = 0; repeat < 4; ++repeat) {
    parts.push_back(experiment::run_unit(experiment, catalogue(), 0, repeat, watch));
  }
  std::istringstream curves(bytes(folder.path("out/curves.csv")).value());
  std::string line;
  std::getline(curves, line);
  EXPECT_EQ(line, "problem,learner,measure,round,mean,lower,upper,repeats");
  const double t = experiment::student_t_95(3);
  for (std::size_t k = 0; k < 2; ++k) {
    for (const bool regret : {false, true}) {
      const auto rounds = regret ? experiment::regret_grid(20) : experiment::fine_grid(20);
      for (std::size_t i = 0; i < rounds.size(); ++i) {
        double mean = 0;
        double squares = 0;
        const auto value = [&](const experiment::Part& part) {
          const auto& player = part.players[k];
          return regret ? player.average_regret[i] : player.average_loss[i];
        };
        for (const auto& part : parts) mean += value(part) / 4;
        for (const auto& part : parts) squares += (value(part) - mean) * (value(part) - mean);
        const double half_width = t * std::sqrt(squares / 3) / 2;
        ASSERT_TRUE(std::getline(curves, line));
        const std::string begin = std::string("target,") + (k == 0 ? "anytime" : "ogd") + "," +
                                  (regret ? "average_regret" : "average_loss") + "," +
                                  std::to_string(rounds[i]) + ",";
        ASSERT_EQ(line.substr(0, begin.size()), begin);
        double numbers[3];
        char comma = 0;
        std::istringstream rest(line.substr(begin.size()));
        rest >> numbers[0] >> comma >> numbers[1] >> comma >> numbers[2];
        EXPECT_NEAR(numbers[0], mean, 1e-14);
        EXPECT_NEAR(numbers[1], mean - half_width, 1e-13);
        EXPECT_NEAR(numbers[2], mean + half_width, 1e-13);
        EXPECT_EQ(line.substr(line.size() - 2), ",4");
      }
    }
  }
  EXPECT_FALSE(std::getline(curves, line));
  ASSERT_EQ(report.summary.problems.size(), 1U);
  EXPECT_EQ(report.summary.problems[0].rounds, 20U);
}

TEST(Run, ASingleRepeatHasNoInterval) {
  const Folder folder;
  (void)experiment::run(small_experiment(1, 1), quick(folder.path("out")));
  std::istringstream curves(bytes(folder.path("out/curves.csv")).value());
  std::string line;
  std::getline(curves, line);
  std::getline(curves, line);
  EXPECT_EQ(line.substr(line.size() - 4), ",,,1");
}

TEST(Run, AnyNumberOfThreadsGivesTheSameBytes) {
  const Folder folder;
  const Experiment experiment = experiment::parse_experiment(
      "rounds = 200\nrepeats = 7\nproblems = ['target', 'short']\n"
      "learners = ['anytime', 'projection_free', 'ogd']\n",
      "threads.toml", "", catalogue());
  for (const unsigned threads : {1U, 2U, 3U, 16U, 0U}) {
    const std::string out = folder.path(std::to_string(threads));
    const RunReport report = experiment::run(experiment, quick(out, threads));
    EXPECT_EQ(report.computed, 14U);
    EXPECT_EQ(report.warnings,
              (std::vector<std::string>{
                  "problem 'short': the problem has 20 of the 200 rounds asked for"}));
    EXPECT_EQ(bytes(out + "/curves.csv"), bytes(folder.path("1/curves.csv")));
    EXPECT_EQ(bytes(out + "/summary.json"), bytes(folder.path("1/summary.json")));
  }
}

TEST(Run, EachLossIsDrawnOnceAndFoundPartsNotAtAll) {
  const Folder folder;
  const Experiment experiment = small_experiment(50, 4);
  std::atomic<std::uint64_t> draws = 0;
  RunOptions options = quick(folder.path("out"), 2);
  options.catalogue = catalogue(&draws);
  (void)experiment::run(experiment, options);
  EXPECT_EQ(draws, 200U);
  const auto curves = bytes(folder.path("out/curves.csv"));
  const RunReport again = experiment::run(experiment, options);
  EXPECT_EQ(draws, 200U);
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.computed, 0U);
  EXPECT_EQ(bytes(folder.path("out/curves.csv")), curves);
  // Lost results are made again from the parts.
  std::filesystem::remove(folder.path("out/curves.csv"));
  std::filesystem::remove(folder.path("out/summary.json"));
  (void)experiment::run(experiment, options);
  EXPECT_EQ(draws, 200U);
  EXPECT_EQ(bytes(folder.path("out/curves.csv")), curves);
}

TEST(Run, ADamagedPartIsComputedAgainWithAWarning) {
  const Folder folder;
  const Experiment experiment = small_experiment(30, 3);
  const std::string out = folder.path("out");
  (void)experiment::run(experiment, quick(out));
  const auto curves = bytes(out + "/curves.csv");
  const std::string part = out + "/parts/0-1.json";
  write_bytes(part, bytes(part).value().substr(0, 100));
  const RunReport report = experiment::run(experiment, quick(out));
  EXPECT_EQ(report.computed, 1U);
  EXPECT_EQ(report.warnings,
            (std::vector<std::string>{part + ": it is damaged and is computed again"}));
  EXPECT_EQ(bytes(out + "/curves.csv"), curves);
  // So is a whole one that belongs elsewhere.
  write_bytes(part, bytes(out + "/parts/0-2.json").value());
  EXPECT_EQ(experiment::run(experiment, quick(out)).computed, 1U);
  EXPECT_EQ(bytes(out + "/curves.csv"), curves);
}

TEST(Run, AFailureIsNamedAndWhatWasFinishedStays) {
  const Folder folder;
  const std::string text =
      "rounds = 9\nrepeats = 3\nproblems = 'target'\nlearners = ['ogd', 'throws']\n"
      "controls = false\n";
  const Experiment experiment = experiment::parse_experiment(text, "throws.toml", "", catalogue());
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(message<RunError>([&] {
                (void)experiment::run(experiment, quick(folder.path("out"), threads));
              }).substr(0, 25),
              "problem 'target', repeat ");
  }
  EXPECT_EQ(
      message<RunError>([&] { (void)experiment::run(experiment, quick(folder.path("out"), 1)); }),
      "problem 'target', repeat 0, learner 'throws': mischief in round 7");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("out/parts")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("out/curves.csv")));
}

/// Asks for a stop once so many rounds have been played.
class StopAfter final : public experiment::ProgressSink {
 public:
  StopAfter(std::uint64_t rounds, std::atomic<bool>& stop) : rounds_(rounds), stop_(stop) {}
  void update(const experiment::Advance& advance) override {
    if (advance.done >= rounds_) stop_ = true;
  }
  void timing() override {}
  void end(const experiment::Advance& advance, experiment::Ending ending) override {
    last = advance;
    ended = ending;
  }
  experiment::Advance last = {};
  experiment::Ending ended = experiment::Ending::failed;

 private:
  std::uint64_t rounds_;
  std::atomic<bool>& stop_;
};

TEST(Run, StopsWhenToldAndContinues) {
  const Folder folder;
  const Experiment experiment = small_experiment(20'000, 30);
  const RunReport whole = experiment::run(experiment, quick(folder.path("whole"), 2));
  RunOptions options = quick(folder.path("out"), 2);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  std::uint64_t computed = 0;
  int calls = 0;
  for (bool complete = false; !complete && calls < 100; ++calls) {
    stop = calls == 0;  // the first call is stopped before it begins
    StopAfter sink(computed * 20'000 + 60'000, stop);
    options.progress = &sink;
    const RunReport report = experiment::run(experiment, options);
    EXPECT_EQ(sink.ended == experiment::Ending::complete, report.complete);
    EXPECT_EQ(sink.last.total, 600'000U);
    EXPECT_EQ(sink.last.earlier, computed * 20'000);
    computed += report.computed;
    complete = report.complete;
    EXPECT_EQ(std::filesystem::exists(folder.path("out/curves.csv")), complete);
  }
  EXPECT_GT(calls, 2);
  EXPECT_EQ(computed, 30U);
  EXPECT_EQ(bytes(folder.path("out/curves.csv")), bytes(folder.path("whole/curves.csv")));
  EXPECT_TRUE(whole.complete);
}

TEST(Run, AnInterruptedSearchForTheBestPointEndsToo) {
  // From round 4 on, where the third search begins, the gradients turn from call to call, so that
  // no search ends by itself; the stop comes in the middle of it.
  class Endless final : public Problem {
   public:
    explicit Endless(std::atomic<bool>& stop) : Problem(ball(2)), stop_(stop) {}
    [[nodiscard]] std::string spec() const override { return "endless()"; }
    [[nodiscard]] LossBounds bounds() const override { return {1, 1, true}; }
    [[nodiscard]] double value(std::span<const double> x) const override { return x[0] * 0.5; }
    void gradient(std::span<const double>, std::span<double> g) const override {
      if (drawn() >= 4) {
        ++calls_;
        stop_ = calls_ > 100;
        // The run looks at the flag every 50 ms.
        if (calls_ > 100) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (calls_ > 10000) throw std::runtime_error("the search was not interrupted");
      }
      g[0] = std::cos(calls_);
      g[1] = std::sin(calls_);
    }

   private:
    void realise(std::uint64_t) override {}
    std::atomic<bool>& stop_;
    mutable int calls_ = 0;
  };
  const Folder folder;
  std::atomic<bool> stop = false;
  const Experiment experiment = experiment::parse_experiment(
      "rounds = 100_000\nproblems = 'target'\nlearners = 'stay'\ncontrols = false\n", "e.toml", "",
      catalogue());
  RunOptions options = quick(folder.path("out"));
  options.stop = &stop;
  Catalogue endless;
  endless.add(
      problem("target", [&](const ProblemContext&) { return std::make_unique<Endless>(stop); }));
  endless.add(*options.catalogue.find(SpecKind::learner, "stay"));
  options.catalogue = endless;
  EXPECT_FALSE(experiment::run(experiment, options).complete);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("out/parts")));
}

TEST(Directory, OfAnotherExperimentIsLeftAlone) {
  const Folder folder;
  const std::string out = folder.path("out");
  (void)experiment::run(small_experiment(10, 2, 1), quick(out));
  const auto curves = bytes(out + "/curves.csv");
  EXPECT_EQ(
      message<RunError>([&] { (void)experiment::run(small_experiment(10, 2, 2), quick(out)); }),
      out +
          ": the directory holds another experiment (see its experiment.toml): its 'seed' is 1, "
          "here it is 2; choose another directory; nothing was overwritten");
  EXPECT_EQ(bytes(out + "/curves.csv"), curves);
  EXPECT_EQ(bytes(out + "/experiment.toml"), small_experiment(10, 2, 1).text);
  std::filesystem::remove(out + "/experiment.toml");
  EXPECT_EQ(
      message<RunError>([&] { (void)experiment::run(small_experiment(10, 2, 1), quick(out)); }),
      out +
          ": the directory holds another experiment, and its experiment.toml is missing: choose "
          "another directory; nothing was overwritten");
}

TEST(Directory, WithOtherThingsIsLeftAlone) {
  const Folder folder;
  const std::string out = folder.path("out");
  std::filesystem::create_directory(out);
  write_bytes(out + "/letter.txt", "Dear reader");
  EXPECT_EQ(message<RunError>([&] { (void)experiment::run(small_experiment(10, 2), quick(out)); }),
            out +
                ": the directory is not empty and holds no experiment (there is 'letter.txt'): "
                "choose another one; nothing was written");
  EXPECT_EQ(files_of(out), (std::vector<std::string>{"letter.txt"}));
}

TEST(Directory, OfAnotherRevisionOrDamagedIsRefused) {
  const Folder folder;
  const std::string out = folder.path("out");
  const Experiment experiment = small_experiment(10, 2);
  (void)experiment::run(experiment, quick(out));
  const std::string meta = bytes(out + "/meta.json").value();
  std::string other = meta;
  const std::string revision = "\"trace_revision\": " + std::to_string(trace_revision);
  other.replace(other.find(revision), revision.size(), "\"trace_revision\": 999");
  write_bytes(out + "/meta.json", other);
  EXPECT_EQ(message<RunError>([&] { (void)experiment::run(experiment, quick(out)); }),
            out + ": the directory was begun with trace revision 999 and this version has " +
                std::to_string(trace_revision) + ": their digits differ; choose another directory");
  write_bytes(out + "/meta.json", "{");
  EXPECT_EQ(message<RunError>([&] { (void)experiment::run(experiment, quick(out)); }),
            out + "/meta.json: it is damaged; choose another directory");
  // Another commit of the same revision goes on, with a warning.
  other = meta;
  const std::string version_field = "\"version\": \"" + std::string(version) + "\"";
  other.replace(other.find(version_field), version_field.size(), "\"version\": \"0.0.1\"");
  write_bytes(out + "/meta.json", other);
  const RunReport report = experiment::run(experiment, quick(out));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].substr(0, 50), "the experiment was begun by version 0.0.1, commit ");
  EXPECT_EQ(report.summary.version, "0.0.1");
}

TEST(Directory, ThatCannotBeMadeIsAnError) {
  const Folder folder;
  write_bytes(folder.path("file"), "");
  const std::string below = folder.path("file/out");
  EXPECT_EQ(message<RunError>([&] {
              (void)experiment::run(small_experiment(10, 2), quick(below));
            }).substr(0, below.size() + 32),
            below + ": the directory cannot be made: ");
  const std::string file = folder.path("file");
  EXPECT_NE(message<RunError>([&] { (void)experiment::run(small_experiment(10, 2), quick(file)); }),
            "nothing was thrown");
  EXPECT_EQ(bytes(file), "");
  EXPECT_NE(message<RunError>(
                [&] { (void)experiment::run(small_experiment(10, 2), quick("/proc/keyhole")); }),
            "nothing was thrown");
}

TEST(Directory, IsForOneProcessAtATime) {
  const Folder folder;
  const Experiment experiment = small_experiment(10, 2);
  const std::string out = folder.path("out");
  base::Disk disk;
  {
    const experiment::Directory held(out, experiment, disk, catalogue());
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string refusal =
          message<RunError>([&] { (void)experiment::run(experiment, quick(out)); });
      ::_exit(refusal == out + ": another process is running this experiment" ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_TRUE(experiment::run(experiment, quick(out)).complete);
}

/// Fails from its k-th call on, as a full disk would: half of what was to be written is.
class FullDisk final : public base::Disk {
 public:
  explicit FullDisk(int calls) : left_(calls) {}
  int create(const std::string& path) override { return full() ? -1 : Disk::create(path); }
  std::ptrdiff_t write(int file, const char* data, std::size_t count, std::uint64_t from) override {
    if (!full()) return Disk::write(file, data, std::min<std::size_t>(count, 1000), from);
    (void)Disk::write(file, data, count / 2, from);
    errno = ENOSPC;
    return -1;
  }
  int sync(int file) override { return full() ? -1 : Disk::sync(file); }
  int rename(const std::string& from, const std::string& to) override {
    return full() ? -1 : Disk::rename(from, to);
  }
  [[nodiscard]] bool was_full() const { return was_full_; }

 private:
  bool full() {
    if (left_-- > 0) return false;
    was_full_ = true;
    errno = ENOSPC;
    return true;
  }
  std::atomic<int> left_;
  std::atomic<bool> was_full_ = false;
};

TEST(Directory, AFullDiskAtAnyMomentIsAnErrorAndTheNextRunGoesOn) {
  const Folder folder;
  const Experiment experiment = small_experiment(40, 2);
  (void)experiment::run(experiment, quick(folder.path("whole")));
  const auto curves = bytes(folder.path("whole/curves.csv"));
  const auto summary = bytes(folder.path("whole/summary.json"));
  int calls = 0;
  for (bool was_full = true; was_full; ++calls) {
    ASSERT_LT(calls, 1000);
    const std::string out = folder.path(std::to_string(calls));
    FullDisk disk(calls);
    RunOptions options = quick(out);
    options.disk = &disk;
    const std::string refusal = message<Error>([&] { (void)experiment::run(experiment, options); });
    was_full = disk.was_full();
    if (was_full) {
      EXPECT_NE(refusal.find("No space left on device"), std::string::npos) << refusal;
      // Whatever is there under its name is whole.
      for (const auto& [name, whole] : {std::pair("/curves.csv", curves)}) {
        const auto there = bytes(out + name);
        EXPECT_TRUE(!there || there == whole) << calls;
      }
      for (const auto& entry : std::filesystem::recursive_directory_iterator(out)) {
        EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
      }
    } else {
      EXPECT_EQ(refusal, "nothing was thrown");
    }
    EXPECT_TRUE(experiment::run(experiment, quick(out)).complete);
    EXPECT_EQ(bytes(out + "/curves.csv"), curves) << calls;
    EXPECT_EQ(bytes(out + "/summary.json"), summary) << calls;
  }
  EXPECT_GT(calls, 30);  // six files, at least five calls each
}

TEST(Disk, AFileIsReplacedAsAWholeOrNotAtAll) {
  const Folder folder;
  const std::string path = folder.path("file");
  const std::string old_text(3000, 'o');
  const std::string new_text(5000, 'n');
  int calls = 0;
  for (bool was_full = true; was_full; ++calls) {
    write_bytes(path, old_text);
    FullDisk disk(calls);
    const std::string refusal =
        message<base::DiskError>([&] { base::write_file(disk, path, new_text); });
    was_full = disk.was_full();
    EXPECT_EQ(refusal == "nothing was thrown", !was_full);
    // The last call that can fail is the sync of the folder, after the renaming.
    EXPECT_EQ(bytes(path), calls < 8 ? old_text : new_text) << calls;
    EXPECT_EQ(files_of(folder.path("")), (std::vector<std::string>{"file"}));
  }
  EXPECT_EQ(calls, 10);  // create, five writes, sync, rename, sync; and once without a failure
}

}  // namespace
}  // namespace keyhole::tests
