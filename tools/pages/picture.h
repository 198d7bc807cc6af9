#pragma once

#include <string>

#include "keyhole/set.h"

namespace keyhole::pages {

/// What a set looks like.
struct Picture {
  /// The file.
  std::string svg;
  /// What is to be seen.
  std::string caption;
};

/// A picture of any set, from its oracle and its membership alone: the figure itself if its hull
/// has at most 2 dimensions, its surface if it has 3, else its shadow on a plane.
[[nodiscard]] Picture picture_of(const Set& set);

}  // namespace keyhole::pages
