#include "experiment/part.h"

#include <span>

#include "base/number_text.h"
#include "experiment/checksum.h"
#include "experiment/json.h"

namespace keyhole::experiment {
namespace {

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Beliefs beliefs_of(const Json& json) {
  Beliefs beliefs;
  for (const auto& [name, value] : json.items()) beliefs.emplace_back(name, value.get<double>());
  return beliefs;
}

Json to_json(const PlayerResult& player) {
  if (!player.played) return {{"spec", player.spec}};
  return {{"spec", player.spec},
          {"algorithm", player.algorithm},
          {"average_loss", player.average_loss},
          {"average_regret", player.average_regret},
          {"recommended_regret", player.recommended_regret},
          {"worst_window", or_null(player.worst_window)},
          {"oracle_calls", player.oracle_calls},
          {"infeasible_plays", player.infeasible_plays},
          {"alarms", player.alarms},
          {"late", player.late},
          {"regret_bound", or_null(player.regret_bound)},
          {"regret_bound_holds", player.regret_bound_holds},
          {"regret_bound_note", player.regret_bound_note},
          {"beliefs", object_json(player.beliefs)}};
}

PlayerResult player_of(const Json& json) {
  PlayerResult player;
  json.at("spec").get_to(player.spec);
  player.played = json.contains("algorithm");
  if (!player.played) return player;
  json.at("algorithm").get_to(player.algorithm);
  json.at("average_loss").get_to(player.average_loss);
  json.at("average_regret").get_to(player.average_regret);
  // Parts of earlier versions do not have all.
  player.recommended_regret = json.value("recommended_regret", std::vector<double>());
  if (json.contains("worst_window")) {
    player.worst_window = optional_number(json.at("worst_window"));
  }
  json.at("oracle_calls").get_to(player.oracle_calls);
  json.at("infeasible_plays").get_to(player.infeasible_plays);
  json.at("alarms").get_to(player.alarms);
  player.late = json.value("late", std::uint64_t{0});
  player.regret_bound = optional_number(json.at("regret_bound"));
  json.at("regret_bound_holds").get_to(player.regret_bound_holds);
  json.at("regret_bound_note").get_to(player.regret_bound_note);
  player.beliefs = beliefs_of(json.at("beliefs"));
  return player;
}

}  // namespace

std::string part_text(const Part& part) {
  Json players = Json::array();
  for (const PlayerResult& player : part.players) players.push_back(to_json(player));
  const Json json = {{"format", 3},
                     {"key", base::hash_text(part.key)},
                     {"problem", part.problem},
                     {"repeat", part.repeat},
                     {"rounds", part.rounds},
                     {"set", part.set},
                     {"dimension", part.dimension},
                     {"loss_bound", or_null(part.loss_bound)},
                     {"gradient_bound", or_null(part.gradient_bound)},
                     {"bounds_proven", part.bounds_proven},
                     {"hindsight_gap", part.hindsight_gap},
                     {"least_loss", part.least_loss},
                     {"warnings", part.warnings},
                     {"players", players}};
  return sealed(json_text(json));
}

std::optional<Part> read_part(const std::string& text) {
  const std::optional<std::string> line = unsealed(text);
  if (!line) return {};
  try {
    const Json json = Json::parse(*line);
    if (json.at("format") != 3) return {};
    Part part;
    part.key = base::read_whole_number(json.at("key").get<std::string>(), 16).value();
    json.at("problem").get_to(part.problem);
    json.at("repeat").get_to(part.repeat);
    json.at("rounds").get_to(part.rounds);
    json.at("set").get_to(part.set);
    json.at("dimension").get_to(part.dimension);
    part.loss_bound = optional_number(json.at("loss_bound"));
    part.gradient_bound = optional_number(json.at("gradient_bound"));
    json.at("bounds_proven").get_to(part.bounds_proven);
    json.at("hindsight_gap").get_to(part.hindsight_gap);
    json.at("least_loss").get_to(part.least_loss);
    json.at("warnings").get_to(part.warnings);
    for (const Json& player : json.at("players")) part.players.push_back(player_of(player));
    return part;
  } catch (const std::exception&) {  // written by another version of this program
    return {};
  }
}

}  // namespace keyhole::experiment
