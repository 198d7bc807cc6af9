#include "experiment/arrivals.h"

#include <algorithm>
#include <array>

namespace keyhole::experiment {
namespace {

/// Uniform on the multiples of 2^-53 in [0, 1).
double uniform(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

}  // namespace

Arrivals::Arrivals(const Experiment& experiment, std::size_t problem, std::uint64_t repeat)
    : generator_(experiment.seed, (std::uint64_t{1} << 63) + repeat),
      delay_(std::max<std::uint64_t>(experiment.problems[problem].delay, 1)),
      missing_(experiment.problems[problem].missing),
      due_(delay_) {}

std::optional<std::uint64_t> Arrivals::delay_of(std::uint64_t t) const {
  std::array<std::uint64_t, 2> words{};
  generator_.words(t, 0, words);
  if (uniform(words[1]) < missing_) return {};
  return static_cast<std::uint64_t>(uniform(words[0]) * static_cast<double>(delay_));
}

const std::vector<std::uint64_t>& Arrivals::in_round(std::uint64_t t) {
  due_[(t - 1) % delay_].clear();  // told; from now on the rounds t - 1 + delay
  if (const auto delay = delay_of(t)) due_[(t + *delay) % delay_].push_back(t);
  return due_[t % delay_];
}

}  // namespace keyhole::experiment
