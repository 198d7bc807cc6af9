#include "keyhole/spectral_sets.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {

std::vector<Entry> spectral_set_entries() { return {}; }

}  // namespace keyhole::spec
