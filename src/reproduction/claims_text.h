// The claims as text: a sentence, a table for the eye, and CSV.

#pragma once

#include <string>
#include <vector>

#include "reproduction/claims.h"

namespace keyhole::reproduction {

/// "2 of 11 claims reproduced, 2 in one setting only, 7 not reproduced."
[[nodiscard]] std::string headline(const std::vector<Claim>& claims);

/// The claims as a table for the eye, of at most 100 columns: the verdict first, then the numbers,
/// the paper's above ours.
[[nodiscard]] std::string claims_table(const std::vector<Claim>& claims);

/// The claims as CSV, one line a number: what it is of, the paper's, ours, its interval or range.
[[nodiscard]] std::string claims_csv(const std::vector<Claim>& claims);

}  // namespace keyhole::reproduction
