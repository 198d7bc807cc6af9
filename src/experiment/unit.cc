#include "experiment/unit.h"

#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "experiment/arrivals.h"
#include "experiment/checksum.h"
#include "experiment/config.h"
#include "experiment/measures/grid.h"
#include "experiment/measures/hindsight.h"
#include "experiment/measures/worst_window.h"
#include "experiment/player.h"
#include "keyhole/version.h"

namespace keyhole::experiment {
namespace {

constexpr std::size_t longest_set_text = 200;
constexpr std::uint64_t rounds_a_report = 64;

/// Results have no infinite bounds: JSON cannot say them.
std::optional<double> if_finite(double bound) {
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

/// Why no theorem covers a run, whatever the learner; empty if one may.
std::string why_no_theorem(const PosedProblem& posed, const Problem& problem,
                           std::uint64_t rounds) {
  if (problem.segment() < rounds) {
    return "theorems compare with one fixed point, and here regret is against a new one every " +
           std::to_string(problem.segment()) + " rounds";
  }
  if (posed.waiting() > 1 || posed.missing > 0) {
    return "theorems want every value at once, and here values are told late or never";
  }
  return "";
}

/// What the problem wants its readers to know, and whether the run is too short for it.
std::vector<std::string> warnings_of(const Problem& problem, std::uint64_t rounds) {
  constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::string> warnings = problem.warnings();
  if (problem.segment() != no_end && problem.segment() >= rounds) {
    warnings.push_back("its best point moves every " + std::to_string(problem.segment()) +
                       " rounds, and a run has " + std::to_string(rounds) + ": it never moves");
  }
  return warnings;
}

Beliefs beliefs_of(const Status& status) {
  Beliefs beliefs;
  const auto add = [&](const char* name, double value) {
    if (std::isfinite(value)) beliefs.emplace_back(name, value);
  };
  add("noise", status.belief.noise);
  add("gain", status.belief.gain);
  add("gain_error", status.belief.gain_error);
  add("curvature", status.belief.curvature);
  add("fit", status.belief.fit);
  if (status.restarts > 0) add("restarts", static_cast<double>(status.restarts));
  return beliefs;
}

void conclude(const Player& player, std::uint64_t rounds, const std::string& no_theorem,
              PlayerResult& result) {
  const Summary summary = player.learner().summary();
  const RegretBound bound = player.learner().regret_bound(rounds);
  result.algorithm = player.algorithm();
  result.oracle_calls = summary.oracle_calls;
  result.infeasible_plays = player.infeasible();
  result.alarms = summary.above_bound;
  result.late = summary.late + summary.expired;
  result.beliefs = beliefs_of(player.learner().status());
  result.regret_bound = if_finite(bound.value);
  result.regret_bound_holds = bound.holds;
  result.regret_bound_note = bound.note;
  if (result.regret_bound && !no_theorem.empty()) {
    result.regret_bound_holds = false;
    result.regret_bound_note = no_theorem;
  }
}

/// A unit at work: its players meet the same rounds of a problem.
class Running {
 public:
  Running(const Experiment& experiment, std::size_t problem, std::uint64_t repeat,
          const Trial& trial, const Part* known)
      : experiment_(experiment), place_(problem), repeat_(repeat), trial_(trial), known_(known) {}

  /// As run_unit().
  Part run(const Catalogue& catalogue, UnitWatch& watch) {
    prepare(catalogue, watch);
    for (std::uint64_t t = 1; t <= rounds_; ++t) {
      if (watch.stop.load(std::memory_order_relaxed)) throw Stopped();
      play(t);
      if (t == fine_[measured_]) measure_losses(t);
      if (t == marks_[marked_]) measure_regret(t);
      if (t % rounds_a_report == 0 || t == rounds_) {
        watch.rounds += t % rounds_a_report == 0 ? rounds_a_report : t % rounds_a_report;
      }
    }
    return concluded();
  }

 private:
  /// One who plays: its place among all players of the experiment, and what is measured of it.
  struct Entrant {
    std::size_t place = 0;
    std::unique_ptr<Player> player = {};
    PlayerResult result = {};
    WorstWindow window = {};
  };

  /// Runs a step; an error names who made it.
  template <class Step>
  void attempt(const std::string& who, Step step) const {
    try {
      step();
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& error) {
      std::throw_with_nested(RunError(
          "problem '" + experiment_.problems[place_].name + "', repeat " + std::to_string(repeat_) +
          (who.empty() ? "" : ", learner '" + who + "'") + ": " + error.what()));
    }
  }

  void prepare(const Catalogue& catalogue, const UnitWatch& watch) {
    attempt("", [&] { problem_ = build_problem(experiment_, catalogue, place_, repeat_); });
    for (std::size_t k = 0; k < experiment_.players.size(); ++k) {
      if (trial_.left_out(place_, k)) continue;
      if (known_ != nullptr && known_->players[k].played) continue;
      const Named& named = experiment_.players[k];
      entrants_.push_back({.place = k});
      attempt(named.name, [&] {
        entrants_.back().player =
            std::make_unique<Player>(named, catalogue, *problem_, experiment_, place_, repeat_);
      });
    }
    rounds_ = run_length(experiment_, place_, *problem_);
    fine_ = fine_grid(rounds_);
    marks_ = regret_grid(rounds_, experiment_.checkpoints);
    has_windows_ = rounds_ >= WorstWindow::shortest_run;
    has_one_best_ = problem_->segment() >= rounds_;
    if (known_ != nullptr) least_loss_ = known_->least_loss;
    arrivals_.emplace(experiment_, place_, repeat_);
    if (known_ == nullptr || has_one_best_) {
      attempt("", [&] { hindsight_ = std::make_unique<Hindsight>(*problem_, watch.stop); });
    }
  }

  void play(std::uint64_t t) {
    attempt("", [&] { problem_->draw(t); });
    const std::vector<std::uint64_t>& arriving = arrivals_->in_round(t);
    double stays = 0;
    if (has_windows_) attempt("", [&] { stays = problem_->value(problem_->set().centre()); });
    for (Entrant& entrant : entrants_) {
      Player& player = *entrant.player;
      attempt(player.name(), [&] {
        player.ask(*problem_);
        player.look(*problem_);
        player.account(*problem_);
        if (has_windows_) entrant.window.add(player.loss() - stays);
        for (const std::uint64_t round : arriving) player.tell(round);
      });
    }
    if (hindsight_) attempt("", [&] { hindsight_->add(); });
  }

  void measure_losses(std::uint64_t t) {
    ++measured_;
    for (Entrant& entrant : entrants_) {
      entrant.result.average_loss.push_back(entrant.player->total() / static_cast<double>(t));
    }
  }

  void measure_regret(std::uint64_t t) {
    const auto count = static_cast<double>(t);
    if (known_ == nullptr) attempt("", [&] { least_loss_.push_back(hindsight_->best()); });
    const double best = least_loss_.at(marked_++);
    for (Entrant& entrant : entrants_) {
      Player& player = *entrant.player;
      entrant.result.average_regret.push_back((player.total() - best) / count);
      if (!has_one_best_) continue;
      attempt(player.name(), [&] {
        const double recommended = hindsight_->at(player.recommended(*problem_));
        if (!std::isfinite(recommended)) {
          throw RunError("the losses of the point recommended after round " + std::to_string(t) +
                         " come to " + base::number_text(recommended));
        }
        entrant.result.recommended_regret.push_back((recommended - best) / count);
      });
    }
  }

  [[nodiscard]] std::vector<PlayerResult> results() {
    std::vector<PlayerResult> all;
    for (std::size_t k = 0; k < experiment_.players.size(); ++k) {
      const bool is_known = known_ != nullptr && !trial_.left_out(place_, k);
      all.push_back(is_known ? known_->players[k] : PlayerResult{.played = false});
      all.back().spec = experiment_.players[k].spec;
    }
    const std::string no_theorem = why_no_theorem(experiment_.problems[place_], *problem_, rounds_);
    for (Entrant& entrant : entrants_) {
      conclude(*entrant.player, rounds_, no_theorem, entrant.result);
      entrant.result.worst_window = entrant.window.mean();
      entrant.result.spec = all[entrant.place].spec;
      all[entrant.place] = std::move(entrant.result);
    }
    return all;
  }

  [[nodiscard]] Part concluded() {
    const LossBounds bounds = problem_->bounds();
    std::string set = problem_->set().spec();
    if (set.size() > longest_set_text) set = set.substr(0, longest_set_text) + "...";
    return {.key = problem_hash(experiment_, place_),
            .problem = place_,
            .repeat = repeat_,
            .rounds = rounds_,
            .set = std::move(set),
            .dimension = problem_->set().dimension(),
            .loss_bound = if_finite(bounds.loss),
            .gradient_bound = if_finite(bounds.gradient),
            .bounds_proven = bounds.proven,
            .hindsight_gap = known_ != nullptr ? known_->hindsight_gap : hindsight_->largest_gap(),
            .least_loss = std::move(least_loss_),
            .warnings = warnings_of(*problem_, rounds_),
            .players = results()};
  }

  const Experiment& experiment_;
  std::size_t place_;  // of the problem
  std::uint64_t repeat_;
  const Trial& trial_;
  const Part* known_;

  std::unique_ptr<Problem> problem_;
  std::vector<Entrant> entrants_;
  std::uint64_t rounds_ = 0;
  std::vector<std::uint64_t> fine_;
  std::vector<std::uint64_t> marks_;
  std::size_t measured_ = 0;  // of fine_
  std::size_t marked_ = 0;    // of marks_
  bool has_windows_ = false;
  bool has_one_best_ = false;  // and not one for each segment
  std::vector<double> least_loss_;
  std::optional<Arrivals> arrivals_;
  std::unique_ptr<Hindsight> hindsight_;
};

}  // namespace

std::uint64_t experiment_hash(const Experiment& experiment) {
  const std::string text = experiment.text.empty() ? print_config(experiment) : experiment.text;
  return checksum(text + "\ntrace_revision " + std::to_string(trace_revision));
}

std::uint64_t problem_hash(const Experiment& experiment, std::size_t problem) {
  Experiment alone;
  alone.rounds = experiment.rounds;
  alone.seed = experiment.seed;
  alone.checkpoints = experiment.checkpoints;
  alone.problems = {experiment.problems[problem]};
  alone.problems.front().name.clear();
  alone.problems.front().normalise.reset();
  return experiment_hash(alone);
}

bool is_complete(const Part& part, const Trial& trial) {
  for (std::size_t k = 0; k < part.players.size(); ++k) {
    if (!part.players[k].played && !trial.left_out(part.problem, k)) return false;
  }
  return true;
}

Part run_unit(const Experiment& experiment, const Catalogue& catalogue, std::size_t problem,
              std::uint64_t repeat, UnitWatch& watch, const Trial& trial, const Part* known) {
  return Running(experiment, problem, repeat, trial, known).run(catalogue, watch);
}

}  // namespace keyhole::experiment
