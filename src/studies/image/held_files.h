// The files that a set is made from: a study holds them, so that it does not need them again.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "keyhole/catalogue.h"
#include "keyhole/contents.h"
#include "keyhole/set.h"

namespace keyhole::studies {

/// What a set can be made from without a file of the user's.
struct Held {
  /// The spec, in place of the user's; empty if that needs no file.
  std::string spec = {};
  /// The texts of the files that the spec names.
  std::map<std::string, std::string> files = {};
};

/// Gives the bytes of an array that stands next to a log; nothing if it is not there.
using ReadContent = std::function<std::optional<std::string>(const std::string& name)>;

/// Throws StudyError, which begins with `where`, unless the bytes are the array of that name.
void require_content(const std::string& name, const std::optional<std::string>& bytes,
                     const std::string& where);

/// The arrays that a spec names. Throws StudyError, which begins with `where`, if one is not there,
/// or has changed.
[[nodiscard]] Contents read_contents(const std::string& spec, const ReadContent& read,
                                     const std::string& where);

/// A catalogue whose polytopes are read from these files, and else as before.
[[nodiscard]] Catalogue with_files(const Catalogue& catalogue,
                                   const std::map<std::string, std::string>& files);

}  // namespace keyhole::studies
