#include "pages/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace keyhole::pages {
namespace {

// Tenths of a pixel.
using Place = std::array<long, 2>;

Place place(const Point2& x) {
  return {std::lround(10 * (picture_width / 2 + x[0])),
          std::lround(10 * (picture_height / 2 - x[1]))};
}

std::string pair(const Place& x) {
  return std::to_string(x[0]) + (x[1] < 0 ? "" : " ") + std::to_string(x[1]);
}

struct Look {
  const char* name;
  /// What is the same on every background.
  const char* always;
  /// "{}" stands for the colour.
  const char* coloured;
  const char* on_light;
  const char* on_dark;
};

// In tenths of a pixel, as everything.
constexpr std::array<Look, 16> looks = {{
    {"plane", "stroke-width:16;stroke-linejoin:round", "fill:{}", "#cfe2fb", "#1e3f6b"},
    {"edge", "fill:none;stroke-width:16;stroke-linejoin:round;stroke-linecap:round", "stroke:{}",
     "#1b4f96", "#8fbcf7"},
    {"crease", "fill:none;stroke-width:10;stroke-linejoin:round;stroke-linecap:round", "stroke:{}",
     "#1b4f96", "#b5d3fb"},
    {"hidden", "fill:none;stroke-width:8;stroke-dasharray:20 24;opacity:.55", "stroke:{}",
     "#1b4f96", "#b5d3fb"},
    {"axis", "fill:none;stroke-width:8", "stroke:{}", "#8a919b", "#8d95a1"},
    {"axis-hidden", "fill:none;stroke-width:8;stroke-dasharray:12 20;opacity:.6", "stroke:{}",
     "#5f6670", "#b9c0ca"},
    {"axis-head", "", "fill:{}", "#8a919b", "#8d95a1"},
    {"tick", "font-size:95px", "fill:{}", "#6b727c", "#a4acb7"},
    {"inner", "fill:none;stroke-width:10", "stroke:{}", "#c2410c", "#fb923c"},
    {"outer", "fill:none;stroke-width:10;stroke-dasharray:50 30", "stroke:{}", "#6b7280",
     "#9ca3af"},
    {"inner-name", "font-style:italic", "fill:{}", "#c2410c", "#fb923c"},
    {"outer-name", "font-style:italic", "fill:{}", "#6b7280", "#9ca3af"},
    {"name", "font-style:italic", "fill:{}", "#3f4650", "#cbd2dc"},
    {"centre", "", "fill:{}", "#c2410c", "#fb923c"},
    {"answer", "stroke-width:12", "fill:{};stroke:{}", "#0f766e", "#2dd4bf"},
    {"corner", "", "fill:{}", "#1b4f96", "#b5d3fb"},
}};

std::string with_colour(std::string_view pattern, std::string_view colour) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.substr(i, 2) == "{}") {
      result += colour;
      ++i;
    } else {
      result += pattern[i];
    }
  }
  return result;
}

std::string mix(const std::array<int, 3>& dark, const std::array<int, 3>& bright, double share) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string colour = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = dark[i] + share * (bright[i] - dark[i]);
    const auto whole = static_cast<std::size_t>(std::lround(value));
    colour += digits[whole / 16];
    colour += digits[whole % 16];
  }
  return colour;
}

std::string rule(const std::string& look, std::string_view declarations) {
  return "." + look + "{" + std::string(declarations) + "}";
}

/// The two sets of rules: for light backgrounds, and what is different on dark ones.
std::array<std::string, 2> rules(const std::set<std::string, std::less<>>& used) {
  std::array<std::string, 2> result;
  for (const Look& look : looks) {
    if (used.count(look.name) == 0) continue;
    const std::string always = *look.always == 0 ? "" : std::string(look.always) + ";";
    result[0] += rule(look.name, always + with_colour(look.coloured, look.on_light)) + "\n";
    result[1] += rule(look.name, with_colour(look.coloured, look.on_dark)) + "\n";
  }
  for (int k = 0; k < shades; ++k) {
    const std::string name = "s" + std::to_string(k);
    if (used.count(name) == 0) continue;
    const double share = static_cast<double>(k) / (shades - 1);
    const std::string light = mix({58, 111, 184}, {226, 239, 255}, share);
    const std::string dark = mix({22, 50, 92}, {122, 173, 240}, share);
    result[0] += rule(name, "fill:" + light + ";stroke:" + light) + "\n";
    result[1] += rule(name, "fill:" + dark + ";stroke:" + dark) + "\n";
  }
  return result;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string Svg::shade(double brightness) {
  const double level = std::clamp(brightness, 0.0, 1.0) * (shades - 1);
  return "s" + std::to_string(std::lround(level));
}

void Svg::path(std::string_view look, const std::vector<std::vector<Point2>>& all, bool closed) {
  std::string drawn;
  for (const std::vector<Point2>& corners : all) {
    std::vector<Place> places;
    for (const Point2& corner : corners) {
      const Place next = place(corner);
      if (places.empty() || places.back() != next) places.push_back(next);
    }
    if (closed && places.size() > 2) {  // begins at its first corner, whichever was found first
      std::rotate(places.begin(), std::min_element(places.begin(), places.end()), places.end());
    }
    if (places.size() < 2) continue;
    drawn += "M" + pair(places[0]);
    for (std::size_t k = 1; k < places.size(); ++k) {
      drawn += "l" + pair({places[k][0] - places[k - 1][0], places[k][1] - places[k - 1][1]});
    }
    if (closed) drawn += "z";
  }
  if (drawn.empty()) return;
  looks_.emplace(look);
  body_ += "<path class=\"" + std::string(look) + "\" d=\"" + drawn + "\"/>\n";
}

void Svg::polygons(std::string_view look, const std::vector<std::vector<Point2>>& all) {
  path(look, all, true);
}

void Svg::polygon(std::string_view look, const std::vector<Point2>& corners) {
  polygons(look, {corners});
}

void Svg::lines(std::string_view look, const std::vector<std::vector<Point2>>& all) {
  path(look, all, false);
}

void Svg::line(std::string_view look, const Point2& a, const Point2& b) { lines(look, {{a, b}}); }

void Svg::circle(std::string_view look, const Point2& centre, double radius) {
  looks_.emplace(look);
  const Place middle = place(centre);
  body_ += "<circle class=\"" + std::string(look) + "\" cx=\"" + std::to_string(middle[0]) +
           "\" cy=\"" + std::to_string(middle[1]) + "\" r=\"" +
           std::to_string(std::lround(10 * radius)) + "\"/>\n";
}

void Svg::arrow(std::string_view look, const Point2& a, const Point2& b) {
  const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 1)) return;
  const Point2 u = {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
  const Point2 neck = {b[0] - 7 * u[0], b[1] - 7 * u[1]};
  line(look, a, neck);
  polygon(look == "axis" ? "axis-head" : look, {b,
                                                {neck[0] - 2.6 * u[1], neck[1] + 2.6 * u[0]},
                                                {neck[0] + 2.6 * u[1], neck[1] - 2.6 * u[0]}});
}

bool Svg::has_room(const Point2& middle) const {
  constexpr double room = 17;
  return std::none_of(texts_.begin(), texts_.end(), [&](const Point2& other) {
    return std::hypot(other[0] - middle[0], other[1] - middle[1]) < room;
  });
}

void Svg::text(std::string_view look, const Point2& middle, std::string_view text) {
  texts_.push_back(middle);
  looks_.emplace(look);
  const double room = 5 + 3 * static_cast<double>(text.size());
  const Place at = place({std::clamp(middle[0], room - picture_width / 2, picture_width / 2 - room),
                          std::clamp(middle[1], 10 - picture_height / 2, picture_height / 2 - 8)});
  std::string shown;
  bool lowered = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_') {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", i + 1), text.size());
      shown +=
          R"(<tspan class="i" dy="28">)" + xml_text(text.substr(i + 1, end - i - 1)) + "</tspan>";
      i = end - 1;
      lowered = true;
    } else if (lowered) {
      shown += R"(<tspan dy="-28">)" + xml_text(text.substr(i, 1)) + "</tspan>";
      lowered = false;
    } else {
      shown += xml_text(text.substr(i, 1));
    }
  }
  body_ += "<text class=\"" + std::string(look) + "\" x=\"" + std::to_string(at[0]) + "\" y=\"" +
           std::to_string(at[1] + 40) + "\">" + shown + "</text>\n";
}

std::string Svg::file(std::string_view title, std::string_view description) const {
  const auto whole = [](double x) { return std::to_string(std::lround(x)); };
  const std::array<std::string, 2> styles = rules(looks_);
  return R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" + whole(picture_width) +
         "\" height=\"" + whole(picture_height) + "\" viewBox=\"0 0 " + whole(10 * picture_width) +
         " " + whole(10 * picture_height) + "\" role=\"img\">\n<title>" + xml_text(title) +
         "</title>\n<desc>" + xml_text(description) +
         "</desc>\n<style>\ntext{font:125px Georgia,\"Times New Roman\",serif;"
         "text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-opacity:.7;stroke-width:26;"
         "stroke-linejoin:round}\n.i{font-size:85px;font-style:normal}\npath[class^=s]{stroke-"
         "width:6;stroke-linejoin:round}\n" +
         styles[0] + "@media (prefers-color-scheme:dark){\ntext{stroke:#0d1117}\n" + styles[1] +
         "}\n</style>\n" + body_ + "</svg>\n";
}

}  // namespace keyhole::pages
