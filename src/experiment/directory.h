#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "experiment/experiment.h"
#include "experiment/part.h"

namespace keyhole::experiment {

/// The directory that holds the results of one experiment, for as long as this object lives locked
/// against other processes:
///
///   experiment.toml   the experiment, as run
///   meta.json         version, commit and trace revision of the program that began it
///   trial.json        who is too slow for which problem, where the experiment asks for it
///   parts/P-R.json    problem P, repeat R: what is kept when the experiment is interrupted
///   curves.csv        the curves, and
///   summary.json      the summary: written when all parts are there
///   lock              empty
///
/// write_part() may be called from several threads at once.
class Directory {
 public:
  /// Makes the directory, or opens that of the same experiment. Throws RunError, with nothing
  /// overwritten, if it holds anything else, if another process is at work in it, or if it cannot
  /// be written to. The disk must outlive it.
  Directory(std::string path, const Experiment& experiment, base::Disk& disk);
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory();

  /// The path of a file in it.
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// Writes the part.
  void write_part(const Part& part);
  /// The part of a problem and repeat, if it is there and whole. A damaged one is as good as none,
  /// and is noted in warnings().
  [[nodiscard]] std::optional<Part> read_part(std::size_t problem, std::uint64_t repeat);

  /// Writes a file of results, unless it holds that text already.
  void write(const std::string& name, const std::string& text);

  /// The commit of the program that began the experiment.
  [[nodiscard]] const std::string& commit() const noexcept { return commit_; }
  /// Its version.
  [[nodiscard]] const std::string& version() const noexcept { return version_; }
  /// What the user should know.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  void refuse_foreign() const;
  void lock();
  void begin_or_continue(const std::string& text);
  [[nodiscard]] std::string part_file(std::size_t problem, std::uint64_t repeat) const;

  std::string path_;
  base::Disk& disk_;
  std::uint64_t hash_;
  std::size_t players_;
  int lock_ = -1;
  std::string version_;
  std::string commit_;
  std::vector<std::string> warnings_;
};

}  // namespace keyhole::experiment
