// Descriptions by linear inequalities, put together from those of other sets.

#pragma once

#include <cstddef>
#include <string>

#include "keyhole/polytope.h"

namespace keyhole::sets {

/// Appends rows of n coordinates to others, number by number, their first coordinate being
/// `first`. Each is named as it was, or by `kind` and its number, and then by `of`.
void append_rows(LinearRows& all, const LinearRows& rows, std::size_t n, std::size_t first,
                 const std::string& kind, const std::string& of);

/// " of simplex(3)": what follows the name of a row of a set; not for ever.
[[nodiscard]] std::string of_set(const Set& set);

/// What polytope() says, about `another`, such as "the intersection".
[[nodiscard]] std::string about_another(std::string message, const std::string& another);

}  // namespace keyhole::sets
