#include "experiment/merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "experiment/checksum.h"
#include "experiment/measures/grid.h"
#include "experiment/unit.h"
#include "keyhole/version.h"

namespace keyhole::experiment {
namespace {

constexpr double gap_worth_a_warning = 2e-6;
constexpr double late_share_worth_a_warning = 0.1;
constexpr std::uint64_t first_round_of_the_largest = 64;
constexpr std::uint64_t first_round_of_the_slope = 1024;

/// The slope of the least-squares line through (log t, log of total regret), if there is one.
class SlopeFit {
 public:
  void add(double t, double average_regret) {
    if (!(average_regret > 0)) {
      positive_ = false;
      return;
    }
    const double x = std::log(t);
    const double y = x + std::log(average_regret);
    count_ += 1;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
  }
  [[nodiscard]] std::optional<double> slope() const {
    if (!positive_ || count_ < 3) return {};
    return (count_ * xy_ - x_ * y_) / (count_ * xx_ - x_ * x_);
  }

 private:
  bool positive_ = true;
  double count_ = 0;
  double x_ = 0;
  double y_ = 0;
  double xx_ = 0;
  double xy_ = 0;
};

/// One learner's numbers, as the repeats come in.
struct Gathered {
  std::vector<Moments> average_loss;
  std::vector<Moments> average_regret;
  std::vector<QuotientMoments> relative_regret;
  std::vector<QuotientMoments> recommended;
  std::optional<double> worst_window = {};
  Moments oracle_calls = {};
  std::uint64_t late = 0;
  Moments regret_bound = {};
  std::vector<std::pair<std::string, Moments>> beliefs = {};
  LearnerSummary summary = {};
};

void add(std::vector<Moments>& moments, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) moments[i].add(values[i]);
}

/// Takes what a repeat says; a name that is new goes last.
void add(std::vector<std::pair<std::string, Moments>>& gathered, const Beliefs& beliefs) {
  for (const auto& said : beliefs) {
    auto same = std::find_if(gathered.begin(), gathered.end(),
                             [&](const auto& belief) { return belief.first == said.first; });
    if (same == gathered.end()) same = gathered.insert(same, {said.first, {}});
    same->second.add(said.second);
  }
}

void add(Gathered& gathered, const PlayerResult& result, bool first) {
  add(gathered.average_loss, result.average_loss);
  add(gathered.average_regret, result.average_regret);
  add(gathered.beliefs, result.beliefs);
  gathered.oracle_calls.add(static_cast<double>(result.oracle_calls));
  gathered.late += result.late;
  if (result.worst_window) {
    gathered.worst_window =
        std::max(gathered.worst_window.value_or(*result.worst_window), *result.worst_window);
  }
  LearnerSummary& summary = gathered.summary;
  if (result.regret_bound) gathered.regret_bound.add(*result.regret_bound);
  if (first || !result.regret_bound) summary.regret_bound_note = result.regret_bound_note;
  if (first) summary.algorithm = result.algorithm;
  summary.regret_bound_holds = (first || summary.regret_bound_holds) && result.regret_bound_holds;
  summary.infeasible_plays += result.infeasible_plays;
  summary.alarms += result.alarms;
}

/// Merges one problem.
class ProblemMerge {
 public:
  ProblemMerge(const Experiment& experiment, const Trial& trial, std::size_t problem)
      : experiment_(experiment), problem_(problem), learners_(experiment.players.size()) {
    for (std::size_t k = 0; k < learners_.size(); ++k) {
      LearnerSummary& summary = learners_[k].summary;
      summary.named = experiment.players[k];
      summary.seconds_per_round = trial.left_out(problem, k);
      summary.left_out = summary.seconds_per_round.has_value();
      if (summary.named.spec == "stay") stay_ = k;
    }
  }

  void add_part(const Part& part) {
    const bool first = part.repeat == 0;
    if (first) begin(part);
    if (part.rounds != summary_.rounds) {
      throw RunError("problem '" + summary_.named.name + "' has " + std::to_string(part.rounds) +
                     " rounds in repeat " + std::to_string(part.repeat) + " and " +
                     std::to_string(summary_.rounds) + " in the first: averages make no sense");
    }
    summary_.bounds_proven = summary_.bounds_proven && part.bounds_proven;
    summary_.hindsight_gap = std::max(summary_.hindsight_gap, part.hindsight_gap);
    const std::vector<double> units = units_of(part);
    for (std::size_t k = 0; k < learners_.size(); ++k) {
      if (learners_[k].summary.left_out) continue;
      add(learners_[k], part.players[k], first);
      for (std::size_t i = 0; i < units.size(); ++i) {
        learners_[k].relative_regret[i].add(part.players[k].average_regret[i], units[i]);
        if (part.players[k].recommended_regret.empty()) continue;
        learners_[k].recommended[i].add(part.players[k].recommended_regret[i], units[i]);
      }
    }
  }

  [[nodiscard]] std::string curves(double t) const {
    std::string text;
    for (const Gathered& learner : learners_) {
      if (learner.summary.left_out) continue;
      append(text, learner, "average_loss", grid_, learner.average_loss, t);
      append(text, learner, "average_regret", marks_, learner.average_regret, t);
    }
    return text;
  }

  [[nodiscard]] ProblemSummary summary(double t) {
    const double rounds = static_cast<double>(summary_.rounds);
    for (const Gathered& learner : learners_) {
      LearnerSummary& result = summary_.learners.emplace_back(learner.summary);
      if (result.left_out) continue;
      set_regrets(learner, t, result);
      result.average_loss = learner.average_loss.back().interval(t);
      result.oracle_calls_per_round = learner.oracle_calls.interval(t).mean / rounds;
      for (const auto& [name, values] : learner.beliefs) {
        result.beliefs.emplace_back(name, values.interval(t).mean);
      }
      if (learner.regret_bound.count() == experiment_.repeats) {
        result.regret_bound = learner.regret_bound.interval(t).mean / rounds;
      }
    }
    summary_.why_no_relative_regret = why_not_relative(marks_.size() - 1, t);
    if (summary_.rounds < experiment_.rounds) {
      summary_.warnings.push_back("the problem has " + std::to_string(summary_.rounds) +
                                  " of the " + std::to_string(experiment_.rounds) +
                                  " rounds asked for");
    }
    warn_of_delays();
    if (summary_.hindsight_gap > gap_worth_a_warning) {
      summary_.warnings.push_back("the best fixed point is known to a share of " +
                                  base::number_text(summary_.hindsight_gap) +
                                  " of the total loss only: regret may be larger by as much");
    }
    return summary_;
  }

 private:
  /// Says so if values come too late for the run, or for a learner.
  void warn_of_delays() {
    const std::string delay = std::to_string(summary_.delay);
    if (summary_.delay > summary_.rounds) {
      summary_.warnings.push_back("values come up to " + delay + " rounds late, and a run has " +
                                  std::to_string(summary_.rounds) + ": many never come");
    }
    for (const Gathered& learner : learners_) {
      const double all = static_cast<double>(summary_.rounds * experiment_.repeats);
      const double share = static_cast<double>(learner.late) / all;
      if (share < late_share_worth_a_warning) continue;
      summary_.warnings.push_back("'" + learner.summary.named.name + "' learns nothing from " +
                                  base::digits_text(100 * share, 2) +
                                  " % of the values: they come up to " + delay +
                                  " rounds late, after it has started again");
    }
  }

  /// What the regrets of a repeat are divided by; empty if there is nothing.
  [[nodiscard]] std::vector<double> units_of(const Part& part) const {
    if (summary_.normalise) return std::vector<double>(marks_.size(), *summary_.normalise);
    if (stay_) return part.players[*stay_].average_regret;
    return {};
  }

  /// Why regret cannot be relative at a point of its grid; empty if it can.
  [[nodiscard]] std::string why_not_relative(std::size_t i, double t) const {
    if (summary_.normalise) return "";
    if (!stay_) return "the control 'stay' does not play";
    const auto [mean, half_width] = learners_[*stay_].average_regret[i].interval(t);
    // An interval from two numbers is 13 times as wide as they are apart: it says too little.
    const double least = experiment_.repeats > 2 ? mean - half_width.value_or(0) : mean;
    return least > 0 ? "" : "the regret of 'stay' is not positive for certain";
  }

  /// The regrets of all kinds.
  void set_regrets(const Gathered& learner, double t, LearnerSummary& result) const {
    SlopeFit fit;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      RegretAt at{marks_[i], learner.average_regret[i].interval(t), {}, {}};
      if (why_not_relative(i, t).empty()) {
        at.relative_regret = learner.relative_regret[i].interval(t);
        if (learner.recommended[i].count() == experiment_.repeats) {
          at.recommended = learner.recommended[i].interval(t);
        }
      }
      if (at.relative_regret && at.round >= first_round_of_the_largest) {
        result.largest_relative_regret =
            std::max(result.largest_relative_regret.value_or(at.relative_regret->mean),
                     at.relative_regret->mean);
      }
      if (at.round >= first_round_of_the_slope && std::has_single_bit(at.round)) {
        fit.add(static_cast<double>(at.round), at.average_regret.mean);
      }
      if (i + 1 == marks_.size()) {
        result.average_regret = at.average_regret;
        result.relative_regret = at.relative_regret;
        result.recommended = at.recommended;
      }
      const auto& wanted = experiment_.checkpoints;
      if (at.round == experiment_.rounds ||
          std::find(wanted.begin(), wanted.end(), at.round) != wanted.end()) {
        result.checkpoints.push_back(at);
      }
    }
    result.regret_slope = fit.slope();
    if (learner.worst_window && result.relative_regret) {
      const double unit = summary_.normalise.value_or(
          stay_ ? learners_[*stay_].average_regret.back().interval(t).mean : 1);
      result.worst_window = 1 + *learner.worst_window / unit;
    }
  }

  void begin(const Part& part) {
    const PosedProblem& posed = experiment_.problems[problem_];
    summary_.normalise = posed.normalise;
    summary_.delay = posed.delay;
    summary_.missing = posed.missing;
    summary_.arrivals = posed.arrivals;
    summary_.named = posed;
    summary_.rounds = part.rounds;
    summary_.set = part.set;
    summary_.dimension = part.dimension;
    summary_.loss_bound = part.loss_bound;
    summary_.gradient_bound = part.gradient_bound;
    summary_.warnings = part.warnings;
    grid_ = fine_grid(part.rounds);
    marks_ = regret_grid(part.rounds, experiment_.checkpoints);
    for (Gathered& learner : learners_) {
      learner.average_loss.resize(grid_.size());
      learner.average_regret.resize(marks_.size());
      learner.relative_regret.resize(marks_.size());
      learner.recommended.resize(marks_.size());
    }
  }

  void append(std::string& text, const Gathered& learner, const std::string& measure,
              const std::vector<std::uint64_t>& rounds, const std::vector<Moments>& moments,
              double t) const {
    const std::string begin = base::csv_field(summary_.named.name) + "," +
                              base::csv_field(learner.summary.named.name) + "," + measure + ",";
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      const auto [mean, half_width] = moments[i].interval(t);
      text += begin + std::to_string(rounds[i]) + "," + base::number_text(mean) + ",";
      if (half_width) text += base::number_text(mean - *half_width);
      text += ",";
      if (half_width) text += base::number_text(mean + *half_width);
      text += "," + std::to_string(moments[i].count()) + "\n";
    }
  }

  const Experiment& experiment_;
  std::size_t problem_;
  std::vector<Gathered> learners_;
  std::optional<std::size_t> stay_;
  ProblemSummary summary_;
  std::vector<std::uint64_t> grid_;
  std::vector<std::uint64_t> marks_;
};

}  // namespace

Merged merge(const Experiment& experiment, const Trial& trial, Directory& directory) {
  const double t = experiment.repeats > 1 ? student_t_95(experiment.repeats - 1) : 0;
  Merged merged{.curves = "problem,learner,measure,round,mean,lower,upper,repeats\n",
                .summary = {.title = experiment.title,
                            .version = directory.version(),
                            .commit = directory.commit(),
                            .trace_revision = trace_revision,
                            .experiment = base::hash_text(experiment_hash(experiment)),
                            .seed = experiment.seed,
                            .rounds = experiment.rounds,
                            .repeats = experiment.repeats,
                            .checkpoints = experiment.checkpoints}};
  auto& checkpoints = merged.summary.checkpoints;
  if (checkpoints.empty() || checkpoints.back() != experiment.rounds) {
    checkpoints.push_back(experiment.rounds);
  }
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    ProblemMerge problem(experiment, trial, p);
    for (std::uint64_t repeat = 0; repeat < experiment.repeats; ++repeat) {
      const auto part = directory.read_part(p, repeat);
      if (!part) {
        throw RunError("problem '" + experiment.problems[p].name + "', repeat " +
                       std::to_string(repeat) + ": its part has vanished; run again");
      }
      problem.add_part(*part);
    }
    merged.curves += problem.curves(t);
    merged.summary.problems.push_back(problem.summary(t));
  }
  return merged;
}

}  // namespace keyhole::experiment
