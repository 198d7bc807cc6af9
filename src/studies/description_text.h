// The description of a study as JSON, the first content of its log.

#pragma once

#include <string>

#include "keyhole/study.h"

namespace keyhole::studies {

/// What the user has said. Equal descriptions have equal texts.
[[nodiscard]] std::string given_text(const StudyDescription& description);

/// The description and what it makes: the specs of its set and its learner, and the revision of the
/// digits. `start`, if not empty, is the point at which the learner starts in place of that of the
/// description.
[[nodiscard]] std::string description_text(const StudyDescription& description,
                                           const Learner& learner,
                                           const std::vector<double>& start = {});

/// What a text says.
struct DescriptionRead {
  StudyDescription description;
  /// Where the learner starts, if elsewhere.
  std::vector<double> start = {};
  /// The specs of what it made when it was written, and the revision of the digits.
  std::string set_spec = {};
  std::string learner_spec = {};
  std::uint64_t trace_revision = 0;
};

/// Reads a text; throws StudyError, which begins with `where`, if it is no description.
[[nodiscard]] DescriptionRead read_description(const std::string& text, const std::string& where);

/// The learner of a description, with another start if there is one.
[[nodiscard]] Learner make_learner_of(const StudyDescription& description,
                                      const Catalogue& catalogue,
                                      const std::vector<double>& start = {});

}  // namespace keyhole::studies
