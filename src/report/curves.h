#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace keyhole::report {

/// The curves of one problem, a series a learner, in the order of the file.
struct ProblemCurves {
  std::string problem;
  std::vector<Series> average_loss = {};
  std::vector<Series> average_regret = {};
  bool intervals = false;  // whether any point has one
};

/// Reads curves.csv (results.h says what it holds). Throws InputError with the line and the column.
[[nodiscard]] std::vector<ProblemCurves> read_curves(const std::string& file);

/// The whole content of a file. Throws InputError if it cannot be read.
[[nodiscard]] std::string file_text(const std::string& file);

}  // namespace keyhole::report
