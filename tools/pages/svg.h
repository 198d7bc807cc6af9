#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pages/outline.h"

namespace keyhole::pages {

/// The size of a picture, in pixels. Points of a picture have the origin at its middle and the
/// second coordinate upwards.
inline constexpr double picture_width = 320;
inline constexpr double picture_height = 280;
/// How many shades a surface can have.
inline constexpr int shades = 40;

/// A picture in the making: every coordinate is rounded to a tenth of a pixel, so that the text
/// does not depend on the last digits. What things look like is said by classes, which have colours
/// for light and dark backgrounds.
class Svg {
 public:
  void polygon(std::string_view look, const std::vector<Point2>& corners);
  /// Polygons as one thing.
  void polygons(std::string_view look, const std::vector<std::vector<Point2>>& all);
  void line(std::string_view look, const Point2& a, const Point2& b);
  /// Lines as one thing.
  void lines(std::string_view look, const std::vector<std::vector<Point2>>& all);
  void circle(std::string_view look, const Point2& centre, double radius);
  /// A line with a head at b.
  void arrow(std::string_view look, const Point2& a, const Point2& b);
  /// Text whose middle is at the point; names of mathematics, as in "x_1", have their index below.
  void text(std::string_view look, const Point2& middle, std::string_view text);
  /// Whether no text so far is so near that one there would run into it.
  [[nodiscard]] bool has_room(const Point2& middle) const;
  /// The picture, with a title and a description for those who do not see it.
  [[nodiscard]] std::string file(std::string_view title, std::string_view description) const;

  /// The look of a surface of that brightness, 0 to 1.
  [[nodiscard]] static std::string shade(double brightness);

 private:
  std::string body_;
  std::vector<Point2> texts_;
  std::set<std::string, std::less<>> looks_;

  void path(std::string_view look, const std::vector<std::vector<Point2>>& all, bool closed);
};

/// The text for XML.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace keyhole::pages
