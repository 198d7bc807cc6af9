// keyhole study show, list, label, verify, delete and undelete.

#include <iostream>
#include <sstream>

#include "base/csv_text.h"
#include "base/hash.h"
#include "base/joined.h"
#include "base/time_text.h"
#include "cli/padded.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"

namespace keyhole::cli {
namespace {

/// "number, from 0, to 1" of a parameter or a context, "most 200, unit ms" of a limit.
std::string line_of(const Json& described) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : described.items()) {
    if (key == "name") continue;
    texts.push_back((key == "type" ? "" : key + " ") + plain_text(value));
  }
  return base::joined(texts);
}

/// A line for each parameter, each constraint, each context and each limit.
Json space_lines(const Space& space) {
  const Json json = studies::space_json(space);
  Json lines = Json::object();
  for (const Json& parameter : json["parameters"]) {
    lines[parameter["name"].get<std::string>()] = line_of(parameter);
  }
  for (const Json& constraint : json["constraints"]) {
    lines["constraint " + std::to_string(lines.size() - json["parameters"].size() + 1)] =
        constraint;
  }
  for (const Json& context : json.value("contexts", Json::array())) {
    lines["context " + context["name"].get<std::string>()] = line_of(context);
  }
  for (const Json& limit : json.value("limits", Json::array())) {
    lines["limit " + limit["name"].get<std::string>()] = line_of(limit);
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

}  // namespace

int study_show(const Arguments& arguments, const Program& program) {
  if (arguments.has("--watch")) return study_watch(arguments, program);
  for (const char* const option : {"--interval", "--count"}) {
    if (arguments.has(option)) throw UsageError(std::string(option) + " needs --watch");
  }
  Study study = the_study(arguments, program);
  const std::string format = arguments.get("--format", "text");
  Json sheet = {{"study", arguments.word(0)}};
  sheet.update(studies::label_json(the_store(arguments, program).label(arguments.word(0))));
  add_description(sheet, study.description(), format == "json");
  const bool needs_renewal = study.needs_renewal();
  if (needs_renewal) sheet["needs_renewal"] = true;
  if (!study.explores()) sheet["paused"] = true;
  if (const std::uint64_t past = study.past(); past > 0) sheet["past"] = past;
  if (const std::uint64_t clipped = study.clipped(); clipped > 0) sheet["clipped"] = clipped;
  if (const auto changed = study.changed()) sheet["changed"] = studies::change_json(*changed);
  sheet.update(studies::status_json(study));
  try {
    studies::TightBounds bounds;
    const auto& tight = bounds.look(the_store(arguments, program), arguments.word(0), study);
    if (!tight.empty()) sheet["at_bound"] = studies::bounds_json(tight);
    sheet["recommend"] = recommendation(study, format == "json");
  } catch (const StudyError&) {
    if (!needs_renewal) throw;  // then it is not known
  }
  print_sheet(sheet, format);
  return 0;
}

int study_list(const Arguments& arguments, const Program& program) {
  const std::vector<LabelledStudy> found = the_store(arguments, program)
                                               .find({.text = arguments.get("--search", ""),
                                                      .tag = arguments.get("--tag", ""),
                                                      .most = SIZE_MAX});
  const std::string format = arguments.get("--format", "text");
  if (format == "json") {
    Json studies = Json::array();
    for (const auto& [name, label] : found) {
      studies.emplace_back(Json{{"name", name}}).update(studies::label_json(label));
    }
    std::cout << json_text(studies, 2) << "\n";
    return 0;
  }
  if (format == "csv") {
    std::cout << "name,tags,note\n";
    for (const auto& [name, label] : found) {
      std::cout << base::csv_line({name, base::joined(label.tags, " "), label.note});
    }
    return 0;
  }
  std::size_t width = 0;
  for (const auto& [name, label] : found) width = std::max(width, name.size() + 2);
  for (const auto& [name, label] : found) {
    std::string line = padded(name, width);
    if (!label.tags.empty()) line += base::joined(label.tags, " ") + "  ";
    line += label.note.substr(0, label.note.find('\n'));
    std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
  }
  return 0;
}

int study_label(const Arguments& arguments, const Program& program) {
  const Store store = the_store(arguments, program);
  const std::string& name = arguments.word(0);
  StudyLabel label = store.label(name);
  if (arguments.has("--note")) label.note = arguments.get("--note", "");
  if (arguments.has("--tags")) {
    std::istringstream tags(arguments.get("--tags", ""));
    label.tags.clear();
    for (std::string tag; std::getline(tags, tag, ',');) label.tags.push_back(tag);
  }
  if (arguments.has("--note") || arguments.has("--tags")) store.set_label(name, label);
  print_sheet(studies::label_json(store.label(name)), arguments.get("--format", "text"));
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
  the_store(arguments, program).remove(arguments.word(0), keep_deleted(arguments));
  return 0;
}

int study_undelete(const Arguments& arguments, const Program& program) {
  const Store store = the_store(arguments, program);
  if (!arguments.words.empty()) {
    store.undelete(arguments.word(0));
    return 0;
  }
  const std::string format = arguments.get("--format", "text");
  Json sheet = Json::array();
  if (format == "csv") std::cout << "name,until\n";
  for (const auto& [name, until] : store.deleted()) {
    const std::string time = base::time_text(std::chrono::sys_seconds(std::chrono::seconds(until)));
    sheet.push_back({{"name", name}, {"until", time}});
    if (format == "csv") std::cout << name << "," << time << "\n";
    if (format == "text") std::cout << name << "  until " << time << "\n";
  }
  if (format == "json") std::cout << json_text(sheet, 2) << "\n";
  return 0;
}

}  // namespace keyhole::cli
