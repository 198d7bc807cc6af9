// What a study begins with: its description, and what its set is made from.

#pragma once

#include <string>

#include "keyhole/study.h"

namespace keyhole::studies {

/// What a new study begins with.
struct NewStudy {
  /// The text of its description.
  std::string text;
  /// The arrays that are kept next to its log.
  Contents contents = {};
};

/// The same of a description. The files of its set are read: the text holds them. Throws StudyError
/// for a file that is gone or is no text.
[[nodiscard]] NewStudy new_study(const StudyDescription& description, const Catalogue& catalogue);

}  // namespace keyhole::studies
