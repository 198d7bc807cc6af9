#pragma once

#include "instances.h"

namespace keyhole::tests {

inline std::vector<InstanceFamily> choice_instances() { return {}; }

}  // namespace keyhole::tests
