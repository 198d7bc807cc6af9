// What a study does now, as lines for people.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "studies/json/axes.h"
#include "studies/json/tight_bounds.h"

namespace keyhole::cli {

using studies::Axis;

/// How a text is drawn where there are colours.
enum class Ink : std::uint8_t { plain, bold, good, bad, bar };

/// A part of a line.
struct Span {
  std::string text;
  Ink ink = Ink::plain;
};
using Line = std::vector<Span>;

/// What is known besides what the study says itself.
struct Background {
  /// Plays a second; NaN if not known.
  double rate = std::numeric_limits<double>::quiet_NaN();
  /// The mean of the first losses that were told, and how many these are.
  double first_mean = 0;
  std::uint64_t first_told = 0;
  /// How many latest plays to compare them with.
  std::uint64_t recent = 1000;
  /// Those that may be too tight.
  std::vector<studies::TightBound> bounds = {};
};

/// Counts, losses, exploring, alarms.
[[nodiscard]] std::vector<Line> head_of(const std::string& name, Study& study,
                                        const Background& background);

/// The user's value of a coordinate, as people read it.
[[nodiscard]] std::string text_at(const Axis& axis, double x);

/// What to deploy, a bar for each coordinate, in at most so many lines and a heading.
[[nodiscard]] std::vector<Line> bars_of(const std::vector<Axis>& axes,
                                        const std::vector<double>& point, std::size_t most);

/// For which context values to deploy are, where nothing is said of it.
inline constexpr const char* in_average_context = "in an average context";

/// A line of at most so many columns, with its colours if there are any.
[[nodiscard]] std::string drawn(const Line& line, std::size_t columns, bool coloured);

}  // namespace keyhole::cli
