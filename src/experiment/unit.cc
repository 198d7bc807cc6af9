#include "experiment/unit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "experiment/checksum.h"
#include "experiment/config.h"
#include "experiment/grid.h"
#include "experiment/player.h"
#include "keyhole/hindsight.h"
#include "keyhole/version.h"
#include "math/sums.h"

namespace keyhole::experiment {
namespace {

constexpr double hindsight_precision = 1e-6;
constexpr std::size_t longest_set_text = 200;
constexpr std::uint64_t rounds_a_report = 64;

/// A total loss that can be interrupted: looking back can take longer than playing.
class Interruptible final : public TotalLoss {
 public:
  Interruptible(std::unique_ptr<TotalLoss> total, const std::atomic<bool>& stop)
      : total_(std::move(total)), stop_(stop) {}

  void add() override { total_->add(); }
  [[nodiscard]] double value(std::span<const double> x) const override {
    check();
    return total_->value(x);
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    check();
    total_->gradient(x, gradient);
  }
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    check();
    return total_->line_minimum(x, d, longest);
  }

 private:
  void check() const {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped();
  }

  std::unique_ptr<TotalLoss> total_;
  const std::atomic<bool>& stop_;
};

/// The best fixed point of the rounds so far, each search beginning where the last one ended.
class Hindsight {
 public:
  Hindsight(Problem& problem, const std::atomic<bool>& stop)
      : problem_(problem), oracle_(problem.set().oracle()), total_(problem.total(), stop) {}

  /// Adds the loss that the problem has drawn last.
  void add() {
    total_.add();
    magnitude_ += std::abs(problem_.value(problem_.set().geometry().centre));
  }

  /// min F up to the precision.
  double best() {
    const double scale = std::max(magnitude_, gap_at_centre());
    FixedPoint found = best_fixed_point(problem_.set(), total_,
                                        {.tolerance = hindsight_precision * scale, .start = best_});
    best_ = std::move(found.point);
    if (scale > 0) largest_gap_ = std::max(largest_gap_, found.gap / scale);
    return found.value;
  }

  /// The largest gap so far, as a share of the scale.
  [[nodiscard]] double largest_gap() const { return largest_gap_; }

 private:
  /// max over v of <gradient F(p), p - v>, which is no less than F(p) - min F.
  double gap_at_centre() {
    const std::vector<double>& p = problem_.set().geometry().centre;
    std::vector<double> gradient(p.size());
    total_.gradient(p, gradient);
    return math::dot(gradient, p) - oracle_->minimise(gradient).dot(gradient);
  }

  Problem& problem_;
  std::unique_ptr<Oracle> oracle_;
  Interruptible total_;
  double magnitude_ = 0;  // sum |f_s(p)|
  std::vector<double> best_;
  double largest_gap_ = 0;
};

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void conclude(const Player& player, std::uint64_t rounds, PlayerResult& result) {
  const Summary summary = player.learner().summary();
  const RegretBound bound = player.learner().regret_bound(rounds);
  result.algorithm = player.algorithm();
  result.oracle_calls = summary.oracle_calls;
  result.infeasible_plays = player.infeasible();
  result.alarms = summary.above_bound;
  result.regret_bound = if_finite(bound.value);
  result.regret_bound_holds = bound.holds;
  result.regret_bound_note = bound.note;
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
    throw RunError(place() + error.what());
  }
}

}  // namespace

std::uint64_t experiment_hash(const Experiment& experiment) {
  const std::string text = experiment.text.empty() ? print_config(experiment) : experiment.text;
  return checksum(text + "\ntrace_revision " + std::to_string(trace_revision));
}

Part run_unit(const Experiment& experiment, const Factories& factories, std::size_t problem_index,
              std::uint64_t repeat, UnitWatch& watch) {
  const auto guarded = [&](const std::string& who, auto step) {
    attempt(experiment, who, problem_index, repeat, step);
  };
  std::unique_ptr<Problem> problem;
  guarded("", [&] { problem = build_problem(experiment, factories, problem_index, repeat); });
  std::vector<std::unique_ptr<Player>> players;
  for (const Named& named : experiment.players) {
    guarded(named.name, [&] {
      players.push_back(std::make_unique<Player>(named, factories, *problem, experiment, repeat));
    });
  }

  const std::uint64_t rounds = run_length(experiment, *problem);
  const std::vector<std::uint64_t> grid = fine_grid(rounds);
  const std::vector<std::uint64_t> marks = octaves(rounds);
  auto next_point = grid.begin();
  auto next_mark = marks.begin();
  std::vector<PlayerResult> results(players.size());
  std::unique_ptr<Hindsight> hindsight;
  guarded("", [&] { hindsight = std::make_unique<Hindsight>(*problem, watch.stop); });
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    if (watch.stop.load(std::memory_order_relaxed)) throw Stopped();
    guarded("", [&] { problem->draw(t); });
    for (const auto& player : players) {
      guarded(player->name(), [&] {
        player->ask();
        player->look(*problem);
        player->account(*problem);
        player->tell();
      });
    }
    guarded("", [&] { hindsight->add(); });
    const double count = static_cast<double>(t);
    if (t == *next_point) {
      ++next_point;
      for (std::size_t k = 0; k < players.size(); ++k) {
        results[k].average_loss.push_back(players[k]->total() / count);
      }
    }
    if (t == *next_mark) {
      ++next_mark;
      double best = 0;
      guarded("", [&] { best = hindsight->best(); });
      for (std::size_t k = 0; k < players.size(); ++k) {
        results[k].average_regret.push_back((players[k]->total() - best) / count);
      }
    }
    if (t % rounds_a_report == 0 || t == rounds) {
      watch.rounds += t % rounds_a_report == 0 ? rounds_a_report : t % rounds_a_report;
    }
  }
  for (std::size_t k = 0; k < players.size(); ++k) conclude(*players[k], rounds, results[k]);

  const LossBounds bounds = problem->bounds();
  std::string set = problem->set().spec();
  if (set.size() > longest_set_text) set = set.substr(0, longest_set_text) + "...";
  return {.experiment = experiment_hash(experiment),
          .problem = problem_index,
          .repeat = repeat,
          .rounds = rounds,
          .set = std::move(set),
          .dimension = problem->set().dimension(),
          .loss_bound = if_finite(bounds.loss),
          .gradient_bound = if_finite(bounds.gradient),
          .bounds_proven = bounds.proven,
          .hindsight_gap = hindsight->largest_gap(),
          .warnings = problem->warnings(),
          .players = std::move(results)};
}

}  // namespace keyhole::experiment
