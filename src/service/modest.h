#pragma once

#include <cstddef>

#include "keyhole/catalogue.h"

namespace keyhole::service {

/// The same catalogue, which makes no large sets. It throws a Problem or a SpecError for a set of
/// more than `largest` coordinates, before it is made where its arguments say that, and for sets
/// with 16 times as many together. So it serves one spec of a client.
[[nodiscard]] Catalogue modest(const Catalogue& catalogue, std::size_t largest);

}  // namespace keyhole::service
