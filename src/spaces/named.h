// Contexts and limits of a space, found by their names.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "keyhole/error.h"

namespace keyhole::spaces {

/// The place of a name, from 0 on. Throws InvalidArgument, with the nearest name, if it is none of
/// them. `what` is what one of them is called: "context".
template <class Named>
[[nodiscard]] std::size_t place_of(const std::vector<Named>& all, const std::string& name,
                                   const std::string& what) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  std::vector<std::string> names;
  for (const Named& each : all) names.push_back(each.name);
  throw InvalidArgument("there is no " + what + " '" + name + "'" +
                        (names.empty() ? ": the space has none" : base::suggestion(name, names)));
}

}  // namespace keyhole::spaces
