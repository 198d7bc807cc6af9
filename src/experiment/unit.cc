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

/// Runs a step of a player; an error names who made it.
template <class Step>
void attempt(const Experiment& experiment, const std::string& who, std::size_t problem,
             std::uint64_t repeat, Step step) {
  const auto place = [&] {
    return "problem '" + experiment.problems[problem].name + "', repeat " + std::to_string(repeat) +
           (who.empty() ? "" : ", learner '" + who + "'") + ": ";
  };
  try {
    step();
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    std::throw_with_nested(RunError(place() + error.what()));
  }
}

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

Part run_unit(const Experiment& experiment, const Catalogue& catalogue, std::size_t problem_index,
              std::uint64_t repeat, UnitWatch& watch, const Trial& trial, const Part* known) {
  const auto guarded = [&](const std::string& who, auto step) {
    attempt(experiment, who, problem_index, repeat, step);
  };
  std::unique_ptr<Problem> problem;
  guarded("", [&] { problem = build_problem(experiment, catalogue, problem_index, repeat); });
  std::vector<std::unique_ptr<Player>> players;
  std::vector<std::size_t> places;  // of these players among all
  for (std::size_t k = 0; k < experiment.players.size(); ++k) {
    if (trial.left_out(problem_index, k)) continue;
    if (known != nullptr && known->players[k].played) continue;
    const Named& named = experiment.players[k];
    places.push_back(k);
    guarded(named.name, [&] {
      players.push_back(
          std::make_unique<Player>(named, catalogue, *problem, experiment, problem_index, repeat));
    });
  }

  const std::uint64_t rounds = run_length(experiment, problem_index, *problem);
  const std::vector<std::uint64_t> grid = fine_grid(rounds);
  const std::vector<std::uint64_t> marks = regret_grid(rounds, experiment.checkpoints);
  auto next_point = grid.begin();
  auto next_mark = marks.begin();
  std::vector<PlayerResult> results(players.size());
  std::vector<WorstWindow> windows(players.size());
  const bool has_windows = rounds >= WorstWindow::shortest_run;
  std::vector<double> least_loss = known != nullptr ? known->least_loss : std::vector<double>();
  std::unique_ptr<Hindsight> hindsight;
  Arrivals arrivals(experiment, problem_index, repeat);
  const bool has_one_best = problem->segment() >= rounds;
  if (known == nullptr || has_one_best) {
    guarded("", [&] { hindsight = std::make_unique<Hindsight>(*problem, watch.stop); });
  }
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    if (watch.stop.load(std::memory_order_relaxed)) throw Stopped();
    guarded("", [&] { problem->draw(t); });
    const std::vector<std::uint64_t>& arriving = arrivals.in_round(t);
    double stays = 0;
    if (has_windows) guarded("", [&] { stays = problem->value(problem->set().centre()); });
    for (std::size_t k = 0; k < players.size(); ++k) {
      const auto& player = players[k];
      guarded(player->name(), [&] {
        player->ask(*problem);
        player->look(*problem);
        player->account(*problem);
        if (has_windows) windows[k].add(player->loss() - stays);
        for (const std::uint64_t round : arriving) player->tell(round);
      });
    }
    if (hindsight) guarded("", [&] { hindsight->add(); });
    const double count = static_cast<double>(t);
    if (t == *next_point) {
      ++next_point;
      for (std::size_t k = 0; k < players.size(); ++k) {
        results[k].average_loss.push_back(players[k]->total() / count);
      }
    }
    if (t == *next_mark) {
      const auto mark = static_cast<std::size_t>(next_mark++ - marks.begin());
      if (known == nullptr) guarded("", [&] { least_loss.push_back(hindsight->best()); });
      const double best = least_loss.at(mark);
      for (std::size_t k = 0; k < players.size(); ++k) {
        results[k].average_regret.push_back((players[k]->total() - best) / count);
        if (!has_one_best) continue;
        guarded(players[k]->name(), [&] {
          const double recommended = hindsight->at(players[k]->recommended(*problem));
          if (!std::isfinite(recommended)) {
            throw RunError("the losses of the point recommended after round " + std::to_string(t) +
                           " come to " + base::number_text(recommended));
          }
          results[k].recommended_regret.push_back((recommended - best) / count);
        });
      }
    }
    if (t % rounds_a_report == 0 || t == rounds) {
      watch.rounds += t % rounds_a_report == 0 ? rounds_a_report : t % rounds_a_report;
    }
  }
  const std::string no_theorem =
      why_no_theorem(experiment.problems[problem_index], *problem, rounds);
  std::vector<PlayerResult> all;
  for (std::size_t k = 0; k < experiment.players.size(); ++k) {
    const bool is_known = known != nullptr && !trial.left_out(problem_index, k);
    all.push_back(is_known ? known->players[k] : PlayerResult{.played = false});
    all.back().spec = experiment.players[k].spec;
  }
  for (std::size_t k = 0; k < players.size(); ++k) {
    conclude(*players[k], rounds, no_theorem, results[k]);
    results[k].worst_window = windows[k].mean();
    results[k].spec = all[places[k]].spec;
    all[places[k]] = std::move(results[k]);
  }

  const LossBounds bounds = problem->bounds();
  std::string set = problem->set().spec();
  if (set.size() > longest_set_text) set = set.substr(0, longest_set_text) + "...";
  return {.key = problem_hash(experiment, problem_index),
          .problem = problem_index,
          .repeat = repeat,
          .rounds = rounds,
          .set = std::move(set),
          .dimension = problem->set().dimension(),
          .loss_bound = if_finite(bounds.loss),
          .gradient_bound = if_finite(bounds.gradient),
          .bounds_proven = bounds.proven,
          .hindsight_gap = known != nullptr ? known->hindsight_gap : hindsight->largest_gap(),
          .least_loss = std::move(least_loss),
          .warnings = warnings_of(*problem, rounds),
          .players = std::move(all)};
}

}  // namespace keyhole::experiment
