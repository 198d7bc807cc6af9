// Which of the names that exist was meant by one that does not.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::base {

/// With the letters A to Z in lower case.
[[nodiscard]] std::string lower_case(std::string_view word);

/// The fewest characters to insert, leave out, exchange or swap with their neighbour that make one
/// word from the other (no place being touched twice).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name nearest to the word, upper and lower case being the same: the nearest of those within a
/// third of the longer one's length, or else the only one that begins with the word (of at least 3
/// characters). Empty if there is none.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean 'radius'?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace keyhole::base
