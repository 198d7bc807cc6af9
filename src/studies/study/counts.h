#pragma once

#include <atomic>
#include <cstdint>

namespace keyhole::studies {

/// What the studies of this process have done since it began, for whoever watches it.
struct Counts {
  /// Steps that were made again since another process was first.
  std::atomic<std::uint64_t> conflicts = 0;
  std::atomic<std::uint64_t> snapshots = 0;
  /// Snapshots that could not be written: the logs do without, and open slowly.
  std::atomic<std::uint64_t> failed_snapshots = 0;
};

inline Counts& counts() {
  static Counts all;
  return all;
}

}  // namespace keyhole::studies
