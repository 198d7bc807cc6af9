// The time of a round, robust against what else the machine does.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace keyhole::experiment {

/// Gathers the times of rounds in blocks and answers with the median of the blocks' means: one
/// preemption, which can take longer than all rounds of a block, spoils one block only. A block is
/// full after a ninth of the rounds or of the time to be spent, whichever comes first.
class BlockTimes {
 public:
  BlockTimes(std::uint64_t rounds, double seconds)
      : most_rounds_(std::max<std::uint64_t>(rounds / blocks, 1)),
        most_seconds_(seconds / blocks) {}

  /// Adds the time of a round.
  void add(double seconds) {
    total_ += seconds;
    sum_ += seconds;
    if (++count_ < most_rounds_ && sum_ < most_seconds_) return;
    means_.push_back(sum_ / static_cast<double>(count_));
    sum_ = 0;
    count_ = 0;
  }

  /// The time of all rounds.
  [[nodiscard]] double total() const { return total_; }

  /// The median of the full blocks, or the mean of a first one that is not; 0 without rounds.
  [[nodiscard]] double per_round() const {
    if (means_.empty()) {
      return count_ > 0 ? std::max(sum_, 0.0) / static_cast<double>(count_) : 0;
    }
    std::vector<double> sorted = means_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return std::max(*middle, 0.0);
  }

 private:
  static constexpr std::uint64_t blocks = 9;

  std::uint64_t most_rounds_;
  double most_seconds_;
  double total_ = 0;
  double sum_ = 0;
  std::uint64_t count_ = 0;
  std::vector<double> means_;
};

}  // namespace keyhole::experiment
