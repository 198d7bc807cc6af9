#pragma once

#include "keyhole/set.h"

namespace keyhole {}  // namespace keyhole
