#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/error.h"

namespace keyhole::experiment {

/// A spec and the name that it goes by in tables and figures.
struct Named {
  /// The name.
  std::string name;
  /// The spec.
  std::string spec;

  bool operator==(const Named&) const = default;
};

/// When values are told.
enum class ArrivalTimes {
  /// After a number of further rounds drawn from 0, 1, ..., delay - 1.
  spread,
  /// After exactly `delay` further rounds.
  late,
  /// Those of rounds 1 to `delay` in round `delay`, of the next `delay` rounds at the end of these,
  /// and so on.
  batches,
};

/// How files name them.
inline constexpr std::pair<const char*, ArrivalTimes> arrival_names[] = {
    {"spread", ArrivalTimes::spread},
    {"late", ArrivalTimes::late},
    {"batches", ArrivalTimes::batches}};

/// A problem of an experiment, and how its players hear of their losses.
struct PosedProblem : Named {
  /// Within how many rounds values are told, or how many make a batch; at once if 0.
  std::uint64_t delay = 0;
  /// The probability that a value is never told.
  double missing = 0;
  /// How far a play may be from the one before (LearnerOptions::max_step); any distance, if none.
  std::optional<double> max_step = {};
  /// How many rounds each run has at most; those of the experiment if 0.
  std::uint64_t rounds = 0;
  /// What average regret is divided by to be relative; that of the control `stay`, if none.
  std::optional<double> normalise = {};
  /// When values are told.
  ArrivalTimes arrivals = ArrivalTimes::spread;

  /// Of how many rounds values can be on their way at the same time, the current one included.
  [[nodiscard]] std::uint64_t waiting() const noexcept {
    return arrivals == ArrivalTimes::late ? delay + 1 : delay > 0 ? delay : 1;
  }

  bool operator==(const PosedProblem&) const = default;
};

/// Problems x learners x repeats at a horizon, with a seed: what a TOML file says.
///
///   rounds = 4096
///   repeats = 10
///   seed = 1
///   problems = ["quadratic(n=10, rows=10)",
///               {name = "late", spec = "tracking(ball(10))", delay = 1000, missing = 0.3},
///               {name = "nightly", spec = "tracking(ball(10))", delay = 3000,
///                arrivals = "batches"}]
///   learners = ["anytime(projection_free)", {name = "FKM", spec = "anytime(fkm)"}]
///   controls = true
struct Experiment {
  /// What its report is called; if empty, by its directory of results.
  std::string title = {};
  /// T: how many rounds each run has, if the problem has as many.
  std::uint64_t rounds = 0;
  /// How many independent runs are averaged.
  std::uint64_t repeats = 1;
  /// Same seed, same results.
  std::uint64_t seed = 0;
  /// Rounds at which regret is reported besides the last; increasing, at most T.
  std::vector<std::uint64_t> checkpoints = {};
  /// Learners whose round takes longer on a problem, in seconds, are left out there.
  std::optional<double> slowest = {};
  /// The problems.
  std::vector<PosedProblem> problems = {};
  /// The learners, as listed.
  std::vector<Named> learners = {};
  /// Whether the controls play next to the learners.
  bool controls = true;
  /// Who plays: the learners, then the controls, if they are wanted.
  std::vector<Named> players = {};
  /// The folder that names of files are relative to; empty for the current one.
  std::string folder = {};
  /// The file, as read.
  std::string text = {};
};

/// An experiment that was begun and cannot go on, or cannot begin: the message says where and why.
class RunError : public Error {
 public:
  using Error::Error;
};

}  // namespace keyhole::experiment
