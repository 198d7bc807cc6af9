// The constants of the runs.

#pragma once

#include "report/report.h"

namespace keyhole::reproduction {

/// Which choices are the paper's and which are fitted or ours, a row an experiment and setting.
[[nodiscard]] report::Table table_of_constants();

}  // namespace keyhole::reproduction
