#include "learners/learner/pace.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/require.h"
#include "math/sums.h"

namespace keyhole::algorithms {

Pace::Pace(std::optional<double> max_step, const std::vector<double>& max_steps, std::size_t n)
    : max_step_(max_step), max_steps_(max_steps), position_(n), target_(n) {
  if (max_step) base::require_positive("max_step", *max_step);
  base::require(max_steps.empty() || max_steps.size() == n,
                "max_steps must have one number for each of the " + std::to_string(n) +
                    " coordinates, not " + std::to_string(max_steps.size()));
  for (const double step : max_steps) base::require_positive("a number of max_steps", step);
}

void Pace::aim(std::span<const double> wanted) {
  std::copy(wanted.begin(), wanted.end(), target_.begin());
}

double Pace::allowed_share() const {
  double share = 1;
  if (max_step_) {
    const double distance = std::sqrt(math::reduce(target_.size(), [&](std::size_t i) {
      return (target_[i] - position_[i]) * (target_[i] - position_[i]);
    }));
    if (distance > *max_step_) share = *max_step_ / distance;
  }
  for (std::size_t i = 0; i < max_steps_.size(); ++i) {
    const double distance = std::abs(target_[i] - position_[i]);
    if (share * distance > max_steps_[i]) share = max_steps_[i] / distance;
  }
  return share;
}

void Pace::move(bool first, std::span<double> point) {
  const double share = first ? 1 : allowed_share();
  on_the_way_ = share < 1;
  if (on_the_way_) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      position_[i] += share * (target_[i] - position_[i]);
    }
  } else {
    position_ = target_;
  }
  std::copy(position_.begin(), position_.end(), point.begin());
}

void Pace::flag(Archive& archive) {
  auto mark = static_cast<std::uint8_t>(on_the_way_);
  archive.field(mark);
  if (mark > 1) throw StateError("the state's steps are not sound");
  if (archive.reading()) on_the_way_ = mark == 1;
}

void Pace::points(Archive& archive) {
  archive.field(position_);
  archive.field(target_);
}

}  // namespace keyhole::algorithms
