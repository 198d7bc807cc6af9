// Kills the process at random moments: what is started again ends with the same curves.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "instances.h"
#include "random.h"

namespace keyhole::tests {
namespace {

constexpr const char* directory_variable = "KEYHOLE_TEST_KILL_DIRECTORY";

experiment::Experiment long_experiment() {
  return experiment::parse_experiment(
      "rounds = 3000\nrepeats = 20\nproblems = ['target', {name = 'late', spec = 'target', delay = "
      "100, missing = 0.3}]\nlearners = ['anytime', 'ogd']\n",
      "k.toml", "", catalogue());
}

void run_here(const std::string& out) {
  experiment::RunOptions options = quick(out, 2);
  options.timing_seconds = 0.001;
  ASSERT_TRUE(experiment::run(long_experiment(), options).complete);
}

/// What the killed process does: this program is started again for this test alone.
TEST(KilledProcess, DISABLED_Runs) {
  const char* out = std::getenv(directory_variable);
  ASSERT_NE(out, nullptr);
  run_here(out);
}

pid_t start(const std::string& out) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv(directory_variable, out.c_str(), 1);
  ::unsetenv("GTEST_TOTAL_SHARDS");  // its one test may be of another shard
  ::unsetenv("GTEST_SHARD_INDEX");
  ::close(STDOUT_FILENO);
  ::execl("/proc/self/exe", "experiment_test", "--gtest_also_run_disabled_tests",
          "--gtest_filter=KilledProcess.DISABLED_Runs", static_cast<char*>(nullptr));
  ::_exit(127);
}

/// Waits, kills the child if it is still there, and says whether it was.
bool kill_after(pid_t child, double seconds, int& status) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST(Kill, AtTwentyRandomMomentsLeavesTheSameCurves) {
  const Folder folder;
  const auto begin = std::chrono::steady_clock::now();
  int status = 0;
  ::waitpid(start(folder.path("undisturbed")), &status, 0);
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
  const auto curves = bytes(folder.path("undisturbed/curves.csv"));
  ASSERT_TRUE(curves.has_value());

  Random random(7);
  int kills = 0;
  int completions = 0;
  int attempts = 0;
  std::string out = folder.path("0");
  for (; kills < 20 && attempts < 200; ++attempts) {
    // Short lives, so that an experiment takes several.
    if (kill_after(start(out), random.uniform(0, 0.5 * duration.count()), status)) {
      ++kills;
      continue;
    }
    ASSERT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(bytes(out + "/curves.csv"), curves);
    out = folder.path(std::to_string(++completions));
  }
  EXPECT_EQ(kills, 20);
  ::waitpid(start(out), &status, 0);
  ASSERT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(bytes(out + "/curves.csv"), curves);
  RecordProperty("completions", completions + 1);
}

}  // namespace
}  // namespace keyhole::tests
