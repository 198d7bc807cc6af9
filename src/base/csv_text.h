// Lines of CSV.

#pragma once

#include <string>
#include <vector>

namespace keyhole::base {

/// A field of a CSV file, quoted where it must be.
[[nodiscard]] std::string csv_field(const std::string& text);

/// The fields with commas between them and a line end; those that need it in quotes.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace keyhole::base
