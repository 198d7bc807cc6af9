#pragma once

#include "cli/commands.h"

namespace keyhole::cli {

/// keyhole serve and keyhole token.
[[nodiscard]] CommandInfo serve_command();
[[nodiscard]] CommandInfo token_command();

}  // namespace keyhole::cli
