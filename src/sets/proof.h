// Answers of iterative methods are given with a proof, or not at all.

#pragma once

#include <string>
#include <string_view>

#include "base/number_text.h"
#include "keyhole/error.h"

namespace keyhole::sets {

/// Throws Error for an answer whose gap is above what the page of its set promises, or no number.
/// `what` is said of "rounding errors keep": "the oracle of a slice from an answer".
inline void require_proof(std::string_view what, double gap, double promised) {
  if (gap <= promised) return;
  throw Error("rounding errors keep " + std::string(what) + ": it is proved to " +
              base::number_text(gap) + ", not to " + base::number_text(promised));
}

/// The same where the method itself says whether it has come to its end.
inline void require_end(std::string_view what, bool ended) {
  if (!ended)
    throw Error("rounding errors keep " + std::string(what) + ": the method came to no end");
}

}  // namespace keyhole::sets
