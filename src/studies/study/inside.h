#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "keyhole/study.h"

namespace keyhole::studies {

/// What this library does with a study, and nobody else.
class Inside {
 public:
  /// A study at work.
  static Study study_of(std::unique_ptr<Study::Live> live);
  /// Study::step(), but what it gives must not be used before harden() was called with `end`, which
  /// is set to where the log ends then: one harden() may serve many steps.
  static StudyStep append(Study& study, const std::vector<StudyTell>& tells, std::size_t asks,
                          const std::string& worker, std::uint64_t& end,
                          const Values& context = {});
  /// Waits until the log up to there is as safe as the store promises.
  static void harden(Study& study, std::uint64_t end);
};

}  // namespace keyhole::studies
