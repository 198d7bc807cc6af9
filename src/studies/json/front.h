// What can be had of a metric, next to what was measured.

#pragma once

#include <string>
#include <vector>

#include "keyhole/store.h"
#include "studies/json/space_json.h"

namespace keyhole::studies {

/// The front of a metric, and the means of what was told of plays near each of its points.
struct Front {
  struct Means {
    double loss = 0;
    double metric = 0;
    std::uint64_t plays = 0;
  };

  std::string metric;
  std::vector<FrontPoint> points;
  /// One for each point.
  std::vector<Means> measured = {};
};

/// That of the study of a store, as Study::front(); it reads the log.
[[nodiscard]] Front front_of(const Store& store, const std::string& name, Study& study,
                             const std::string& metric);

/// {"metric": "p99", "front": [{"metric": 180.5, "metric_error": 2, "loss": 0.4, ...}]}.
[[nodiscard]] Json front_json(const Front& front, const Study& study);

}  // namespace keyhole::studies
