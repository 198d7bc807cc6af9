#pragma once

#include <cstddef>
#include <cstdint>

namespace keyhole::algorithms {

/// All numbers of posterior that were chosen. docs/posterior.md has the same table, and says what
/// was tried.
struct PosteriorConstants {
  // The first plays.
  /// How many losses are kept until their spread is known.
  static constexpr std::size_t first_losses = 16;
  /// How far the first plays go at most.
  static constexpr double most_first_reach = 0.15;
  /// The same where there will be few plays.
  static constexpr double bold_first_reach = 0.5;

  // The model.
  /// The precision of the level, in units of 1 / noise^2.
  static constexpr double level_ridge = 1e-6;
  /// The precision of the curvatures at first, in units of 1 / noise^2.
  static constexpr double curvature_ridge = 0.01;
  /// What is added to every precision, in units of 1 / noise^2.
  static constexpr double least_ridge = 1e-12;
  /// The model is fitted again when there are so many times the losses.
  static constexpr double refit = 1.1;
  /// But not before there are this times the dimension more: a refit costs the cube of it.
  static constexpr double refit_spacing = 0.125;
  /// The factor by which the precision of the slopes changes at most in a refit.
  static constexpr double ridge_change = 4;
  /// The precision of the slopes is at most this times sqrt t / noise^2.
  static constexpr double most_slope_ridge = 1;
  /// That of a curvature is at most this times sqrt t / noise^2.
  static constexpr double most_curvature_ridge = 10;
  /// How far the curvature elsewhere may be another one than where plays are made, as a share.
  static constexpr double bend = 0.5;
  /// Both curvatures are kept where the exploration is so many times as wide one way as another.
  static constexpr double stretch = 4;

  // Contexts.
  /// The precision of what contexts add to the level at first, in units of 1 / noise^2.
  static constexpr double context_level_ridge = 0.01;
  /// That of what they add to slopes at first, in units of that of the slopes.
  static constexpr double context_ridge = 4;
  /// It is at most this times sqrt t / noise^2.
  static constexpr double most_context_ridge = 10;
  /// The share of the coefficients of a context that losses must determine for its prior to follow.
  static constexpr double least_seen = 0.05;
  /// For how many of the latest contexts a gain is averaged.
  static constexpr std::size_t recent_contexts = 16;
  /// For how many contexts the least point of a sample is remembered.
  static constexpr std::size_t known_contexts = 32;

  // Limits.
  /// How many metrics a ledger of what was above a limit remembers.
  static constexpr double ledger_memory = 200;
  /// How many standard deviations of the noise a metric may be above it, on the average.
  static constexpr double ledger_allows = 0.2;
  /// In how many rounds what the ledger has is to be paid back.
  static constexpr double paid_back = 10;
  /// How near plays at the same place are, as a share of the widths of nu.
  static constexpr double same_place = 0.03;
  /// What was overspent of a limit over all rounds is paid back in so many rounds at least...
  static constexpr double overspent_rounds = 100;
  /// ...and in this share of the rounds so far besides.
  static constexpr double overspent_share = 0.1;
  /// How often a multiplier is raised at most, and how often it is halved.
  static constexpr int multiplier_steps = 8;
  /// In how many steps a front goes from the best metric to the least loss.
  static constexpr int front_steps = 10;

  // The model with all curvatures.
  /// The model with all curvatures is fitted in so many dimensions at most.
  static constexpr std::size_t pairs_dimensions = 12;
  /// It is fitted from so many losses a coefficient on.
  static constexpr double pairs_losses = 4;
  /// The share of samples that are taken from it while neither model is known to be better.
  static constexpr double pairs_tried = 0.5;
  /// How many standard errors prove that it predicts better.
  static constexpr double pairs_proof = 4;
  /// How many standard errors of doubt leave it untried.
  static constexpr double pairs_doubt = 1;

  // A world that moves.
  /// By how many noise^2 the variance of the level grows with a loss where it wanders least.
  static constexpr double slowest_rate = 1e-4;
  /// The next rate is this times as large; there are three.
  static constexpr double rate_step = 100;
  /// By how many nats each rate must predict better than a slower one, and a memory than none.
  static constexpr double rate_proof = 15;
  /// The shortest memory, in losses a dimension.
  static constexpr double shortest_memory = 10;
  /// The next memory is this times as long; there are three.
  static constexpr double memory_step = 4;
  /// The share of a memory that is forgotten at a time.
  static constexpr double forgotten = 0.125;
  /// So many losses running that are off by more than `clip` the same way are a jump of the level.
  static constexpr double jump = 3;
  /// The share of what was learned that is kept where it was learned of other losses.
  static constexpr double kept = 0.03;

  // Which of two models predicts better.
  /// The window of the comparison at first, in losses.
  static constexpr double window = 100;
  /// By what share of the losses it grows.
  static constexpr double window_growth = 0.5;

  // Noise.
  /// How many standard deviations a loss counts for at most.
  static constexpr double clip = 3;
  /// What is cut off counts if its mean is at least this many standard deviations of the noise.
  static constexpr double least_cut = 0.1;
  /// The noise is at least this share of its mean over all losses, as a variance.
  static constexpr double least_noise = 0.05;
  /// That losses alternate must explain residuals to this share of the error otherwise...
  static constexpr double winning = 0.75;
  /// ...for so many losses running.
  static constexpr std::uint64_t winning_streak = 50;

  // Samples.
  /// A sample serves this times sqrt t plays.
  static constexpr double serves = 0.1;
  /// How many of the latest samples plays take turns with, where each serves twice as many plays.
  static constexpr double turns = 4;
  /// By how many standard deviations early samples and recommendations raise the curvature.
  static constexpr double pessimism = 2;
  /// For how many losses a dimension they do, and the curvature is one for the whole set.
  static constexpr double early = 20;
  /// The curvature of a sample is at least this times its slopes.
  static constexpr double least_curvature = 1e-3;
  /// A sample is minimised up to this times its slopes times n / sqrt t.
  static constexpr double tolerance = 0.1;
  /// How many linear functions a sample minimises at most.
  static constexpr int most_calls = 30;
  /// The share of plays on the way to the sample while the reach is below 1.
  static constexpr double on_the_way = 0.25;
  /// The same over sqrt t once it is 1.
  static constexpr double later_on_the_way = 0.1;
  /// The share of plays at the start, over sqrt t.
  static constexpr double at_start = 0.02;
  /// The largest share of plays at the start.
  static constexpr double most_at_start = 0.25;
  /// While no gain is reliable, the share of plays elsewhere is this times sqrt(dimension / t).
  static constexpr double searching = 10;
  /// The share of plays that explore besides, over sqrt t.
  static constexpr double exploring = 0.05;
  /// How far these go at most.
  static constexpr double exploring_reach = 0.3;

  // The budget.
  /// The share of the expected gain that may be spent.
  static constexpr double spending = 0.5;
  /// For how many plays a dimension the caution of a round stays the same.
  static constexpr double cautious = 10;
  /// How many times the caution a play has where there will be few.
  static constexpr double bold = 3;

  // What is believed of the gain.
  /// How many times the curvature may be off near the start.
  static constexpr double first_bend = 2;
  /// The least point may lie below the model by this share of what curvature adds on the way to it.
  static constexpr double valley = 0.1;

  // Change.
  /// How many standard deviations of a residual are no sign of a change.
  static constexpr double change_drift = 0.5;
  /// How many standard deviations a residual counts for at most.
  static constexpr double change_clip = 3;
  /// The cumulative sum that is a surprise.
  static constexpr double change_alarm = 20;
  /// A level that has risen by this share of the gain is a surprise, too.
  static constexpr double risen = 0.1;
  /// No surprise counts before so many losses a dimension.
  static constexpr double calm = 10;
  /// How many standard errors prove anything of the level, of what is cut off, and of a contest.
  static constexpr double proof = 3;
  /// After how many pairs of plays a contest may end.
  static constexpr double least_pairs = 6;
  /// After how many pairs a dimension, or losses of one life alone, it ends.
  static constexpr double most_pairs = 20;
};

}  // namespace keyhole::algorithms
