// The options of the oracles of matrices: which there may be, as text, and for the method.

#pragma once

#include <string>

#include "base/require.h"
#include "keyhole/sets.h"
#include "math/spectral/extreme_pairs.h"
#include "sets/option_lists.h"

namespace keyhole::sets {

/// Throws InvalidArgument unless an oracle can have the options.
inline void require_options(const MatrixOracleOptions& options) {
  constexpr unsigned most_threads = 256;
  base::require(
      options.threads >= 1 && options.threads <= most_threads,
      "an oracle of matrices has 1 to 256 threads, not " + std::to_string(options.threads));
  checked("an oracle of matrices", options);
}

inline math::Method method(const MatrixOracleOptions& options) {
  return options.certified ? math::Method::certified : math::Method::fastest;
}

}  // namespace keyhole::sets
