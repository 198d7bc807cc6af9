#include "studies/json/tight_bounds.h"

#include <cmath>
#include <map>

#include "base/number_text.h"
#include "spaces/domains.h"
#include "studies/json/slope.h"

namespace keyhole::studies {
namespace {

using Ends = std::pair<double, double>;

/// The ends of the range of a number, a whole number or levels that are numbers, as the user has
/// written them.
std::optional<Ends> ends_of(const SpaceParameter& parameter) {
  if (const auto* const number = std::get_if<Number>(&parameter.domain)) {
    return Ends(number->from, number->to);
  }
  if (const auto* const whole = std::get_if<Integer>(&parameter.domain)) {
    return Ends(static_cast<double>(whole->from), static_cast<double>(whole->to));
  }
  const auto* const levels = std::get_if<Levels>(&parameter.domain);
  if (levels == nullptr || std::holds_alternative<std::string>(levels->levels[0])) return {};
  return Ends(*spaces::number_in(levels->levels.front()),
              *spaces::number_in(levels->levels.back()));
}

/// The latest losses of a log, on the space that it has now, by the places of their points in the
/// ranges, from 0 to 1.
class LatestLosses {
 public:
  explicit LatestLosses(const Space& space) {
    for (const SpaceParameter& parameter : space.parameters()) {
      const std::vector<double> lower = spaces::lower_bounds(parameter);
      const std::vector<double> upper = spaces::upper_bounds(parameter);
      lower_.insert(lower_.end(), lower.begin(), lower.end());
      upper_.insert(upper_.end(), upper.begin(), upper.end());
    }
  }

  void take(const StudyRecord& record) {
    if (record.renewed || record.changed) {
      untold_.clear();
      seen_.clear();
    }
    for (const StudyPast& past : record.past) {
      if (!std::isnan(past.loss)) add({past.point, past.loss, past.count});
    }
    for (std::size_t k = 0; k < record.tells.size(); ++k) {
      const StudyTell& tell = record.tells[k];
      const auto played = untold_.find(tell.id);
      if (played == untold_.end() || record.gave.receipts[k] != Receipt::fresh) continue;
      if (!tell.loss) continue;
      add({std::move(played->second), *tell.loss, tell.count});
      untold_.erase(played);
    }
    for (const StudyPlay& play : record.gave.plays) untold_[play.id] = play.point;
  }
  [[nodiscard]] const std::vector<Seen>& get() const { return seen_; }

 private:
  static constexpr std::size_t most = 4096;

  void add(Seen one) {
    if (one.point.size() != lower_.size()) return;
    for (std::size_t i = 0; i < lower_.size(); ++i) {
      one.point[i] = (one.point[i] - lower_[i]) / (upper_[i] - lower_[i]);
    }
    if (seen_.size() < most) {
      seen_.push_back(std::move(one));
    } else {
      seen_[next_++ % most] = std::move(one);
    }
  }

  std::vector<double> lower_;
  std::vector<double> upper_;
  std::map<PlayId, std::vector<double>> untold_;
  std::vector<Seen> seen_;
  std::size_t next_ = 0;
};

/// Whether losses fall towards a bound, and still fall there.
bool falls_towards(const TightBound& bound, const std::vector<Seen>& seen, bool maximize) {
  constexpr double errors = 2;
  constexpr double errors_there = 1;
  const double sign = bound.upper != maximize ? 1 : -1;
  const Slope all = slope_along(seen, bound.coordinate);
  const Slope there = slope_along(seen, bound.coordinate, bound.upper ? 1 : 0);
  return sign * all.rise < -errors * all.error && sign * there.rise < -errors_there * there.error;
}

}  // namespace

std::string TightBound::text() const {
  return "the best point lies at the bound of '" + name + "', " + base::number_text(value) +
         ": widen it?";
}

std::vector<TightBound> near_bounds(const Study& study, const Status& status,
                                    const std::vector<double>& point) {
  // The true gain is outside of two errors in at most 8 % of runs (docs/posterior.md).
  constexpr double errors = 2;
  constexpr double edge = 0.01;
  const auto* const space = std::get_if<Space>(&study.description().on);
  const bool reliable =
      status.belief.gain > errors * status.belief.gain_error || status.proof.proven > 0;
  if (space == nullptr || !reliable || point.size() != space->set()->dimension()) return {};
  std::vector<TightBound> bounds;
  std::size_t i = 0;
  for (const SpaceParameter& parameter : space->parameters()) {
    if (const auto ends = ends_of(parameter)) {
      const auto [least, largest] = *ends;
      const double from = spaces::lower_bounds(parameter)[0];
      const double place = (point[i] - from) / (spaces::upper_bounds(parameter)[0] - from);
      if (place <= edge) bounds.push_back({parameter.name, least, i, false});
      if (place >= 1 - edge) bounds.push_back({parameter.name, largest, i, true});
    }
    i += spaces::width(parameter);
  }
  return bounds;
}

const std::vector<TightBound>& TightBounds::look(const Store& store, const std::string& name,
                                                 Study& study) {
  constexpr std::size_t most_coordinates = 64;  // of points that a log has
  const std::size_t n = study.set().dimension();
  const std::uint64_t told = study.summary().told;
  std::vector<TightBound> near = near_bounds(study, study.status(), study.recommend());
  const bool has_points = n <= most_coordinates && study.description().facts == Facts::points;
  if (near == near_ && told < told_ + told_ / 8 + 1) return tight_;
  near_ = std::move(near);
  told_ = told;
  tight_.clear();
  if (near_.empty() || !has_points) return tight_;
  LatestLosses losses(std::get<Space>(study.description().on));
  store.replay(
      name, [&](const StudyRecord& record) { losses.take(record); }, {}, Replay::facts);
  constexpr std::size_t enough = 4;  // losses for each number that is fitted
  if (losses.get().size() < enough * (n + 2)) return tight_;
  for (const TightBound& bound : near_) {
    if (falls_towards(bound, losses.get(), study.description().options.maximize)) {
      tight_.push_back(bound);
    }
  }
  return tight_;
}

}  // namespace keyhole::studies
