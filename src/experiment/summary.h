#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/measures/interval.h"
#include "experiment/part.h"

namespace keyhole::experiment {

/// The average regret of rounds 1..round.
struct RegretAt {
  /// The round.
  std::uint64_t round = 0;
  /// The average regret.
  Interval average_regret = {};
  /// Divided by that of the control `stay`, or by what the problem says; none if it cannot be.
  std::optional<Interval> relative_regret = {};
  /// What the point that is recommended then would have cost in these rounds, on the average, above
  /// the best fixed point, divided by the same; none where best points move.
  std::optional<Interval> recommended = {};
};

/// How a learner did on a problem, over all repeats.
struct LearnerSummary {
  /// Its name and spec.
  Named named = {};
  /// Whether it was too slow and did not play: then there is nothing but the time of its round.
  bool left_out = false;
  /// The canonical description of its algorithm (of the first repeat).
  std::string algorithm = {};
  /// The average loss of all rounds.
  Interval average_loss = {};
  /// The average regret of all rounds.
  Interval average_regret = {};
  /// The same divided by that of the control `stay`; see RegretAt.
  std::optional<Interval> relative_regret = {};
  /// What the point recommended in the end would have cost; see RegretAt.
  std::optional<Interval> recommended = {};
  /// The largest mean of relative regret over the rounds from 64 on at which regret is computed.
  std::optional<double> largest_relative_regret = {};
  /// The worst of any 2,000 rounds after the first 2,048 of a run, where 1 is as good as staying: 1
  /// + what they cost more than at the centre, a round, divided by what average regret is divided
  /// by in the end. None for shorter runs.
  std::optional<double> worst_window = {};
  /// The slope of log total regret over log t, by least squares over the powers of two from 1024
  /// on, if there are three and all regrets are positive: 1 for a learner that does not learn.
  std::optional<double> regret_slope = {};
  /// At the checkpoints that the problem reaches, and at the last round of the experiment.
  std::vector<RegretAt> checkpoints = {};
  /// The theorem's bound on the expected average regret (the mean over the repeats, if their sets
  /// differ), if there is one.
  std::optional<double> regret_bound = {};
  /// Whether the theorem holds for the constants in use, in every repeat.
  bool regret_bound_holds = false;
  /// Which theorem, or why there is no bound.
  std::string regret_bound_note = {};
  /// The learner's own time, ask and tell, if it was measured.
  std::optional<double> seconds_per_round = {};
  /// The machine on which that was; empty if it was not.
  std::string timed_on = {};
  /// Linear minimisations, the mean over rounds and repeats.
  double oracle_calls_per_round = 0;
  /// Plays outside the set, in all repeats.
  std::uint64_t infeasible_plays = 0;
  /// Losses above M or gradients longer than G, in all repeats.
  std::uint64_t alarms = 0;
  /// What it believes after the last round, the mean over the repeats that say it.
  Beliefs beliefs = {};
};

/// How all learners did on a problem.
struct ProblemSummary {
  /// Its name and spec.
  Named named = {};
  /// How late values were told, and with what probability never: see PosedProblem.
  std::uint64_t delay = 0;
  /// See delay.
  double missing = 0;
  /// See delay.
  ArrivalTimes arrivals = ArrivalTimes::spread;
  /// How many rounds a run had.
  std::uint64_t rounds = 0;
  /// The set (of the first repeat; long ones are cut), and its number of coordinates.
  std::string set = {};
  /// See set.
  std::size_t dimension = 0;
  /// M and G of the first repeat, where they are finite...
  std::optional<double> loss_bound = {};
  /// ...see loss_bound...
  std::optional<double> gradient_bound = {};
  /// ...and whether they hold for certain, in every repeat.
  bool bounds_proven = true;
  /// By how much the best fixed points may be missed, at most, as a share of the total loss.
  double hindsight_gap = 0;
  /// What average regret is divided by to be relative, if not that of `stay`.
  std::optional<double> normalise = {};
  /// Why there is no relative regret at the last round; empty if there is.
  std::string why_no_relative_regret = {};
  /// What the reader should know.
  std::vector<std::string> warnings = {};
  /// The learners.
  std::vector<LearnerSummary> learners = {};
};

/// What an experiment came to.
struct ExperimentSummary {
  /// What its report is called; empty if nobody said.
  std::string title = {};
  /// The version of the program that began it.
  std::string version = {};
  /// Its commit.
  std::string commit = {};
  /// The revision of the digits.
  std::uint32_t trace_revision = 0;
  /// The hash of the experiment's text and the revision.
  std::string experiment = {};
  /// The seed.
  std::uint64_t seed = 0;
  /// The rounds asked for.
  std::uint64_t rounds = 0;
  /// The repeats.
  std::uint64_t repeats = 0;
  /// The rounds at which regret is reported, the last included.
  std::vector<std::uint64_t> checkpoints = {};
  /// The problems.
  std::vector<ProblemSummary> problems = {};
};

/// Whether a bound on the average regret says nothing: losses of magnitude M have no regret above
/// 2M, whoever plays.
[[nodiscard]] bool is_vacuous(const ProblemSummary& problem, const LearnerSummary& learner);

/// The summary as JSON, the content of summary.json.
[[nodiscard]] std::string summary_json(const ExperimentSummary& summary);

}  // namespace keyhole::experiment
