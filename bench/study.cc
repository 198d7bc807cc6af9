// How fast studies are, as Markdown: durable steps (a tell and an ask as one unit), and opening one
// after many steps. parameter_free on simplex(10), and the default learner. Needs an idle machine:
// where others compute, a process that waits for the disk waits for a processor too.
//
//   bench_study [FOLDER] [SECONDS]    in a new folder of the temporary one, for 2 seconds each

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "keyhole/keyhole.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

StudyDescription described(const std::string& learner) {
  return {.on = "simplex(10)", .learner = learner, .options = {.seed = 1}};
}

/// Steps for some seconds; returns how many.
std::uint64_t play(Study& study, double seconds) {
  const auto start = Clock::now();
  StudyPlay play = study.ask();
  std::uint64_t steps = 0;
  while (since(start) < seconds) {
    for (int k = 0; k < 16; ++k, ++steps) play = study.step({{play.id, play.point[0]}}).plays[0];
  }
  return steps;
}

void print(const std::string& what, double steps, double seconds) {
  std::printf("| %s | %.0f steps/s |\n", what.c_str(), steps / seconds);
  std::fflush(stdout);
}

/// Studies in one process, a thread each.
double with_threads(const Store& store, const std::string& learner, int count, double seconds) {
  std::vector<Study> studies;
  for (int k = 0; k < count; ++k) {
    studies.push_back(store.create("threads-" + std::to_string(k), described(learner)));
  }
  std::vector<std::uint64_t> steps(studies.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < studies.size(); ++k) {
    threads.emplace_back([&, k] { steps[k] = play(studies[k], seconds); });
  }
  double sum = 0;
  for (std::size_t k = 0; k < studies.size(); ++k) {
    threads[k].join();
    sum += static_cast<double>(steps[k]);
  }
  for (const std::string& name : store.list()) store.remove(name);
  return sum;
}

/// Processes on one study. Returns the steps that are in its log.
double with_processes(const Store& store, int count, double seconds) {
  (void)store.create("shared", described("parameter_free"));
  for (int k = 0; k < count; ++k) {
    if (::fork() == 0) {
      Study study = store.open("shared");
      (void)play(study, seconds);
      ::_exit(0);
    }
  }
  for (int k = 0; k < count; ++k) ::wait(nullptr);
  const auto steps = static_cast<double>(store.open("shared").summary().told);
  store.remove("shared");
  return steps;
}

void recover(const Store& store, const std::string& learner, std::uint64_t steps) {
  {
    Study study = store.create("long", described(learner));
    StudyPlay play = study.ask();
    for (std::uint64_t k = 0; k < steps; ++k)
      play = study.step({{play.id, play.point[0]}}).plays[0];
  }
  const double start = processor_microseconds();
  const Summary summary = store.open("long").summary();
  std::printf("| open after %llu steps of `%s`, processor time | %.2f s |\n",
              static_cast<unsigned long long>(summary.told), learner.c_str(),
              1e-6 * (processor_microseconds() - start));
  store.remove("long");
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  using namespace keyhole;
  using namespace keyhole::bench;
  const std::string folder =
      argc > 1
          ? argv[1]
          : (std::filesystem::temp_directory_path() / ("bench-study-" + std::to_string(::getpid())))
                .string();
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 2;
  const Store disk(folder);
  const Store process(folder, {.durability = Durability::process});
  std::printf("| what | |\n|---|---|\n");
  print("one study, disk", with_threads(disk, "parameter_free", 1, seconds), seconds);
  print("64 studies in one process, disk", with_threads(disk, "parameter_free", 64, seconds),
        seconds);
  print("8 processes on one study, disk", with_processes(disk, 8, seconds), seconds);
  print("one study, process", with_threads(process, "parameter_free", 1, seconds), seconds);
  print("one study of the default learner, process", with_threads(process, "default", 1, seconds),
        seconds);
  recover(process, "parameter_free", 1'000'000);
  recover(process, "default", 100'000);
  std::filesystem::remove_all(folder);
}
