// A script that submits an experiment to Slurm: an array of slices, and the merge after it.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/experiments/experiment_file.h"
#include "cli/parse.h"
#include "cli/shell_quoted.h"
#include "experiment/slice.h"

namespace keyhole::cli {
namespace {

constexpr std::uint64_t most_tasks = 1'000'000;
constexpr std::uint64_t most_processors = 4096;

/// A word of a shell.
std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string("._-/+:").find(c) != std::string::npos;
  });
  return is_plain ? word : shell_quoted(word);
}

/// A limit of time as Slurm writes it: minutes, 1:00:00, 2-12:00:00.
std::string time_limit(const std::string& text) {
  const bool is_time = !text.empty() &&
                       text.find_first_not_of("0123456789:-") == std::string::npos &&
                       std::isdigit(static_cast<unsigned char>(text.front())) != 0;
  if (!is_time)
    throw UsageError("--time must be minutes, or as 1:00:00 or 2-12:00:00, not '" + text + "'");
  return text;
}

}  // namespace

int slurm(const Arguments& arguments, const Program& program) {
  if (!arguments.has("--tasks")) throw UsageError("--tasks is missing: how many tasks at a time");
  if (!arguments.has("--time")) {
    throw UsageError("--time is missing: how long a task may take, such as 1:00:00");
  }
  const std::string time = time_limit(arguments.get("--time", ""));
  const std::uint64_t processors =
      whole_number("--threads", arguments.get("--threads", "1"), 1, most_processors);
  const experiment::Experiment read = read_experiment(arguments, program);
  const std::string tasks =
      std::to_string(std::min(whole_number("--tasks", arguments.get("--tasks", ""), 1, most_tasks),
                              experiment::unit_count(read)));
  const std::string name = std::filesystem::path(arguments.word(0)).stem().string();
  const std::string run = shell_word(program.name) + " run " + shell_word(arguments.word(0)) +
                          (arguments.has("--quick") ? " --quick" : "") + " --out " +
                          shell_word(results_directory(arguments));
  // What all three jobs have in common. A task that is requeued goes on where it was.
  const std::string job = "sbatch --parsable --requeue --open-mode=append --time=" + time +
                          " --cpus-per-task=" + std::to_string(processors) +
                          " --job-name=" + shell_word(name);
  const auto script = [](const std::string& command) {
    return " <<'END'\n#!/bin/sh\nexec " + command + "\nEND\n)\n";
  };
  std::cout
      << "#!/bin/sh\n"
         "# Submits the experiment to Slurm: 'sh FILE', with this text in FILE, in the folder of "
         "the experiment.\n"
         "# To go on after a failure do the same again: what is there is not computed again.\n"
         "set -eu\n";
  std::string after;
  if (read.slowest) {
    std::cout << "trial=$(" << job << " --output=" << shell_word(name + ".trial.log")
              << script(run + " --trial");
    after = " --dependency=\"afterok:$trial\" --kill-on-invalid-dep=yes";
  }
  std::cout << "tasks=$(" << job << after << " --array=1-" << tasks
            << " --output=" << shell_word(name + ".%a.log")
            << script(run + " --threads " + std::to_string(processors) +
                      " --slice \"$SLURM_ARRAY_TASK_ID/" + tasks + "\"")
            << "# After the tasks, however they end: it names what is missing.\n"
            << "merge=$(" << job
            << " --dependency=\"afterany:$tasks\" --output=" << shell_word(name + ".merge.log")
            << script(run + " --merge") << "echo \"tasks: job $tasks; merge: job $merge\"\n";
  return 0;
}

}  // namespace keyhole::cli
