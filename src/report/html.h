#pragma once

#include <string>

#include "report/report.h"

namespace keyhole::report {

/// The report as one HTML file that needs nothing else: curves, plotting library, style and script
/// are in it, and its content policy forbids every request. A pure function: the same report, the
/// same bytes. Thread-safe.
[[nodiscard]] std::string html(const Report& report);

}  // namespace keyhole::report
