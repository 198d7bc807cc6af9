#include "experiment/arrivals.h"

#include <array>

#include "keyhole/exploration.h"

namespace keyhole::experiment {

Arrivals::Arrivals(const Experiment& experiment, std::size_t problem, std::uint64_t repeat)
    : generator_(experiment.seed, (std::uint64_t{1} << 63) + repeat),
      times_(experiment.problems[problem].arrivals),
      delay_(experiment.problems[problem].delay),
      missing_(experiment.problems[problem].missing),
      due_(experiment.problems[problem].waiting()) {}

std::optional<std::uint64_t> Arrivals::delay_of(std::uint64_t t) const {
  std::array<std::uint64_t, 2> words{};
  generator_.words(t, 0, words);
  const RandomBits bits{.words = words, .normals = {}};
  if (bits.uniform(1) < missing_) return {};
  if (delay_ == 0) return 0;
  if (times_ == ArrivalTimes::late) return delay_;
  if (times_ == ArrivalTimes::batches) return delay_ - 1 - (t - 1) % delay_;
  return bits.below(0, delay_);
}

const std::vector<std::uint64_t>& Arrivals::in_round(std::uint64_t t) {
  const std::size_t waiting = due_.size();
  due_[(t - 1) % waiting].clear();  // told; from now on the rounds t - 1 + waiting
  if (const auto delay = delay_of(t)) due_[(t + *delay) % waiting].push_back(t);
  return due_[t % waiting];
}

}  // namespace keyhole::experiment
