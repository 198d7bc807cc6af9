#include "cli/experiments/watch.h"

#include <filesystem>

#include "experiment/directory.h"
#include "experiment/interrupt.h"
#include "experiment/progress.h"
#include "experiment/slice.h"
#include "experiment/terminal.h"

namespace keyhole::cli {
namespace {

/// How many rounds the parts have that are there, if each problem has all of its rounds.
std::uint64_t rounds_there(const experiment::Experiment& study, const std::string& directory) {
  std::uint64_t rounds = 0;
  for (std::uint64_t number = 0; number < experiment::unit_count(study); ++number) {
    const auto [problem, repeat] = experiment::unit_of(study, number);
    std::error_code error;
    if (std::filesystem::exists(directory + "/" + experiment::part_name(problem, repeat), error)) {
      rounds += study.rounds;
    }
  }
  return rounds;
}

}  // namespace

bool watch(const experiment::Experiment& study, const std::string& directory) {
  constexpr double seconds_between = 1;
  const std::atomic<bool>& stop = experiment::stop_on_interrupt();
  const auto progress = experiment::progress_on_stderr(false);
  experiment::Advance advance{.total = experiment::unit_count(study) * study.rounds};
  advance.earlier = advance.done = rounds_there(study, directory);
  while (advance.done < advance.total && experiment::wait(seconds_between, stop)) {
    advance.done = rounds_there(study, directory);
    progress->update(advance);
  }
  const bool complete = advance.done == advance.total;
  progress->end(advance, complete ? experiment::Ending::complete : experiment::Ending::failed);
  return complete;
}

}  // namespace keyhole::cli
