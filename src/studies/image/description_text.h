// The description of a study as JSON, the first content of its log.

#pragma once

#include <string>

#include "keyhole/study.h"
#include "studies/image/held_files.h"

namespace keyhole::studies {

/// Whether two descriptions are of the same study.
[[nodiscard]] bool is_same(const StudyDescription& one, const StudyDescription& other);

/// Throws StudyError, which says what is different, if the study of a name is not as wanted.
void require_same(const std::string& name, const StudyDescription& there,
                  const StudyDescription& wanted);

/// What the learner is made of besides what the user has said.
struct Making {
  /// The point at which it starts, in place of that of the description; empty for none.
  std::vector<double> start = {};
  /// The files of the set.
  Held held = {};
  /// Whether the stream of the options decides what a space draws; not in logs of format 1.
  bool values_have_streams = true;
  /// Whether whole numbers obey constraints; not in logs of formats 1 and 2, whose plays are what
  /// they were.
  bool rules_hold = true;
  /// Whether the learner chooses names that decide for the other parameters; not in logs of formats
  /// up to 5.
  bool chooses = true;
};

/// The description and what it makes: the specs of its set and its learner, and the revision of the
/// digits.
[[nodiscard]] std::string description_text(const StudyDescription& description,
                                           const Learner& learner, const Making& making = {});

/// What a text says.
struct DescriptionRead {
  StudyDescription description;
  Making making = {};
  /// The specs of what it made when it was written, and the revision of the digits.
  std::string set_spec = {};
  std::string learner_spec = {};
  std::uint64_t trace_revision = 0;
};

/// Reads a text; throws StudyError, which begins with `where`, if it is no description.
[[nodiscard]] DescriptionRead read_description(const std::string& text, const std::string& where);

/// The choices of what is played on that the learner of a new study makes by names.
[[nodiscard]] std::vector<std::string> choices_of(const StudyDescription& description,
                                                  const Catalogue& catalogue);

/// The set of a description, and the learner on it. The arrays are those that the description of a
/// new study has, or those next to its log.
[[nodiscard]] SetPtr make_set_of(const StudyDescription& description, const Catalogue& catalogue,
                                 const Making& making, const Contents& contents);
[[nodiscard]] Learner make_learner_of(const SetPtr& set, const StudyDescription& description,
                                      const Catalogue& catalogue, const Making& making = {});

}  // namespace keyhole::studies
