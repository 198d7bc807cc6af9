// The files that a set is made from: a study holds them, so that it does not need them again.

#pragma once

#include <map>
#include <string>

#include "keyhole/catalogue.h"
#include "keyhole/set.h"

namespace keyhole::studies {

/// What a set can be made from without a file of the user's.
struct Held {
  /// The spec, in place of the user's; empty if that needs no file.
  std::string spec = {};
  /// The texts of the files that the spec names.
  std::map<std::string, std::string> files = {};
};

/// What holds the files of a set that was made from a text. Throws StudyError for a file that is
/// gone or is no text.
[[nodiscard]] Held hold_files(const std::string& text, const Set& set);

/// A catalogue whose polytopes are read from these files, and else as before.
[[nodiscard]] Catalogue with_files(const Catalogue& catalogue,
                                   const std::map<std::string, std::string>& files);

}  // namespace keyhole::studies
