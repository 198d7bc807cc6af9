#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/archive.h"

namespace keyhole {

/// The losses of pairs of plays of which one has been told: of the latest pairs, a fixed number.
/// Pairs count from 0.
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

  /// Room for that many pairs.
  explicit PendingPairs(std::uint64_t size) : size_(size), marks_(size), halves_(size) {}

  /// Forgets all pairs.
  void clear() { opened_ = 0; }

  /// Opens the next pair; the oldest leaves if there is no room.
  void open() {
    marks_[opened_ % size_] = 0;
    halves_[opened_ % size_] = 0;
    ++opened_;
  }

  /// Takes the loss of the first or the second play of a pair that has been opened; once each.
  Receipt take(std::uint64_t pair, bool second, double loss, Losses& both) {
    if (pair < oldest()) return Receipt::late;
    std::uint8_t& mark = marks_[pair % size_];
    double& half = halves_[pair % size_];
    if (mark == nothing) {
      mark = second ? second_known : first_known;
      half = loss;
      return Receipt::waits;
    }
    both = second ? Losses{half, loss} : Losses{loss, half};
    mark = nothing;
    half = 0;
    return Receipt::complete;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(opened_);
    for (std::uint64_t pair = oldest(); pair < opened_; ++pair) {
      std::uint8_t& mark = marks_[pair % size_];
      archive.field(mark);
      archive.field(halves_[pair % size_]);
      if (mark > second_known) {
        mark = nothing;
        throw StateError("the state has an unknown mark for pair " + std::to_string(pair + 1));
      }
    }
  }

 private:
  enum : std::uint8_t { nothing, first_known, second_known };

  [[nodiscard]] std::uint64_t oldest() const { return opened_ > size_ ? opened_ - size_ : 0; }

  std::uint64_t size_;
  std::uint64_t opened_ = 0;
  std::vector<std::uint8_t> marks_;
  std::vector<double> halves_;
};

}  // namespace keyhole
