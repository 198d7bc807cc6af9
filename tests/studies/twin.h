// Learners to hold studies against.

#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "keyhole/algorithms.h"
#include "keyhole/spec.h"
#include "keyhole/study.h"

namespace keyhole::tests {

/// What a play costs. It follows from its number, so the loss of one play is never that of another.
inline double loss_of(PlayId id) { return 1 / (1 + static_cast<double>(id)); }

/// The learner that a study is; of one without a start, and with the default one if it has
/// contexts, limits or choices.
inline Learner twin_of(const StudyDescription& description,
                       const Catalogue& catalogue = Catalogue::standard()) {
  const auto* const space = std::get_if<Space>(&description.on);
  if (space == nullptr) {
    return make_learner(description.learner,
                        make_set(std::get<std::string>(description.on), catalogue),
                        description.options, catalogue);
  }
  PosteriorOptions own{.contexts = space->context_words(), .limits = space->bounds()};
  if (description.learner == "default") own.choices = space->choice_words();
  if (own.contexts.empty() && own.limits.empty() && own.choices.empty()) {
    return make_learner(description.learner, space->set(), description.options, catalogue);
  }
  return Learner(posterior(space->set(), own), description.options);
}

/// What the learner plays where a study has made that play.
inline std::vector<double> ask_as(Learner& twin, const StudyDescription& description,
                                  const StudyPlay& play) {
  if (play.context.empty()) return twin.ask().point;
  return twin.ask(std::get<Space>(description.on).context(play.context)).point;
}

/// What was measured in a study, as a learner has it: without notes.
inline Metrics metrics_as(const StudyDescription& description, Values values) {
  const auto* const space = std::get_if<Space>(&description.on);
  if (space == nullptr) return {};
  std::erase_if(values, [&](const auto& value) {
    return std::none_of(space->limits().begin(), space->limits().end(),
                        [&](const SpaceLimit& limit) { return limit.name == value.first; });
  });
  return space->metrics(values);
}

/// Teaches the learner what a study has learned of the past.
inline void learn_as(Learner& twin, const StudyDescription& description, const StudyPast& past) {
  const Feedback feedback{
      .loss = past.loss, .metrics = metrics_as(description, past.metrics), .count = past.count};
  if (past.context.empty()) return twin.learn(past.point, feedback);
  twin.learn(std::get<Space>(description.on).context(past.context), past.point, feedback);
}

/// Tells the learner what a study was told.
inline void tell_as(Learner& twin, const StudyDescription& description, const StudyTell& tell) {
  const Metrics metrics = metrics_as(description, tell.metrics);
  if (!tell.loss) {
    twin.measure(tell.id, metrics);
  } else if (metrics.empty()) {
    (void)twin.tell(tell.id, *tell.loss, tell.count);
  } else {
    (void)twin.tell(tell.id, {.loss = *tell.loss, .metrics = metrics, .count = tell.count});
  }
}

}  // namespace keyhole::tests
