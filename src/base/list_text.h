// Lists and matrices in specs. What would take more text than longest_list is named by its content
// (keyhole/contents.h): array("sha256:...", 250x250).

#pragma once

#include <cstddef>
#include <string>

#include "keyhole/contents.h"

namespace keyhole::base {

/// In bytes. Until specs could name contents no longer text could be read, so the specs of all that
/// was ever made from a text stay as they were.
inline constexpr std::size_t longest_list = std::size_t{1} << 20U;

/// The text of either kind.
[[nodiscard]] std::string array_text(const Array& array);

}  // namespace keyhole::base
