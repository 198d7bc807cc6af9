// The command of the program of this repository alone.

#pragma once

#include "cli/commands.h"

namespace keyhole::cli {

/// keyhole reproduce.
[[nodiscard]] CommandInfo reproduce_command();

}  // namespace keyhole::cli
