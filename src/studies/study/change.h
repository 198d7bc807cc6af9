#pragma once

#include <map>
#include <vector>

#include "keyhole/study.h"
#include "studies/format/events.h"

namespace keyhole::studies {

/// All losses and metrics that a log holds, with the values that they are of, and the points of the
/// last era.
class ToldLosses {
 public:
  /// Takes the next step of the log.
  void take(const StudyRecord& record);
  void clear() { *this = {}; }
  [[nodiscard]] const std::vector<StudyPast>& get() const { return losses_; }

 private:
  std::map<PlayId, StudyPast> untold_;
  std::map<PlayId, std::size_t> told_;  // the places of their losses
  std::vector<StudyPast> losses_;
};

/// The description of a study that goes on on another space. Throws InvalidArgument for a study on
/// a set.
[[nodiscard]] StudyDescription changed_description(const StudyDescription& before,
                                                   const Space& space, const Values& start);

/// The era with which it does so. Its learner is taught the losses that there is room for, which
/// are counted. Throws InvalidArgument as Store::change().
[[nodiscard]] Era changed_era(const StudyDescription& before, const Learner& learner_before,
                              const StudyDescription& description,
                              const std::vector<StudyPast>& losses, const Catalogue& catalogue);

}  // namespace keyhole::studies
