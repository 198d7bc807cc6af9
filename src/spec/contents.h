// Numbers that stand outside of a spec: array("sha256:...", 250x250) names them by their content.

#pragma once

#include <string>
#include <string_view>

#include "spec/syntax.h"

namespace keyhole::spec {

/// Where numbers come from.
struct Sources {
  /// Those by name; null for none.
  const Contents* contents = nullptr;
};

/// Whether a call of that name stands for numbers.
[[nodiscard]] bool names_numbers(std::string_view name);

/// parse(), with the numbers in the place of what names them. Throws SpecError if they are not
/// there.
[[nodiscard]] Node parse_whole(std::string_view text, const Sources& sources = {});

/// The arrays that the text of a tree names, because they are too long to be listed.
[[nodiscard]] Contents named_contents(const Node& tree);

}  // namespace keyhole::spec
