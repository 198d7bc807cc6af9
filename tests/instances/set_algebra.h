#pragma once

#include "instances.h"

namespace keyhole::tests {

inline std::vector<InstanceFamily> set_algebra_instances() { return {}; }

}  // namespace keyhole::tests
