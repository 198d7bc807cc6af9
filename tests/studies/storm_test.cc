// Processes that share a study in a folder, and are killed, or stopped while they hold its lock:
// nothing that was acknowledged is lost. The long form is KEYHOLE_STORM=1000.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "at_once.h"
#include "folder.h"
#include "judge.h"
#include "random.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

/// Processes that play a study as workers, each by its number, and write down what they hear. They
/// end with this object.
class Crowd {
 public:
  explicit Crowd(const Folder& folder, double wait = StoreOptions{}.wait)
      : store_(folder.path("studies")),
        wait_(wait),
        file_(::open(folder.path("heard").c_str(), O_CREAT | O_RDWR | O_APPEND, 0600)) {
    const Space space({{"pool", Shares{{"a", "b", "c"}}}}, {},
                      {{"load", Number{.from = 0, .to = 50}},
                       {"segment", Choice{{"new", "old"}}},
                       {"hour", Clock{}}});
    (void)Store(store_).create("s", {.on = space, .options = {.seed = 7}});
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() {
    while (!workers_.empty()) kill(workers_.begin()->first);
    ::close(file_);
  }

  void start(int worker, Durability durability = Durability::disk) {
    const pid_t child = ::fork();
    if (child == 0) work(worker, durability);
    workers_[worker] = child;
  }
  void signal(int worker, int number) const { ::kill(workers_.at(worker), number); }
  /// It must have lived until then.
  void kill(int worker) {
    signal(worker, SIGKILL);
    int status = 0;
    ::waitpid(workers_.at(worker), &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << worker_name(worker);
    workers_.erase(worker);
  }
  void kill_all() {
    for (const auto& [worker, child] : workers_) ::kill(child, SIGKILL);
    while (!workers_.empty()) kill(workers_.begin()->first);
  }

  /// What was written down so far. A play of number 0 means that the study was busy.
  const std::vector<Heard>& heard() {
    struct stat now = {};
    ::fstat(file_, &now);
    const std::size_t before = heard_.size();
    heard_.resize(static_cast<std::size_t>(now.st_size) / sizeof(Heard));
    const std::size_t more = (heard_.size() - before) * sizeof(Heard);
    EXPECT_EQ(
        ::pread(file_, heard_.data() + before, more, static_cast<off_t>(before * sizeof(Heard))),
        static_cast<ssize_t>(more));
    return heard_;
  }
  /// Waits until each worker but one has written down something of a kind since it had `from`.
  template <class Kind>
  void wait_for_all(std::size_t from, Kind kind, int but = -1) {
    EXPECT_TRUE(comes_true([&] {
      std::set<int> have = {but};
      heard();
      for (std::size_t k = from; k < heard_.size(); ++k) {
        if (kind(heard_[k])) have.insert(heard_[k].worker);
      }
      return have.size() == workers_.size() + (workers_.contains(but) ? 0 : 1);
    }));
  }
  /// The worker that has the lock of the log, as the system says; -1 if it is free.
  [[nodiscard]] int holder() const {
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
      std::istringstream words(line);  // such as "1: FLOCK ADVISORY WRITE 4711 fe:00:97 0 EOF"
      std::string number, kind, how, what, process;
      words >> number >> kind >> how >> what >> process;
      for (const auto& [worker, child] : workers_) {
        if (kind == "FLOCK" && process == std::to_string(child)) return worker;
      }
    }
    return -1;
  }
  /// Stops a worker that holds the lock; which one.
  [[nodiscard]] int stop_holder() const {
    int stopped = -1;
    EXPECT_TRUE(comes_true([&] {
      stopped = holder();
      if (stopped < 0) return false;
      signal(stopped, SIGSTOP);
      int status = 0;
      ::waitpid(workers_.at(stopped), &status, WUNTRACED);
      if (holder() == stopped) return true;
      signal(stopped, SIGCONT);  // too late
      return false;
    })) << "nobody ever holds the lock";
    return stopped;
  }
  [[nodiscard]] std::string log_path() const { return store_ + "/s/log"; }

  /// Nothing is wrong with what is left, and no more losses were stored than that without an
  /// answer. Returns how many were acknowledged.
  std::size_t expect_survival(std::size_t most_unheard) {
    kill_all();
    std::vector<Heard> plays;
    std::set<PlayId> told;
    std::size_t doubled = 0;
    for (const Heard& one : heard()) {
      if (one.play > 0) plays.push_back(one);
      if (one.told) doubled += told.insert(one.play).second ? 0 : 1;
    }
    EXPECT_EQ(doubled, 0U);
    const auto loss = [](const StudyPlay& play) { return loss_of(play.id); };
    const Verdict verdict = verdict_on(Store(store_), "s", loss, plays);
    EXPECT_EQ(verdict.faults, std::vector<std::string>());
    EXPECT_EQ(verdict.repeated, 0U);
    EXPECT_LE(verdict.unheard, most_unheard);
    return told.size();
  }

 private:
  [[noreturn]] void work(int worker, Durability durability) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto write_down = [&](const Heard& heard) {
      if (::write(file_, &heard, sizeof heard) != sizeof heard) ::_exit(1);
    };
    try {
      Study study = Store(store_, {.durability = durability, .wait = wait_}).open("s");
      while (true) {
        const auto begin = std::chrono::steady_clock::now();
        try {
          const StudyPlay play = study.ask(worker_name(worker), {{"load", 7.0 * worker}});
          Heard heard{.worker = worker, .play = play.id, .mark = mark_of(play.point)};
          write_down(heard);
          study.tell(play.id, loss_of(play.id));
          heard.told = true;
          write_down(heard);
        } catch (const StudyError& error) {
          const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
          if (error.code() != ErrorCode::busy || waited.count() < wait_) throw;
          write_down({.worker = worker});
        }
      }
    } catch (const std::exception& thrown) {
      std::fprintf(stderr, "%s: %s\n", worker_name(worker).c_str(), thrown.what());
    }
    ::_exit(2);
  }

  std::string store_;
  double wait_;
  int file_;
  std::map<int, pid_t> workers_;
  std::vector<Heard> heard_;
};

TEST(Storm, SurvivesKill) {
  const int kills = times(20);
  const Folder folder;
  Crowd crowd(folder);
  Random random(9);
  for (int k = 0; k < kills; ++k) {
    const std::size_t before = crowd.heard().size();
    const int count = static_cast<int>(random.integer(1, 8));
    for (int j = 0; j < count; ++j) {
      crowd.start(j, k % 2 == 0 ? Durability::disk : Durability::process);
    }
    // Half of the times a worker has come so far as to hear that a loss is stored.
    if (k % 4 < 2) {
      EXPECT_TRUE(comes_true([&] {
        const auto& heard = crowd.heard();
        return std::any_of(heard.begin() + static_cast<std::ptrdiff_t>(before), heard.end(),
                           [](const Heard& one) { return one.told; });
      }));
    }
    ::usleep(static_cast<useconds_t>(random.integer(1000, 30000)));
    crowd.kill_all();
  }
  const std::size_t acknowledged = crowd.expect_survival(8 * static_cast<std::size_t>(kills));
  EXPECT_GE(acknowledged, static_cast<std::size_t>(kills) / 2);
}

TEST(Storm, SurvivesStopsOfWhoHoldsTheLock) {
  const int stops = times(12);
  constexpr double wait = 0.2;
  const Folder folder;
  Crowd crowd(folder, wait);
  for (int j = 0; j < 4; ++j) crowd.start(j);
  const auto is_told = [](const Heard& heard) { return heard.told; };
  const auto is_busy = [](const Heard& heard) { return heard.play == 0; };
  Random random(10);
  std::size_t killed = 0;
  for (int k = 0; k < stops; ++k) {
    ::usleep(static_cast<useconds_t>(random.integer(0, 20000)));
    const int stopped = crowd.stop_holder();
    ASSERT_GE(stopped, 0);
    const auto size = std::filesystem::file_size(crowd.log_path());
    const std::size_t before = crowd.heard().size();
    if (k % 2 == 0) {
      crowd.wait_for_all(before, is_busy, stopped);
    } else {
      ::usleep(static_cast<useconds_t>(1e6 * wait * random.uniform() / 2));
    }
    EXPECT_EQ(std::filesystem::file_size(crowd.log_path()), size);  // nobody else appends
    if (random.uniform() < 0.5) {
      ++killed;
      crowd.kill(stopped);
      crowd.start(stopped);
    } else {
      crowd.signal(stopped, SIGCONT);
    }
    crowd.wait_for_all(crowd.heard().size(), is_told);
  }
  EXPECT_GT(crowd.expect_survival(killed + 4), static_cast<std::size_t>(4 * stops));
  EXPECT_GT(killed, 0U);
}

}  // namespace
}  // namespace keyhole::tests
