#pragma once

#include <cstddef>
#include <cstdint>

namespace keyhole::algorithms {

/// All numbers of parameter_free that were chosen. docs/parameter_free.md has the same table, and
/// says what was tried.
struct ParameterFreeConstants {
  // Learning from a loss.
  /// How many standard deviations a loss counts for at most.
  static constexpr double clip = 8;
  /// How much of its past errors a predictor still answers for at the next loss.
  static constexpr double predictor_memory = 0.98;
  /// The rate of the fast average of the losses.
  static constexpr double fast_rate = 0.05;
  /// The rate of the slow average of the losses.
  static constexpr double slow_rate = 0.005;
  /// How many losses are kept to be judged together at first.
  static constexpr std::size_t first_losses = 16;
  /// How many spreads from the median of the first losses make one of them absurd.
  static constexpr double absurd = 100;
  /// How many spreads from their median first losses count for at most, if one is absurd.
  static constexpr double first_clip = 12;

  // The leader.
  /// theta is 1 - (1 + this / sqrt m) q over the squared dual norm of S.
  static constexpr double shrinkage = 2;
  /// eta is this times R theta / sqrt q.
  static constexpr double eta = 6;
  /// The gap may be this times R^2 / sqrt k.
  static constexpr double tolerance = 2;
  /// How many linear functions a block minimises at most.
  static constexpr int most_calls = 50;
  /// How many vertices are kept while a leader is looked for.
  static constexpr std::size_t vertices = 8;
  /// How far slopes may differ after a correction, as a share of the gap.
  static constexpr double slope_tolerance = 1e-9;
  /// What is added to the diagonal of the products of the vertices, as a share of the largest.
  static constexpr double ridge = 1e-12;
  /// A step whose weights add up to more than this share of the largest is lost in rounding.
  static constexpr double rounded_step = 1e-3;

  // The average of the leaders.
  /// The least share by which the iterate moves to the leader.
  static constexpr double least_step = 0.1;
  /// The share is this over m where that is more.
  static constexpr double first_steps = 4;

  // The test for changes.
  /// How many blocks only show how large their sums are.
  static constexpr std::uint64_t blocks_to_learn = 5;
  /// How many standard deviations a block counts for at most.
  static constexpr double change_clip = 3;
  /// How many standard deviations of a block are no sign.
  static constexpr double change_drift = 1;
  /// The cumulative sum at which there was a change.
  static constexpr double change_alarm = 7;
  /// The least rate of the variance of the blocks.
  static constexpr double change_rate = 0.02;
  /// How many blocks losses must be late to double the alarm.
  static constexpr double late_blocks = 5;

  // How often and how far to explore.
  /// How many losses there must be before the kinds of plays are compared.
  static constexpr std::uint64_t known_losses = 32;
  /// How many of them of exploring plays.
  static constexpr std::uint64_t known_exploring = 8;
  /// How many of them of each other kind.
  static constexpr std::uint64_t known_others = 4;
  /// The largest s at first.
  static constexpr double first_reach = 0.15;
  /// How many losses that is so for.
  static constexpr std::uint64_t early = 1024;
  /// The largest s from then on.
  static constexpr double most_reach = 0.3;
  /// s is at most this times k^(-1/4).
  static constexpr double reach_decay = 3;
  /// rho at first, and the largest.
  static constexpr double most_exploring = 0.9;
  /// rho of the fixed schedule.
  static constexpr double fixed_exploring = 0.97;
  /// How many of the plays that do not explore are at the iterate while nothing is clear.
  static constexpr double undecided = 0.5;
  /// How many of them go where losses are more, as a share of rho.
  static constexpr double rare = 0.1;
  /// The weight of what is not known against what exploring costs.
  static constexpr double information = 0.1;
  /// u is at least this over sqrt k.
  static constexpr double least_information = 0.2;
  /// u is at most this over sqrt k.
  static constexpr double most_information = 6;
  /// The factor by which u changes at most from block to block.
  static constexpr double information_change = 1.15;
  /// The weight of the curved price C against the linear price A in s.
  static constexpr double curved_price = 4;
  /// The factor by which s changes at most from block to block.
  static constexpr double reach_change = 1.2;

  // With caution.
  /// How far the first play goes.
  static constexpr double cautious_reach = 0.02;
  /// After how many losses the reach of the first plays may change.
  static constexpr std::uint64_t reach_step = 3;
  /// The price of reach that stops its growth, in standard errors; twice that halves it.
  static constexpr double reach_price = 1.5;
  /// The factor by which u grows at most from block to block where it is small.
  static constexpr double cautious_growth = 2;
  /// The share of the expected gain that exploring may cost.
  static constexpr double spending = 0.5;
};

}  // namespace keyhole::algorithms
