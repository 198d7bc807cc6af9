#include "studies/study/past_points.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest.h"
#include "base/require.h"
#include "spaces/contexts.h"
#include "spaces/values.h"

namespace keyhole::studies {
namespace {

/// Notes are columns of tables, next to those of others, which another study may learn from.
void require_name_of_note(const Space* space, const std::string& name) {
  constexpr std::array taken = {"play", "worker", "loss", "count", "error"};
  const auto is = [&](const auto& each) { return each.name == name; };
  const bool is_of_space =
      space != nullptr &&
      (std::any_of(space->parameters().begin(), space->parameters().end(), is) ||
       std::any_of(space->contexts().begin(), space->contexts().end(), is));
  base::require(!name.empty(), "a note must have a name");
  base::require(!is_of_space && std::find(taken.begin(), taken.end(), name) == taken.end(),
                "a note cannot be called '" + name +
                    "', which means something else in tables of plays: take another name");
}

}  // namespace

PastPoints::PastPoints(const StudyDescription& description, const Set& set)
    : space_(std::get_if<Space>(&description.on)), set_(set), oracle_(set.oracle()) {}

Measured measured_in(const Space* space, const Values& metrics, decltype(Tell::notes)* notes) {
  Measured result;
  if (metrics.empty()) return result;
  if (notes != nullptr) {
    const auto is_metric = [&](const auto& value) {
      const auto is = [&](const SpaceLimit& limit) { return limit.name == value.first; };
      return space != nullptr && std::any_of(space->limits().begin(), space->limits().end(), is);
    };
    Values own = metrics;
    const auto others = std::stable_partition(own.begin(), own.end(), is_metric);
    for (auto other = others; other != own.end(); ++other) {
      require_name_of_note(space, other->first);
      const double number = spaces::number_of("the note '" + other->first + "'", other->second);
      base::require(std::isfinite(number), "the note '" + other->first + "' must be finite");
      notes->emplace_back(other->first, number);
    }
    own.erase(others, own.end());
    return measured_in(space, own);
  }
  base::require(space != nullptr,
                "there is no metric '" + metrics.front().first +
                    "': a study on a set has none, and one on a space those of its limits");
  const Metrics numbers = space->metrics(metrics);
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (!std::isnan(numbers[j])) result.emplace_back(j, numbers[j]);
  }
  return result;
}

void PastPoints::add(const StudyPast& past, Outside outside) {
  const std::size_t index = receipt_.learned + receipt_.skipped;
  require_names(past.values);
  std::vector<double> context = context_of(past);
  Measured metrics = measured_in(space_, past.metrics);
  std::vector<double> point;
  try {
    point = point_of(past);
  } catch (const InvalidArgument&) {
    if (outside == Outside::refuse) throw;
    if (outside == Outside::skip) {
      ++receipt_.skipped;
      return;
    }
    point = nearest_point(past);
    ++receipt_.projected;
  }
  ++receipt_.learned;
  past_.losses.push_back(
      {past.loss, past.count, std::move(point), std::move(context), std::move(metrics)});
  index_.push_back(index);
}

Past PastPoints::taken(const std::string& id) {
  past_.id = id;
  past_.projected = receipt_.projected;
  past_.skipped = receipt_.skipped;
  return std::move(past_);
}

/// All of the space but what is fixed, and no others: a name that is mistyped must not be taken for
/// a point that is outside.
void PastPoints::require_names(const Values& values) const {
  if (space_ == nullptr || values.empty()) return;
  std::vector<std::string> names;
  for (const SpaceParameter& parameter : space_->parameters()) names.push_back(parameter.name);
  for (const auto& [name, value] : values) {
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    base::require(known, "there is no parameter '" + name + "'" + base::suggestion(name, names));
  }
  for (const SpaceParameter& parameter : space_->parameters()) {
    if (!std::holds_alternative<Fixed>(parameter.domain)) (void)values.at(parameter.name);
  }
}

/// Empty if nothing was known.
std::vector<double> PastPoints::context_of(const StudyPast& past) const {
  if (past.context.empty()) return {};
  base::require(space_ != nullptr, "the study is on a set, which has no contexts");
  return spaces::context_numbers(*space_, past.context);
}

std::vector<double> PastPoints::point_of(const StudyPast& past) const {
  base::require(past.values.empty() || space_ != nullptr,
                "the study is on a set: give a point, not values by name");
  if (!past.values.empty()) return space_->point(past.values);
  base::require(past.point.size() == set_.dimension(),
                "a point of " + set_.spec() + " has " + std::to_string(set_.dimension()) +
                    " coordinates, not " + std::to_string(past.point.size()));
  base::require(set_.contains(past.point), "the point is not in the set " + set_.spec());
  return past.point;
}

std::vector<double> PastPoints::nearest_point(const StudyPast& past) const {
  if (!past.values.empty() && space_ != nullptr) return space_->nearest_point(past.values);
  base::require(past.values.empty() && past.point.size() == set_.dimension(),
                "what has other coordinates has no nearest point in the set");
  std::vector<double> nearest(set_.dimension());
  oracle_->project(past.point, nearest);
  return nearest;
}

}  // namespace keyhole::studies
