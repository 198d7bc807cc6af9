#pragma once

#include <string>
#include <string_view>

#include "keyhole/limit.h"

namespace keyhole {

/// "most=200, each=0.99": a limit in the texts of options.
[[nodiscard]] std::string limit_text(const Limit& limit);
/// What such a text says. Throws InvalidArgument for any other.
[[nodiscard]] Limit read_limit(std::string_view text);

}  // namespace keyhole
