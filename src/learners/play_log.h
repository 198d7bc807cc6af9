#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"

namespace keyhole::algorithms {

/// The sizes that plays were made with, for plays whose loss comes later. They change at the ends
/// of blocks only, so one entry serves a run of plays; the latest 1024 entries are kept, which
/// reach back more than 2^18 plays for blocks of growing length.
class PlayLog {
 public:
  /// What a play was made with.
  struct Sizes {
    /// s: how far towards the explored point.
    double reach = 0;
    /// rho: how often plays explore.
    double exploring = 0;
    /// pi: how often those that do not are made at the iterate itself.
    double at_iterate = 0;

    bool operator==(const Sizes&) const = default;
  };

  PlayLog() : entries_(most) {}

  /// Play t and those after it, up to the next entry, are made with these sizes.
  void note(PlayId t, const Sizes& sizes) {
    if (count_ > 0 && entry(count_ - 1).sizes == sizes) return;
    ++count_;
    entry(count_ - 1) = {t, sizes};
  }

  /// The sizes of play t; null if it is older than the log.
  [[nodiscard]] const Sizes* of(PlayId t) const {
    for (std::uint64_t k = count_; k > oldest(); --k) {
      if (entry(k - 1).first <= t) return &entry(k - 1).sizes;
    }
    return nullptr;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(count_);
    if (count_ > std::uint64_t{1} << 62U) {
      throw StateError("the state counts " + std::to_string(count_) +
                       " changes of sizes: it is not sound");
    }
    for (std::uint64_t k = oldest(); k < count_; ++k) {
      Entry& at = entry(k);
      archive.field(at.first);
      archive.field(at.sizes.reach);
      archive.field(at.sizes.exploring);
      archive.field(at.sizes.at_iterate);
    }
  }

 private:
  struct Entry {
    PlayId first = 0;
    Sizes sizes;
  };
  static constexpr std::size_t most = 1024;

  [[nodiscard]] std::uint64_t oldest() const { return count_ > most ? count_ - most : 0; }
  [[nodiscard]] const Entry& entry(std::uint64_t k) const { return entries_[k % most]; }
  [[nodiscard]] Entry& entry(std::uint64_t k) { return entries_[k % most]; }

  std::uint64_t count_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace keyhole::algorithms
