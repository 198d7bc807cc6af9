#include "service/description.h"

#include "keyhole/spec.h"
#include "service/json_body.h"
#include "service/problem.h"
#include "spec/contents.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

constexpr std::uint64_t largest_window = 1000000;

/// A spec. Its text is parsed, so a long one costs memory: there is a limit whatever a body may
/// have. It reads no files, which would tell what is on the disk.
std::string read_spec(const Json& json, const char* key, const std::string& otherwise) {
  std::string spec = text(json, key, otherwise);
  if (spec.size() > spec::longest_of_others) {
    bad_request(std::string("'") + key + "' has " + std::to_string(spec.size()) +
                " bytes, and the service takes specs of at most " +
                std::to_string(spec::longest_of_others));
  }
  if (spec.empty()) return spec;  // and what makes something of it refuses it
  const SpecNode tree = spec::parse(spec);
  if (const SpecNode* const file = spec::file_in(tree)) {
    spec::fail(spec, "file" + spec::place(spec, file->offset) +
                         " names a file, which the service does not read: write its rows");
  }
  return spec;
}

std::variant<Space, std::string> read_on(const Json& json) {
  if (json.contains("space") == json.contains("set")) {
    bad_request("a study needs either a 'space' or a 'set'");
  }
  if (json.contains("set")) return read_spec(json, "set", "");
  const Json& space = json.at("space");
  require_keys(space, {"parameters", "constraints", "contexts", "limits"}, "'space'");
  try {
    return studies::read_space(space);
  } catch (const Json::exception&) {
    bad_request(
        R"('space' must be like {"parameters": [{"name": "timeout", "type": "number", "from": 5, )"
        R"("to": 500}], "constraints": []})");
  }
}

std::vector<double> numbers(const Json& json, const char* key) {
  try {
    return json.at(key).get<std::vector<double>>();
  } catch (const Json::exception&) {
    bad_request(std::string("'") + key + "' must be a list of numbers");
  }
}

LearnerOptions read_options(const Json& json) {
  LearnerOptions options;
  options.seed = whole(json, "seed", 0, 0, UINT64_MAX);
  options.stream = whole(json, "stream", 0, 0, UINT64_MAX);
  options.window = whole(json, "window", options.window, 1, largest_window);
  if (json.contains("expiry")) options.expiry = whole(json, "expiry", 1, 1, options.window);
  if (json.contains("max_step")) options.max_step = number(json, "max_step");
  if (json.contains("max_steps")) options.max_steps = numbers(json, "max_steps");
  options.maximize = flag(json, "maximize", false);
  return options;
}

Values read_start(const Json& json) {
  if (!json.contains("start")) return {};
  try {
    return studies::read_values(json.at("start"));
  } catch (const Json::exception&) {
    bad_request(R"('start' must have a value for each name, as {"timeout": 50})");
  }
}

}  // namespace

const std::vector<std::string>& description_keys() {
  static const std::vector<std::string> keys = {
      "name",   "set",    "space",    "start",     "learner",  "seed", "stream",
      "window", "expiry", "max_step", "max_steps", "maximize", "facts"};
  return keys;
}

void require_dimension(const Set& set, std::size_t largest) {
  if (set.dimension() <= largest) return;
  throw Problem(413, "too_large",
                "the study has " + std::to_string(set.dimension()) +
                    " coordinates, and the service takes " + std::to_string(largest) +
                    " at most: whoever runs it may raise --max-dimension");
}

StudyDescription read_description(const studies::Json& json, const Catalogue& catalogue,
                                  std::size_t largest) {
  StudyDescription description{.on = read_on(json)};
  const auto* const space = std::get_if<Space>(&description.on);
  const SetPtr set =
      space != nullptr ? space->set() : make_set(std::get<std::string>(description.on), catalogue);
  require_dimension(*set, largest);
  description.learner = read_spec(json, "learner", description.learner);
  description.options = read_options(json);
  description.start = read_start(json);
  if (json.contains("facts")) description.facts = studies::read_facts(text(json, "facts", ""));
  return description;
}

}  // namespace keyhole::service
