#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "learners/contexts.h"

namespace keyhole::algorithms {

/// The contexts that the learner chooses itself: choices, the last of all. A play has one name of
/// each, as a vertex of a simplex: 1 at the name, else 0. So has psi.
class Names {
 public:
  /// `start` has the share that each name has at the start, choice by choice; `choices` how many
  /// names each has.
  Names(const Contexts& contexts, std::vector<std::size_t> choices, std::vector<double> start)
      : choices_(std::move(choices)),
        start_(std::move(start)),
        first_(contexts.slopes() - start_.size()) {
    for (const std::size_t names : choices_) combinations_ *= names;
  }

  [[nodiscard]] bool empty() const noexcept { return choices_.empty(); }
  /// How many names there are in all.
  [[nodiscard]] std::size_t size() const noexcept { return start_.size(); }
  /// How many choices there are.
  [[nodiscard]] std::size_t choices() const noexcept { return choices_.size(); }
  /// How many ways there are to choose one name of each.
  [[nodiscard]] std::size_t combinations() const noexcept { return combinations_; }

  /// The shares at the start.
  [[nodiscard]] std::span<const double> start() const noexcept { return start_; }
  /// The shares in psi.
  [[nodiscard]] std::span<double> room_in(std::span<double> psi) const {
    return psi.subspan(first_, size());
  }
  [[nodiscard]] std::span<const double> in(std::span<const double> psi) const {
    return psi.subspan(first_, size());
  }
  /// Writes shares into psi.
  void write(std::span<const double> shares, std::span<double> psi) const {
    std::copy(shares.begin(), shares.end(), room_in(psi).begin());
  }
  /// Writes one of the combinations into psi.
  void write(std::size_t combination, std::span<double> psi) const {
    std::span<double> left = room_in(psi);
    for (const std::size_t names : choices_) {
      std::fill_n(left.begin(), names, 0.0);
      left[combination % names] = 1;
      combination /= names;
      left = left.subspan(names);
    }
  }

 private:
  std::vector<std::size_t> choices_;
  std::vector<double> start_;
  std::size_t first_;
  std::size_t combinations_ = 1;
};

}  // namespace keyhole::algorithms
