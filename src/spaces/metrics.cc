#include "spaces/metrics.h"

#include <cmath>
#include <limits>

#include "spaces/named.h"
#include "spaces/values.h"

namespace keyhole {

Values spaces::metric_values(const Space& space, const Metrics& metrics) {
  Values values;
  for (std::size_t j = 0; j < metrics.size(); ++j) {
    if (!std::isnan(metrics[j])) values.emplace_back(space.limits()[j].name, metrics[j]);
  }
  return values;
}

std::vector<Limit> Space::bounds() const {
  std::vector<Limit> bounds;
  for (const SpaceLimit& each : limits_) bounds.push_back(each.limit);
  return bounds;
}

Metrics Space::metrics(const Values& values) const {
  Metrics metrics(limits_.size(), std::numeric_limits<double>::quiet_NaN());
  spaces::require_each_once(values, "metric");
  for (const auto& [name, value] : values) {
    metrics[spaces::place_of(limits_, name, "metric")] =
        spaces::number_of("the metric '" + name + "'", value);
  }
  return metrics;
}

}  // namespace keyhole
