#include "sets/spread_directions.h"

#include <algorithm>

namespace keyhole::sets {
namespace {

/// x = H x (Yates 1937). Sums of whole numbers, so no digit is lost.
void transform(std::span<double> x) {
  for (std::size_t half = 1; half < x.size(); half *= 2) {
    for (std::size_t first = 0; first < x.size(); first += 2 * half) {
      for (std::size_t i = first; i < first + half; ++i) {
        const double sum = x[i] + x[i + half];
        x[i + half] = x[i] - x[i + half];
        x[i] = sum;
      }
    }
  }
}

}  // namespace

SpreadDirections::SpreadDirections(std::size_t n) : random_(0x737072656164, 0), n_(n) {
  while (order_ < n) order_ *= 2;
  signs_.resize(3 * order_);
  stretches_.resize(n);
  direction_.resize(order_);
  row_ = order_;
}

void SpreadDirections::next(std::span<double> d) {
  if (!is_opposite_next_) find_row();
  const double sign = is_opposite_next_ ? -1 : 1;
  for (std::size_t i = 0; i < n_; ++i) d[i] = sign * direction_[i];
  is_opposite_next_ = !is_opposite_next_;
}

void SpreadDirections::begin_frame() {
  std::vector<std::uint64_t> words((signs_.size() + n_ + 1) / 2 * 2);
  random_.words(frames_++, 0, words);
  for (std::size_t i = 0; i < signs_.size(); ++i) signs_[i] = words[i] >> 63U == 0 ? 1 : -1;
  for (std::size_t i = 0; i < n_; ++i) {
    stretches_[i] = 1 + 0.01 * static_cast<double>(words[signs_.size() + i] >> 11U) * 0x1p-53;
  }
  row_ = 0;
}

void SpreadDirections::find_row() {
  if (row_ == order_) begin_frame();
  std::fill(direction_.begin(), direction_.end(), 0.0);
  direction_[row_++] = 1;
  for (std::size_t k = 3; k-- > 0;) {
    transform(direction_);
    for (std::size_t i = 0; i < order_; ++i) direction_[i] *= signs_[k * order_ + i];
  }
  for (std::size_t i = 0; i < n_; ++i) {
    direction_[i] *= stretches_[i] / static_cast<double>(order_);
  }
}

}  // namespace keyhole::sets
