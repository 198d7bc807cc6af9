#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keyhole/spec.h"
#include "pages/set_texts.h"

namespace keyhole::pages {

/// A file of the documentation.
struct File {
  std::string name;
  std::string text;
};

/// The page of a set, in Markdown, and its picture: what the catalogue and the text of the page say
/// about it and what its example, built, tells.
[[nodiscard]] std::vector<File> page_of(const SpecEntry& entry, const SetPage& page);

/// The pages of all built-in sets, and README.md, their index.
[[nodiscard]] std::vector<File> set_pages();

/// What stands in the way of a page for this entry, such as an empty field; empty if nothing.
[[nodiscard]] std::string missing_of(const SpecEntry& entry, const SetPage& page);

/// The first line at which two texts differ by more than numbers do from machine to machine, with
/// both versions of it; empty if there is none. Numbers may differ by 1e-4 of their size and, in
/// pictures, two tenths of a pixel.
[[nodiscard]] std::string difference(std::string_view committed, std::string_view made,
                                     bool is_picture);

}  // namespace keyhole::pages
