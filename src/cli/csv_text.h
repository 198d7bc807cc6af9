// Lines of CSV.

#pragma once

#include <string>
#include <vector>

#include "experiment/merge.h"

namespace keyhole::cli {

/// The fields with commas between them and a line end; those that need it in quotes.
inline std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    line += (&field == &fields.front() ? "" : ",") + experiment::csv_field(field);
  }
  return line + "\n";
}

}  // namespace keyhole::cli
