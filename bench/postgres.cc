// How fast studies in PostgreSQL are, as Markdown: steps (a tell and an ask as one unit) of
// parameter_free on simplex(10), by replicas that are processes of this program with some threads
// each, over a private server on this machine, which must be idle otherwise. At the end each
// replica must have learned the same. Next to it what a step takes of the processors, of the server
// and of the replicas, and how much it adds to the server's log; bench/replicas.py reads these.
//
//   bench_postgres [SECONDS]    for each row, 3 if not given

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "keyhole/store.h"
#include "postgres/shared_cluster.h"

namespace keyhole::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// What is measured: so many replicas, threads of each, and studies.
struct Load {
  int replicas = 1;
  int threads = 32;
  int studies = 1;
};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What a replica has done, in memory that the processes share.
struct Done {
  std::atomic<std::uint64_t> steps = 0;
  std::atomic<double> median = 0;  // seconds of a step
  std::atomic<double> late = 0;    // and of the slowest in a hundred
};

std::string name_of(int study) { return "s" + std::to_string(study); }

/// Steps of some studies, one after the other, by one worker.
void work(std::vector<Study*> studies, const std::string& worker, double seconds,
          std::vector<double>& times) {
  std::vector<StudyPlay> plays;
  for (Study* const study : studies) plays.push_back(study->ask(worker));
  const auto begin = Clock::now();
  for (std::size_t k = 0; since(begin) < seconds; ++k) {
    const std::size_t one = k % studies.size();
    const auto start = Clock::now();
    const StudyTell tell{plays[one].id, plays[one].point[0]};
    plays[one] = studies[one]->step({tell}, 1, worker).plays.front();
    times.push_back(since(start));
  }
}

/// A replica: every thread has its share of the studies, or all of them the only one.
void replicate(const std::string& address, int replica, const Load& load, double seconds,
               Done& done) {
  const auto& [replicas, threads, studies] = load;
  const Store store(address);
  std::vector<Study> open;
  open.reserve(static_cast<std::size_t>(studies));
  for (int k = 0; k < studies; ++k) open.push_back(store.open(name_of(k)));
  std::vector<std::vector<double>> times(static_cast<std::size_t>(threads));
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    std::vector<Study*> mine;
    // All replicas have all studies; each thread of all together has some of its own.
    const int place = replica * threads + t;
    for (int k = 0; k < studies; ++k) {
      if (studies == 1 || k % (replicas * threads) == place) mine.push_back(&open[k]);
    }
    running.emplace_back(
        [&, mine, place, t] { work(mine, "w" + std::to_string(place), seconds, times[t]); });
  }
  for (std::thread& thread : running) thread.join();
  std::vector<double> all;
  for (const auto& some : times) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  done.steps = all.size();
  done.median = all[all.size() / 2];
  done.late = all[all.size() * 99 / 100];
}

/// Whether two stores, each with connections of its own, have learned the same of all studies.
bool agree(const std::string& address, int studies, std::uint64_t steps) {
  const Store one(address);
  const Store two(address);
  std::uint64_t told = 0;
  for (int k = 0; k < studies; ++k) {
    Study study = one.open(name_of(k));
    told += study.summary().told;
    const StudyLog log = two.replay(name_of(k), [](const StudyRecord&) {});
    if (log.state_hash != study.state().hash()) return false;
  }
  return told == steps;
}

double seconds_of(const rusage& used) {
  const auto sum = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return sum(used.ru_utime) + sum(used.ru_stime);
}

/// What the server has done: statements that changed something, bytes of its log, and seconds of
/// processors.
struct Server {
  double statements = 0;
  double bytes = 0;
  double seconds = 0;
};

Server server_of(const tests::Cluster& cluster) {
  const studies::Rows rows =
      tests::sql(cluster.address(),
                 "select pg_snapshot_xmax(pg_current_snapshot())::text::int8, "
                 "(pg_current_wal_insert_lsn() - '0/0')::int8");
  return {static_cast<double>(rows.whole(0, 0)), static_cast<double>(rows.whole(0, 1)),
          cluster.processor_seconds()};
}

void row(const tests::Cluster& cluster, const Load& load, double seconds) {
  const auto& [replicas, threads, studies] = load;
  const std::string address = cluster.address();
  {
    const Store store(address);
    for (const std::string& name : store.list()) store.remove(name);
    for (int k = 0; k < studies; ++k) {
      (void)store.create(name_of(k), {.on = "simplex(10)", .learner = "parameter_free"});
    }
  }
  auto* const done = static_cast<Done*>(
      ::mmap(nullptr, sizeof(Done) * 2, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const Server before = server_of(cluster);
  std::vector<pid_t> processes;
  for (int k = 0; k < replicas; ++k) {
    new (&done[k]) Done;
    processes.push_back(::fork());
    if (processes.back() == 0) {
      replicate(address, k, load, seconds, done[k]);
      ::_exit(0);
    }
  }
  bool well = true;
  double used = 0;
  for (const pid_t process : processes) {
    int status = 0;
    rusage usage = {};
    ::wait4(process, &status, 0, &usage);
    well = well && status == 0;
    used += seconds_of(usage);
  }
  const Server after = server_of(cluster);
  std::uint64_t steps = 0;
  std::string shares;
  for (int k = 0; k < replicas; ++k) {
    steps += done[k].steps;
    shares += (k > 0 ? " + " : "") + std::to_string(done[k].steps);
  }
  well = well && agree(address, studies, steps);
  const auto all = static_cast<double>(steps);
  std::printf(
      "| %d | %d | %d | %.0f | %.2f ms | %.2f ms | %.1f | %.0f us | %.0f us | %.0f | %s | %s |\n",
      replicas, threads, studies, all / seconds, 1e3 * done[0].median, 1e3 * done[0].late,
      all / (after.statements - before.statements), 1e6 * (after.seconds - before.seconds) / all,
      1e6 * used / all, (after.bytes - before.bytes) / all, shares.c_str(), well ? "yes" : "NO");
  std::fflush(stdout);
  ::munmap(done, sizeof(Done) * 2);
  if (!well) std::exit(1);
}

}  // namespace
}  // namespace keyhole::bench

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 3;
  const keyhole::tests::Cluster cluster(true);
  std::printf(
      "| replicas | threads | studies | steps/s | median | 99 %% | steps a statement | server a "
      "step "
      "| replica a step | log bytes a step | steps of each | all stored, same state |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  using keyhole::bench::Load;
  for (const Load& load :
       {Load{2, 32, 64}, Load{2, 32, 1}, Load{1, 32, 32}, Load{1, 32, 1}, Load{1, 1, 1}}) {
    keyhole::bench::row(cluster, load, seconds);
  }
}
