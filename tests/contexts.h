#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catalogue.h"

namespace keyhole::tests {

/// A number of a context that is not known.
inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
/// Contexts of every kind.
inline const std::vector<std::string> every_kind = {"number", "cyclic", "choice(3)"};

/// A context of every kind; now and then some of it is not known.
inline Context drawn_context(Random& random) {
  Context context = {random.normal(), random.uniform(-2, 2),
                     std::floor(random.uniform(0, 3.2))};  // 3 is a name that was never listed
  for (double& number : context) {
    if (random.uniform() < 0.1) number = not_known;
  }
  return context;
}

}  // namespace keyhole::tests
