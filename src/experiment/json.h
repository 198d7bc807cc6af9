#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace keyhole::experiment {

/// What results are written in: the keys stay in order.
using Json = nlohmann::ordered_json;

/// The number, or null if there is none.
inline Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// An object with a number for each name.
inline Json object_json(const std::vector<std::pair<std::string, double>>& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json[name] = value;
  return json;
}

/// On one line, or with that many spaces a level; bytes of names that are not UTF-8 are replaced.
inline std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace keyhole::experiment
