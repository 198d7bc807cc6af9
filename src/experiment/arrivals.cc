#include "experiment/arrivals.h"

#include <algorithm>
#include <array>

#include "keyhole/exploration.h"

namespace keyhole::experiment {

Arrivals::Arrivals(const Experiment& experiment, std::size_t problem, std::uint64_t repeat)
    : generator_(experiment.seed, (std::uint64_t{1} << 63) + repeat),
      delay_(std::max<std::uint64_t>(experiment.problems[problem].delay, 1)),
      missing_(experiment.problems[problem].missing),
      due_(delay_) {}

std::optional<std::uint64_t> Arrivals::delay_of(std::uint64_t t) const {
  std::array<std::uint64_t, 2> words{};
  generator_.words(t, 0, words);
  const RandomBits bits{.words = words, .normals = {}};
  if (bits.uniform(1) < missing_) return {};
  return bits.below(0, delay_);
}

const std::vector<std::uint64_t>& Arrivals::in_round(std::uint64_t t) {
  due_[(t - 1) % delay_].clear();  // told; from now on the rounds t - 1 + delay
  if (const auto delay = delay_of(t)) due_[(t + *delay) % delay_].push_back(t);
  return due_[t % delay_];
}

}  // namespace keyhole::experiment
