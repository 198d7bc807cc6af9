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

std::optional<Trial> Trial::run(const Experiment& experiment, const Catalogue& catalogue,
                                const std::atomic<bool>& stop) {
  Trial trial;
  if (!experiment.slowest) return trial;
  for (std::size_t p = 0; p < experiment.problems.size(); ++p) {
    for (std::size_t k = 0; k < experiment.players.size(); ++k) {
      if (experiment.players[k].spec == "stay") continue;
      const auto measure = [&] {
        return seconds_per_round(experiment, catalogue, p, k, trial_seconds, stop);
      };
      double seconds = measure();
      for (int i = 1; i < most_trials && seconds > *experiment.slowest; ++i) {
        seconds = std::min(seconds, measure());
      }
      if (stop.load()) return {};
      if (seconds > *experiment.slowest) trial.left_out_.push_back({p, k, seconds});
    }
  }
  return trial;
}

std::optional<double> Trial::left_out(std::size_t problem, std::size_t player) const {
  for (const LeftOut& one : left_out_) {
    if (one.problem == problem && one.player == player) return one.seconds;
  }
  return {};
}

std::string Trial::text(const Experiment& experiment) const {
  Json list = Json::array();
  for (const LeftOut& one : left_out_) {
    list.push_back({{"problem", one.problem},
                    {"problem_name", experiment.problems[one.problem].name},
                    {"player", one.player},
                    {"player_name", experiment.players[one.player].name},
                    {"seconds_per_round", one.seconds}});
  }
  const Json json = {{"format", 1},
                     {"experiment", base::hash_text(experiment_hash(experiment))},
                     {"left_out", list}};
  return sealed(json_text(json));
}

std::optional<Trial> Trial::read(const std::string& text, const Experiment& experiment) {
  const std::optional<std::string> line = unsealed(text);
  if (!line) return {};
  try {
    const Json json = Json::parse(*line);
    if (json.at("format") != 1) return {};
    if (json.at("experiment") != base::hash_text(experiment_hash(experiment))) return {};
    Trial trial;
    for (const Json& one : json.at("left_out")) {
      trial.left_out_.push_back({one.at("problem").get<std::size_t>(),
                                 one.at("player").get<std::size_t>(),
                                 one.at("seconds_per_round").get<double>()});
    }
    return trial;
  } catch (const std::exception&) {  // written by another version of this program
    return {};
  }
}

}  // namespace keyhole::experiment
