// Bodies of requests.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/json/space_json.h"

namespace keyhole::service {

using studies::Json;

/// The JSON object that a body is; an empty one is {}. Throws Problem if it is none, has another
/// key than these, or is nested too deeply.
[[nodiscard]] Json read_object(const std::string& body, const std::vector<std::string>& keys);

/// Throws Problem for another key than these; `what` begins its message.
void require_keys(const Json& object, const std::vector<std::string>& keys,
                  const std::string& what);

/// A whole number of an object, from `least` to `most`; the other one if there is none.
[[nodiscard]] std::uint64_t whole(const Json& object, const char* key, std::uint64_t otherwise,
                                  std::uint64_t least, std::uint64_t most);
/// A number, a text, or true or false, likewise. What is not there is a Problem for number().
[[nodiscard]] double number(const Json& object, const char* key);
[[nodiscard]] std::string text(const Json& object, const char* key, const std::string& otherwise);
[[nodiscard]] bool flag(const Json& object, const char* key, bool otherwise);

/// How often a loss counts: 'count', or what follows from 'error'; 1 if there is neither.
[[nodiscard]] double count(const Json& object);

/// What is known when a play is asked for, by name: 'context'. What is null is NaN: not
/// known.
[[nodiscard]] Values context(const Json& object);

/// Throws a Problem about what the client sent.
[[noreturn]] void bad_request(const std::string& detail);

}  // namespace keyhole::service
