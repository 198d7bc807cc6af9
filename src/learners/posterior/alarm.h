#pragma once

#include <algorithm>
#include <cmath>

#include "keyhole/archive.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/models.h"

namespace keyhole::algorithms {

/// Whether the losses surprise the model that is believed, so that they may have changed: their
/// level jumps, they are higher than it says for long (Page's cumulative sums, 1954), or their
/// level has risen by a share of the gain.
class Alarm {
  using Chosen = PosteriorConstants;

 public:
  /// How close a surprise is, from 0 to 1.
  [[nodiscard]] double suspicion() const { return std::min(1.0, cusum_ / Chosen::change_alarm); }

  /// Begins again at that level.
  void begin(double level) {
    cusum_ = 0;
    low_ = level;
  }

  /// Takes what was said of a loss by a model whose level wanders at that rate, where the noise has
  /// that variance and the gain over the start is so large. Returns whether it surprises.
  bool take(const Models::Said& said, double rate, double noise, double gain) {
    cusum_ +=
        std::clamp(said.away, -Chosen::change_clip, Chosen::change_clip) - Chosen::change_drift;
    cusum_ = std::max(0.0, cusum_);
    low_ = std::min(low_, said.level);
    const double sure = Chosen::risen * gain + Chosen::proof * std::sqrt(noise * std::sqrt(rate));
    return said.jumped || cusum_ > Chosen::change_alarm || (rate > 0 && said.level - low_ > sure);
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(cusum_);
    archive.field(low_);
  }

 private:
  double cusum_ = 0;
  double low_ = 0;  // the lowest level since it began
};

}  // namespace keyhole::algorithms
