#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/problem.h"

namespace keyhole::experiment {

/// Thrown by a unit of work that was told to stop; no error, so it derives from none.
class Stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

/// What the rounds so far would have cost at the best fixed point of each segment of the problem,
/// the current one included: sum over segments of min over x of sum f_s(x). Each search begins
/// where the last one of its segment ended. Not thread-safe.
class Hindsight {
 public:
  /// The problem must outlive it. A search throws Stopped when the flag is set.
  Hindsight(Problem& problem, const std::atomic<bool>& stop);

  /// Adds the loss that the problem has drawn last; rounds come in order.
  void add();

  /// The least total loss; each segment's up to 1e-6 of max(sum |f_s(p)|, gap at p), p the centre.
  double best();

  /// What x would have cost in all rounds of the current segment.
  [[nodiscard]] double at(std::span<const double> x) const { return total_->value(x); }

  /// The largest gap so far, as a share of that scale.
  [[nodiscard]] double largest_gap() const { return largest_gap_; }

 private:
  void begin_segment();
  double gap_at_centre();

  Problem& problem_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<Oracle> oracle_;
  double settled_ = 0;  // the least total losses of the segments that are over
  double largest_gap_ = 0;
  // The current segment.
  std::uint64_t rounds_ = 0;
  std::unique_ptr<TotalLoss> total_;
  double magnitude_ = 0;  // sum |f_s(p)|
  std::vector<double> best_;
  std::optional<double> least_;  // if no loss was added since it was found
};

}  // namespace keyhole::experiment
