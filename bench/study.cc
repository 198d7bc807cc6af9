// How fast studies are, as Markdown: durable steps (a tell and an ask as one unit), and opening one
// after many steps. parameter_free on simplex(10), and the default learner. Needs an idle machine:
// where others compute, a process that waits for the disk waits for a processor too.
//
//   bench_study [FOLDER] [SECONDS]    in a new folder of the temporary one, for 2 seconds each

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
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

/// The bytes that a step adds to the log.
std::size_t bytes_of_a_step(const Store& store) {
  constexpr std::uint64_t steps = 100;
  std::uint64_t before = 0;
  {
    Study study = store.create("short", described("parameter_free"));
    StudyPlay play = study.ask();
    before = store.log_bytes("short");
    for (std::uint64_t k = 0; k < steps; ++k) {
      play = study.step({{play.id, play.point[0]}}).plays[0];
    }
  }
  const std::uint64_t bytes = store.log_bytes("short") - before;
  store.remove("short");
  return bytes / steps;
}

/// Whether somebody else has changed the file: what a step asks before it is appended.
void look(int file, const std::string& path, off_t end) {
  struct statx status = {};
  std::array<char, 8> seal{};
  if (::flock(file, LOCK_EX) != 0 ||
      ::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_SIZE, &status) != 0 ||
      ::pread(file, seal.data(), seal.size(), std::max<off_t>(0, end - 8)) < 0) {
    std::abort();
  }
}

/// What the disk does if nothing is computed: files in one process, a thread each, to which as many
/// bytes are appended as a step has; with the calls that see what others do, or without. Returns
/// how often.
double bare(const std::string& folder, int count, double seconds, std::size_t size, bool looks) {
  const std::string bytes(size, 'x');
  std::vector<std::uint64_t> syncs(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  for (std::size_t k = 0; k < syncs.size(); ++k) {
    threads.emplace_back([&, k] {
      const std::string path = folder + "/bare-" + std::to_string(k);
      const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      off_t end = 0;
      while (since(start) < seconds) {
        if (looks) look(file, path, end);
        if (::pwrite(file, bytes.data(), bytes.size(), end) < 0) std::abort();
        if (looks) ::flock(file, LOCK_UN);
        if (::fdatasync(file) != 0) std::abort();
        end += static_cast<off_t>(bytes.size());
        ++syncs[k];
      }
      ::close(file);
      ::unlink(path.c_str());
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(std::accumulate(syncs.begin(), syncs.end(), std::uint64_t{0}));
}

/// Studies next to files, each three times in turn: the disk is not the same from second to second.
void compare_with_files(const Store& store, const std::string& folder, double seconds) {
  constexpr int count = 64;
  const std::size_t size = bytes_of_a_step(store);
  std::vector<double> studies;
  std::vector<double> files;
  std::vector<double> files_with_looks;
  for (int k = 0; k < 3; ++k) {
    studies.push_back(with_threads(store, "parameter_free", count, seconds));
    files.push_back(bare(folder, count, seconds, size, false));
    files_with_looks.push_back(bare(folder, count, seconds, size, true));
  }
  print("64 studies in one process, disk", median(studies), seconds);
  print("64 files, a write and fdatasync each", median(files), seconds);
  print("64 files, a lock, a look and a read before it", median(files_with_looks), seconds);
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

double opening(const Store& store) {
  const double start = processor_microseconds();
  (void)store.open("long").summary();
  return 1e-6 * (processor_microseconds() - start);
}

/// The seconds of `keyhole study ask`, from the start of the process to its end.
double asking_by_command(const std::string& folder) {
  std::vector<double> times;
  std::fflush(stdout);
  for (int k = 0; k < 9; ++k) {
    const auto start = Clock::now();
    if (::fork() == 0) {
      (void)std::freopen("/dev/null", "w", stdout);
      ::execl(KEYHOLE_PROGRAM, "keyhole", "study", "ask", "long", "--store", folder.c_str(),
              "--format=json", nullptr);
      ::_exit(1);
    }
    ::wait(nullptr);
    times.push_back(since(start));
  }
  return median(times);
}

void recover(const Store& store, const std::string& folder, const std::string& learner,
             std::uint64_t steps) {
  const double start = processor_microseconds();
  {
    Study study = store.create("long", described(learner));
    StudyPlay play = study.ask();
    for (std::uint64_t k = 0; k < steps; ++k) {
      play = study.step({{play.id, play.point[0]}}).plays[0];
    }
  }
  const double time = (processor_microseconds() - start) / static_cast<double>(steps);
  std::printf("| one study of `%s`, process, processor time a step | %.2f us |\n", learner.c_str(),
              time);
  const std::string what = "after " + std::to_string(steps) + " steps of `" + learner + "`";
  const double size = static_cast<double>(std::filesystem::file_size(folder + "/long/log"));
  std::printf("| bytes a step, %s | %.1f |\n", what.c_str(), size / static_cast<double>(steps));
  (void)opening(store);  // keeps a snapshot of its end, if the latest is old
  std::printf("| open %s, processor time | %.1f ms |\n", what.c_str(), 1e3 * opening(store));
  std::printf("| `keyhole study ask` %s | %.1f ms |\n", what.c_str(),
              1e3 * asking_by_command(folder));
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/long")) {
    if (entry.path().filename() != "log") std::filesystem::remove(entry.path());
  }
  std::printf("| open %s without a snapshot, processor time | %.2f s |\n", what.c_str(),
              opening(store));
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
  print("one file, a write and fdatasync each",
        bare(folder, 1, seconds, bytes_of_a_step(process), false), seconds);
  compare_with_files(disk, folder, seconds);
  print("8 processes on one study, disk", with_processes(disk, 8, seconds), seconds);
  print("one study, process", with_threads(process, "parameter_free", 1, seconds), seconds);
  print("one study of the default learner, process", with_threads(process, "default", 1, seconds),
        seconds);
  recover(process, folder, "parameter_free", 1'000'000);
  recover(process, folder, "default", 100'000);
  std::filesystem::remove_all(folder);
}
