#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/archive.h"
#include "learners/contexts.h"

namespace keyhole::algorithms {

/// Where plays are made, on the average of the latest: a linear function of the context, followed
/// by normalised least mean squares (Widrow, Hoff 1960). After construction nothing allocates.
class Here {
 public:
  Here(std::size_t m, const Contexts& contexts)
      : k_(contexts.slopes()), mean_(m), slopes_(m * k_), at_(k_ > 0 ? m : 0) {}

  /// Begins at the start.
  void begin() {
    std::fill(mean_.begin(), mean_.end(), 0.0);
    std::fill(slopes_.begin(), slopes_.end(), 0.0);
    std::fill(at_.begin(), at_.end(), 0.0);
  }

  /// Takes the point of a play, for that share of the mean, and stays at its context.
  void take(std::span<const double> z, std::span<const double> psi, double share) {
    if (k_ == 0) {
      for (std::size_t i = 0; i < z.size(); ++i) mean_[i] += share * (z[i] - mean_[i]);
      return;
    }
    write(psi, at_);
    double squares = 1;
    for (std::size_t j = 0; j < k_; ++j) squares += psi[j] * psi[j];
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double error = z[i] - at_[i];
      mean_[i] += share * error;
      const double of_slope = std::min(1 / squares, 4 * share) * error;
      for (std::size_t j = 0; j < k_; ++j) slopes_[j * z.size() + i] += of_slope * psi[j];
    }
  }

  /// Where plays are made in the context of the latest one.
  [[nodiscard]] std::span<const double> get() const noexcept { return k_ == 0 ? mean_ : at_; }

  /// Writes where they are made in another context.
  void write(std::span<const double> psi, std::span<double> z) const {
    std::copy(mean_.begin(), mean_.end(), z.begin());
    for (std::size_t j = 0; j < k_; ++j) {
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += psi[j] * slopes_[j * z.size() + i];
    }
  }

  /// The fields of a state.
  void state(Archive& archive) { archive.field(mean_); }
  /// Those of contexts.
  void state_of_contexts(Archive& archive) {
    archive.field(slopes_);
    archive.field(at_);
  }

 private:
  std::size_t k_;
  std::vector<double> mean_;
  std::vector<double> slopes_;  // over the contexts
  std::vector<double> at_;      // in the latest
};

}  // namespace keyhole::algorithms
