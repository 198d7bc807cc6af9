// The worst that a run has seen for a while.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace keyhole::experiment {

/// The largest mean of 2,000 numbers in a row, of those after the first 2,048: numbers are what
/// rounds have cost more than at the centre, and a learner may need the first ones to learn.
class WorstWindow {
  static constexpr std::uint64_t first = 2048;
  static constexpr std::size_t width = 2000;

 public:
  /// Of how many rounds there is a window.
  static constexpr std::uint64_t shortest_run = first + width;

  /// Takes the number of the next round.
  void add(double number) {
    if (++rounds_ <= first) return;
    if (latest_.size() < width) {
      latest_.push_back(number);
    } else {
      sum_ -= std::exchange(latest_[(rounds_ - first - 1) % width], number);
    }
    sum_ += number;
    if (latest_.size() == width) worst_ = std::max(worst_.value_or(sum_), sum_);
  }

  /// The largest mean; none if there were too few rounds.
  [[nodiscard]] std::optional<double> mean() const {
    return worst_ ? std::optional(*worst_ / static_cast<double>(width)) : std::nullopt;
  }

 private:
  std::uint64_t rounds_ = 0;
  std::vector<double> latest_;
  double sum_ = 0;
  std::optional<double> worst_;
};

}  // namespace keyhole::experiment
