#include "studies/study/change.h"

#include <algorithm>

#include "base/require.h"
#include "studies/image/description_text.h"
#include "studies/study/past_points.h"

namespace keyhole::studies {
namespace {

/// The value of a name; null if there is none.
const Value* find(const Values& values, const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

/// The values of the parameters of a space; of those that are new, what was run until now.
Values in_space(const Values& values, const Space& space, const Values& start) {
  Values result;
  for (const SpaceParameter& parameter : space.parameters()) {
    const Value* value = find(values, parameter.name);
    if (value == nullptr) value = find(start, parameter.name);
    base::require(value != nullptr, "the parameter '" + parameter.name +
                                        "' is new: its start must say what was run until now");
    result.emplace_back(parameter.name, *value);
  }
  return result;
}

Values left_of(const Values& start, const Space& space) {
  Values result;
  for (const SpaceParameter& parameter : space.parameters()) {
    const Value* const value = find(start, parameter.name);
    if (value != nullptr) result.emplace_back(parameter.name, *value);
  }
  return result;
}

}  // namespace

void ToldLosses::take(const StudyRecord& record) {
  for (std::size_t k = 0; k < record.tells.size(); ++k) {
    const auto [id, loss, count] = record.tells[k];
    const Receipt receipt = record.gave.receipts[k];
    const auto played = untold_.find(id);
    if ((receipt != Receipt::fresh && receipt != Receipt::late) || played == untold_.end())
      continue;
    losses_.push_back({.values = std::move(played->second), .loss = loss, .count = count});
    untold_.erase(played);
  }
  losses_.insert(losses_.end(), record.past.begin(), record.past.end());
  for (const StudyPlay& play : record.gave.plays) untold_[play.id] = play.values;
}

Era changed_era(const StudyDescription& before, const Learner& learner_before, const Space& space,
                const Values& start, const std::vector<StudyPast>& losses,
                const Catalogue& catalogue, PastReceipt& receipt) {
  base::require(std::holds_alternative<Space>(before.on),
                "a study on a set cannot be changed: one on a space can");
  StudyDescription description = before;
  description.on = space;
  description.start = start.empty() ? left_of(before.start, space) : start;
  const SetPtr set = space.set();
  Learner learner = make_learner_of(set, description, catalogue);
  const double share = learner_before.status(0).proof.share;
  if (share > 0) learner.prove(share);
  PastPoints points(description, *set);
  for (const StudyPast& loss : losses) {
    points.add({.values = in_space(loss.values, space, description.start),
                .loss = loss.loss,
                .count = loss.count},
               Outside::skip);
  }
  if (!learner.can_learn()) learner.check(set->centre(), 0);  // it says so
  for (const Past::Loss& loss : points.get().losses) {
    learner.learn(loss.point, loss.loss, loss.weight);
  }
  receipt = points.receipt();
  const State state = learner.state();
  return {description_text(description, learner),
          {reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size()}};
}

}  // namespace keyhole::studies
