#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"
#include "keyhole/summary.h"

namespace keyhole::algorithms {

/// The mean of what the plays of a coin are worth, with an interval that holds at all times at
/// once: an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas:
/// Time-uniform central limit theory and asymptotic confidence sequences, 2024, theorem 2.2).
class AnytimeGain {
 public:
  /// Takes what a play is worth, and by how much its loss was above the level.
  void take(bool at_start, double worth, double above);
  /// Whether there were enough plays at the start to know anything.
  [[nodiscard]] bool is_known() const noexcept { return at_start_ >= enough; }
  [[nodiscard]] double mean() const noexcept { return mean_; }
  /// Half of the interval of 95 %, with a coin of that share.
  [[nodiscard]] double error(double share) const;
  /// The fields of a state.
  void state(Archive& archive);

 private:
  static constexpr std::uint64_t enough = 10;

  std::uint64_t at_start_ = 0;
  std::uint64_t elsewhere_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // the sum of the squared distances from the mean
  double spread_ = 0;   // the sum of the squares above the level, elsewhere
};

/// A coin that has a share p of the plays made at the start, and what it shows: the mean gain over
/// the start of the other plays, without a model of the losses. A play of loss y is worth (y - L) /
/// p at the start, and -(y - L) / (1 - p) elsewhere. Its expectation is what the start would have
/// cost more in that round, whatever L is, if L was known before. The variance is least with L = l
/// + (1 - p) g, where l is the level of the losses elsewhere and g is the gain. Not thread-safe.
class StartCoin {
 public:
  /// Plays after `since` take part.
  StartCoin(double share, PlayId since, std::vector<double> start)
      : share_(share), since_(since), start_(std::move(start)) {}

  [[nodiscard]] double share() const noexcept { return share_; }
  [[nodiscard]] const std::vector<double>& start() const noexcept { return start_; }
  /// Takes the loss of play s, at the start or of the algorithm.
  void take(PlayId s, bool at_start, double loss);
  /// What it has shown.
  [[nodiscard]] Proof proof() const;
  /// The fields of a state.
  void state(Archive& archive);

 private:
  // State.
  double share_;
  PlayId since_;
  std::vector<double> start_;
  double count_ = 0;
  double level_ = 0;
  AnytimeGain gain_;
  AnytimeGain latest_;  // since it was last seen to be above or below 0
  PlayId proven_ = 0;
  PlayId worse_ = 0;
};

}  // namespace keyhole::algorithms
