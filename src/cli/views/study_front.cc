// keyhole study front: what can be had of a metric, and what it costs.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "cli/padded.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"

namespace keyhole::cli {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The means of what was told of plays near a point.
struct Means {
  double loss = 0;
  double metric = 0;
  std::uint64_t plays = 0;
};

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

std::vector<Means> measured_at(const std::vector<FrontPoint>& front, const Store& store,
                               const std::string& name, const Study& study,
                               const std::string& metric) {
  struct Play {
    std::size_t place;
    double loss = unknown;
    double metric = unknown;
  };
  std::vector<Play> plays;
  const auto take = [&](const StudyRecord& record) {
    for (const StudyTell& tell : record.tells) {
      if (tell.id > plays.size()) continue;
      Play& play = plays[tell.id - 1];
      if (tell.loss) play.loss = *tell.loss;
      for (const auto& [told, value] : tell.metrics) {
        if (told == metric) play.metric = std::get<double>(value);
      }
    }
    for (const StudyPlay& play : record.gave.plays) {
      plays.push_back({nearest(front, play.point, study.set().diameter())});
    }
  };
  store.replay(name, take, {}, Replay::facts);
  std::vector<Means> measured(front.size() + 1);
  for (const Play& play : plays) {
    if (std::isnan(play.loss) || std::isnan(play.metric)) continue;
    Means& here = measured[play.place];
    const auto count = static_cast<double>(++here.plays);
    here.loss += (play.loss - here.loss) / count;
    here.metric += (play.metric - here.metric) / count;
  }
  return measured;
}

/// The metric that was named, or the only one.
std::string metric_of(const Arguments& arguments, const Study& study) {
  const std::vector<std::string> names = metric_names(study);
  if (arguments.has("--metric")) return arguments.get("--metric", "");
  if (names.size() == 1) return names.front();
  throw UsageError(names.empty() ? "the study has no limits: there is no metric to trade for"
                                 : "--metric is missing: the study has more than one");
}

}  // namespace

int study_front(const Arguments& arguments, const Program& program) {
  const Store store = the_store(arguments, program);
  const std::string name = arguments.word(0);
  Study study = store.open(name);
  const std::string metric = metric_of(arguments, study);
  const std::vector<FrontPoint> front = study.front(metric);
  if (front.empty()) {
    throw StudyError("too little is known of '" + metric + "' yet: tell it of some more plays");
  }
  const std::vector<Means> measured = measured_at(front, store, name, study, metric);
  const std::string format = arguments.get("--format", "text");
  const std::string word = study.description().options.maximize ? "gain" : "loss";
  const ValueText text(study);
  std::vector<std::vector<std::string>> rows = {{metric, metric + "_error", word, word + "_error"}};
  rows[0].insert(rows[0].end(), text.names().begin(), text.names().end());
  rows[0].insert(rows[0].end(), {"plays", metric + "_measured", word + "_measured"});
  Json list = Json::array();
  for (std::size_t k = 0; k < front.size(); ++k) {
    const FrontPoint& at = front[k];
    const Means& told = measured[k];
    const Values values = likeliest(study, at.point);
    Json& one = list.emplace_back(Json{{"metric", at.metric},
                                       {"metric_error", at.metric_error},
                                       {word, at.loss},
                                       {word + "_error", at.loss_error}});
    one.update(values_and_point(values, at.point));
    one["plays"] = told.plays;
    if (told.plays > 0) {
      one["metric_measured"] = told.metric;
      one[word + "_measured"] = told.loss;
    }
    constexpr int digits = 4;
    const auto number = [&](double x) {
      return base::number_text(format == "csv" ? x : base::rounded(x, digits));
    };
    std::vector<std::string>& row = rows.emplace_back();
    row = {number(at.metric), number(at.metric_error), number(at.loss), number(at.loss_error)};
    for (const std::string& field : text.fields(values, at.point)) {
      const bool is_long = format != "csv" && field.find('.') != std::string::npos;
      const auto value = is_long ? base::read_number(field) : std::nullopt;
      row.push_back(value ? number(*value) : field);
    }
    row.push_back(std::to_string(told.plays));
    row.push_back(told.plays > 0 ? number(told.metric) : "");
    row.push_back(told.plays > 0 ? number(told.loss) : "");
  }
  if (format == "json") {
    std::cout << json_text(list, 2) << "\n";
    return 0;
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]);
    std::cout << (format == "csv" ? base::csv_line(row)
                                  : line.substr(0, line.find_last_not_of(' ') + 1) + "\n");
  }
  return 0;
}

}  // namespace keyhole::cli
