#include "reproduction/notes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/joined.h"
#include "reproduction/claims.h"

namespace keyhole::reproduction {
namespace {

using report::Figure;
using report::Point;
using report::Series;

/// The lowest and the highest of some values.
struct Height {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

void add_sentence(std::string& note, const std::string& sentence) {
  note += (note.empty() ? "" : " ") + sentence;
}

void leave_out_wide_band(Figure& figure) {
  Height all;
  Height band;
  for (const Series& series : figure.series) {
    Height& bands = series.name == default_learner ? band : all;
    for (const Point& point : series.points) {
      all.take(point.mean);
      bands.take(point.lower.value_or(point.mean));
      bands.take(point.upper.value_or(point.mean));
    }
  }
  if (band.low >= all.low && band.high <= all.high) return;
  for (Series& series : figure.series) {
    if (series.name != default_learner) continue;
    for (Point& point : series.points) point.lower = point.upper = std::nullopt;
    add_sentence(figure.note, "The band of " + series.name + " is too wide to be drawn.");
  }
}

bool lie_on_each_other(const Series& one, const Series& other, double height) {
  std::map<double, double> means;
  for (const Point& point : one.points) means[point.t] = point.mean;
  std::size_t shared = 0;
  for (const Point& point : other.points) {
    const auto found = means.find(point.t);
    if (found == means.end()) continue;
    if (!(std::abs(found->second - point.mean) <= 0.01 * height)) return false;
    ++shared;
  }
  return shared > 0;
}

void say_what_is_hidden(Figure& figure) {
  Height all;
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) all.take(point.mean);
  }
  std::set<std::string> said;
  for (const Series& one : figure.series) {
    if (said.contains(one.name)) continue;
    std::vector<std::string> names;
    for (const Series& other : figure.series) {
      if (said.contains(other.name) || !lie_on_each_other(one, other, all.high - all.low)) continue;
      names.push_back(other.name);
    }
    said.insert(names.begin(), names.end());
    if (names.size() < 2) continue;
    add_sentence(figure.note, "On each other lie " + base::joined(names) + ".");
  }
}

}  // namespace

void make_readable(Figure& figure) {
  leave_out_wide_band(figure);
  say_what_is_hidden(figure);
}

std::string better_controls(const Outcome& outcome) {
  const std::vector<Series>& curves = outcome.curves.average_loss;
  const auto is_control = [](const Series& series) { return series.style == report::Style::faint; };
  std::vector<std::string> names;
  for (const Series& control : curves) {
    if (!is_control(control)) continue;
    const bool is_below_all = std::all_of(curves.begin(), curves.end(), [&](const Series& series) {
      const Point& end = series.points.back();
      return is_control(series) || at_round(control, end.t).mean < end.mean;
    });
    if (is_below_all) names.push_back(control.name);
  }
  if (names.empty()) return "";
  return "Controls, which learn nothing, and end below every learner: " + base::joined(names) + ".";
}

}  // namespace keyhole::reproduction
