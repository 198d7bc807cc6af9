#pragma once

#include "instances.h"

namespace keyhole::tests {

inline std::vector<InstanceFamily> graph_instances() { return {}; }

}  // namespace keyhole::tests
