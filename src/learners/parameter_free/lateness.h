#pragma once

#include <cstdint>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"
#include "learners/level.h"
#include "math/elementary.h"

namespace keyhole::algorithms {

/// How late losses come in, in plays: 0 if each is told before the next ask.
class Lateness {
 public:
  /// Play t is made.
  void play(PlayId t) noexcept { latest_ = t; }
  /// The loss of play t, which has been made, comes in.
  void take(PlayId t) { ages_.take(static_cast<double>(latest_ - t)); }
  /// A block of losses has come in.
  void end_block() noexcept {
    plays_ = static_cast<double>(latest_ - latest_of_block_);
    latest_of_block_ = latest_;
  }

  /// How late losses come in, in blocks: the mean of late over the plays of the latest block.
  [[nodiscard]] double in_blocks() const { return plays_ > 0 ? ages_.mean() / plays_ : 0; }

  /// If a play is as late as this with the chance of an exponential law: how likely it is from
  /// before the latest block.
  [[nodiscard]] double share_of_earlier_blocks() const {
    const double age = ages_.mean();
    return age > 0 ? math::pow(age / (1 + age), plays_) : 0;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(latest_);
    archive.field(latest_of_block_);
    archive.field(plays_);
    ages_.state(archive);
  }

 private:
  PlayId latest_ = 0;
  PlayId latest_of_block_ = 0;
  double plays_ = 0;  // of the latest block
  Level ages_;
};

}  // namespace keyhole::algorithms
