#include "experiment/build_commit.h"

#include "keyhole_commit.h"  // written by cmake/commit.cmake

namespace keyhole::experiment {

const char* build_commit() { return KEYHOLE_COMMIT; }

}  // namespace keyhole::experiment
