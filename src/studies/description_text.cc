#include "studies/description_text.h"

#include "base/number_text.h"
#include "keyhole/spec.h"
#include "keyhole/version.h"
#include "studies/space_json.h"

namespace keyhole::studies {
namespace {

/// The spec of the algorithm, with the point that the start stands for.
std::string spec_with_start(const StudyDescription& description, const Space& space) {
  const std::string& learner = description.learner;
  if (description.start.empty()) return learner;
  const std::string start = "start=" + base::list_text(space.point(description.start), false);
  if (learner == "default") return "posterior(" + start + ")";
  if (!learner.ends_with(')')) return learner + "(" + start + ")";
  const std::string begin = learner.substr(0, learner.size() - 1);
  return begin + (begin.ends_with('(') ? "" : ", ") + start + ")";
}

}  // namespace

std::string description_text(const StudyDescription& description, const Learner& learner) {
  Json json = {{"format", 1}, {"trace_revision", trace_revision}};
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
  json["made"] = {{"set", learner.set().spec()}, {"learner", learner.spec()}};
  return json.dump();
}

DescriptionRead read_description(const std::string& text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != 1) {
      throw StudyError(where + ": its format is " + json.at("format").dump() +
                       ", which this version does not know: use a newer one");
    }
    DescriptionRead read{
        .description = {.on = json.contains("space")
                                  ? std::variant<Space, std::string>(read_space(json.at("space")))
                                  : json.at("set").get<std::string>()}};
    read.description.learner = json.at("learner");
    LearnerOptions& options = read.description.options;
    json.at("seed").get_to(options.seed);
    json.at("stream").get_to(options.stream);
    json.at("window").get_to(options.window);
    if (json.contains("expiry")) options.expiry = json.at("expiry").get<std::uint64_t>();
    if (json.contains("max_step")) options.max_step = json.at("max_step").get<double>();
    if (json.contains("max_steps")) json.at("max_steps").get_to(options.max_steps);
    json.at("maximize").get_to(options.maximize);
    if (json.contains("start")) read.description.start = read_values(json.at("start"));
    json.at("made").at("set").get_to(read.set_spec);
    json.at("made").at("learner").get_to(read.learner_spec);
    json.at("trace_revision").get_to(read.trace_revision);
    return read;
  } catch (const Json::exception& error) {
    throw StudyError(where + " does not begin with a description: " + error.what());
  } catch (const InvalidArgument& error) {
    throw StudyError(where + ": its space cannot be made: " + error.what());
  }
}

Learner make_learner_of(const StudyDescription& description, const Catalogue& catalogue) {
  if (const auto* const space = std::get_if<Space>(&description.on)) {
    return make_learner(spec_with_start(description, *space), space->set(), description.options,
                        catalogue);
  }
  if (!description.start.empty()) {
    throw InvalidArgument("a start by name needs a space: give the learner start=[...] instead");
  }
  return make_learner(description.learner,
                      make_set(std::get<std::string>(description.on), catalogue),
                      description.options, catalogue);
}

}  // namespace keyhole::studies
