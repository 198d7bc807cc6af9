// What others wrote, as it may stand in a message.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keyhole::base {

/// How many bytes the letter at the beginning takes in UTF-8; 0 if there is none, or a sign that
/// does not print.
[[nodiscard]] std::size_t length_of_letter(std::string_view text);

/// The first bytes, `enough` or so, and "..."; bytes that are no letters of UTF-8 or do not print
/// as \x1b.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t enough = 60);

}  // namespace keyhole::base
