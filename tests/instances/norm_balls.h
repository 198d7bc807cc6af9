#pragma once

#include "instances.h"

namespace keyhole::tests {

inline std::vector<InstanceFamily> norm_ball_instances() { return {}; }

}  // namespace keyhole::tests
