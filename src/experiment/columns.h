#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiment/measures/interval.h"

namespace keyhole::experiment {

/// The cells of a row.
using Row = std::vector<std::string>;

/// Columns of the width of their longest entry, two spaces apart: the first `left` flush left, the
/// others flush right.
[[nodiscard]] std::string aligned(const std::vector<Row>& rows, std::size_t left = 1);

/// The same for a table whose first column has names: long ones stand on a line of their own above
/// their numbers (those of more than 24 characters, or shorter ones if need be), so that the table
/// has at most 100 columns.
[[nodiscard]] std::string aligned_below_names(const std::vector<Row>& rows);

/// "begin item, item, ...\n" in lines of at most 100 columns; the further ones are indented.
[[nodiscard]] std::string wrapped(const std::string& begin, const std::vector<std::string>& items);

/// "0.12346 +- 0.031": the mean and half the width of its interval.
[[nodiscard]] std::string interval_text(const Interval& interval, int count = 5);

/// mean,lower,upper in full; what there is not is blank.
[[nodiscard]] std::string interval_csv(const Interval& interval);

/// The number in full; blank if there is none.
[[nodiscard]] std::string optional_csv(const std::optional<double>& value);

}  // namespace keyhole::experiment
