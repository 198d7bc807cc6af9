#include "studies/study/change.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/require.h"
#include "spaces/domains.h"
#include "studies/image/description_text.h"
#include "studies/image/image.h"
#include "studies/study/past_points.h"

namespace keyhole::studies {
namespace {

/// The value of a name; null if there is none.
const Value* find(const Values& values, const std::string& name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

/// The values of the parameters of a space; of those that are new, what was run until now. Nothing
/// if all are new, or nothing is known of the play: the loss says nothing of them.
Values in_space(const Values& values, const Space& space, const Values& start) {
  if (values.empty()) return {};
  Values result;
  bool says_something = false;
  for (const SpaceParameter& parameter : space.parameters()) {
    const Value* value = find(values, parameter.name);
    says_something = says_something || (value != nullptr && spaces::width(parameter) > 0);
    if (value == nullptr && std::holds_alternative<Fixed>(parameter.domain)) continue;
    if (value == nullptr) value = find(start, parameter.name);
    base::require(value != nullptr, "the parameter '" + parameter.name +
                                        "' is new: its start must say what was run until now");
    result.emplace_back(parameter.name, *value);
  }
  return says_something ? result : Values();
}

/// Those of the values that a space still takes: take({value}) throws for the others.
template <class Take>
Values left_by(const Values& values, Take take) {
  Values result;
  for (const auto& known : values) {
    try {
      (void)take({known});
      result.push_back(known);
    } catch (const InvalidArgument&) {  // it is not known in this space
    }
  }
  return result;
}

/// Whether the coordinates of a parameter mean the same in both spaces, whatever its range.
bool is_alike(const SpaceParameter& a, const SpaceParameter& b) {
  if (a.domain.index() != b.domain.index()) return false;
  const auto* const choice = std::get_if<Choice>(&a.domain);
  const auto* const shares = std::get_if<Shares>(&a.domain);
  if (choice != nullptr) return choice->names == std::get<Choice>(b.domain).names;
  const auto* const levels = std::get_if<Levels>(&a.domain);
  if (levels != nullptr) return levels->levels == std::get<Levels>(b.domain).levels;
  if (shares == nullptr) return spaces::is_log(a) == spaces::is_log(b);
  const auto& others = std::get<Shares>(b.domain);
  return shares->names == others.names && shares->total == others.total;
}

/// The point of a play, as far as its coordinates mean the same: its values are rounded and drawn,
/// and what a learner knows is of the point.
void keep_coordinates(std::span<const double> point, const Space& from, const Space& to,
                      std::span<double> x) {
  std::size_t first = 0;
  for (const SpaceParameter& parameter : to.parameters()) {
    const std::size_t width = spaces::width(parameter);
    std::size_t at = 0;
    for (const SpaceParameter& before : from.parameters()) {
      if (before.name == parameter.name && is_alike(before, parameter)) {
        std::copy_n(point.begin() + static_cast<std::ptrdiff_t>(at), width,
                    x.begin() + static_cast<std::ptrdiff_t>(first));
      }
      at += spaces::width(before);
    }
    first += width;
  }
}

/// A loss in the new space, with a point if it has one that is there too.
StudyPast moved(const StudyPast& past, const Space& from, const Space& to, const Values& start) {
  StudyPast there = {
      .values = in_space(past.values, to, start),
      .loss = past.loss,
      .count = past.count,
      .context = left_by(past.context, [&](const Values& one) { return to.context(one); }),
      .metrics = left_by(past.metrics, [&](const Values& one) { return to.metrics(one); })};
  if (past.point.empty() || there.values.empty()) return there;
  try {
    there.point = to.point(there.values);
  } catch (const InvalidArgument&) {
    return there;  // there is no room for it
  }
  keep_coordinates(past.point, from, to, there.point);
  if (to.set()->contains(there.point)) {
    there.values.clear();
  } else {
    there.point.clear();
  }
  return there;
}

/// The start in another space. What was tuned and is fixed now needs none.
Values left_of(const Values& start, const Space& space) {
  Values result;
  for (const SpaceParameter& parameter : space.parameters()) {
    const Value* const value = find(start, parameter.name);
    const bool is_fixed = std::holds_alternative<Fixed>(parameter.domain);
    if (value != nullptr && !is_fixed) result.emplace_back(parameter.name, *value);
  }
  return result;
}

}  // namespace

void ToldLosses::take(const StudyRecord& record) {
  if (record.renewed ||
      record.changed) {  // the points so far may be of another space: their values are left
    for (StudyPast& loss : losses_) loss.point.clear();
    for (auto& [id, play] : untold_) play.point.clear();
  }
  for (std::size_t k = 0; k < record.tells.size(); ++k) {
    const StudyTell& tell = record.tells[k];
    if (record.gave.receipts[k] == Receipt::expired) continue;
    if (const auto play = untold_.find(tell.id); play != untold_.end()) {
      told_[tell.id] = losses_.size();
      losses_.push_back(std::move(play->second));
      untold_.erase(play);
    }
    StudyPast& loss = losses_[told_.at(tell.id)];
    if (tell.loss) {
      loss.loss = *tell.loss;
      loss.count = tell.count;
    }
    for (const auto& metric : tell.metrics) {
      if (find(loss.metrics, metric.first) == nullptr) loss.metrics.push_back(metric);
    }
  }
  losses_.insert(losses_.end(), record.past.begin(), record.past.end());
  for (const StudyPlay& play : record.gave.plays) {
    untold_[play.id] = {.values = play.values,
                        .point = play.point,
                        .loss = std::numeric_limits<double>::quiet_NaN(),
                        .context = play.context};
  }
}

StudyDescription changed_description(const StudyDescription& before, const Space& space,
                                     const Values& start) {
  base::require(std::holds_alternative<Space>(before.on),
                "a study on a set cannot be changed: one on a space can");
  StudyDescription description = before;
  description.on = space;
  description.start = start.empty() ? left_of(before.start, space) : start;
  return description;
}

Era changed_era(const StudyDescription& before, const Learner& learner_before,
                const StudyDescription& description, const std::vector<StudyPast>& losses,
                const Catalogue& catalogue) {
  const auto& space = std::get<Space>(description.on);
  const SetPtr& set = space.set();
  Learner learner = make_learner_of(set, description, catalogue);
  const double share = learner_before.status(0).proof.share;
  if (share > 0) learner.prove(share);
  PastPoints points(description, *set);
  for (const StudyPast& loss : losses) {
    const StudyPast there = moved(loss, std::get<Space>(before.on), space, description.start);
    if (std::isnan(there.loss) && there.metrics.empty()) continue;  // no limit has its metrics now
    points.add(there, Outside::skip);
  }
  if (!learner.can_learn()) learner.check(set->centre(), 0);  // it says so
  for (const Past::Loss& loss : points.get().losses) learn(learner, &space, loss);
  const State state = learner.state();
  return {description_text(description, learner),
          {reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size()},
          StudyChange{0, points.receipt().learned, points.receipt().skipped}};
}

}  // namespace keyhole::studies
