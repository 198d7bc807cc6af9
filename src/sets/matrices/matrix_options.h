// The options of the oracles of matrices: which there may be, as text, and for the method.

#pragma once

#include <string>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/sets.h"
#include "math/spectral/extreme_pairs.h"

namespace keyhole::sets {

/// Throws InvalidArgument unless an oracle can have the options.
inline void require_options(const MatrixOracleOptions& options) {
  constexpr unsigned most_threads = 256;
  base::require(
      options.threads >= 1 && options.threads <= most_threads,
      "an oracle of matrices has 1 to 256 threads, not " + std::to_string(options.threads));
  base::require(options.residual >= 1e-12 && options.residual <= 1e-2,
                "the residual of an oracle of matrices must be from 1e-12 to 0.01, not " +
                    base::number_text(options.residual));
}

/// What stands behind the other numbers in a spec: ", certified=true, residual=1e-06", as far as it
/// is not the default.
inline std::string options_text(const MatrixOracleOptions& options) {
  return std::string(options.certified ? ", certified=true" : "") +
         (options.residual == MatrixOracleOptions{}.residual
              ? ""
              : ", residual=" + base::number_text(options.residual));
}

inline math::Method method(const MatrixOracleOptions& options) {
  return options.certified ? math::Method::certified : math::Method::fastest;
}

}  // namespace keyhole::sets
