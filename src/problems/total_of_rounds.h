#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "keyhole/problem.h"

namespace keyhole::problems {

/// F of losses whose best point moves from round to round: its rounds are drawn again whenever it
/// is asked. Where that of one round is least is known.
class TotalOfRounds final : public TotalLoss {
 public:
  /// Writes where the loss drawn last is least on the set; false if it is not known.
  using Least = std::function<bool(std::span<double> x)>;

  /// The rounds are those of Problem::total().
  TotalOfRounds(std::unique_ptr<TotalLoss> rounds, std::size_t dimension, Least least)
      : rounds_(std::move(rounds)), find_least_(std::move(least)), least_(dimension) {}

  void add() override {
    rounds_->add();
    known_ = ++count_ == 1 && find_least_(least_);
  }
  [[nodiscard]] double value(std::span<const double> x) const override { return rounds_->value(x); }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    rounds_->gradient(x, gradient);
  }
  bool guess(std::span<double> x) const override {
    std::copy(least_.begin(), least_.end(), x.begin());
    return known_;
  }

 private:
  std::unique_ptr<TotalLoss> rounds_;
  Least find_least_;
  std::uint64_t count_ = 0;
  std::vector<double> least_;  // where the first round is least
  bool known_ = false;         // and whether it is the only one
};

}  // namespace keyhole::problems
