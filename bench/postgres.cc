// How fast studies in PostgreSQL are, as Markdown: steps (a tell and an ask as one unit) of
// parameter_free on simplex(10), by replicas that are processes of this program with 32 threads
// each, over a private server on this machine, which must be idle otherwise. At the end each
// replica must have learned the same.
//
//   bench_postgres [SECONDS]    for each row, 3 if not given

#include <sys/mman.h>
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
#include "postgres/cluster.h"

namespace keyhole::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int threads = 32;

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
void replicate(const std::string& address, int replica, int studies, double seconds, Done& done) {
  const Store store(address);
  std::vector<Study> open;
  open.reserve(static_cast<std::size_t>(studies));
  for (int k = 0; k < studies; ++k) open.push_back(store.open(name_of(k)));
  std::vector<std::vector<double>> times(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    std::vector<Study*> mine;
    // Both replicas have all studies; each thread of both together has some of its own.
    const int place = replica * threads + t;
    for (int k = 0; k < studies; ++k) {
      if (studies == 1 || k % (2 * threads) == place) mine.push_back(&open[k]);
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

void row(const tests::Cluster& cluster, int replicas, int studies, double seconds) {
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
  std::vector<pid_t> processes;
  for (int k = 0; k < replicas; ++k) {
    new (&done[k]) Done;
    processes.push_back(::fork());
    if (processes.back() == 0) {
      replicate(address, k, studies, seconds, done[k]);
      ::_exit(0);
    }
  }
  bool well = true;
  for (const pid_t process : processes) {
    int status = 0;
    ::waitpid(process, &status, 0);
    well = well && status == 0;
  }
  std::uint64_t steps = 0;
  std::string shares;
  for (int k = 0; k < replicas; ++k) {
    steps += done[k].steps;
    shares += (k > 0 ? " + " : "") + std::to_string(done[k].steps);
  }
  well = well && agree(address, studies, steps);
  std::printf("| %d | %d | %.0f | %.2f ms | %.2f ms | %s | %s |\n", replicas, studies,
              static_cast<double>(steps) / seconds, 1e3 * done[0].median, 1e3 * done[0].late,
              shares.c_str(), well ? "yes" : "NO");
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
      "| replicas | studies | steps/s | median | 99 %% | steps of each | all stored, same state |\n"
      "|---|---|---|---|---|---|---|\n");
  keyhole::bench::row(cluster, 2, 64, seconds);
  keyhole::bench::row(cluster, 2, 1, seconds);
  keyhole::bench::row(cluster, 1, 32, seconds);
  keyhole::bench::row(cluster, 1, 1, seconds);
}
