// The experiment that a command is about, and where its results go.

#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "experiment/config.h"

namespace keyhole::cli {

/// The file that is the first word of a command, in the form that --quick asks for.
inline experiment::Experiment read_experiment(const Arguments& arguments, const Program& program) {
  experiment::Experiment read = experiment::read_experiment(arguments.word(0), program.catalogue);
  return arguments.has("--quick") ? experiment::quick_look(std::move(read)) : read;
}

/// Where its results go. mine.toml gives mine.results in the current folder, mine.quick.results for
/// a quick look, and mine.bench.results with programs that play, too.
inline std::string results_directory(const Arguments& arguments) {
  return arguments.get("--out", std::filesystem::path(arguments.word(0)).stem().string() +
                                    (arguments.all("--with").empty() ? "" : ".bench") +
                                    (arguments.has("--quick") ? ".quick.results" : ".results"));
}

/// What the user should know of where the results go: a quick look and a whole run do not go on
/// with each other's.
inline std::vector<std::string> warnings_of_names(const Arguments& arguments) {
  const std::filesystem::path file(arguments.word(0));
  const std::string out = arguments.get("--out", "");
  if (arguments.has("--quick") && !out.empty() && out.find("quick") == std::string::npos) {
    return {out + " gets a quick look, and its name does not say so: a whole run may be refused " +
            "there"};
  }
  const std::filesystem::path whole = file.parent_path() / (file.stem().stem().string() + ".toml");
  std::error_code error;
  if (!arguments.has("--quick") && !arguments.has("--out") && file.stem().extension() == ".quick" &&
      std::filesystem::exists(whole, error)) {
    return {results_directory(arguments) + " is also where '" + whole.string() +
            "' goes with --quick: --out names another directory"};
  }
  return {};
}

}  // namespace keyhole::cli
