#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/limit.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// The algorithms that are told losses. Each is a function of the set and of its options, to be
/// handed to a Learner.

/// Which constants of the paper to use (docs/paper.md lists the errata).
enum class Constants {
  /// With the errata fixed: the theorem then holds for every c <= r.
  corrected,
  /// As printed: eta lacks the factor c, and the theorem does not hold for c < 1.
  as_published,
};

/// Options of projection_free and unregularized.
struct ProjectionFreeOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Only the regret bound
  /// needs it.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// c, a length: delta = c T^(-1/5). Default r/2; c T^(-1/5) <= r is needed for every T played.
  std::optional<double> c = {};
  /// Overrides the theorem's eta, for every horizon. The regret bound is then void.
  std::optional<double> eta = {};
  /// The paper's constants with or without its errata.
  Constants constants = Constants::corrected;
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - alpha. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Algorithm 1 of Chen, Zhang and Karbasi, "Projection-Free Bandit Convex Optimization" (AISTATS
/// 2019): one linear minimisation a round, expected regret O(T^(4/5)). n is the hull's dimension.
///
///   delta = c T^(-1/5), alpha = delta / r, eta = c D / (sqrt2 n M) T^(-4/5), sigma_t = t^(-2/5)
///   y_t = x_t + delta u_t;  g_t = n / delta f_t(y_t) u_t
///   v_t = argmin over (1 - alpha) K of (eta sum_{s<t} g_s + 2 (x_t - x_1)) . v
///   x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> projection_free(
    SetPtr set, const ProjectionFreeOptions& options);

/// The paper's ablation: projection_free without the term 2 (x_t - x_1). It has no regret bound.
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> unregularized(SetPtr set,
                                                              const ProjectionFreeOptions& options);

}  // namespace algorithms

/// Which constants fkm uses.
enum class FkmConstants {
  /// Those that minimise the bound of Zhao, Wang, Zhang and Zhou (2020), Theorem 1:
  /// delta = T^(-1/4) sqrt(sqrt(7/2) R n M / (G (3 + R/r))), at most r/2,
  /// eta = sqrt(7/2) R delta / (n M sqrt T).
  zhao,
  /// The textbook's shape (Hazan, "Introduction to Online Convex Optimization", 2nd ed., Algorithm
  /// 23) with a length c: delta = c T^(-1/4), eta = D delta / (n M sqrt T).
  textbook,
};

/// Options of fkm.
struct FkmOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required by the
  /// constants `zhao`, and by every regret bound.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// The formulas of delta and eta.
  FkmConstants constants = FkmConstants::zhao;
  /// c of the constants `textbook`, a length; default r/2.
  std::optional<double> c = {};
  /// Overrides delta, for every horizon; at most r.
  std::optional<double> delta = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - alpha. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Flaxman, Kalai and McMahan, "Online convex optimization in the bandit setting: gradient descent
/// without a gradient" (SODA 2005): the baseline that projects. The set must be able to. Expected
/// regret O(T^(3/4)). n is the hull's dimension, alpha = delta / r.
///
///   y_t = x_t + delta u_t;  g_t = n / delta f_t(y_t) u_t
///   x_{t+1} = projection onto (1 - alpha) K of x_t - eta g_t
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> fkm(SetPtr set, const FkmOptions& options);

/// Algorithm 2 of Chen, Zhang and Karbasi (the doubling trick) around any algorithm that takes a
/// horizon: epochs of 1, 2, 4, 8, ... rounds, everything forgotten at the start of each. Feedback
/// for a play of an earlier epoch is counted as late, not learned from. The point recommended is
/// that of the epoch before until the current one is as long.
[[nodiscard]] std::unique_ptr<Algorithm> anytime(std::unique_ptr<HorizonAlgorithm> algorithm);

}  // namespace algorithms

/// Options of bbcg.
struct BbcgOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. The default of c and
  /// the bounds need it.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// alpha: every loss is promised to be alpha-strongly convex within the hull, which earns a
  /// regret of order T^(2/3). Default: none, losses are convex.
  std::optional<double> strong_convexity = {};
  /// c, a length: delta = c T^(-1/4), or c T^(-1/3) with strong convexity; delta <= r is needed for
  /// every T played. Default: what minimises the leading terms of the theorem, sqrt(n M r / G) or
  /// (r (n M)^2 (1 + ln T) / (G R alpha))^(1/3), but delta at most r/2; r/2 if G is not given.
  std::optional<double> c = {};
  /// Overrides eta, for every horizon; the bounds are then for it. Not with strong convexity, which
  /// has none.
  std::optional<double> eta = {};
  /// Overrides epsilon, the tolerance of every leader, for every horizon; likewise.
  std::optional<double> epsilon = {};
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - delta / r. Default: the centre.
  std::vector<double> start = {};
};

/// Block bandit conditional gradient; see bbcg().
class BbcgAlgorithm : public HorizonAlgorithm {
 public:
  using HorizonAlgorithm::HorizonAlgorithm;

  /// The theorem's bound on the expected number of linear minimisations in `horizon` rounds, every
  /// loss told before the next ask: of order T. NaN if G was not given.
  [[nodiscard]] virtual double expected_oracle_calls(std::uint64_t horizon) const = 0;
};

namespace algorithms {

/// Block bandit conditional gradient: Garber and Kretzu, "Improved Regret Bounds for
/// Projection-free Bandit Convex Optimization" (AISTATS 2020). Rounds come in blocks of L that
/// share an iterate; the leader of the blocks before is found by conditional gradients while a
/// block is played, and played a block later. Expected regret O(T^(3/4)) with O(T) linear
/// minimisations. n is the hull's dimension, K' = p + (1 - delta/r) (K - p).
///
///   delta = c T^(-1/4), eta = 2 c R / (n M) T^(-3/4), epsilon = 16 R^2 T^(-1/2), L = T^(1/2)
///   block m plays  y_t = x_{m-1} + delta u_t;  g_m = sum over the block of n / delta f_t(y_t) u_t
///   F_m(x) = eta (g_1 + ... + g_{m-1}) . x + ||x - x_1||^2
///   x_0 = x_1;  x_m in K' with F_m(x_m) <= min over K' of F_m + epsilon, found from x_{m-1}
///
/// L is rounded to the nearest whole number, and the last block may be shorter.
///
/// With strong_convexity alpha it is the algorithm of Kretzu and Garber, "Revisiting
/// Projection-free Online Learning: the Strongly Convex Case" (AISTATS 2021): expected regret
/// O(T^(2/3) log T), if every loss is alpha-strongly convex.
///
///   delta = c T^(-1/3), L = T^(2/3), T_0 = max(4 T^(2/3), 8 / alpha),
///   epsilon_m = 16 R^2 beta_m^(1/3), beta_m = alpha (m L + T_0)
///   F_m(x) = sum_{i<m} (g_i . x + L alpha / 2 ||x - x_{i-1}||^2) + T_0 alpha / 2 ||x - x_1||^2
///
/// Its constants are the paper's, which count alpha, M, G and R in units of about 1.
[[nodiscard]] std::unique_ptr<BbcgAlgorithm> bbcg(SetPtr set, const BbcgOptions& options);

}  // namespace algorithms

/// What two_point does with its gradients.
enum class TwoPointStep {
  /// A step of online conditional gradient: a linear minimisation a pair.
  conditional_gradient,
  /// A step of projected gradient descent: the set must project.
  gradient_descent,
};

/// Options of two_point.
struct TwoPointOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required.
  std::optional<double> gradient_bound = {};
  /// T: the number of plays, two a pair. anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// What is done with the gradients.
  TwoPointStep step = TwoPointStep::conditional_gradient;
  /// Overrides delta, for every horizon; at most r. Noise in the losses is divided by delta: where
  /// there is any, or where the two plays of a pair do not meet the same loss, choose a delta over
  /// which losses change by more than that.
  std::optional<double> delta = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// How many of the latest pairs can still be told the half that is missing, from 1 to 2^24; a
  /// half told later is counted as late and not learned from. Costs 9 bytes a pair.
  std::uint64_t pending_pairs = 1024;
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - delta / r. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Two-point bandit feedback (Agarwal, Dekel, Xiao, "Optimal algorithms for online convex
/// optimization with multi-point bandit feedback", COLT 2010): for losses that can be seen at two
/// points. Plays 2k - 1 and 2k are a pair, to be told values of the same loss f_k; no theorem
/// covers other losses. Play::pair says which plays of a learner these are: within anytime() play 1
/// is alone and the pairs are 2 and 3, 4 and 5, and so on. n is the hull's dimension, alpha = delta
/// / r, N = T / 2 pairs (rounded up).
///
///   delta = r N^(-1/2), at most r/2
///   y_{2k-1} = x_k + delta u_k;  y_{2k} = x_k - delta u_k
///   g_k = n / (2 delta) (f_k(y_{2k-1}) - f_k(y_{2k})) u_k, of norm n G at most
///
/// gradient_descent, of expected regret O(T^(1/2)) (constants and bound: Zhao, Wang, Zhang, Zhou,
/// "Bandit Convex Optimization in Non-stationary Environments", AISTATS 2020, Theorem 2):
///
///   x_{k+1} = projection onto (1 - alpha) K of x_k - eta g_k,  eta = sqrt(7/2) R / (n G sqrt N)
///
/// conditional_gradient, of expected regret O(T^(3/4)): ocg, told g_k (Hazan, "Introduction to
/// Online Convex Optimization", 2nd ed., Algorithm 27 and Theorem 7.3, with n G for G):
///
///   v_k = argmin over (1 - alpha) K of (eta sum_{j<k} g_j + 2 (x_k - x_1)) . v
///   x_{k+1} = (1 - sigma_k) x_k + sigma_k v_k
///   eta = D / (2 n G N^(3/4)), sigma_k = min(1, 2 / sqrt k)
///
/// A pair is learned from when both its plays have been told, a pair of which one is never told not
/// at all. Both plays of a pair are made about the same x_k, whatever is told in between.
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> two_point(SetPtr set,
                                                          const TwoPointOptions& options);

}  // namespace algorithms

/// Options of gauge.
struct GaugeOptions {
  /// M: the largest magnitude a loss can have. Required; larger losses are learned from all the
  /// same, and counted.
  std::optional<double> loss_bound = {};
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required by delta's
  /// formula, and by the regret bound.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// Overrides delta, for every horizon; at most r.
  std::optional<double> delta = {};
  /// Overrides eta, for every horizon.
  std::optional<double> eta = {};
  /// x_1: what you run today; a point of the set, moved towards the centre by the factor
  /// 1 - alpha. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Gradient descent on a ball around the set, lifted to the set by its gauge: Mhammedi, "Efficient
/// Projection-Free Online Convex Optimization with Membership Oracle" (COLT 2022), Algorithm 1, fed
/// with one-point estimates. A round takes one gauge, on polytopes one matrix-vector product, where
/// others take a projection or a linear program. The set must have a gauge. Expected regret
/// O(T^(3/4)). n is the hull's dimension, alpha = delta / r, gamma the gauge of
/// p + (1 - alpha) (K - p) about p and s its subgradient at w; all points are meant from p on.
///
///   x_t = w_t / max(1, gamma(w_t));  y_t = x_t + delta u_t;  g_t = n / delta f_t(y_t) u_t
///   h_t = g_t, less (g_t . x_t) s if gamma(w_t) >= 1 and g_t . w_t < 0
///   w_{t+1} = projection onto the ball of radius (1 - alpha) R of w_t - eta h_t
///
/// With L = min(D, R + ||start - p||), kappa = R / r:
/// delta = T^(-1/4) sqrt(L (1 + kappa) n M / (G (2 + kappa))), at most r/2,
/// eta = L delta / ((1 + kappa) n M sqrt T).
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> gauge(SetPtr set, const GaugeOptions& options);

}  // namespace algorithms

/// The largest hull_dimension() that online_newton plays in: a round takes n^3 operations.
inline constexpr std::size_t most_newton_dimensions = 64;

/// Options of online_newton.
struct OnlineNewtonOptions {
  /// G: the largest norm a (sub)gradient of a loss can have, within the hull. Required: losses are
  /// divided by G rho, which makes them 1-Lipschitz in lengths of rho. Noise should not be larger
  /// than G rho.
  std::optional<double> gradient_bound = {};
  /// T: the number of rounds. Required, unless anytime() chooses its own.
  std::optional<std::uint64_t> horizon = {};
  /// rho: no farther than this from the start is the best point looked for; the unit of length.
  /// Default: min(D, R + ||start - p||), R for the start at the centre.
  std::optional<double> radius = {};
  /// Overrides eta, for every horizon, in units of rho and G. Default: sqrt(n / T) / (1 + 1/n).
  std::optional<double> eta = {};
  /// lambda, the weight of the curvature. Default: 1/n.
  std::optional<double> lambda = {};
  /// b, in multiples of G R: how steeply the losses are continued outside the set. From 3 on the
  /// continuation of a convex loss without noise is convex.
  double penalty = 3;
  /// mu_1: what you run today; a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Lattimore and Gyorgy, "A second-order method for stochastic bandit convex optimisation" (COLT
/// 2023), for few dimensions: a yardstick for the rate T^(1/2), which its authors prove for losses
/// that are stationary but for noise, defined everywhere and Lipschitz. Here plays must stay in K,
/// which makes it a heuristic: X is drawn, K's gauge brings it in, and the loss is continued to X.
/// All points are meant from p on and in lengths of rho, losses f in units of G rho; n is the
/// hull's dimension, P the inverse of Sigma, gamma_t = max(1, gauge(X_t)), b as in the options.
///
///   mu_1 = start, P = n^2;  X_t ~ N(mu, Sigma);  play y_t = X_t / gamma_t;  Y_t = f_t(y_t)
///   D = gamma_t (Y_t - Y_{t-1}) + b R / rho (gamma_t - gamma_{t-1});  v = P (X_t - mu)
///   P <- P + eta lambda / 4 D (v v' - P);  mu <- mu - eta D Sigma v
///
/// No eigenvalue of P falls below n^2 / 2. D is clipped where it would change P by more than half.
/// Works on every set of at most most_newton_dimensions; without a closed gauge by bisection on
/// contains(), about 45 calls a play. No regret bound.
[[nodiscard]] std::unique_ptr<HorizonAlgorithm> online_newton(SetPtr set,
                                                              const OnlineNewtonOptions& options);

}  // namespace algorithms

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
[[nodiscard]] std::unique_ptr<Algorithm> parameter_free(SetPtr set,
                                                        const ParameterFreeOptions& options = {});

}  // namespace algorithms

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
[[nodiscard]] std::unique_ptr<Algorithm> posterior(SetPtr set,
                                                   const PosteriorOptions& options = {});

/// Restarts an algorithm every so many rounds, for losses whose best point moves: what was
/// learned in one window is forgotten in the next. One that takes a horizon gets the window as its
/// horizon. The bound is that of a window times the number of windows begun, on the regret against
/// the best point of each window. Feedback for a play of an earlier window is counted as late, not
/// learned from. The point recommended is that of the window before until the current one is half
/// over.
///
/// With C T^(3/4) as its bound for T rounds and W rounds to a window this is C T W^(-1/4): few,
/// long windows unless the best point moves. Losses that move by V in all (the sum of the largest
/// changes from one to the next) add 2 W V against the best point of every single round (Besbes,
/// Gur, Zeevi, "Non-stationary stochastic optimization", 2015).
[[nodiscard]] std::unique_ptr<Algorithm> restarting(std::unique_ptr<Algorithm> algorithm,
                                                    std::uint64_t every);

/// Restarts an algorithm when what it has learned has lost half of its worth, for losses whose
/// best point jumps or wanders at times that nobody knows: watchful(parameter_free(set)) knows the
/// set and nothing else. Our own method. The worth is how much less the algorithm's plays cost than
/// plays at the centre p of the set; with its losses f, k of them since it was last started:
///
///   in calm:   a play is made at p with probability about 1 / (8 sqrt k); w is the average of what
///              such plays have cost above the recent f, and W the largest w so far
///   doubt:     a = max(0, a + (f - mean) / deviation - 1/2) > 12, where the fraction counts for no
///              more than 3; then plays are made at p and by the algorithm in turn, by chance, and
///              w is the difference of their means
///   in either: w clearly (by 3 standard errors) below W / 2:  everything is forgotten
///   calm again: w clearly above W / 2, or after 64 plays at p
///
/// So a rise of all losses alike is not taken for a change of the best point. Doubts that come to
/// nothing take no more than 2 sqrt t + 64 plays at p in t rounds, calm about sqrt(t) / 4. Feedback
/// for a play from before a restart is counted as late. The algorithm must play any number of
/// rounds. Nothing depends on the scale of the losses if nothing does inside.
[[nodiscard]] std::unique_ptr<Algorithm> watchful(std::unique_ptr<Algorithm> algorithm);

}  // namespace algorithms

/// Options of levelled.
struct LevelledOptions {
  /// What is known when a play is asked for: as PosteriorOptions::contexts.
  std::vector<std::string> contexts = {};
};

namespace algorithms {

/// Tells an algorithm its losses less what the context says of them: alpha . (l(c) - mean l), with
/// alpha from a regression of the losses so far on (1, l(c)), where l(c) are the numbers of the
/// context, squares of numbers and second harmonics of angles. A context that moves the losses,
/// whatever is played, is noise to an algorithm that does not know it: this takes the noise away,
/// as control variates do (Deng, Xu, Kohavi, Walker 2013). What the best point is in a context, it
/// does not learn: posterior() does.
///
/// What is subtracted is known before the play is drawn, and is the same for both plays of a pair.
/// So the regret is that of the algorithm, one-point estimates of gradients stay unbiased, and its
/// bound holds if its losses, levelled, are within its M. It is never more than the largest
/// difference of two losses so far: for losses up to M give the algorithm 3 M.
///
/// The algorithm must take no contexts itself. A loss that comes more than 4096 plays late is
/// counted as late.
[[nodiscard]] std::unique_ptr<Algorithm> levelled(std::unique_ptr<Algorithm> algorithm,
                                                  const LevelledOptions& options);

/// Policies for a context of one number u (of about unit size, as a "number" of posterior()): a
/// point for each of J anchors, and plays between them. With knots at J equal distances from
/// -sqrt 3 to sqrt 3, the ends of a uniform number of unit size, and weights w_j(u) >= 0 of sum 1,
/// which are linear between the knots:
///
///   play    sum_j w_j(u) X_j,  X = (X_1, ..., X_J) the play of an algorithm on K^J
///
/// A loss f(x) is f(sum_j w_j X_j) to that algorithm, convex in X, with the same M and no larger G.
/// So its bound holds, against the best policy of this kind. A number that is not known counts
/// as 0.
///
/// @code
/// const auto set = keyhole::box(0, 1, 3);
/// auto algorithm = keyhole::anchored(
///     set, keyhole::parameter_free(keyhole::product({set, set, set})));  // three anchors
/// @endcode
[[nodiscard]] std::unique_ptr<Algorithm> anchored(const SetPtr& set,
                                                  std::unique_ptr<Algorithm> on_power);

}  // namespace algorithms

// Baselines: well-known methods of other fields, told the set and nothing else, to compare with.
// They play any number of rounds, and none has a regret bound with a number.

/// Options of linear_thompson.
struct LinearThompsonOptions {
  /// x_1: what you run today, a point of the set, which is recommended until something is known.
  /// Default: the centre.
  std::vector<double> start = {};
};

/// Options of spsa.
struct SpsaOptions {
  /// How many of the latest pairs can still be told the half that is missing, from 1 to 2^24; a
  /// half told later is counted as late and not learned from. Costs 32 bytes a pair.
  std::uint64_t pending_pairs = 1024;
  /// x_1: what you run today, a point of the set. Default: the centre.
  std::vector<double> start = {};
};

/// Options of cma_es.
struct CmaEsOptions {
  /// The first mean: what you run today, a point of the set. Default: the centre.
  std::vector<double> start = {};
};

namespace algorithms {

/// Thompson sampling for losses that are linear but for noise (Agrawal, Goyal, "Thompson sampling
/// for contextual bandits with linear payoffs", ICML 2013): for those who know that they are. With
/// z the m coordinates of the hull in which the set's exploration is equally wide every way:
///
///   model  loss = level + <slopes, z> + noise; ridge regression on (1, z), A = ridge + sum phi
///   phi' play   draws of the exploration until max(16, m + 2) losses are in; then the vertex that
///          minimises a sample of N(mean, noise^2 A^-1): one linear minimisation a round
///   noise  of what the model got wrong before it learned it, over about the last fifth
///
/// The paper's samples are wider, by the factor sqrt(9 m log(t / delta)) of its theorem, so that
/// its bound does not hold here. It recommends the vertex that is best by the mean, found again
/// whenever there are a tenth more losses. Plays do not change if all losses are multiplied by a
/// power of two, nor (up to rounding) by any other positive number or if a constant is added.
/// Losses may come late: the latest 1024 plays are kept. Where losses are curved it plays vertices
/// all the same. Memory and time a round grow with the square of m: at most 512, else
/// InvalidArgument.
[[nodiscard]] std::unique_ptr<Algorithm> linear_thompson(SetPtr set,
                                                         const LinearThompsonOptions& options = {});

/// Simultaneous perturbation stochastic approximation (Spall, IEEE Trans. Automatic Control 1992)
/// with projection (Sadegh 1997) and the gains of Spall, "Implementation of the simultaneous
/// perturbation algorithm", 1998. Plays come in pairs; the set must project. s_i is the width of
/// coordinate i, the standard deviation of the set's exploration; d_i = +-s_i at random, within the
/// hull:
///
///   y+ = P(x + c_k d), y- = P(x - c_k d), P the projection,  c_k = 0.2 / (k + 1)^0.101
///   x <- P(x - a_j q d),  q = (f(y+) - f(y-)) / (2 c_k),  a_j = a / (101 + j)^0.602
///
/// k counts the pairs played, j the steps made. The first ten differences that are not 0 make no
/// step but choose a: one of their mean size would move a coordinate by a tenth of its width. No
/// step moves one by more than its width. Plays do not depend on the unit of the losses (exactly so
/// for powers of two). A pair is learned from when both its plays have been told; see
/// SpsaOptions::pending_pairs.
[[nodiscard]] std::unique_ptr<Algorithm> spsa(SetPtr set, const SpsaOptions& options = {});

/// The evolution strategy CMA-ES with a diagonal covariance (Ros, Hansen, "A simple modification in
/// CMA-ES achieving linear time and space complexity", PPSN 2008), on a set that projects: points
/// outside are replaced by their projections. The constants are those of Hansen, "The CMA evolution
/// strategy: a tutorial", 2016, the learning rates times (m + 2) / 3, m the dimension of the hull.
/// Coordinates count in widths, the standard deviations of the set's exploration.
///
///   population  4 + floor(3 log m); the better half makes the next mean, by log weights
///   first       mean x_1, step size 0.3; the step size stays within 1e-6 and 1
///
/// A generation ends when as many losses are in as the population has. Until then plays are drawn
/// from the same distribution; after twice as many plays four losses are enough, and make a smaller
/// population. Losses of generations that have ended are late. Only the order of the losses counts.
/// It recommends the mean.
[[nodiscard]] std::unique_ptr<Algorithm> cma_es(SetPtr set, const CmaEsOptions& options = {});

}  // namespace algorithms

// Controls: what any learner must beat to have learned something. They play any number of rounds
// (fed_constant as many as what it wraps), and have no regret bound.

namespace algorithms {

/// Plays the centre of the set in every round: y_t = p.
[[nodiscard]] std::unique_ptr<Algorithm> stay(SetPtr set);

/// Plays a random vertex in every round: y_t = argmin over K of u_t . v, u_t uniform on the sphere
/// of the hull's directions. It recommends the centre.
[[nodiscard]] std::unique_ptr<Algorithm> random_vertex(SetPtr set);

/// The same algorithm, told a constant instead of its losses: what it does without learning. When
/// and whether it is told stays as it is.
/// Default of the constant: half of the bound M of the algorithm, 1 for an algorithm without one.
[[nodiscard]] std::unique_ptr<Algorithm> fed_constant(std::unique_ptr<Algorithm> algorithm,
                                                      std::optional<double> constant = {});

}  // namespace algorithms

using algorithms::projection_free, algorithms::unregularized, algorithms::fkm, algorithms::anytime,
    algorithms::bbcg, algorithms::two_point, algorithms::gauge, algorithms::online_newton,
    algorithms::parameter_free, algorithms::face, algorithms::posterior, algorithms::restarting,
    algorithms::watchful, algorithms::anchored, algorithms::levelled, algorithms::linear_thompson,
    algorithms::spsa, algorithms::cma_es, algorithms::stay, algorithms::random_vertex,
    algorithms::fed_constant;

}  // namespace keyhole
#pragma GCC visibility pop
