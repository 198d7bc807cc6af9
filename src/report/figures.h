#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace keyhole::report {

/// What write_figures() did.
struct WrittenFigures {
  /// The files, without the directory.
  std::vector<std::string> files = {};
  /// What the user should know, such as that gnuplot is not there; blank if all went well.
  std::string message = {};
};

/// Writes each figure as a gnuplot script that carries its data, and runs gnuplot on it, which
/// makes an SVG, a PNG and a PDF file next to it. Without gnuplot there are the scripts alone, and
/// a message. Names of files are made of the titles, of letters, digits and hyphens only. The
/// directory is made if it is missing. Throws Error if it cannot be written to.
[[nodiscard]] WrittenFigures write_figures(const Report& report, const std::string& directory,
                                           const std::string& gnuplot = "gnuplot");

}  // namespace keyhole::report
