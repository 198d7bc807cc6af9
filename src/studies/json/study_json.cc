#include "studies/json/study_json.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "studies/json/alarms.h"

namespace keyhole::studies {
namespace {

/// Appends a number of which JSON can see that it is no whole number by its type.
void append_number(double value, std::string& text) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  const std::string digits = base::number_text(value);
  text += digits;
  if (digits.find_first_of(".e") == std::string::npos) text += ".0";
}

/// Appends a value that stands `level` levels deep.
void append_json(const Json& json, int indent, int level, std::string& text) {
  if (json.is_number_float()) {
    return append_number(json.get<double>(), text);
  }
  if (!json.is_structured() || json.empty()) {
    text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  const auto line = [&](int deep) {
    if (indent >= 0) text += "\n" + std::string(static_cast<std::size_t>(indent * deep), ' ');
  };
  text += json.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    if (!first) text += ',';
    first = false;
    line(level + 1);
    if (json.is_object()) {
      text += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace);
      text += indent >= 0 ? ": " : ":";
    }
    append_json(value, indent, level + 1, text);
  }
  line(level);
  text += json.is_object() ? '}' : ']';
}

/// Adds a number, if it is known.
void add(Json& sheet, const char* name, double value) {
  if (std::isfinite(value)) sheet[name] = value;
}

}  // namespace

std::string json_text(const Json& json, int indent) {
  std::string text;
  append_json(json, indent, 0, text);
  return text;
}

std::string receipt_text(Receipt receipt) {
  constexpr const char* words[] = {"fresh", "repeated", "expired", "late"};
  return words[static_cast<int>(receipt)];
}

std::string renewal_text(Renewal renewal) {
  constexpr const char* words[] = {"not_needed", "what_was_learned", "recommendation", "nothing"};
  return words[static_cast<int>(renewal)];
}

Values likeliest(const Study& study, const std::vector<double>& point) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  return space == nullptr ? Values() : space->likeliest(point);
}

std::vector<SpaceContext> contexts_of(const Study& study) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  return space == nullptr ? std::vector<SpaceContext>() : space->contexts();
}

std::vector<SpaceLimit> limits_of(const Study& study) {
  const auto* const space = std::get_if<Space>(&study.description().on);
  return space == nullptr ? std::vector<SpaceLimit>() : space->limits();
}

Value context_value(const Study& study, const std::string& name, const std::string& text) {
  for (const SpaceContext& context : contexts_of(study)) {
    if (context.name == name && std::holds_alternative<Choice>(context.domain)) return text;
  }
  const auto number = base::read_number(text);
  if (number) return *number;
  return text;
}

Json values_and_point(const Values& values, const std::vector<double>& point) {
  Json json = Json::object();
  if (!values.empty()) json["values"] = studies::values_json(values);
  json["point"] = point;
  return json;
}

Json play_json(const StudyPlay& play) {
  Json json = {{"play", play.id}};
  json.update(values_and_point(play.values, play.point));
  if (play.recommended) json["recommended"] = true;
  if (play.pair != 0) json["pair"] = play.pair;
  if (!play.context.empty()) json["context"] = values_json(play.context);
  return json;
}

void append_play(const StudyPlay& play, std::string& text) {
  text += R"({"play":)";
  text += std::to_string(play.id);
  if (!play.values.empty()) {
    text += R"(,"values":)";
    append_json(values_json(play.values), -1, 0, text);
  }
  text += R"(,"point":[)";
  for (std::size_t i = 0; i < play.point.size(); ++i) {
    if (i > 0) text += ',';
    append_number(play.point[i], text);
  }
  text += ']';
  if (play.recommended) text += R"(,"recommended":true)";
  if (play.pair != 0) text += R"(,"pair":)" + std::to_string(play.pair);
  if (!play.context.empty()) {
    text += R"(,"context":)";
    append_json(values_json(play.context), -1, 0, text);
  }
  text += '}';
}

Facts read_facts(const std::string& word) {
  if (word == "points") return Facts::points;
  if (word == "witness") return Facts::witness;
  throw InvalidArgument("facts must be 'points' or 'witness', not '" + word + "'");
}

Json description_json(const StudyDescription& description) {
  Json json = Json::object();
  if (const auto* const space = std::get_if<Space>(&description.on)) {
    json["space"] = space_json(*space);
  } else {
    json["set"] = std::get<std::string>(description.on);
  }
  json["learner"] = description.learner;
  const LearnerOptions& options = description.options;
  json["seed"] = options.seed;
  json["stream"] = options.stream;
  json["window"] = options.window;
  if (options.expiry) json["expiry"] = *options.expiry;
  if (options.max_step) json["max_step"] = *options.max_step;
  if (!options.max_steps.empty()) json["max_steps"] = options.max_steps;
  json["maximize"] = options.maximize;
  if (!description.start.empty()) json["start"] = values_json(description.start);
  if (description.facts == Facts::witness) json["facts"] = "witness";
  return json;
}

Json proof_json(const Proof& proof) {
  Json json = {{"share", proof.share}};
  if (!(proof.share > 0)) return json;
  add(json, "gain", proof.gain);
  add(json, "error", proof.error);
  if (proof.proven > 0) json["proven"] = proof.proven;
  if (proof.worse > 0) json["worse"] = proof.worse;
  json["says"] = proof_text(proof);
  return json;
}

Json limits_json(const std::vector<SpaceLimit>& limits, const Status& status, bool maximize) {
  Json json = Json::object();
  for (std::size_t j = 0; j < std::min(limits.size(), status.limits.size()); ++j) {
    const LimitStatus& kept = status.limits[j];
    Json& one = json[limits[j].name] = Json::object();
    add(one, "recent", kept.recent);
    add(one, "over", kept.over);
    add(one, "recommended", kept.recommended);
    add(one, "error", kept.error);
    add(one, "price", kept.price);
    if (kept.start_is_over) one["start_is_over"] = true;
    if (kept.none_is_within) one["none_is_within"] = true;
    one["says"] = limit_text(limits[j], kept, maximize);
    const std::string price = price_text(limits[j], kept, maximize);
    if (!price.empty()) one["price_says"] = price;
  }
  return json;
}

Json status_json(Study& study) {
  const Summary summary = study.summary();
  const Status status = study.status();
  Json sheet = Json::object();
  sheet["asked"] = summary.asked;
  sheet["told"] = summary.told;
  sheet["pending"] = summary.pending;
  sheet["oldest_pending"] = summary.oldest_pending;
  sheet["missing"] = summary.missing;
  sheet["repeated"] = summary.duplicates;
  sheet["expired"] = summary.expired;
  sheet["late"] = summary.late;
  add(sheet, "mean_loss", summary.average);
  add(sheet, "recent_mean_loss", status.recent_average);
  sheet["recent_told"] = status.recent_told;
  add(sheet, "exploring", status.exploring);
  add(sheet, "reach", status.reach);
  sheet["restarts"] = status.restarts;
  Json belief = Json::object();
  add(belief, "noise", status.belief.noise);
  add(belief, "gain", status.belief.gain);
  add(belief, "gain_error", status.belief.gain_error);
  add(belief, "curvature", status.belief.curvature);
  add(belief, "fit", status.belief.fit);
  if (!belief.empty()) sheet["belief"] = belief;
  if (status.proof.share > 0) sheet["proof"] = proof_json(status.proof);
  const Json limits = limits_json(limits_of(study), status, study.description().options.maximize);
  if (!limits.empty()) sheet["limits"] = limits;
  return sheet;
}

Json estimate_json(const Estimate& estimate, bool maximize) {
  if (std::isnan(estimate.loss)) return Json::object();
  const std::string word = maximize ? "gain" : "loss";
  return {{word, estimate.loss},
          {word + "_error", estimate.loss_error},
          {"excess", estimate.excess},
          {"excess_error", estimate.excess_error}};
}

Json bounds_json(const std::vector<TightBound>& bounds) {
  Json json = Json::object();
  for (const TightBound& bound : bounds) json[bound.name] = bound.value;
  return json;
}

Json label_json(const StudyLabel& label) {
  Json json = Json::object();
  if (!label.note.empty()) json["note"] = label.note;
  if (!label.tags.empty()) json["tags"] = label.tags;
  return json;
}

Json change_json(const StudyChange& change) {
  return {{"after", change.after}, {"learned", change.learned}, {"dropped", change.dropped}};
}

Json past_json(const StudyPast& past) {
  Json json = Json::object();
  if (!std::isnan(past.loss)) json["loss"] = past.loss;
  if (past.count != 1) json["count"] = past.count;
  json.update(values_and_point(past.values, past.point));
  if (!past.context.empty()) json["context"] = values_json(past.context);
  if (!past.metrics.empty()) json["metrics"] = values_json(past.metrics);
  return json;
}

Json record_json(std::uint64_t number, const StudyRecord& record) {
  Json json = {{"step", number}, {"tells", Json::array()}, {"plays", Json::array()}};
  for (std::size_t k = 0; k < record.tells.size(); ++k) {
    const StudyTell& tell = record.tells[k];
    Json& told = json["tells"].emplace_back(Json{{"play", tell.id}});
    if (tell.loss) told["loss"] = *tell.loss;
    told["told"] = receipt_text(record.gave.receipts[k]);
    if (tell.count != 1) told["count"] = tell.count;
    if (!tell.metrics.empty()) told["metrics"] = values_json(tell.metrics);
  }
  for (const StudyPlay& play : record.gave.plays) json["plays"].push_back(play.id);
  for (const StudyPast& one : record.past) json["past"].push_back(past_json(one));
  if (!record.worker.empty()) json["worker"] = record.worker;
  if (!record.gave.plays.empty() && !record.gave.plays.front().context.empty()) {
    json["context"] = values_json(record.gave.plays.front().context);
  }
  if (record.renewed) json["renewed"] = true;
  if (record.changed) json["changed"] = change_json(*record.changed);
  if (record.explores) json["paused"] = !*record.explores;
  if (record.proves) json["proves"] = *record.proves;
  return json;
}

}  // namespace keyhole::studies
