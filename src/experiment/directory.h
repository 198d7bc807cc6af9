#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "experiment/experiment.h"
#include "experiment/part.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// Whether a process is at work in a directory alone, or together with others of the same
/// experiment, each with units of its own.
enum class Hold { alone, together };

/// The directory that holds the results of one experiment, for as long as this object lives locked
/// against other processes:
///
///   experiment.toml   the experiment, as run
///   meta.json         version, commit and trace revision of the program that began it
///   trial.json        who is too slow for which problem, where the experiment asks for it
///   trial/P.json      the same of problem P, until all of them are known
///   parts/P-R.json    problem P, repeat R: what is kept when the experiment is interrupted
///   times/P.json      how long a round of each player takes on problem P, and on which machine
///   curves.csv        the curves, and
///   summary.json      the summary: written when all parts are there
///   slices            how many slices there were, if it was run in slices
///   lock              empty
///
/// read_part(), write_part() and warnings() may be called from several threads at once, and so may
/// write() for different files.
class Directory {
 public:
  /// Makes the directory, or opens that of the same experiment, or that of a smaller one, which is
  /// then extended: see why_no_extension(). Throws RunError, with nothing overwritten, if it holds
  /// anything else, if another process is at work in it, or if it cannot be written to. The disk
  /// and the experiment must outlive it; the catalogue is what the smaller one is read with.
  Directory(std::string path, const Experiment& experiment, base::Disk& disk,
            const Catalogue& catalogue, Hold hold = Hold::alone);
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory();

  /// The path of a file in it.
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// Writes the part.
  void write_part(const Part& part);
  /// The part of a problem and repeat, if it is there and whole, with the players of the experiment
  /// in order; those that are missing did not play. A damaged one is as good as none, and is noted
  /// in warnings().
  [[nodiscard]] std::optional<Part> read_part(std::size_t problem, std::uint64_t repeat);

  /// Writes a file of results, unless it holds that text already.
  void write(const std::string& name, const std::string& text);
  /// Writes what was found out of a problem, who is too slow for it.
  void write_trial(std::size_t problem, const std::string& text);
  /// Removes what was found out of each problem, once trial.json has it of all.
  void remove_trials() const;

  /// Whether it held a smaller experiment.
  [[nodiscard]] bool extended() const noexcept { return extended_; }
  /// The commit of the program that began the experiment.
  [[nodiscard]] const std::string& commit() const noexcept { return commit_; }
  /// Its version.
  [[nodiscard]] const std::string& version() const noexcept { return version_; }
  /// What the user should know.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  void refuse_foreign() const;
  void make_folder(const char* name) const;
  [[nodiscard]] bool try_lock(int how) const;
  void lock_together(const std::string& text, const Catalogue& catalogue);
  void begin_or_continue(const std::string& text, const Catalogue& catalogue);
  void extend(const std::string& there, const std::string& text, const Catalogue& catalogue);
  void remove_leftovers() const;
  void warn(const std::string& warning);
  [[nodiscard]] std::string part_file(std::size_t problem, std::uint64_t repeat) const;

  std::string path_;
  const Experiment& experiment_;
  base::Disk& disk_;
  int lock_ = -1;
  bool extended_ = false;
  std::string version_;
  std::string commit_;
  mutable std::mutex mutex_;
  std::vector<std::string> warnings_;  // guarded by the mutex
};

/// The parts of a problem and repeat, its times, or who is too slow for it, by their names in a
/// directory.
[[nodiscard]] std::string part_name(std::size_t problem, std::uint64_t repeat);
[[nodiscard]] std::string times_name(std::size_t problem);
[[nodiscard]] std::string trial_name(std::size_t problem);

/// The players of an experiment in order, as they are in a part; those that are not in it did not
/// play.
[[nodiscard]] Part arranged(Part part, const Experiment& experiment);

}  // namespace keyhole::experiment
