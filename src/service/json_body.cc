#include "service/json_body.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/nearest.h"
#include "base/number_text.h"
#include "keyhole/learner.h"
#include "service/problem.h"

namespace keyhole::service {
namespace {

/// A value in a message, cut where it is long.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 40) + "...";
}

}  // namespace

void bad_request(const std::string& detail) {
  throw Problem(400, ErrorCode::invalid_argument, detail);
}

void require_keys(const Json& object, const std::vector<std::string>& keys,
                  const std::string& what) {
  if (!object.is_object()) bad_request(what + " must be an object, not " + shown(object));
  for (const auto& [key, value] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    bad_request(what + " has an unknown field " + shown(Json(key)) +
                (key.size() <= 100 ? base::suggestion(key, keys) : ""));
  }
}

Json read_object(const std::string& body, const std::vector<std::string>& keys) {
  constexpr int deepest = 16;
  Json json = Json::object();
  try {
    // What visits JSON calls itself at each level. Of a key that stands twice nobody knows which
    // value is meant.
    std::vector<std::set<std::string>> known;  // of the objects that are open
    const auto is_good = [&](int depth, Json::parse_event_t event, const Json& part) {
      if (depth > deepest) bad_request("the body is nested more than 16 levels deep");
      if (event == Json::parse_event_t::object_start) known.emplace_back();
      if (event == Json::parse_event_t::object_end) known.pop_back();
      if (event == Json::parse_event_t::key &&
          !known.back().insert(part.get<std::string>()).second) {
        bad_request("the body has the field " + shown(part) + " twice");
      }
      return true;
    };
    if (!body.empty()) json = Json::parse(body, is_good);
  } catch (const Json::exception& error) {
    const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    const std::size_t end = what.find("] ");
    bad_request("the body is no JSON: " + (end == std::string::npos ? what : what.substr(end + 2)));
  }
  require_keys(json, keys, "the body");
  return json;
}

std::uint64_t whole(const Json& object, const char* key, std::uint64_t otherwise,
                    std::uint64_t least, std::uint64_t most) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (found->is_number_unsigned()) {
    const auto value = found->get<std::uint64_t>();
    if (value >= least && value <= most) return value;
  }
  bad_request(std::string("'") + key + "' must be a whole number from " + std::to_string(least) +
              " to " + std::to_string(most) + ", not " + shown(*found));
}

double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) bad_request(std::string("'") + key + "' is missing");
  if (found->is_number()) return found->get<double>();
  bad_request(std::string("'") + key + "' must be a number, not " + shown(*found));
}

double count(const Json& object) {
  const bool has_error = object.contains("error");
  if (object.contains("count")) {
    if (has_error) bad_request("give 'count' or 'error', not both");
    return number(object, "count");
  }
  return has_error ? count_of_error(number(object, "error")) : 1;
}

Values context(const Json& object) {
  const auto found = object.find("context");
  if (found == object.end()) return {};
  Json known = *found;
  for (Json& value : known) {
    if (value.is_null()) value = std::numeric_limits<double>::quiet_NaN();
  }
  try {
    if (known.is_object()) return studies::read_values(known);
  } catch (const Json::exception&) {  // a value that nothing takes
  }
  bad_request(R"('context' must have what is known by name, as {"load": 812})");
}

std::string text(const Json& object, const char* key, const std::string& otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (found->is_string()) return found->get<std::string>();
  bad_request(std::string("'") + key + "' must be a text, not " + shown(*found));
}

bool flag(const Json& object, const char* key, bool otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (found->is_boolean()) return found->get<bool>();
  bad_request(std::string("'") + key + "' must be true or false, not " + shown(*found));
}

}  // namespace keyhole::service
