#pragma once

#include <optional>

#include "keyhole/learner.h"
#include "learners/learner/ledger.h"
#include "learners/learner/pace.h"

namespace keyhole {

/// The plays of a learner: their account, and the pace that they keep.
struct LearnerBase::Plays {
  /// Of the plays of an algorithm on n coordinates, each told with `width` numbers.
  Plays(const LearnerOptions& options, std::size_t width, std::size_t n)
      : ledger(options.window, width, options.expiry) {
    if (options.max_step) pace.emplace(*options.max_step, options.window, n);
  }

  /// How many plays the algorithm has made.
  [[nodiscard]] std::uint64_t of_algorithm() const noexcept {
    return pace ? pace->wanted() : ledger.asked();
  }

  algorithms::Ledger ledger;
  std::optional<algorithms::Pace> pace;  // if there is a max_step
  PlayId failed_at = 0;  // the play that an exception may have left half-made; 0 if none
};

}  // namespace keyhole
