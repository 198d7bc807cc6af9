#include "keyhole/choices.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {

std::vector<Entry> choice_entries() { return {}; }

}  // namespace keyhole::spec
