#pragma once

#include <string>

#include "report/palette.h"
#include "report/report.h"

namespace keyhole::report {

/// A gnuplot script that draws the figure, with its data, into <stem>.svg and <stem>.png of the
/// directory in which it is run. Texts are single-quoted, which gnuplot takes literally.
[[nodiscard]] std::string gnuplot_script(const Figure& figure, const Colours& colours,
                                         const std::string& stem);

}  // namespace keyhole::report
