#include "learners/learner/pace.h"

#include <algorithm>
#include <cmath>

#include "base/require.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

double checked(double max_step) {
  base::require_positive("max_step", max_step);
  return max_step;
}

}  // namespace

Pace::Pace(double max_step, std::uint64_t window, std::size_t n)
    : max_step_(checked(max_step)), position_(n), target_(n), own_numbers_(window) {}

void Pace::aim(std::span<const double> wanted) {
  std::copy(wanted.begin(), wanted.end(), target_.begin());
}

void Pace::move(PlayId t, std::span<double> point) {
  const double distance = t == 1 ? 0 : std::sqrt(math::reduce(point.size(), [&](std::size_t i) {
    return (target_[i] - position_[i]) * (target_[i] - position_[i]);
  }));
  on_the_way_ = distance > max_step_;
  own_numbers_[slot(t)] = on_the_way_ ? 0 : wanted_;
  if (on_the_way_) {
    const double share = max_step_ / distance;
    for (std::size_t i = 0; i < point.size(); ++i) {
      position_[i] += share * (target_[i] - position_[i]);
    }
  } else {
    position_ = target_;
  }
  std::copy(position_.begin(), position_.end(), point.begin());
}

void Pace::state(Archive& archive, std::uint64_t asked) {
  archive.field(wanted_);
  auto mark = static_cast<std::uint8_t>(on_the_way_);
  archive.field(mark);
  if (wanted_ > asked || mark > 1) throw StateError("the state's steps are not sound");
  if (archive.reading()) on_the_way_ = mark == 1;
  archive.field(position_);
  archive.field(target_);
  const std::uint64_t window = own_numbers_.size();
  for (PlayId t = asked > window ? asked - window + 1 : 1; t <= asked; ++t) {
    archive.field(own_numbers_[slot(t)]);
    if (own_numbers_[slot(t)] > wanted_) throw StateError("the state's steps are not sound");
  }
}

}  // namespace keyhole::algorithms
