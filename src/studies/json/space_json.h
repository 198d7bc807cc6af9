// Spaces and values as JSON.

#pragma once

#include <nlohmann/json.hpp>

#include "keyhole/space.h"

namespace keyhole::studies {

/// The keys stay in order.
using Json = nlohmann::ordered_json;

/// {"parameters": [{"name": "timeout", "type": "number", "from": 5, "to": 500}], "constraints":
/// []}, "contexts": [{"name": "hour", "type": "clock", "clock": "day"}] if there are any, and
/// "limits": [{"name": "p99", "most": 200, "unit": "ms"}] likewise.
[[nodiscard]] Json space_json(const Space& space);
/// Reads it back. Throws InvalidArgument, which names the parameter, context or limit, or a
/// JSON exception.
[[nodiscard]] Space read_space(const Json& json);

/// {"timeout": 50, "batch": 32, "codec": "lz4", "pool": [0.2, 0.8]}.
[[nodiscard]] Json values_json(const Values& values);
/// Reads it back; whole numbers become whole numbers.
[[nodiscard]] Values read_values(const Json& json);

}  // namespace keyhole::studies
