#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/catalogue.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// Experiments, and the command line for a program of your own. They are a component of the package
/// of their own:
///
///   find_package(keyhole REQUIRED COMPONENTS experiment)
///   target_link_libraries(mine PRIVATE keyhole::experiment)

/// The text of an experiment (docs/experiments.md has the format).
struct ExperimentText {
  /// The text, in TOML.
  std::string toml;
  /// What messages call it, with a line: its file. If empty, they do not say where.
  std::string name = {};
  /// The folder that names of files in it are relative to; empty for the current one.
  std::string folder = {};
  /// Learners that play besides those of the text: the name and the spec of each.
  std::vector<std::pair<std::string, std::string>> learners = {};
};

/// The experiment in canonical form: every default filled in, the same experiment. Everything in it
/// is built once, so that what cannot run is refused here: throws InputError. Thread-safe.
[[nodiscard]] std::string canonical_experiment(const ExperimentText& text,
                                               const Catalogue& catalogue = Catalogue::standard());

/// How to run an experiment; nothing here changes its curves.
struct ExperimentOptions {
  /// Where the results go (docs/experiments.md has the files).
  std::string directory;
  /// How many runs at a time; 0 for one a core.
  unsigned threads = 0;
  /// Ends the run soon when it becomes true; null for never.
  const std::atomic<bool>* stop = nullptr;
  /// Is told how many rounds of how many are done, several times a second, by the thread that
  /// called run_experiment().
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
  /// For how many seconds each learner's time is measured on each problem; 0 for no times.
  double timing_seconds = 0.3;
};

/// What a call of run_experiment() did.
struct ExperimentOutcome {
  /// Whether all results are there; otherwise it was stopped, and the same call goes on.
  bool complete = false;
  /// How many runs (problems x repeats) were computed now, rather than found.
  std::uint64_t computed = 0;
  /// What the reader of the results should know.
  std::vector<std::string> warnings = {};
};

/// Does what `keyhole run` does, but prints nothing: runs what is missing of the experiment in its
/// directory. Throws InputError for the text, and an Error that names problem, repeat and learner
/// if a run fails. What a set, an algorithm or a problem of yours has thrown is nested in it
/// (std::rethrow_if_nested); what was finished stays.
ExperimentOutcome run_experiment(const ExperimentText& text, const ExperimentOptions& options,
                                 const Catalogue& catalogue = Catalogue::standard());

/// What the program `keyhole` does, with your catalogue: runs experiments of your sets, algorithms
/// and problems next to the built-ins, lists and checks them. Give it what main() is given; it
/// prints, and returns the exit code: 0 if all went well, 1 on failure, 2 on wrong usage. It calls
/// itself by the last part of argv[0].
///
///   run FILE.toml    play problems x learners x repeats; curves, regret, summary
///   bench FILE.toml  the same with programs that are asked and told
///   merge OUT DIR    one directory of the results of several machines
///   slurm FILE.toml  print a script that submits the experiment to Slurm
///   list [NAME]      sets, learners and problems; one kind of them; or one by name
///   check SPEC       what the conformance kit finds about a set
///   report DIR       make report.html of a directory of results
///   --help           these, and the options of each
///
/// The built-ins are in your program only if your catalogue began as Catalogue::standard().
int run_main(int argc, char** argv, const Catalogue& catalogue);

}  // namespace keyhole
#pragma GCC visibility pop
