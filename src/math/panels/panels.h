// Products of a large dense matrix with vectors, which is what Lanczos's method spends its time on.
//
// The matrix is cut into panels of four rows, in each of which the entries of a few columns stand
// together as a vector unit takes them, in the order in which they are needed: the memory is read
// once, from the first to the last. A second copy in single precision, made when first asked for,
// halves that memory and doubles what a vector unit does at once; its products are rough.
//
// The order of all sums is a function of the size alone: not of the processor, the compiler or the
// number of threads. Objects are workspaces, one a learner; after construction nothing allocates.

#pragma once

#include "math/panels/basis_panels.h"
#include "math/panels/gram_panels.h"
#include "math/panels/symmetric_panels.h"

namespace keyhole::math {

// A rough product is within this times ||A|| ||x|| of the exact one.
inline constexpr double rough_error = 1e-7;

}  // namespace keyhole::math
