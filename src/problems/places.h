#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/problems.h"
#include "problems/draws.h"

namespace keyhole::problems {

/// Random places about the centre of a set, one for each stage of a problem: uniform in a ball,
/// within the hull. Pure functions of (seed, stage).
class Places {
 public:
  /// In the ball of this radius, for stages of so many rounds; 0 for a single one.
  Places(const SetPtr& set, double radius, std::uint64_t stage, ProblemSeed seed);

  /// The place of the stage that round t is in. Valid until the next call.
  std::span<const double> of_round(std::uint64_t t);
  /// A place like those of the stages that is never played on, k = 1, 2, ...
  std::span<const double> sample(std::uint64_t k);

 private:
  void move_to(std::uint64_t stage);

  SetPtr set_;
  double radius_;
  std::uint64_t length_;
  Draws draws_;
  std::uint64_t stage_ = 0;  // the one that the place is of
  std::vector<double> place_;
};

}  // namespace keyhole::problems
