// The options of oracles: what reads, prints, checks and documents them.

#pragma once

#include "keyhole/options.h"
#include "keyhole/sets.h"

namespace keyhole {

/// But for the number of threads, which is no part of a spec.
inline void list_options(OptionVisitor& visit, MatrixOracleOptions& options) {
  visit.flag({"certified", "whether every answer above order 100 is verified"}, options.certified);
  visit.number(
      {"residual", "the pair's residual above order 100, relative to the norm", {1e-12, 1e-2}},
      options.residual);
}

}  // namespace keyhole
