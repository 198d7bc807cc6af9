#include "experiment/merge.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "experiment/checksum.h"
#include "experiment/grid.h"
#include "experiment/unit.h"
#include "keyhole/version.h"
#include "math/number_text.h"

namespace keyhole::experiment {
namespace {

constexpr double gap_worth_a_warning = 2e-6;

/// One learner's numbers, as the repeats come in.
struct Gathered {
  std::vector<Moments> average_loss;
  std::vector<Moments> average_regret;
  Moments oracle_calls = {};
  Moments regret_bound = {};
  LearnerSummary summary = {};
};

void add(std::vector<Moments>& moments, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) moments[i].add(values[i]);
}

void add(Gathered& gathered, const PlayerResult& result, bool first) {
  add(gathered.average_loss, result.average_loss);
  add(gathered.average_regret, result.average_regret);
  gathered.oracle_calls.add(static_cast<double>(result.oracle_calls));
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
  ProblemMerge(const Experiment& experiment, std::size_t problem)
      : experiment_(experiment), problem_(problem), learners_(experiment.players.size()) {}

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
    for (std::size_t k = 0; k < learners_.size(); ++k) add(learners_[k], part.players[k], first);
  }

  [[nodiscard]] std::string curves(double t) const {
    std::string text;
    for (const Gathered& learner : learners_) {
      append(text, learner, "average_loss", grid_, learner.average_loss, t);
      append(text, learner, "average_regret", marks_, learner.average_regret, t);
    }
    return text;
  }

  [[nodiscard]] ProblemSummary summary(double t) {
    const double rounds = static_cast<double>(summary_.rounds);
    for (const Gathered& learner : learners_) {
      LearnerSummary& result = summary_.learners.emplace_back(learner.summary);
      result.average_loss = learner.average_loss.back().interval(t);
      result.average_regret = learner.average_regret.back().interval(t);
      result.oracle_calls_per_round = learner.oracle_calls.interval(t).mean / rounds;
      if (learner.regret_bound.count() == experiment_.repeats) {
        result.regret_bound = learner.regret_bound.interval(t).mean / rounds;
      }
    }
    if (summary_.rounds < experiment_.rounds) {
      summary_.warnings.push_back("the problem has " + std::to_string(summary_.rounds) +
                                  " of the " + std::to_string(experiment_.rounds) +
                                  " rounds asked for");
    }
    if (summary_.hindsight_gap > gap_worth_a_warning) {
      summary_.warnings.push_back("the best fixed point is known to a share of " +
                                  math::number_text(summary_.hindsight_gap) +
                                  " of the total loss only: regret may be larger by as much");
    }
    return summary_;
  }

 private:
  void begin(const Part& part) {
    summary_.named = experiment_.problems[problem_];
    summary_.rounds = part.rounds;
    summary_.set = part.set;
    summary_.dimension = part.dimension;
    summary_.loss_bound = part.loss_bound;
    summary_.gradient_bound = part.gradient_bound;
    summary_.warnings = part.warnings;
    grid_ = fine_grid(part.rounds);
    marks_ = octaves(part.rounds);
    for (std::size_t k = 0; k < learners_.size(); ++k) {
      learners_[k].summary.named = experiment_.players[k];
      learners_[k].average_loss.resize(grid_.size());
      learners_[k].average_regret.resize(marks_.size());
    }
  }

  void append(std::string& text, const Gathered& learner, const std::string& measure,
              const std::vector<std::uint64_t>& rounds, const std::vector<Moments>& moments,
              double t) const {
    const std::string begin = csv_field(summary_.named.name) + "," +
                              csv_field(learner.summary.named.name) + "," + measure + ",";
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      const auto [mean, half_width] = moments[i].interval(t);
      text += begin + std::to_string(rounds[i]) + "," + math::number_text(mean) + ",";
      if (half_width) text += math::number_text(mean - *half_width);
      text += ",";
      if (half_width) text += math::number_text(mean + *half_width);
      text += "," + std::to_string(moments[i].count()) + "\n";
    }
  }

  const Experiment& experiment_;
  std::size_t problem_;
  std::vector<Gathered> learners_;
  ProblemSummary summary_;
  std::vector<std::uint64_t> grid_;
  std::vector<std::uint64_t> marks_;
};

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

Merged merge(const Experiment& experiment, Directory& directory) {
  const double t = experiment.repeats > 1 ? student_t_95(experiment.repeats - 1) : 0;
  Merged merged{.curves = "problem,learner,measure,round,mean,lower,upper,repeats\n",
                .summary = {.version = directory.version(),
                            .commit = directory.commit(),
                            .trace_revision = trace_revision,
                            .experiment = checksum_text(experiment_hash(experiment)),
                            .seed = experiment.seed,
                            .rounds = experiment.rounds,
                            .repeats = experiment.repeats}};
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    ProblemMerge problem(experiment, p);
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
