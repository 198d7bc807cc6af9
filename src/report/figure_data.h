#pragma once

#include <string>

#include "report/report.h"

namespace keyhole::report {

/// The figures as JSON for the script of the page, without a < in it, so that no text can end the
/// element it stands in: palettes {light, dark}, and for each figure its labels, axes and series.
/// Numbers have eight significant digits, twice what is shown.
[[nodiscard]] std::string figure_data(const Report& report);

}  // namespace keyhole::report
