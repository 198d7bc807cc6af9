// The options of the oracles of matrices: which there may be, as text, and for the method.

#pragma once

#include <string>

#include "keyhole/sets.h"
#include "math/extreme_pairs.h"
#include "math/number_text.h"
#include "sets/require.h"

namespace keyhole {

/// Throws InvalidArgument unless an oracle can have the options.
inline void require_options(const MatrixOracleOptions& options) {
  constexpr unsigned most_threads = 256;
  require(options.threads >= 1 && options.threads <= most_threads,
          "an oracle of matrices has 1 to 256 threads, not " + std::to_string(options.threads));
  require(options.residual >= 1e-12 && options.residual <= 1e-2,
          "the residual of an oracle of matrices must be from 1e-12 to 0.01, not " +
              math::number_text(options.residual));
}

/// What stands behind the other numbers in a spec: ", certified=true, residual=1e-06", as far as it
/// is not the default.
inline std::string options_text(const MatrixOracleOptions& options) {
  return std::string(options.certified ? ", certified=true" : "") +
         (options.residual == MatrixOracleOptions{}.residual
              ? ""
              : ", residual=" + math::number_text(options.residual));
}

inline math::Method method(const MatrixOracleOptions& options) {
  return options.certified ? math::Method::certified : math::Method::fastest;
}

}  // namespace keyhole
