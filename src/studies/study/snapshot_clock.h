#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "studies/study/stopwatch.h"

namespace keyhole::studies {

/// Says when a snapshot is due: when playing the log again from the latest one would take long, or
/// when the log has grown by an eighth. After an upgrade that changes the digits, a snapshot is the
/// most that is known of what was learned by algorithms that cannot be taught points.
class SnapshotClock {
 public:
  Stopwatch::Seconds replay_time = {};   // since the latest
  Stopwatch::Seconds writing_time = {};  // of the latest

  [[nodiscard]] bool is_due(std::uint64_t position) const {
    using std::chrono::milliseconds;
    return replay_time > std::max<Stopwatch::Seconds>(milliseconds(50), 10 * writing_time) ||
           position > latest_ + std::max<std::uint64_t>(1024, position / 8);
  }
  /// There is one at a position.
  void kept(std::uint64_t position) {
    latest_ = position;
    replay_time = {};
  }
  [[nodiscard]] std::uint64_t latest() const { return latest_; }

 private:
  std::uint64_t latest_ = 0;
};

}  // namespace keyhole::studies
