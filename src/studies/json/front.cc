#include "studies/json/front.h"

#include <cmath>
#include <deque>
#include <limits>

#include "studies/json/study_json.h"

namespace keyhole::studies {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The place of the point of a front that is nearest, if it is near: within a twentieth of the
/// diameter. Else the number of points.
std::size_t nearest(const std::vector<FrontPoint>& front, const std::vector<double>& point,
                    double diameter) {
  constexpr double near = 0.05;
  std::size_t place = front.size();
  double least = near * near * diameter * diameter;
  for (std::size_t k = 0; k < front.size() && point.size() == front[k].point.size(); ++k) {
    double squares = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      squares += (point[i] - front[k].point[i]) * (point[i] - front[k].point[i]);
    }
    if (squares > least) continue;
    least = squares;
    place = k;
  }
  return place;
}

}  // namespace

Front front_of(const Store& store, const std::string& name, Study& study,
               const std::string& metric) {
  struct Play {
    std::size_t place;
    double loss = unknown;
    double metric = unknown;
  };
  Front front{.metric = metric, .points = study.front(metric)};
  if (metric.empty()) front.metric = limits_of(study).front().name;
  front.measured.resize(front.points.size() + 1);
  const LearnerOptions& options = study.description().options;
  const std::uint64_t window = options.expiry.value_or(options.window);
  std::deque<Play> plays;  // those that can still be told
  PlayId first = 1;        // the number of the first of them
  const auto end_first = [&] {
    const Play play = plays.front();
    plays.pop_front();
    ++first;
    if (std::isnan(play.loss) || std::isnan(play.metric)) return;
    Front::Means& here = front.measured[play.place];
    const auto count = static_cast<double>(++here.plays);
    here.loss += (play.loss - here.loss) / count;
    here.metric += (play.metric - here.metric) / count;
  };
  const auto take = [&](const StudyRecord& record) {
    if (record.changed) {  // what was measured on another space is not near
      first += plays.size();
      plays.clear();
      front.measured.assign(front.measured.size(), {});
    }
    for (const StudyTell& tell : record.tells) {
      if (tell.id < first || tell.id - first >= plays.size()) continue;
      Play& play = plays[tell.id - first];
      if (tell.loss) play.loss = *tell.loss;
      for (const auto& [told, value] : tell.metrics) {
        if (told == front.metric) play.metric = std::get<double>(value);
      }
    }
    for (const StudyPlay& play : record.gave.plays) {
      plays.push_back({nearest(front.points, play.point, study.set().diameter())});
      if (plays.size() > window) end_first();
    }
  };
  if (!front.points.empty()) store.replay(name, take, {}, Replay::facts);
  while (!plays.empty()) end_first();
  front.measured.pop_back();
  return front;
}

Json front_json(const Front& front, const Study& study) {
  const std::string word = study.description().options.maximize ? "gain" : "loss";
  Json points = Json::array();
  for (std::size_t k = 0; k < front.points.size(); ++k) {
    const FrontPoint& at = front.points[k];
    const Front::Means& told = front.measured[k];
    Json& one = points.emplace_back(Json{{"metric", at.metric},
                                         {"metric_error", at.metric_error},
                                         {word, at.loss},
                                         {word + "_error", at.loss_error}});
    one.update(values_and_point(likeliest(study, at.point), at.point));
    one["plays"] = told.plays;
    if (told.plays > 0) {
      one["metric_measured"] = told.metric;
      one[word + "_measured"] = told.loss;
    }
  }
  return {{"metric", front.metric}, {"front", std::move(points)}};
}

}  // namespace keyhole::studies
