#pragma once

#include <cstdint>

#include "keyhole/algorithms.h"

namespace keyhole {

/// What posterior believes, and what it is doing. Losses are in the unit of those told.
struct PosteriorStatus {
  /// How many losses it has learned from since it started or started again, those of plays and
  /// those taught.
  std::uint64_t losses = 0;
  /// How often it has started again after a change.
  std::uint64_t restarts = 0;
  /// Whether losses have surprised it, so that a model which has begun again plays in turns with
  /// the one before, until it is known which is cheaper.
  bool comparing = false;
  /// How close the losses are to a surprise, from 0 to 1.
  double suspicion = 0;
  /// The standard deviation of the noise; NaN while it is not known.
  double noise = 0;
  /// How much better the point to deploy is than the start; NaN while nothing is known.
  double gain = 0;
  /// The share of the slopes that noise does not explain, from 0 to 1. While it is 0, the start is
  /// deployed.
  double reliable = 0;
  /// The standard deviation of that gain, also where the model is wrong; while the start is
  /// deployed, of what there may be to gain.
  double width = 0;
  /// How much curvature adds to the loss of a point as far from the start as an explored one is on
  /// the average.
  double curvature = 0;
  /// Whether losses are seen to tie coordinates together, as |y_1 - y_2| does: it then believes a
  /// model that has a curvature for every pair of coordinates.
  bool tied = false;
  /// The share of the recent variance of the losses that the model explains; below 0 it does not
  /// fit. NaN while it is not known.
  double fit = 0;
  /// How far plays go from the start towards the best point of a sample.
  double reach = 0;
  /// How much more exploring may cost at once: what is left of the budget.
  double budget = 0;
};

/// The library's default learner: it is told nothing but the set. See posterior().
class PosteriorAlgorithm : public Algorithm {
 public:
  using Algorithm::Algorithm;

  /// What it believes, and what it is doing.
  [[nodiscard]] virtual PosteriorStatus status() const = 0;
};

}  // namespace keyhole
