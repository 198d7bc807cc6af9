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

  // Noise.
  /// How many standard deviations a loss counts for at most.
  static constexpr double clip = 3;
  /// The noise is at least this share of its mean over all losses, as a variance.
  static constexpr double least_noise = 0.05;
  /// A predictor of the residuals must have at most this share of the error of none...
  static constexpr double winning = 0.75;
  /// ...for so many losses running.
  static constexpr std::uint64_t winning_streak = 50;

  // Samples.
  /// A sample serves this times sqrt t plays.
  static constexpr double serves = 0.1;
  /// By how many standard deviations early samples raise the curvature at least, on the average.
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

  // Change.
  /// How many standard deviations of a residual are no sign of a change.
  static constexpr double change_drift = 0.5;
  /// How many standard deviations a residual counts for at most.
  static constexpr double change_clip = 3;
  /// The cumulative sum at which there was a change.
  static constexpr double change_alarm = 20;

  // Whether the model is worth it, after a change.
  /// How far plays near the start go towards the sample.
  static constexpr double compared_reach = 0.15;
  /// The largest share of plays near the start while the model is not proven.
  static constexpr double most_compared = 0.2;
  /// That share is at most this over sqrt t.
  static constexpr double compared = 10;
  /// How many standard errors prove the model.
  static constexpr double proof = 2.5;
  /// How many standard errors of doubt make it retreat after a change that came soon...
  static constexpr double doubt = 0.5;
  /// ...after so many losses a dimension.
  static constexpr double patience = 10;
  /// How many standard errors of doubt make it retreat after a change that came late...
  static constexpr double first_doubt = 2;
  /// ...after so many losses a dimension, too.
  static constexpr double first_patience = 100;
  /// How many standard errors end a retreat.
  static constexpr double trust = 2;
  /// The largest share of the model's plays in a retreat.
  static constexpr double most_tried = 0.1;
  /// That share is at most this over sqrt t.
  static constexpr double tried = 2;
  /// How many losses a dimension a life must last for what was compared before to be forgotten.
  static constexpr double long_life = 100;
  /// The share of what was compared that a shorter life keeps.
  static constexpr double kept = 0.8;
  /// The window of the comparison at first, in losses.
  static constexpr double window = 100;
  /// By what share of the losses it grows.
  static constexpr double window_growth = 0.5;
  /// By what share the window of the model's plays grows once it is proven.
  static constexpr double proven_growth = 0.1;
  /// How many standard deviations a compared loss counts for at most.
  static constexpr double compared_clip = 4;
};

}  // namespace keyhole::algorithms
