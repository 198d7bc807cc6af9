#pragma once

#include <string>
#include <string_view>

namespace keyhole::report {

/// The text for HTML, between tags or inside a quoted attribute.
[[nodiscard]] std::string escaped(std::string_view text);

/// A number as one reads it in a table: four significant digits without zeros at their end, what is
/// before the point in full, with a power of ten below 1e-4 and from 1e7 on. The same in every
/// locale.
[[nodiscard]] std::string readable(double value);

}  // namespace keyhole::report
