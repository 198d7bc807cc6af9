#pragma once

#include <optional>
#include <vector>

#include "keyhole/learner.h"
#include "learners/learner/ledger.h"
#include "learners/learner/own_numbers.h"
#include "learners/learner/pace.h"
#include "learners/learner/start_coin.h"

namespace keyhole {

/// The plays of a learner: their account, which of them are the algorithm's own, and the pace that
/// they keep.
struct LearnerBase::Plays {
  /// Of the plays of an algorithm on n coordinates, each told with `width` numbers.
  Plays(const LearnerOptions& options, std::size_t width, std::size_t coordinates)
      : n(coordinates), window(options.window), ledger(options.window, width, options.expiry) {
    if (!options.max_step && options.max_steps.empty()) return;
    own.emplace(options.window, 0);
    pace.emplace(options.max_step, options.max_steps, n);
  }

  /// How many plays the algorithm has made.
  [[nodiscard]] std::uint64_t of_algorithm() const noexcept {
    return own ? own->wanted() : ledger.asked();
  }
  /// The algorithm's number of play t of the window; 0 if that is not its own.
  [[nodiscard]] PlayId own_number(PlayId t) const noexcept { return own ? own->of(t) : t; }
  /// Takes the loss of play t of the window, for the coin.
  void take(PlayId t, double loss) {
    if (own->at_start(t) || own->of(t) != 0) coin->take(t, own->at_start(t), loss);
  }

  /// The fields of a state after those of the ledger.
  void state(Archive& archive);

  std::size_t n;
  std::uint64_t window;
  algorithms::Ledger ledger;
  std::vector<algorithms::Ledger> metrics;    // the accounts of what is measured besides
  std::optional<algorithms::OwnNumbers> own;  // if not all plays are the algorithm's own
  std::optional<algorithms::Pace> pace;       // if there is a max_step
  std::optional<algorithms::StartCoin> coin;  // if some plays are made at the start
  std::uint8_t explores = 1;                  // whether the algorithm makes the plays to come
  std::uint8_t step_due = 0;                  // whether it has played since its latest step
  PlayId failed_at = 0;  // the play that an exception may have left half-made; 0 if none
};

}  // namespace keyhole
