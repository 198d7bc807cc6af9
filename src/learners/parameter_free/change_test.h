#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/parameter_free/constants.h"

namespace keyhole::algorithms {

/// Page's cumulative sum test (CUSUM, 1954): notices that a stream of numbers about zero has begun
/// to lie above zero by more than a standard deviation.
class ChangeTest {
  using Chosen = ParameterFreeConstants;

 public:
  /// What the latest number has shown.
  enum class Verdict {
    /// Nothing: if there was a change, it is to come.
    nothing,
    /// There may have been a change since the last time nothing was shown.
    suspicion,
    /// There was one.
    change,
  };

  /// Takes the sum of `count` numbers of the stream. Zeros say nothing. Where sums depend on those
  /// before them, more patience (1 if they do not) is needed.
  Verdict take(double sum, double count, double patience = 1) {
    if (sum == 0) return excess_ > 0 ? Verdict::suspicion : Verdict::nothing;
    ++sums_;
    if (sums_ > Chosen::blocks_to_learn) {
      excess_ += std::clamp(sum / std::sqrt(variance_ * count), -Chosen::change_clip,
                            Chosen::change_clip) -
                 Chosen::change_drift;
    }
    Verdict verdict = Verdict::suspicion;
    if (!(excess_ > 0)) {
      excess_ = 0;
      verdict = Verdict::nothing;
    } else if (excess_ > Chosen::change_alarm * patience) {
      excess_ = 0;
      sums_ = Chosen::blocks_to_learn;
      verdict = Verdict::change;
    }
    const double rate = std::max(Chosen::change_rate, 1 / static_cast<double>(sums_));
    variance_ += rate * (sum * sum / count - variance_);
    return verdict;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(sums_);
    archive.field(variance_);
    archive.field(excess_);
  }

 private:
  std::uint64_t sums_ = 0;
  double variance_ = 0;
  double excess_ = 0;
};

}  // namespace keyhole::algorithms
