// Colours that remain apart for colour-blind readers: M. Okabe and K. Ito, "Color Universal Design"
// (2008), in an order that puts the clearest first. In the light palette black becomes grey, and
// yellow, which cannot be seen on white, indigo; in the dark one black becomes violet.

#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "report/report.h"

namespace keyhole::report {

inline constexpr std::array light_palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#555555", "#3a0ca3"};
inline constexpr std::array dark_palette = {"#4fa8e0", "#f0803c", "#2fc79a", "#e09cc4",
                                            "#e6a91f", "#8fd0f5", "#7d6bff", "#f0e442"};
inline constexpr const char* light_faint = "#8c959f";
inline constexpr const char* dark_faint = "#7d8792";
static_assert(light_palette.size() == dark_palette.size());

/// The colour of each key of a report, in the order in which the keys appear. Keys beyond the
/// palette begin it again, and are then drawn with dots. Faint series have none: they are grey, and
/// told apart by their dashes.
class Colours {
 public:
  explicit Colours(const Report& report);

  /// The number of the series' key, from 0 on; of a faint series it means nothing.
  [[nodiscard]] std::size_t operator()(const Series& series) const;

 private:
  std::vector<std::string> keys_;
};

}  // namespace keyhole::report
