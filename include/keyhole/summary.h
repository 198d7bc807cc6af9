#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "keyhole/platform.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// How a tell was taken.
enum class Receipt : std::uint8_t {
  /// It is the first for its play, and is learned from at the next ask.
  fresh,
  /// The same was told before: counted, and else ignored.
  repeated,
  /// Its play has expired: counted, and else ignored.
  expired,
  /// It is the first for its play and counts in the average, but the algorithm has started again
  /// since that play, and does not learn from it.
  late,
};

/// What an algorithm with a model of the losses believes, in the unit of the losses told. A number
/// is NaN if the algorithm does not say.
struct Belief {
  /// The standard deviation of the noise.
  double noise = std::numeric_limits<double>::quiet_NaN();
  /// How much better the point to deploy is than the start.
  double gain = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of that gain: the true one is within two of them, most of the time. A
  /// model that cannot know says a large one. While the start is deployed the gain is 0, and this
  /// says what there may be to gain.
  double gain_error = std::numeric_limits<double>::quiet_NaN();
  /// How much curvature adds to the loss of a point as far from the start as an explored one is on
  /// the average.
  double curvature = std::numeric_limits<double>::quiet_NaN();
  /// The share of the recent variance of the losses that the model explains; below 0 it does not
  /// fit.
  double fit = std::numeric_limits<double>::quiet_NaN();
};

/// How much better what is played is than the start, measured by a coin: see Learner::prove().
struct Proof {
  /// The share of the plays that are made at the start; 0 without a coin.
  double share = 0;
  /// The mean of what the start would have cost more than what was played otherwise, since the coin
  /// began. NaN until ten plays at the start were told.
  double gain = std::numeric_limits<double>::quiet_NaN();
  /// Half of its interval, which holds at all times at once with 95 %: look whenever you like.
  double error = std::numeric_limits<double>::quiet_NaN();
  /// The play since whose loss the interval lies above 0; 0 if it does not.
  std::uint64_t proven = 0;
  /// The play whose loss showed that what is played has become worse than the start; 0 if it is
  /// not, or not any more.
  std::uint64_t worse = 0;
};

/// How a limit on a metric is kept: see PosteriorOptions::limits. NaN while it is not known.
struct LimitStatus {
  /// The mean of the metric, as it was told lately: over about the last fifth.
  double recent = std::numeric_limits<double>::quiet_NaN();
  /// The share of those above a `most`, or below a `least`, noise included.
  double over = std::numeric_limits<double>::quiet_NaN();
  /// What the metric is believed to be at the point to deploy.
  double recommended = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of that.
  double error = std::numeric_limits<double>::quiet_NaN();
  /// What the limit costs: by how much the loss of a round would fall if the limit were one wider.
  double price = std::numeric_limits<double>::quiet_NaN();
  /// Whether the start is seen to be over a limit of each round.
  bool start_is_over = false;
  /// Whether every point is.
  bool none_is_within = false;
};

/// A point of the front of the loss and a metric: none is believed to be better in both.
struct FrontPoint {
  /// The point, in K.
  std::vector<double> point = {};
  /// What a round is believed to cost there, as losses are told.
  double loss = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of it.
  double loss_error = std::numeric_limits<double>::quiet_NaN();
  /// What the metric is believed to be there.
  double metric = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of that.
  double metric_error = std::numeric_limits<double>::quiet_NaN();
};

/// What a point is believed to cost, as losses are told.
struct Estimate {
  /// What a round costs there.
  double loss = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of that.
  double loss_error = std::numeric_limits<double>::quiet_NaN();
  /// How much more that is than what it costs at what is recommended.
  double excess = std::numeric_limits<double>::quiet_NaN();
  /// The standard deviation of this difference.
  double excess_error = std::numeric_limits<double>::quiet_NaN();
};

/// What a learner is doing now.
struct Status {
  /// The mean of the losses told of the latest plays, as they were told (not flipped); NaN if there
  /// is none, and for learners that are told gradients.
  double recent_average = std::numeric_limits<double>::quiet_NaN();
  /// How many losses that is the mean of.
  std::uint64_t recent_told = 0;
  /// The mean of all losses told.
  double average = std::numeric_limits<double>::quiet_NaN();
  /// The share of the plays that explore, from 0 to 1; NaN if the algorithm does not say.
  double exploring = std::numeric_limits<double>::quiet_NaN();
  /// How far these go from the point to deploy: as a share of the way to an extreme point, or of
  /// the outer radius R; NaN if the algorithm does not say.
  double reach = std::numeric_limits<double>::quiet_NaN();
  /// How often the algorithm has started again.
  std::uint64_t restarts = 0;
  /// How often a linear function has been minimised.
  std::uint64_t oracle_calls = 0;
  /// What it believes of the losses.
  Belief belief = {};
  /// What was proven of them.
  Proof proof = {};
  /// How limits are kept, in the order of the metrics.
  std::vector<LimitStatus> limits = {};
};

/// What has happened so far.
struct Summary {
  /// Plays asked for.
  std::uint64_t asked = 0;
  /// Plays told in time.
  std::uint64_t told = 0;
  /// Plays that have not been told yet and still can be.
  std::uint64_t pending = 0;
  /// How many plays have been asked for since the oldest pending one; 0 if none is pending.
  std::uint64_t oldest_pending = 0;
  /// Plays that were not told before they expired.
  std::uint64_t missing = 0;
  /// Tells that repeated an earlier one and were ignored.
  std::uint64_t duplicates = 0;
  /// Tells that came after their play had expired: not learned from.
  std::uint64_t expired = 0;
  /// Tells that came in time but too late for the algorithm, such as one that has started again:
  /// not learned from.
  std::uint64_t late = 0;
  /// Losses of a magnitude above the bound M that was promised, or gradients longer than G: the
  /// theorem does not cover them.
  std::uint64_t above_bound = 0;
  /// How often a linear function has been minimised.
  std::uint64_t oracle_calls = 0;
  /// The mean of the losses told, as they were told (not flipped); NaN before the first, and for
  /// learners that are told gradients.
  double average = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace keyhole
#pragma GCC visibility pop
