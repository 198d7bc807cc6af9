// Numbers that stand outside of a spec: array("sha256:...", 250x250) names them by their content,
// and file("costs.npy"), file("costs.csv", column) and file("roads.gr") by a file that has them.

#pragma once

#include <string>
#include <string_view>

#include "spec/syntax.h"

namespace keyhole::spec {

/// Where numbers come from.
struct Sources {
  /// Those by name; null for none.
  const Contents* contents = nullptr;
  /// The folder that names of files are relative to; empty for the current one.
  std::string folder = {};
};

/// Whether a call of that name stands for numbers.
[[nodiscard]] bool names_numbers(std::string_view name);

/// parse(), with the numbers in the place of what names them. Throws SpecError if they are not
/// there, and InputError for files. convex_hull(file=...) becomes convex_hull(points=...).
[[nodiscard]] Node parse_whole(std::string_view text, const Sources& sources = {});

/// What a tree of parse() reads a file for: the first call file(...) or argument file=...; null if
/// it reads none.
[[nodiscard]] const Node* file_in(const Node& tree);

/// The arrays that the text of a tree names, because they are too long to be listed.
[[nodiscard]] Contents named_contents(const Node& tree);

}  // namespace keyhole::spec
