#pragma once

#include "instances.h"

namespace keyhole::tests {

inline std::vector<InstanceFamily> matroid_instances() { return {}; }

}  // namespace keyhole::tests
