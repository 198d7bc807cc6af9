#include "studies/image/description_text.h"

#include <algorithm>
#include <type_traits>

#include "base/joined.h"
#include "base/number_text.h"
#include "keyhole/spec.h"
#include "keyhole/version.h"
#include "spec/build.h"
#include "spec/contents.h"
#include "spec/on_space.h"
#include "studies/json/study_json.h"

namespace keyhole::studies {
namespace {

/// What is played on, if it is a space; null on a set.
const Space* space_of(const StudyDescription& description) {
  return std::get_if<Space>(&description.on);
}

constexpr std::uint64_t description_format = 7;

/// Whether a space has values that formats up to 6 do not know.
bool has_new_values(const Space& space) {
  const auto is_new = [](const auto& each) {
    return std::visit(
        [](const auto& domain) {
          using Domain = std::decay_t<decltype(domain)>;
          if constexpr (std::is_same_v<Domain, Choice>) return !domain.values.empty();
          return std::is_same_v<Domain, Levels> || std::is_same_v<Domain, Fixed>;
        },
        each.domain);
  };
  return std::any_of(space.parameters().begin(), space.parameters().end(), is_new) ||
         std::any_of(space.contexts().begin(), space.contexts().end(), is_new);
}

/// The format that says what a study draws, and whether it has contexts, limits, or values that are
/// no names: a version that draws something else, or knows no such, refuses it.
std::uint64_t format_of(const StudyDescription& description, const Making& making) {
  const Space* const space = space_of(description);
  if (space != nullptr && has_new_values(*space)) return 7;
  if (making.chooses) return 6;
  if (space != nullptr && !space->limits().empty()) return 5;
  if (space != nullptr && !space->contexts().empty()) return 4;
  if (!making.values_have_streams) return 1;
  return making.rules_hold && space != nullptr && space->rounds_together() ? 3 : 2;
}

/// Whether its learner may have a max_step. With contexts or limits it had one up to revision 9 of
/// the digits: such a study is renewed without it.
bool takes_steps(const StudyDescription& description) {
  const Space* const space = space_of(description);
  return space == nullptr || (space->contexts().empty() && space->limits().empty());
}

/// A field in a sentence.
std::string field_text(const Json& json, const std::string& key) {
  return json.contains(key) ? json[key].dump() : "none";
}

/// Where a description is not the one that was asked for, such as "its seed is 3, not 7"; empty if
/// it is the same.
std::string differences(const Json& there, const Json& asked) {
  Json keys = there;
  keys.update(asked);
  std::vector<std::string> different;
  for (const auto& [key, value] : keys.items()) {
    const std::string is = field_text(there, key);
    const std::string is_not = field_text(asked, key);
    constexpr std::size_t readable = 160;
    if (is == is_not) continue;
    if (!there.contains(key)) {
      different.push_back("it has no " + key);
    } else if (is.size() + is_not.size() > readable) {
      different.push_back("its " + key + " is another one");
    } else {
      different.push_back("its " + key + " is " + is + ", not " + is_not);
    }
  }
  return base::joined(different, "; ");
}

}  // namespace

bool is_same(const StudyDescription& one, const StudyDescription& other) {
  return description_json(one) == description_json(other);
}

void require_same(const std::string& name, const StudyDescription& there,
                  const StudyDescription& wanted) {
  const std::string other = differences(description_json(there), description_json(wanted));
  if (!other.empty()) {
    throw StudyError("there is a study '" + name + "' with another description (" + other +
                         "): take another name, or delete it first",
                     ErrorCode::other_description);
  }
}

std::string description_text(const StudyDescription& description, const Learner& learner,
                             const Making& making) {
  Json json = {{"format", format_of(description, making)}};
  json.update(description_json(description));
  json["trace_revision"] = trace_revision;
  if (!making.start.empty()) json["start_point"] = making.start;
  if (!making.held.spec.empty()) json["held_set"] = making.held.spec;
  if (!making.held.files.empty()) json["held_files"] = making.held.files;
  json["made"] = {{"set", learner.set().spec()}, {"learner", learner.spec()}};
  return json.dump();
}

DescriptionRead read_description(const std::string& text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    const std::uint64_t format = json.at("format");
    if (format == 0 || format > description_format) {
      throw StudyError(where + ": its format is " + std::to_string(format) +
                           ", which this version does not know: use a newer one",
                       ErrorCode::newer_log);
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
    if (takes_steps(read.description)) {
      if (json.contains("max_step")) options.max_step = json.at("max_step").get<double>();
      if (json.contains("max_steps")) json.at("max_steps").get_to(options.max_steps);
    }
    json.at("maximize").get_to(options.maximize);
    if (json.contains("start")) read.description.start = read_values(json.at("start"));
    if (json.contains("facts")) read.description.facts = read_facts(json.at("facts"));
    Making& making = read.making;
    if (json.contains("start_point")) json.at("start_point").get_to(making.start);
    if (json.contains("held_set")) json.at("held_set").get_to(making.held.spec);
    if (json.contains("held_files")) json.at("held_files").get_to(making.held.files);
    making.values_have_streams = format >= 2;
    making.rules_hold = format >= 3;
    making.chooses = format >= 6;
    json.at("made").at("set").get_to(read.set_spec);
    json.at("made").at("learner").get_to(read.learner_spec);
    json.at("trace_revision").get_to(read.trace_revision);
    return read;
  } catch (const Json::exception& error) {
    throw StudyError(where + " does not begin with a description: " + error.what(),
                     ErrorCode::damaged_log);
  } catch (const InvalidArgument& error) {
    throw StudyError(where + ": its space cannot be made: " + error.what());
  }
}

std::vector<std::string> choices_of(const StudyDescription& description,
                                    const Catalogue& catalogue) {
  const Space* const space = space_of(description);
  if (space == nullptr) return {};
  return spec::choices_on(*space, description.learner, description.options, catalogue);
}

SetPtr make_set_of(const StudyDescription& description, const Catalogue& catalogue,
                   const Making& making, const Contents& contents) {
  if (const auto* const space = std::get_if<Space>(&description.on)) return space->set();
  if (making.held.spec.empty()) return make_set(std::get<std::string>(description.on), catalogue);
  return make_set(making.held.spec, contents, with_files(catalogue, making.held.files));
}

Learner make_learner_of(const SetPtr& set, const StudyDescription& description,
                        const Catalogue& catalogue, const Making& making) {
  const Space* const space = space_of(description);
  std::vector<double> start = making.start;
  if (start.empty() && !description.start.empty()) {
    if (space == nullptr) {
      throw InvalidArgument("a start by name needs a space: give the learner start=[...] instead");
    }
    start = space->point(description.start);
  }
  std::string spec = description.learner;
  if (space != nullptr) {
    const std::vector<std::string> none;
    spec = spec::on_space(*space, spec, making.chooses ? choices_of(description, catalogue) : none,
                          catalogue);
  }
  if (!start.empty()) spec = spec::with_option(spec, "start=" + base::whole_list_text(start));
  return make_learner(spec, set, description.options, catalogue);
}

}  // namespace keyhole::studies
