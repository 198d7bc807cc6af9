#pragma once

#include "instances.h"

namespace keyhole::tests {

inline std::vector<InstanceFamily> spectral_set_instances() { return {}; }

}  // namespace keyhole::tests
