#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "keyhole/gradient_learner.h"
#include "keyhole/learner.h"
#include "keyhole/set.h"

#pragma GCC visibility push(default)

/// What a set and a learner must satisfy, and whether one of your own does. Usable from any test
/// framework, or none:
///
///   const auto report = keyhole::testing::check_set(my_set);
///   if (!report.ok()) std::cerr << report.text();
///
/// The checks look for counterexamples. A finding is a broken promise, with the numbers that show
/// it; a report without findings is no proof. Same options, same report.
namespace keyhole::testing {

/// A promise that was seen broken.
struct Finding {
  /// The name of the check, such as `oracle_is_optimal`.
  std::string check;
  /// What happened, with the numbers that show it.
  std::string message;
};

/// Which checks ran, and what they found: at most one finding a check, the first.
struct Report {
  /// The names of the checks that ran, in order.
  std::vector<std::string> checks;
  /// What they found, in the same order.
  std::vector<Finding> findings;

  /// Whether nothing was found.
  [[nodiscard]] bool ok() const noexcept { return findings.empty(); }
  /// Whether that check has found something.
  [[nodiscard]] bool failed(const std::string& check) const;
  /// One line a check: its name and `ok`, or its name, `FAILED` and the message.
  [[nodiscard]] std::string text() const;
};

/// Options of check_set.
struct SetCheckOptions {
  /// Of the random directions and points.
  std::uint64_t seed = 1;
  /// How many random directions to try, at least 1; the other kinds (axes, ties, ...) are at most
  /// a few times as many.
  std::size_t directions = 200;
  /// min over K of <d, x> by an independent way, however slow: a linear program, an enumeration of
  /// the vertices, a dense eigensolver. Optional.
  std::function<double(std::span<const double> d)> slow_minimum = {};
  /// Whether K is a polytope, so that every answer of its oracle is to be one of its vertices.
  bool polytope = false;
  /// Is called with the name of each check before it runs. Optional.
  std::function<void(const std::string& check)> begins = {};
};

/// Checks a set against the contract of keyhole/set.h. p, r, R, D are its geometry; lengths are
/// compared up to 1e-9 R and the rounding of the coordinates, where nothing else is said; an
/// exception is a finding.
///
/// Description:
///  - `oracle_is_there`: there is a set, and it hands out an oracle; else nothing more is checked.
///  - `spec_is_stable`: spec() is one line and stays the same, as does fingerprint().
///
/// Oracle, for directions that are random, positive, negative, zero, tied, along the axes, along
/// the ones, and 1e-30 and 1e30 times such:
///  - `oracle_stays_inside`: every vertex is finite, of the right size, and contained.
///  - `oracle_is_optimal`: no point known to be in K has a smaller product with the direction (to
///    1e-8 R): not p, not the vertices of other directions, not the points where rays from p leave
///    K (at random, through the vertex, against the direction), which contains() alone decides.
///  - `oracle_matches_slow_minimum`: the products are those of options.slow_minimum (to 1e-8 R).
///  - `oracle_is_pure`: the same direction gives the same bits, after other calls and from another
///    oracle.
///  - `oracle_ignores_powers_of_two`: 2^10 d and 2^-10 d give the bits of d.
///  - `oracle_ignores_what_leaves_the_hull`: d and flatten(d) give vertices of the same value.
///  - `oracle_answers_are_vertices`: with options.polytope, no answer is between two points of K:
///    for the answers v of a direction and w of one that is 1e-6 away from it, v - (w - v) / 100 is
///    not in K. Corners that are flat to 1e-5 pass for none.
///  - `vertex_parts_agree`: dot, add_to and write_to of a vertex tell of the same point.
///
/// Membership:
///  - `membership_accepts_the_centre`.
///  - `membership_accepts_mixtures`: convex combinations of vertices, settled, are in K.
///  - `membership_rejects_outward_nudges`: v - e d / ||d|| is not in K, for the vertex v of a
///    direction d of the hull and e = 1e-6 R, 1e-3 R, R.
///  - `membership_rejects_far_points`: points 2 D from p are not in K.
///  - `membership_rejects_points_off_the_hull`: nor are p and vertices moved off it by 1e-6 R.
///  - `membership_rejects_malformed_points`: nor NaN, infinities, points of the wrong size.
///
/// Geometry:
///  - `inner_ball_is_inside`: p + r u, settled, is in K for unit u of the hull.
///  - `inner_radius_is_not_too_large`: max over K of <u, x - p> >= r, for the u where descents on
///    the sphere find it smallest.
///  - `outer_radius_is_not_too_small`: no vertex is farther than R from p, ascents included.
///  - `diameter_is_not_too_small`: no two vertices are farther apart than D, ascents included.
///  - `geometry_about_another_centre`: all this holds for recentred(set, q) too, where the set
///    knows.
///
/// Projection, of points near K and 2 R to 1e9 R away; where can_project():
///  - `projection_lands_inside`: the result is in K as it is, and settled.
///  - `projection_is_nearest`: <z - x, v - x> <= 1e-9 R max(R, ||z - x||) for the projection x of z
///    and every v in K, which one oracle call decides: to 1e-9 R^2 from near, and in proportion
///    to the distance from afar, where z itself carries fewer digits.
///  - `projection_keeps_members`: points inside, and projections, project to themselves.
///  - `projection_is_pure`: the same bits again, and with one span for point and result.
///  - `projection_is_refused` instead of these: project() throws InvalidArgument.
///
/// Gauge, of points of the hull 1e-3 R to 1e6 R from p; where can_gauge(). Gauges are compared up
/// to 1e-9 R / r and the rounding, far away in proportion:
///  - `gauge_matches_membership`: rays from p leave K where gamma is 1, by bisection on contains().
///  - `gauge_is_one_at_vertices`, at most 1 at p + r u for unit u of the hull, and 0 at p.
///  - `gauge_is_positively_homogeneous`: gamma(p + l (w - p)) = l gamma(w), for l = 1/4, 3, 1000.
///  - `gauge_has_subgradients`: gamma(z) >= gamma(w) + <s, z - w> for pairs of points and vertices.
///  - `subgradients_stay_in_the_hull`: flatten does not change s.
///  - `gauge_is_pure`: another oracle gives the same bits.
///  - `gauge_is_refused` instead of these: gauge() throws InvalidArgument.
///
/// Hull:
///  - `flatten_is_an_orthogonal_projection`: idempotent and self-adjoint.
///  - `flatten_keeps_the_set`: differences of vertices are not changed.
///  - `flatten_has_the_hull_dimension`: its trace is hull_dimension().
///
/// Rounding:
///  - `settle_keeps_members`: a member moves by rounding only, and stays one.
///  - `settle_mends_rounding`: a point of K moved by 1e-12 R is in K again.
///  - `settle_leaves_violations`: a point that is outside by 1e-6 R stays outside.
///
/// Directions, on the unit sphere of the hull:
///  - `directions_are_units_of_the_hull`.
///  - `directions_are_isotropic`: mean 0 and second moment flatten / hull_dimension(), within five
///    standard errors.
///
/// Exploration (keyhole/exploration.h), of 20 draws for each of options.directions, and 20 for each
/// coordinate (at most 1e7 / n in all):
///  - `exploration_is_sound`: there is one, its mean is in K, its variances and squared radius are
///    positive.
///  - `exploration_stays_inside`: draws, settled, are in K.
///  - `exploration_is_pure`: the same bits give the same draw and score, after others and from
///    another exploration of the set.
///  - `exploration_keeps_its_radius`: no draw is beyond squared_radius().
///  - `exploration_has_its_mean`: draws have the mean that they say, scores the mean 0, within five
///    standard errors.
///  - `scores_stay_in_the_hull`: flatten does not change them.
///  - `scores_fit_the_draws`: the mean of score (v - p)' is flatten, on test vectors and in its
///    trace, hull_dimension(), within five standard errors.
[[nodiscard]] Report check_set(const SetPtr& set, const SetCheckOptions& options = {});

/// What a faulty set throws: no Error of the library, as a callback of a user's would not be.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// When a faulty set fails. Thread-safe.
struct Faults {
  /// How many calls are answered before one throws a Fault; those after it are answered again.
  /// Never reached by default.
  std::atomic<std::uint64_t> answered_first = std::numeric_limits<std::uint64_t>::max();
  /// How many Faults were thrown.
  std::atomic<std::uint64_t> thrown = 0;
};

/// The same set, spec and answers, but for calls that fail on purpose: minimise, project, gauge and
/// settle of its oracles, contains, and draw and score of its explorations. To see what your code
/// does when an oracle throws.
[[nodiscard]] SetPtr faulty(SetPtr set, std::shared_ptr<Faults> faults);

/// Makes a new learner, the same but for the seed. Its horizon must be at least the rounds checked.
using LearnerFactory = std::function<Learner(std::uint64_t seed)>;

/// The loss of round t (counted from 1) at the point x.
using LossSequence = std::function<double(std::uint64_t t, std::span<const double> x)>;

/// A family of loss sequences that agree on all rounds before `fork` and differ from it on, one for
/// each scenario. It is called at the start of each run, before the learner is made: what a learner
/// could see of the losses to come must be in place from then on.
using LossScenarios = std::function<LossSequence(unsigned scenario, std::uint64_t fork)>;

/// Options of check_learner.
struct LearnerCheckOptions {
  /// How many rounds a run has, at least 2. The time taken grows with its square: what is saved at
  /// every round is continued to the end.
  std::uint64_t rounds = 200;
  /// Of the learners, and of the gaps and orders of the tells.
  std::uint64_t seed = 1;
  /// Whether the learner draws at random, so that the seed shapes its plays.
  bool random = true;
  /// Whether what is told shapes the plays; a control's plays are not shaped by it.
  bool learns = true;
  /// The losses; by default cosines with random wave vectors, |f| <= 1.
  LossScenarios losses = {};
  /// The same learner for losses that are `scale` times as large, `scale` a power of two. Optional.
  std::function<Learner(std::uint64_t seed, double scale)> scaled = {};
  /// The same learner on another set, which will be a faulty() one. Optional.
  std::function<Learner(std::uint64_t seed, const SetPtr& set)> on = {};
};

/// Checks a learner, and with it the algorithm inside, against the contracts of keyhole/learner.h
/// and keyhole/algorithm.h. An exception that is not asked for is a finding.
///
///  - `learner_is_there`: the factory makes one; else nothing more is checked.
///  - `plays_are_feasible`: every point asked for or recommended is in the set.
///  - `survives_missing_tells`: so it is, and no call fails, when tells are late, some never come,
///    or none.
///  - `is_deterministic`: same seed and losses, same bytes of plays and state; also of the seeds 0
///    and 2^64 - 1.
///  - `shares_nothing`: learners that take turns play as they do alone.
///  - `seeds_matter`: the seeds 0, 1, 2^63 and 2^64 - 1 give different plays.
///  - `looking_changes_nothing`: state(), recommend(), summary(), spec() and regret_bound() leave
///    no trace.
///  - `does_not_look_ahead`: with losses that differ from round `fork` on, for every `fork`, the
///    plays up to and including round `fork` are the same, and so are the states until its loss is
///    told.
///  - `continues_from_its_state`: a state saved at any moment, also with tells outstanding,
///    restored into a new learner or one that was used for something else, is that state, and goes
///    on byte for byte.
///  - `order_of_tells_is_immaterial`: tells between two asks give the same bytes in any order.
///  - `ignores_repeated_tells`: they are counted, and change nothing else.
///  - `refuses_bad_tells`: unknown plays, NaN, infinities, numbers beyond largest_number and
///    contradictions throw FeedbackError and leave the state as it was.
///  - `is_not_deaf`: different losses lead to different plays.
///  - `scales_with_the_losses`: with options.scaled, losses times 2^10 and 2^-20 give the same
///    plays, bit for bit.
///  - `survives_a_failing_oracle`: with options.on, for every call that the first 20 plays make on
///    their set and every one that recommending and restoring make: if it fails, the learner is as
///    before, or refuses everything with StateError until a state is restored; then it goes on as
///    if nothing had failed. One that goes on by itself plays in the set.
///
/// Unless options.random, `seeds_matter` is replaced by
///
///  - `seeds_do_not_matter`: the same seeds give the same plays.
///
/// and, unless options.learns, `is_not_deaf` by
///
///  - `is_deaf`: different losses lead to the same plays.
[[nodiscard]] Report check_learner(const LearnerFactory& make,
                                   const LearnerCheckOptions& options = {});

/// Makes a new gradient learner, the same but for the seed. Its horizon must be at least the rounds
/// checked.
using GradientLearnerFactory = std::function<GradientLearner(std::uint64_t seed)>;

/// The gradient of the loss of round t (counted from 1) at the point x.
using GradientSequence =
    std::function<std::vector<double>(std::uint64_t t, std::span<const double> x)>;

/// A family of gradient sequences, as LossScenarios of losses.
using GradientScenarios = std::function<GradientSequence(unsigned scenario, std::uint64_t fork)>;

/// Options of check_gradient_learner.
struct GradientLearnerCheckOptions {
  /// How many rounds a run has, at least 2. The time taken grows with its square.
  std::uint64_t rounds = 200;
  /// Of the learners, and of the gaps and orders of the tells.
  std::uint64_t seed = 1;
  /// Whether the learner draws at random, so that the seed shapes its plays.
  bool random = true;
  /// The gradients; by default those of cosines with random wave vectors, of length about 1.
  GradientScenarios gradients = {};
  /// The same learner for gradients that are `scale` times as large, `scale` a power of two.
  /// Optional.
  std::function<GradientLearner(std::uint64_t seed, double scale)> scaled = {};
  /// The same learner on another set, which will be a faulty() one. Optional.
  std::function<GradientLearner(std::uint64_t seed, const SetPtr& set)> on = {};
};

/// Checks a gradient learner, and with it the algorithm inside, against the contracts of
/// keyhole/gradient_learner.h and keyhole/gradient_algorithm.h: the checks of check_learner(), with
/// gradients in place of losses.
[[nodiscard]] Report check_gradient_learner(const GradientLearnerFactory& make,
                                            const GradientLearnerCheckOptions& options = {});

}  // namespace keyhole::testing
#pragma GCC visibility pop
