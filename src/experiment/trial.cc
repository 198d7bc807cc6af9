#include "experiment/trial.h"

#include <algorithm>
#include <exception>

#include "experiment/checksum.h"
#include "experiment/json.h"
#include "experiment/timing.h"
#include "experiment/unit.h"

namespace keyhole::experiment {
namespace {

constexpr double trial_seconds = 0.05;
constexpr int most_trials = 3;  // something else may keep the processor busy for a while

}  // namespace

bool Trial::try_problem(const Experiment& experiment, const Catalogue& catalogue,
                        std::size_t problem, const std::atomic<bool>& stop) {
  for (std::size_t k = 0; k < experiment.players.size() && experiment.slowest; ++k) {
    if (experiment.players[k].spec == "stay" || has_tried(problem, k)) continue;
    const auto measure = [&] {
      return seconds_per_round(experiment, catalogue, problem, k, trial_seconds, stop);
    };
    double seconds = measure();
    for (int i = 1; i < most_trials && seconds > *experiment.slowest; ++i) {
      seconds = std::min(seconds, measure());
    }
    if (stop.load()) return false;
    tried_.emplace_back(problem, k);
    if (seconds > *experiment.slowest) left_out_.push_back({problem, k, seconds});
  }
  return true;
}

Trial Trial::of_problem(std::size_t problem) const {
  Trial some = *this;
  std::erase_if(some.tried_, [&](const auto& one) { return one.first != problem; });
  std::erase_if(some.left_out_, [&](const LeftOut& one) { return one.problem != problem; });
  return some;
}

void Trial::join(const Trial& other) {
  for (const auto& [problem, player] : other.tried_) {
    if (has_tried(problem, player)) continue;
    tried_.emplace_back(problem, player);
    if (const auto seconds = other.left_out(problem, player)) {
      left_out_.push_back({problem, player, *seconds});
    }
  }
}

bool Trial::has_tried(std::size_t problem, std::size_t player) const {
  return std::find(tried_.begin(), tried_.end(), std::pair(problem, player)) != tried_.end();
}

bool Trial::is_complete(const Experiment& experiment, std::size_t problem) const {
  if (!experiment.slowest) return true;
  for (std::size_t k = 0; k < experiment.players.size(); ++k) {
    if (experiment.players[k].spec != "stay" && !has_tried(problem, k)) return false;
  }
  return true;
}

bool Trial::is_complete(const Experiment& experiment) const {
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    if (!is_complete(experiment, p)) return false;
  }
  return true;
}

std::optional<double> Trial::left_out(std::size_t problem, std::size_t player) const {
  for (const LeftOut& one : left_out_) {
    if (one.problem == problem && one.player == player) return one.seconds;
  }
  return {};
}

std::string Trial::text(const Experiment& experiment) const {
  Json list = Json::array();
  for (const auto& [problem, player] : tried_) {
    Json one = {{"problem", base::hash_text(problem_hash(experiment, problem))},
                {"problem_name", experiment.problems[problem].name},
                {"player", experiment.players[player].spec},
                {"player_name", experiment.players[player].name}};
    if (const auto seconds = left_out(problem, player)) one["seconds_per_round"] = *seconds;
    list.push_back(one);
  }
  return sealed(
      json_text({{"format", 2}, {"slowest", or_null(experiment.slowest)}, {"tried", list}}));
}

std::optional<Trial> Trial::read(const std::string& text, const Experiment& experiment) {
  const std::optional<std::string> line = unsealed(text);
  if (!line) return {};
  try {
    const Json json = Json::parse(*line);
    if (json.at("format") != 2 || json.at("slowest") != or_null(experiment.slowest)) return {};
    Trial trial;
    for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
      const std::string key = base::hash_text(problem_hash(experiment, p));
      for (const Json& one : json.at("tried")) {
        if (one.at("problem") != key) continue;
        for (std::size_t k = 0; k < experiment.players.size(); ++k) {
          if (one.at("player") != experiment.players[k].spec || trial.has_tried(p, k)) continue;
          trial.tried_.emplace_back(p, k);
          if (const auto seconds = one.find("seconds_per_round"); seconds != one.end()) {
            trial.left_out_.push_back({p, k, seconds->get<double>()});
          }
        }
      }
    }
    return trial;
  } catch (const std::exception&) {  // written by another version of this program
    return {};
  }
}

}  // namespace keyhole::experiment
