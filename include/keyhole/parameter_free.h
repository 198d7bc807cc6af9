#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Where parameter_free explores.
enum class ExploreAt {
  /// What the set offers: its extreme points where it knows them (keyhole/exploration.h). They can
  /// mislead at losses whose kinks tie coordinates together, such as |y_1 - y_2| (docs/theory.md);
  /// there the inscribed sphere with curvature = false is the safe choice.
  extreme_points,
  /// The sphere inscribed in the set: the gradients are then those of a smoothed loss, whatever
  /// the loss, and docs/theory.md has a bound.
  inscribed_sphere,
};

/// How often parameter_free explores, and how far.
enum class ExplorationSchedule {
  /// By what exploring is measured to cost and to tell.
  measured,
  /// Nearly always, and as far as s = k^(-1/4) after k losses.
  fixed,
};

/// What parameter_free subtracts from a loss before it learns from it.
enum class Baseline {
  /// The best of four predictors of the next loss.
  best_predictor,
  /// An exponential average of the losses.
  average,
};

/// Options of parameter_free. Nothing has to be set: each is a part of the method that can be
/// replaced or left out, which is how docs/parameter_free.md measures what it is worth.
struct ParameterFreeOptions {
  /// Where to explore.
  ExploreAt explore_at = ExploreAt::extreme_points;
  /// How often and how far.
  ExplorationSchedule schedule = ExplorationSchedule::measured;
  /// What is subtracted from the losses.
  Baseline baseline = Baseline::best_predictor;
  /// Whether the leader stays at the centre until the gradients stand out from their noise.
  bool shrinkage = true;
  /// Whether the leader uses the curvature that the losses show. A kink that ties coordinates
  /// together is taken for curvature along itself too (docs/theory.md); there the inscribed sphere
  /// with curvature = false is the safe choice.
  bool curvature = true;
  /// Whether the iterate is an average of leaders.
  bool averaging = true;
  /// Whether the gradients are summed again after a change of the losses has been noticed. In
  /// strong noise it takes chance for a change and throws away what was learned
  /// (docs/parameter_free.md); watchful() notices changes safely.
  bool restarts = false;
  /// Whether a loss counts for no more than eight standard deviations.
  bool clipping = true;
  /// Whether it takes account of how late losses come; it makes no difference if they are prompt.
  bool lateness = true;
  /// The largest s, from 0 (excluded) to 1: no exploring play goes farther than this share of the
  /// way from the iterate to an explored point, and no shrunk one to their mean. Default: as far as
  /// it pays.
  std::optional<double> reach = {};
  /// What exploring may cost a round: this times noise times sqrt(dimension), and half of the gain
  /// that there is reason to expect. The first plays stay near the start until they show what going
  /// farther costs. Smaller is safer, and slower. Default: no limit.
  std::optional<double> caution = {};
  /// x_1: what you run today; a point of the set, which stands for the centre p. Default: the
  /// centre.
  std::vector<double> start = {};
};

/// What parameter_free is doing.
struct ParameterFreeStatus {
  /// How many blocks have ended.
  std::uint64_t blocks = 0;
  /// How often the sums were started again.
  std::uint64_t restarts = 0;
  /// s: how far an exploring play goes from the iterate towards an explored point.
  double reach = 0;
  /// rho: how often a play explores.
  double exploring = 0;
  /// The certificate of the latest leader: its objective is at most so far above the least...
  double leader_gap = 0;
  /// ...where at most this was wanted, unless the 50 oracle calls of a block were used up.
  double leader_tolerance = 0;
};

/// A learner that is told nothing but the set. See parameter_free().
class ParameterFreeAlgorithm : public Algorithm {
 public:
  using Algorithm::Algorithm;

  /// What it is doing.
  [[nodiscard]] virtual ParameterFreeStatus status() const = 0;
};

namespace algorithms {

/// Block follow-the-regularised-leader for bandits that knows the set and nothing else: no horizon,
/// no bound on losses or gradients, no step size. Our own method, built from parts that the
/// literature has: one-point estimates at points of an exploration nu with mean e and covariance
/// Sigma (keyhole/exploration.h), a baseline, blocks with a conditional-gradient leader (Garber,
/// Kretzu 2020), step sizes by the size of the gradients (Orabona, Pal 2018), positive-part
/// shrinkage (James, Stein 1961), CUSUM (Page 1954). With the centre p of the set, h_i = 1 / Var
/// v_i, ||d||^2 = sum h_i d_i^2 and the dual norm ||g||_*:
///
///   play, exploring with probability rho:  y = (1 - s) x + s v, v ~ nu;  else y = x or the shrunk
///     point (1 - s) x + s e
///   learn from exploring:  g += w / (s rho) Sigma^-1 (v - e), w = f(y) - baseline, clipped
///   after m losses, the end of block m:  S += g, q += ||g||_*^2, g = 0
///     theta = (1 - (1 + 2/sqrt m) q / ||S||_*^2)_+,  eta = 6 R theta / sqrt q
///     z ~ argmin over K of eta S . z + ||z - p||^2,  x += max(0.1, 4/m) (z - x)
///     s, rho from what the three kinds of plays have cost
///
/// The file src/learners/parameter_free/parameter_free.cc has all of it, docs/parameter_free.md the
/// reasons and measurements, docs/theory.md what is proven. Plays do not change if all losses are
/// multiplied by a power of two, nor (up to rounding) by any other positive number or if a constant
/// is added. Feedback may come late or never. At most 50 linear minimisations in one ask, about
/// 0.02 a round.
[[nodiscard]] std::unique_ptr<ParameterFreeAlgorithm> parameter_free(
    SetPtr set, const ParameterFreeOptions& options = {});

}  // namespace algorithms

using algorithms::parameter_free;

}  // namespace keyhole
#pragma GCC visibility pop
