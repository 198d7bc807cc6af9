#pragma once

#include <cstdint>
#include <string>

#include "keyhole/function.h"
#include "keyhole/learner.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// A table of a run's progress: one row when the number of plays asked reaches a power of two. It
/// returns text and prints nothing. Not thread-safe.
class Progress {
 public:
  /// The clock tells seconds since any moment; the table shows the time since construction.
  explicit Progress(Function<double()> clock);

  /// The line above the columns.
  [[nodiscard]] static std::string header();
  /// A row, if the learner has come to a new power of two since the last call, else an empty text.
  /// Call it after each tell.
  [[nodiscard]] std::string row(const LearnerBase& learner);
  /// A row now: round, average loss, the theorem's bound on the average regret, oracle calls, time.
  [[nodiscard]] std::string row_now(const LearnerBase& learner) const;

 private:
  Function<double()> clock_;
  double begin_;
  std::uint64_t next_ = 1;
};

}  // namespace keyhole
#pragma GCC visibility pop
