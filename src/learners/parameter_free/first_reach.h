#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/parameter_free/constants.h"

namespace keyhole::algorithms {

/// How far the first plays go. It begins small and doubles until the losses show that going farther
/// costs something, by a regression of the losses on the squared reach.
class FirstReach {
  using Chosen = ParameterFreeConstants;

 public:
  /// How far to go.
  [[nodiscard]] double get() const noexcept { return reach_; }

  /// Whether so many losses have come in.
  [[nodiscard]] bool has(std::size_t losses) const noexcept {
    return count_ >= static_cast<double>(losses);
  }

  /// Takes the loss of a play at that squared distance; it goes so far at most.
  void take(double squared, double loss, double most = Chosen::first_reach) {
    if (count_ == 0) first_ = loss;
    const double above = loss - first_;
    count_ += 1;
    sum_q_ += squared;
    sum_qq_ += squared * squared;
    sum_f_ += above;
    sum_qf_ += squared * above;
    sum_ff_ += above * above;
    if (++since_step_ < Chosen::reach_step) return;
    since_step_ = 0;
    const double t = price();
    if (t < Chosen::reach_price) reach_ = std::min(most, 2 * reach_);
    if (t > 2 * Chosen::reach_price) reach_ /= 2;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(since_step_);
    for (double* number :
         {&reach_, &first_, &count_, &sum_q_, &sum_qq_, &sum_f_, &sum_qf_, &sum_ff_}) {
      archive.field(*number);
    }
  }

 private:
  /// The slope of the losses over the squared reach, in standard errors; 0 while none is known.
  [[nodiscard]] double price() const {
    const double determinant = count_ * sum_qq_ - sum_q_ * sum_q_;
    if (count_ < 4 || !(determinant > 0)) return 0;
    const double slope = (count_ * sum_qf_ - sum_q_ * sum_f_) / determinant;
    const double level = (sum_f_ - slope * sum_q_) / count_;
    const double squares = std::max(0.0, sum_ff_ - level * sum_f_ - slope * sum_qf_);
    const double error = std::sqrt(squares / (count_ - 2) * count_ / determinant);
    return error > 0 ? slope / error : 0;
  }

  std::uint64_t since_step_ = 0;
  double reach_ = Chosen::cautious_reach;
  double first_ = 0;  // loss
  double count_ = 0;
  double sum_q_ = 0;  // of squared reaches q and losses f above the first
  double sum_qq_ = 0;
  double sum_f_ = 0;
  double sum_qf_ = 0;
  double sum_ff_ = 0;
};

}  // namespace keyhole::algorithms
