// What people write on a study, as a text: the tags in its first line, then the note.

#pragma once

#include <string>

#include "keyhole/store.h"

namespace keyhole::studies {

/// The text of a label; empty if nothing is written. Throws InvalidArgument for a note or a tag
/// that is none.
[[nodiscard]] std::string label_text(const StudyLabel& label);

/// The label of a text.
[[nodiscard]] StudyLabel read_label(const std::string& text);

/// Whether a study has the text and the tag that are looked for.
[[nodiscard]] bool fits(const LabelledStudy& study, const StudySearch& search);

}  // namespace keyhole::studies
