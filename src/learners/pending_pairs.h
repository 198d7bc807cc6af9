#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/algorithm.h"
#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// The losses of pairs of plays of which one has been told: of the latest pairs, a fixed number.
class PendingPairs {
 public:
  /// What is known of a pair.
  struct Losses {
    /// That of its first play.
    double first;
    /// That of its second.
    double second;
  };
  /// How a loss was taken.
  enum class Receipt {
    /// It is the first of its pair: it waits for the other.
    waits,
    /// Both are there now.
    complete,
    /// Its pair has left.
    late,
  };

  /// Room for that many pairs, at least one.
  explicit PendingPairs(std::uint64_t size) : pairs_(size) {}

  /// Forgets all pairs.
  void clear() { opened_ = 0; }

  /// Opens the next pair with its first play; the oldest leaves if there is no room.
  void open(PlayId first) { at(opened_++) = {.first = first}; }
  /// The second play of the latest pair.
  void close(PlayId second) { at(opened_ - 1).second = second; }
  /// The first play of the latest pair.
  [[nodiscard]] PlayId latest() const { return at(opened_ - 1).first; }

  /// The number of the pair of a play that has not left: 0, 1, ... in the order of opening.
  [[nodiscard]] std::uint64_t index(PlayId play) const { return of(play); }
  /// The first play of the pair of a play; 0 if it has left.
  [[nodiscard]] PlayId first_of(PlayId play) const {
    return has_left(play) ? 0 : at(of(play)).first;
  }
  /// Whether the pair of a play has left.
  [[nodiscard]] bool has_left(PlayId play) const { return of(play) == opened_; }

  /// Takes the loss of a play, once each. Says which is the first play of its pair, unless it is
  /// late, and what both losses are, if they are there.
  Receipt take(PlayId play, double loss, PlayId& first, Losses& both) {
    if (has_left(play)) return Receipt::late;
    Pair& pair = at(of(play));
    const bool second = play != pair.first;
    first = pair.first;
    if (pair.mark == nothing) {
      pair.mark = second ? second_known : first_known;
      pair.half = loss;
      return Receipt::waits;
    }
    both = second ? Losses{pair.half, loss} : Losses{loss, pair.half};
    pair.mark = nothing;
    pair.half = 0;
    return Receipt::complete;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(opened_);
    for (std::uint64_t k = oldest(); k < opened_; ++k) {
      Pair& pair = at(k);
      archive.field(pair.first);
      archive.field(pair.second);
      archive.field(pair.mark);
      archive.field(pair.half);
      if (pair.mark > second_known) {
        pair = {};
        throw StateError("the state has an unknown mark for pair " + std::to_string(k + 1));
      }
    }
  }

 private:
  enum : std::uint8_t { nothing, first_known, second_known };

  struct Pair {
    PlayId first = 0;
    PlayId second = 0;  // 0 until it is played
    std::uint8_t mark = nothing;
    double half = 0;
  };

  [[nodiscard]] std::uint64_t oldest() const {
    return opened_ > pairs_.size() ? opened_ - pairs_.size() : 0;
  }
  [[nodiscard]] Pair& at(std::uint64_t k) { return pairs_[k % pairs_.size()]; }
  [[nodiscard]] const Pair& at(std::uint64_t k) const { return pairs_[k % pairs_.size()]; }

  /// The number of the pair of a play; that of the next pair if it has left. Numbers of plays grow,
  /// not always by one: the latest pair that begins with the play or before it.
  [[nodiscard]] std::uint64_t of(PlayId play) const {
    std::uint64_t low = oldest();
    std::uint64_t high = opened_;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (at(middle).first <= play) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == oldest()) return opened_;
    const Pair& pair = at(low - 1);
    return play == pair.first || play == pair.second ? low - 1 : opened_;
  }

  std::uint64_t opened_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace keyhole::algorithms
