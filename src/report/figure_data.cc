#include "report/figure_data.h"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "report/palette.h"

namespace keyhole::report {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = base::rounded(value, 8);
  // A whole number is shorter without its .0.
  if (rounded == std::trunc(rounded) && std::abs(rounded) < 1e9) {
    return static_cast<std::int64_t>(rounded);
  }
  return rounded;
}

Json numbers(const std::vector<Point>& points, const std::function<double(const Point&)>& of) {
  Json result = Json::array();
  for (const Point& point : points) result.push_back(number(of(point)));
  return result;
}

Json series_json(const Series& series, std::size_t colour) {
  const bool faint = series.style == Style::faint;
  Json json = {{"name", series.name},
               {"colour", faint ? 0 : colour % light_palette.size()},
               {"dots", !faint && colour >= light_palette.size()},
               {"dashed", series.style == Style::dashed},
               {"faint", faint},
               {"t", numbers(series.points, [](const Point& point) { return point.t; })},
               {"mean", numbers(series.points, [](const Point& point) { return point.mean; })}};
  bool intervals = false;
  for (const Point& point : series.points) intervals |= point.lower && point.upper;
  if (intervals) {
    json["lower"] =
        numbers(series.points, [](const Point& point) { return point.lower.value_or(point.mean); });
    json["upper"] =
        numbers(series.points, [](const Point& point) { return point.upper.value_or(point.mean); });
  }
  return json;
}

}  // namespace

std::string figure_data(const Report& report) {
  const Colours colours(report);
  Json figures = Json::array();
  for (const Section& section : report.sections) {
    for (const Figure& figure : section.figures) {
      Json curves = Json::array();
      for (const Series& series : figure.series) {
        curves.push_back(series_json(series, colours(series)));
      }
      Json json = {{"title", figure.title},     {"x_label", figure.x_label},
                   {"y_label", figure.y_label}, {"log_x", figure.log_x},
                   {"log_y", figure.log_y},     {"series", curves}};
      if (!figure.groups.empty()) {
        json["groups"] = figure.groups;
        json["reference"] = figure.reference ? number(*figure.reference) : nullptr;
      }
      for (const Mark& mark : figure.marks) {
        json["marks"].push_back({{"t", number(mark.t)}, {"name", mark.name}});
      }
      figures.push_back(std::move(json));
    }
  }
  const Json data = {{"palettes", {{"light", light_palette}, {"dark", dark_palette}}},
                     {"faint", {{"light", light_faint}, {"dark", dark_faint}}},
                     {"figures", figures}};
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace keyhole::report
