#pragma once

namespace keyhole::experiment {

/// The commit that this program was built from, with a plus sign if files had been changed;
/// "unknown" if it was not built in a clone of its repository.
[[nodiscard]] const char* build_commit();

}  // namespace keyhole::experiment
