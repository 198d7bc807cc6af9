// The experiment that a command is about, and where its results go.

#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "experiment/config.h"

namespace keyhole::cli {

/// The file that is the first word of a command, in the form that --quick asks for.
inline experiment::Experiment read_study(const Arguments& arguments, const Program& program) {
  experiment::Experiment study = experiment::read_experiment(arguments.word(0), program.catalogue);
  return arguments.has("--quick") ? experiment::quick_look(std::move(study)) : study;
}

/// Where its results go. study.toml gives study.results in the current folder, or
/// study.quick.results.
inline std::string results_directory(const Arguments& arguments) {
  return arguments.get("--out", std::filesystem::path(arguments.word(0)).stem().string() +
                                    (arguments.has("--quick") ? ".quick.results" : ".results"));
}

}  // namespace keyhole::cli
