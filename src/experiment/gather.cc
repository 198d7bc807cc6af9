#include "experiment/gather.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "experiment/config.h"
#include "experiment/directory.h"
#include "experiment/times.h"
#include "experiment/unit.h"

namespace keyhole::experiment {
namespace {

/// Copies from one directory to the one where all comes together.
class Source {
 public:
  Source(const Experiment& experiment, std::string path, Directory& out)
      : experiment_(experiment), path_(std::move(path)), out_(out) {
    const std::string text = experiment.text.empty() ? print_config(experiment) : experiment.text;
    const auto there = read("experiment.toml");
    if (!there) throw RunError(path_ + ": there is no experiment (experiment.toml is missing)");
    if (*there != text) {
      throw RunError(path_ +
                     ": the directory holds another experiment than the one to be merged "
                     "(compare their experiment.toml)");
    }
  }

  /// Who is too slow must have been found out once, before the slices.
  void copy_trial() {
    if (!experiment_.slowest) return;
    const auto here = read("trial.json");
    const auto there = base::read_file(out_.file("trial.json"));
    if (here && there && *here != *there) {
      throw RunError(path_ +
                     ": another trial than that of the others found out who is too slow: "
                     "make it once (--trial), and copy its directory to all machines");
    }
    if (here && !there) out_.write("trial.json", *here);
  }

  void copy_part(std::size_t problem, std::uint64_t repeat, std::vector<std::string>& warnings) {
    const std::string name = part_name(problem, repeat);
    const auto text = read(name);
    if (!text) return;
    std::optional<Part> part = read_part(*text);
    if (!part || part->key != problem_hash(experiment_, problem) || part->problem != problem ||
        part->repeat != repeat) {
      warnings.push_back(path_ + "/" + name +
                         ": it is damaged, or of another trace revision, and was passed over");
      return;
    }
    Part whole = arranged(std::move(*part), experiment_);
    if (const auto known = out_.read_part(problem, repeat)) {
      for (std::size_t k = 0; k < whole.players.size(); ++k) {
        if (!whole.players[k].played) whole.players[k] = known->players[k];
      }
      if (whole == *known) return;
    }
    out_.write_part(whole);
  }

  void copy_times(std::size_t problem) {
    const std::uint64_t key = problem_hash(experiment_, problem);
    const std::string name = times_name(problem);
    Times times = read_times(base::read_file(out_.file(name)).value_or(""), key);
    times.merge(read_times(read(name).value_or(""), key));
    if (!times.empty()) out_.write(name, times_text(times, key));
  }

  /// In how many slices it was run, so that missing parts can be named by them.
  void copy_slices() {
    if (const auto text = read("slices")) out_.write("slices", *text);
  }

 private:
  [[nodiscard]] std::optional<std::string> read(const std::string& name) const {
    return base::read_file(path_ + "/" + name);
  }

  const Experiment& experiment_;
  std::string path_;
  Directory& out_;
};

}  // namespace

std::vector<std::string> gather(const Experiment& experiment, const RunOptions& options,
                                const std::vector<std::string>& directories) {
  base::Disk usual;
  Directory out(options.out, experiment, options.disk != nullptr ? *options.disk : usual,
                options.catalogue);
  std::vector<Source> sources;
  for (const std::string& directory : directories) sources.emplace_back(experiment, directory, out);
  std::vector<std::string> warnings;
  for (Source& source : sources) {
    source.copy_trial();
    source.copy_slices();
    for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
      source.copy_times(p);
      for (std::uint64_t repeat = 0; repeat < experiment.repeats; ++repeat) {
        source.copy_part(p, repeat, warnings);
      }
    }
  }
  for (const std::string& warning : out.warnings()) warnings.push_back(warning);
  return warnings;
}

}  // namespace keyhole::experiment
