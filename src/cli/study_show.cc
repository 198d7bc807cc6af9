// keyhole study show, list, verify and delete.

#include <cmath>
#include <iostream>

#include "base/csv_text.h"
#include "base/hash.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"

namespace keyhole::cli {
namespace {

/// Adds a number, if it is known.
void add(Json& sheet, const char* name, double value) {
  if (std::isfinite(value)) sheet[name] = value;
}

/// A line for each parameter and each constraint.
Json space_lines(const Space& space) {
  const Json json = studies::space_json(space);
  Json lines = Json::object();
  for (const Json& parameter : json["parameters"]) {
    std::string text;
    for (const auto& [key, value] : parameter.items()) {
      if (key == "type") text += plain_text(value);
      if (key != "type" && key != "name") text += ", " + key + " " + plain_text(value);
    }
    lines[parameter["name"].get<std::string>()] = text;
  }
  for (const Json& constraint : json["constraints"]) {
    lines["constraint " + std::to_string(lines.size() - json["parameters"].size() + 1)] =
        constraint;
  }
  return lines;
}

/// What it is made of.
void add_description(Json& sheet, const StudyDescription& description, bool as_json) {
  if (const auto* const space = std::get_if<Space>(&description.on)) {
    sheet["space"] = as_json ? studies::space_json(*space) : space_lines(*space);
  } else {
    sheet["set"] = std::get<std::string>(description.on);
  }
  if (!description.start.empty()) sheet["start"] = studies::values_json(description.start);
  sheet["learner"] = description.learner;
  sheet["seed"] = description.options.seed;
  sheet["window"] = description.options.window;
  sheet["maximize"] = description.options.maximize;
  if (description.options.max_step) sheet["max_step"] = *description.options.max_step;
}

/// What has happened, and what the learner is doing.
void add_status(Json& sheet, const Summary& summary, const Status& status) {
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
}

}  // namespace

int study_show(const Arguments& arguments, const Program& program) {
  if (arguments.has("--watch")) return study_watch(arguments, program);
  for (const char* const option : {"--interval", "--count"}) {
    if (arguments.has(option)) throw UsageError(std::string(option) + " needs --watch");
  }
  Study study = the_study(arguments, program);
  const std::string format = arguments.get("--format", "text");
  Json sheet = {{"study", arguments.word(0)}};
  add_description(sheet, study.description(), format == "json");
  const bool needs_renewal = study.needs_renewal();
  if (needs_renewal) sheet["needs_renewal"] = true;
  add_status(sheet, study.summary(), study.status());
  try {
    sheet["recommend"] = recommendation(study, format == "json");
  } catch (const StudyError&) {
    if (!needs_renewal) throw;  // then it is not known
  }
  print_sheet(sheet, format);
  return 0;
}

int study_list(const Arguments& arguments, const Program& program) {
  const std::vector<std::string> names = the_store(arguments, program).list();
  const std::string format = arguments.get("--format", "text");
  if (format == "json") {
    std::cout << json_text(names, 2) << "\n";
    return 0;
  }
  if (format == "csv") std::cout << "name\n";
  for (const std::string& name : names) std::cout << name << "\n";
  return 0;
}

int study_verify(const Arguments& arguments, const Program& program) {
  const StudyLog log =
      the_store(arguments, program).replay(arguments.word(0), [](const StudyRecord&) {});
  Json sheet = {{"frames", log.frames}, {"bytes", log.bytes}, {"torn_bytes", log.torn}};
  if (log.state_hash != 0) sheet["state_hash"] = base::hash_text(log.state_hash);
  print_sheet(sheet, arguments.get("--format", "text"));
  return 0;
}

int study_delete(const Arguments& arguments, const Program& program) {
  the_store(arguments, program).remove(arguments.word(0));
  return 0;
}

}  // namespace keyhole::cli
