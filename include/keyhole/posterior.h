#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/limit.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Options of posterior. Nothing has to be set.
struct PosteriorOptions {
  /// What exploring may cost: the plays together lie above the start, as the model sees it, by at
  /// most half of the gain that it has reason to expect, plus this times noise times
  /// sqrt(dimension + 2) a round. Smaller is safer, and slower.
  double caution = 0.1;
  /// The largest reach, from 0 (excluded) to 1: no play goes farther than this share of the way
  /// from the recommended point to another point of the set. Default: as far as it pays.
  std::optional<double> reach = {};
  /// Whether it starts again when the losses have changed.
  bool restarts = true;
  /// x_1: what you run today, a point of the set. Default: the centre.
  std::vector<double> start = {};
  /// What is known when a play is asked for, one word for each number of the context: "number", of
  /// about unit size; "cyclic", an angle in turns, such as the hour over 24; "choice(4)", the place
  /// of a name among 4, from 0 on. Default: nothing.
  std::vector<std::string> contexts = {};
  /// Which numbers of a point are the shares of names that decide what is best for the others, from
  /// 0 on: "0-3" for the first four. They are a simplex, and the set is a product of it and others.
  /// Every play has one name of each. Default: none; a play then mixes the names in shares.
  std::vector<std::string> choices = {};
  /// Bounds on metrics that are told besides the loss, in the order of the metrics. The start is
  /// taken to be within them. In texts: ["most=200, each=0.99", "least=3", "most=10, over=all"].
  std::vector<Limit> limits = {};
  /// About how many plays there will be, if they are few: the first ones go farther, exploring may
  /// cost three times as much, and curvatures follow the losses from the start. Later plays are
  /// made as without. Up to 512 dimensions. Default: many.
  std::optional<std::uint64_t> trials = {};
};

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

/// Options of face. Nothing has to be set.
struct FaceOptions {
  /// What exploring may cost: as PosteriorOptions::caution, with sqrt(k + 2), k the number of
  /// points in use.
  double caution = 0.1;
  /// x_1: what you run today, a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Thompson sampling (1933) in many dimensions, for sets whose best points are mixes of few
/// vertices, such as simplices: in the hull of the start x_1 and of k points v_j of the set, k
/// growing with what the losses pay for. Our own method. With d_j = v_j - x_1, H the inverse of the
/// variances of the set's exploration and Q = D H D':
///
///   play    y = x_1 + sum w_j d_j,  w >= 0, sum w <= 1
///   model   loss = level + sum (common + b_j) w_j + curvature w'Qw + noise, b_j ~ N(0, tau^2), tau
///           by evidence (MacKay 1992); the noise grows with w'Qw, as it is seen to
///   sample  of the posterior, minimised by pairwise conditional gradients (Lacoste-Julien, Jaggi
///           2015); it serves until its own value is known, 0.1 sqrt t plays at most
///   new     slopes of all directions that agree with the sample (Matheron's rule; Journel,
///           Huijbregts 1978), and the vertex that is best for them
///   k       gain sqrt t / noise, from 16 to 400
///   drop    points worse than the best mix by 3 standard deviations, marginalised
///   budget  as that of posterior
///
/// The file src/learners/face/face.cc has all of it, docs/posterior.md measurements. Plays do not
/// change if all losses are multiplied by a power of two, nor (up to rounding) by any other
/// positive number or if a constant is added. Feedback may come late or never. One linear
/// minimisation an ask at most. A round takes O(k^2 + n k) operations, a fit, whenever there are a
/// tenth more losses, O(k^3); memory is O(n k), less where vertices are sparse. It does not notice
/// changes: watchful() does.
[[nodiscard]] std::unique_ptr<Algorithm> face(SetPtr set, const FaceOptions& options = {});

/// Thompson sampling (1933) on a Bayesian regression of the losses that knows the set and nothing
/// else: no horizon, no bound on losses or gradients, no noise level. Our own method. In
/// coordinates z of the hull that are as wide as the set every way, about the start x_1:
///
///   model   loss = level + <slopes, z> + curvature |z|^2 + noise, with a second curvature where
///           the set is stretched; the posterior of its m + 2 coefficients is normal. In up to 12
///           dimensions a second model has all curvatures; the better one by its predictions is
///           believed
///   play    a sample of the posterior, minimised over the set by conditional gradients; it serves
///           some 0.1 sqrt t plays, in turns with those before. The first plays explore near x_1;
///           a few later ones are made at x_1, on the way, or explore
///   budget  a play goes only so far towards the sample that what is spent stays within what
///           PosteriorOptions::caution says
///   learn   weighted by the noise, clipped; the prior follows the evidence
///   level   if there is evidence that losses rise and fall whatever is played, the same model with
///           a level that wanders, at the rate that predicts best
///   change  if losses surprise it, a model that has begun again plays in turns with the one before
///           until it is known which is cheaper
///
/// The file src/learners/posterior/posterior.cc has all of it, docs/posterior.md the reasons and
/// measurements. Plays do not change if all losses are multiplied by a power of two, nor (up to
/// rounding) by any other positive number or if a constant is added. Feedback may come late or
/// never. At most 90 linear minimisations in one ask, without contexts and limits. Memory and time
/// a round grow with the square of the dimension m of the hull, up to 512.
///
/// With contexts, what is known when a play is asked for moves level, slopes and curvature. With
/// limits each metric has such a model too, and a play stays where the metrics are within them.
///
/// In more than 512 dimensions it is watchful(face()) where the set is narrow, and
/// watchful(parameter_free()) elsewhere, with the same caution and start: memory and time a round
/// grow with m. It is narrow if the logarithm of the number of its vertices is below 100, as white
/// noise sees it. The plays at the centre are at x_1. With a reach it is parameter_free() with that
/// reach and does not notice changes, for these plays would go beyond it. The status has losses,
/// restarts and reach, and with face() noise, gain, width and curvature; the rest is NaN.
[[nodiscard]] std::unique_ptr<PosteriorAlgorithm> posterior(SetPtr set,
                                                            const PosteriorOptions& options = {});

}  // namespace algorithms

using algorithms::face, algorithms::posterior;

}  // namespace keyhole
#pragma GCC visibility pop
