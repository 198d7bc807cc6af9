#pragma once

#include <string>

#include "keyhole/parameter_free.h"

namespace keyhole::algorithms {

/// The canonical description: what differs from the defaults.
inline std::string spec_of(const ParameterFreeOptions& options) {
  std::string text;
  const auto add = [&](bool differs, const char* setting) {
    if (differs) text += (text.empty() ? "" : ", ") + std::string(setting);
  };
  add(options.explore_at == ExploreAt::inscribed_sphere, "explore_at=inscribed_sphere");
  add(options.schedule == ExplorationSchedule::fixed, "schedule=fixed");
  add(options.baseline == Baseline::average, "baseline=average");
  add(!options.shrinkage, "shrinkage=false");
  add(!options.curvature, "curvature=false");
  add(!options.averaging, "averaging=false");
  add(!options.restarts, "restarts=false");
  add(!options.clipping, "clipping=false");
  add(!options.lateness, "lateness=false");
  return "parameter_free(" + text + ")";
}

}  // namespace keyhole::algorithms
