#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "keyhole/problem.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Where the randomness of a problem comes from: same pair, same losses. Learners that play it
/// must have another pair.
struct ProblemSeed {
  /// The seed.
  std::uint64_t seed = 0;
  /// The stream of the seed.
  std::uint64_t stream = 1;
};

/// Options of quadratic.
struct QuadraticOptions {
  /// The dimension.
  std::size_t n = 50;
  /// The number of rows of A, 0 or more.
  std::size_t rows = 8;
};

namespace problems {

/// The paper's quadratic programming: f_t(x) = 1/2 ||G_t x||^2 + w_t . x with G_t n x n, all
/// entries of G_t and w_t standard normal, on {0 <= x <= 1, A x <= 1} with A uniform on [0, 1],
/// drawn once from the seed.
[[nodiscard]] std::unique_ptr<Problem> quadratic(const QuadraticOptions& options, ProblemSeed seed);

}  // namespace problems

/// Which set of matrices a completion is played on.
enum class MatrixRegion {
  /// nuclear_ball(n, n, k).
  nuclear,
  /// symmetric_nuclear_ball(n, k).
  symmetric,
  /// psd_trace_ball(n, k).
  psd,
};

/// Options of completion.
struct CompletionOptions {
  /// The number of rows and columns.
  std::size_t n = 20;
  /// The number of rows of N_t, and the size of the set.
  std::size_t k = 18;
  /// The set.
  MatrixRegion region = MatrixRegion::nuclear;
};

namespace problems {

/// The paper's matrix completion: f_t(X) = 1/2 sum over the seen entries of (X - N_t' N_t)_ij^2,
/// N_t a k x n matrix of standard normal numbers. Each round exactly half of the n^2 entries
/// (rounded down) are seen, every half as likely as any other.
[[nodiscard]] std::unique_ptr<Problem> completion(const CompletionOptions& options,
                                                  ProblemSeed seed);

}  // namespace problems

/// How often noise is large.
enum class Tails {
  /// Normal.
  normal,
  /// Student's t with 2 degrees of freedom: a mean, but no variance. The noise is its scale.
  student,
  /// Cauchy's: not even a mean. The noise is its scale.
  cauchy,
  /// Lognormal, exp(z) less its mean, z standard normal: skewed, mostly a little below 0 and
  /// sometimes far above. The noise is its standard deviation.
  lognormal,
};

/// Options of tracking.
struct TrackingOptions {
  /// The distance of theta from the centre of the set, as a share of the inner radius.
  double distance = 0.6;
  /// The jitter of the targets, as a share of the inner radius.
  double jitter = 0.3;
  /// A constant that is added to every loss.
  double offset = 0;
  /// The standard deviation of the noise e_t that is added to the losses, the same for all plays of
  /// a round.
  double noise = 0;
  /// The law of this noise.
  Tails tails = Tails::normal;
  /// How many rounds it takes until theta jumps to the other side of the centre; 0 for never. Best
  /// fixed points are those of the rounds in between: segment() is flip.
  std::uint64_t flip = 0;
  /// After how many rounds theta moves to another place, uniform in the ball of radius r * distance
  /// about the centre; 0 for never, and not together with flip. segment() is stage.
  std::uint64_t stage = 0;
};

namespace problems {

/// Follow a target that jitters: f_t(x) = 1/2 ||x - theta_t||^2 + offset + e_t, theta_t = theta +
/// jitter r w_t with w_t a uniform unit vector of the hull and theta at distance r * distance from
/// the centre in a direction of the seed; mirrored about the centre every `flip` rounds, or moved
/// every `stage`.
[[nodiscard]] std::unique_ptr<Problem> tracking(SetPtr set, const TrackingOptions& options,
                                                ProblemSeed seed);

}  // namespace problems

/// Options of separable.
struct SeparableOptions {
  /// 1 for magnitudes, whose least is a kink, or 2 for squares.
  int power = 1;
  /// How far the targets are spread, as a share of the set's range in each coordinate.
  double inner = 1;
  /// Whether the targets are at the ends of what is spread, rather than uniform in it.
  bool corners = false;
  /// Whether differences are divided by the set's range in their coordinate.
  bool scaled = false;
  /// s > 0 for exp(s d) - s d of the differences d instead of a power: much steeper on one side
  /// than on the other. 0 for powers.
  double steepness = 0;
  /// How many rounds the targets take to go round once; 0 if they stay. They are m_i + inner h_i
  /// sin(2 pi (t / turn + u_i)) in round t then, u_i uniform on [0, 1], and segment() is 1: regret
  /// is against the best point of every round.
  std::uint64_t turn = 0;
  /// The standard deviation of the noise that is added to the losses, the same for all plays of a
  /// round.
  double noise = 0;
  /// The law of this noise.
  Tails tails = Tails::normal;
};

namespace problems {

/// f_t(x) = sum_i |x_i - c_i|^power / power + e_t, e_t the noise. The set's coordinate i ranges
/// over m_i +- h_i; c_i = m_i + inner h_i u_i, u_i uniform on [-1, 1], or one of -1 and 1
/// (`corners`), drawn once, or goes round (`turn`). Scaled, the differences are (x_i - c_i) / 2
/// h_i. With a steepness s, sum_i exp(s (x_i - c_i)) - s (x_i - c_i) takes the place of the powers.
[[nodiscard]] std::unique_ptr<Problem> separable(SetPtr set, const SeparableOptions& options,
                                                 ProblemSeed seed);

}  // namespace problems

/// What contextual is about, and what is known before a play. A round has an independent draw of
/// what is known, but where it is said otherwise.
enum class Scene {
  /// Five prices in [0, 1] for customers of four segments, of whom 40, 30, 20 and 10 in 100 come: a
  /// price x sells a - b x. Known: the segment.
  prices,
  /// Three settings in [0, 1] of a service over the load of a day, a round a minute. Known: the
  /// load.
  loads,
  /// The same. Known: the hour, which says less.
  hours,
  /// A budget over six channels that pay otherwise on each day of the week, a round an hour. Known:
  /// the day.
  weekdays,
  /// Shares of traffic over ten routes, whose costs are linear in three numbers. Known: these.
  routes,
  /// The squared distance from a point of [0, 1]^5. Known: some numbers, which may move the point,
  /// shift the loss, or be of no use.
  targets,
};

/// Options of contextual.
struct ContextualOptions {
  /// What it is about.
  Scene scene = Scene::prices;
  /// The standard deviation of what is added to the losses, the same for all plays of a round.
  double noise = 0.3;
  /// Of prices: the round after which customers are others; 0 for never.
  std::uint64_t change = 0;
  /// Of targets: how many numbers are known.
  std::uint64_t numbers = 5;
  /// Of targets: how many of them move the best point, which is the centre at 0 then.
  std::uint64_t moving = 0;
  /// Of targets: what the first number adds to the loss, times itself.
  double shift = 0;
};

namespace problems {

/// Losses whose best point depends on what is known before a play: see Scene. segment() is 1:
/// regret is against the best point of every round, which is that of its context (of hours: of the
/// hidden load).
[[nodiscard]] std::unique_ptr<Problem> contextual(const ContextualOptions& options,
                                                  ProblemSeed seed);

}  // namespace problems

/// Options of regression.
struct RegressionOptions {
  /// The standard deviation of what is observed about a . theta.
  double noise = 0.3;
  /// Whether a_t is uniform in the unit ball, rather than normal.
  bool bounded = false;
  /// After how many rounds theta moves to another place, uniform in the ball of radius 0.9 r about
  /// the centre; 0 for never. segment() is stage.
  std::uint64_t stage = 0;
};

namespace problems {

/// Least squares, a sample a round: f_t(x) = 1/2 (a_t . x - b_t)^2, a_t standard normal, b_t = a_t
/// . theta + noise z_t. theta = p + s (0.5, -0.3, 0.2, 0, ...), along the hull, with s the first of
/// R, R/2, R/4, ... that keeps it in the set; with stages, a place of the stage.
[[nodiscard]] std::unique_ptr<Problem> regression(SetPtr set, const RegressionOptions& options,
                                                  ProblemSeed seed);

/// f_t(x) = c_t . x with the cost vectors in the rows of a CSV file, one column a coordinate, after
/// a header line; a first column named date, day, time, t or round is passed over. Throws
/// InputError with file, line and column for anything else.
[[nodiscard]] std::unique_ptr<Problem> linear(SetPtr set, const std::string& file);

}  // namespace problems

/// Options of synthetic linear losses.
struct LinearOptions {
  /// The standard deviation of a coordinate of the mean cost.
  double spread = 0.3;
  /// The standard deviation of a coordinate about it.
  double noise = 0.2;
  /// What is added to every coordinate of the mean cost.
  double mean = 0;
  /// After how many rounds mu becomes mean - spread z_0, and back again; 0 for never. segment() is
  /// flip.
  std::uint64_t flip = 0;
  /// After how many rounds z_0 is drawn again; 0 for never, and not together with flip. segment()
  /// is stage.
  std::uint64_t stage = 0;
  /// The standard deviation of a noise e_t that is added to the losses, the same for all plays of a
  /// round.
  double added = 0;
  /// The law of e_t.
  Tails tails = Tails::normal;
};

namespace problems {

/// f_t(x) = c_t . x + e_t with c_t = mu + noise z_t, mu = mean + spread z_0, z standard normal; mu
/// is mirrored about the mean every `flip` rounds, or drawn again every `stage`.
[[nodiscard]] std::unique_ptr<Problem> linear(SetPtr set, const LinearOptions& options,
                                              ProblemSeed seed);

}  // namespace problems

/// How swings go up and down.
enum class Wave {
  /// 1, -1, 1, ...
  signs,
  /// cos(2 pi t / period).
  cosine,
  /// -1 for half a period, then 1.
  square,
  /// 1 or -1, each as likely, whatever came before.
  coins,
  /// 0.999 times the round before, and 0.05 times a normal number; 65536 rounds, and again.
  walk,
};

/// Options of alternating.
struct AlternatingOptions {
  /// The magnitude of the constant.
  double offset = 5;
  /// The standard deviation of a coordinate of mu.
  double spread = 0.2;
  /// The standard deviation of a coordinate of h.
  double swing = 1;
  /// What s_t does.
  Wave wave = Wave::signs;
  /// The period of cosines and square waves, in rounds.
  std::uint64_t period = 100;
};

namespace problems {

/// Losses that swing: f_t(x) = s_t offset + (mu + s_t h) . x with s_t = 1, -1, 1, ... (or another
/// wave), mu and h normal, drawn once. Only mu tells points apart for long; what a play costs is
/// mostly the rest.
[[nodiscard]] std::unique_ptr<Problem> alternating(SetPtr set, const AlternatingOptions& options,
                                                   ProblemSeed seed);

/// Logged losses of every alternative: row t of a CSV file (as for linear) holds what each of n
/// alternatives would have cost, a play is a mixture of them, and costs f_t(x) = sum x_i l_ti. The
/// set is simplex(n) if none is given; another one must have one coordinate an alternative.
[[nodiscard]] std::unique_ptr<Problem> replay(const std::string& file, SetPtr set = nullptr);

}  // namespace problems

/// Which pieces a maximum of affine functions has.
enum class Kinks {
  /// x_i, one a coordinate.
  coordinates,
  /// i x_i, i = 1, ..., n.
  growing,
  /// x_1 - x_2 and x_2 - x_1.
  pair,
  /// a_k . (x - theta) and its negative, a_k a uniform unit vector and theta at distance r *
  /// distance from the centre, drawn once: least where they all meet.
  drawn,
};

/// Options of max_affine.
struct MaxAffineOptions {
  /// The pieces.
  Kinks kinks = Kinks::coordinates;
  /// What is taken off for each unit of x: of x_1 + x_2 for a pair, of the sum of all coordinates
  /// for the others.
  double slope = 0;
  /// How many a_k are drawn.
  std::size_t pieces = 20;
  /// The distance of theta from the centre, as a share of the inner radius.
  double distance = 0.6;
  /// The standard deviation of the noise that is added to the losses, the same for all plays of a
  /// round.
  double noise = 0;
  /// The law of this noise.
  Tails tails = Tails::normal;
};

namespace problems {

/// Kinks that tie coordinates to each other: f_t(x) = max_k l_k(x) - slope sum x + e_t, l_k affine.
/// No coordinate can be improved by itself where several pieces meet.
[[nodiscard]] std::unique_ptr<Problem> max_affine(SetPtr set, const MaxAffineOptions& options,
                                                  ProblemSeed seed);

}  // namespace problems

/// Along what the curvatures of a quadratic lie.
enum class Axes {
  /// The coordinates.
  aligned,
  /// Orthogonal directions, drawn once.
  rotated,
  /// Neighbours: H = I + k L with x' L x = sum (x_i - x_{i+1})^2.
  chain,
};

/// Options of curved.
struct CurvedOptions {
  /// Along what.
  Axes axes = Axes::rotated;
  /// The ratio of the largest curvature to the least.
  double condition = 100;
  /// The distance of theta (of c, in a chain) from the centre, as a share of the inner radius.
  double distance = 0.6;
  /// The standard deviation of the noise that is added to the losses, the same for all plays of a
  /// round.
  double noise = 0;
  /// The law of this noise.
  Tails tails = Tails::normal;
};

namespace problems {

/// Different curvatures: f_t(x) = 1/2 (x - theta)' H (x - theta) + e_t, the eigenvalues of H 1,
/// ..., 1/condition in geometric progression, theta at distance r * distance from the centre in a
/// direction of the seed. In a chain, f_t(x) = 1/2 ||x - c||^2 + k/2 sum (x_i - x_{i+1})^2 less its
/// least value, with k = (condition - 1) / 4: eigenvalues from 1 to below condition.
[[nodiscard]] std::unique_ptr<Problem> curved(SetPtr set, const CurvedOptions& options,
                                              ProblemSeed seed);

}  // namespace problems

/// Which sets are thin.
enum class ThinRegion {
  /// Of half of the sides 1, the others the thinness.
  box,
  /// Likewise with half axes.
  ellipsoid,
  /// {0 <= x <= 1, s <= sum i x_i <= s + thinness} about the centre of the box.
  band,
};

/// Which losses thin sets have.
enum class ThinLosses {
  /// As of linear.
  linear,
  /// As of tracking without jitter; on a band, of separable.
  quadratic,
};

/// Options of thin.
struct ThinOptions {
  /// The dimension.
  std::size_t n = 20;
  /// The set.
  ThinRegion region = ThinRegion::box;
  /// How thin it is.
  double thinness = 0.01;
  /// Whether the thin directions are none of the coordinates: rotated at random, or of a band sum i
  /// x_i. Otherwise the twin that is as thin along coordinates; of a band, the first one.
  bool rotated = true;
  /// The losses.
  ThinLosses losses = ThinLosses::linear;
  /// The noise of those losses.
  double noise = 0.1;
};

namespace problems {

/// Sets that are thin in directions that no coordinate shows. The losses are those of
/// linear({.noise}) or of tracking({.distance = 0.8, .jitter = 0, .noise}) on the box or ball that
/// the set is an image of, so that thin directions count as much as wide ones and rotated sets are
/// as hard as aligned ones to who knows the map. On a band, those of linear or of separable({.power
/// = 2, .inner = 0.8, .noise}) on the band itself.
[[nodiscard]] std::unique_ptr<Problem> thin(const ThinOptions& options, ProblemSeed seed);

}  // namespace problems

/// Options of road_grid.
struct RoadGridOptions {
  /// How many crossings there are from north to south.
  std::size_t rows = 4;
  /// How many from east to west.
  std::size_t columns = 4;
  /// Whether links go both ways; otherwise south and east only.
  bool two_way = true;
  /// As for linear: the standard deviation of a mean cost.
  double spread = 0.3;
  /// The standard deviation about it.
  double noise = 0.2;
  /// What is added to every mean cost.
  double mean = 1;
};

namespace problems {

/// Ways through a town: linear costs of the links on the flow() of one unit from corner to corner
/// of a grid, capacities 1. With links both ways there are cycles, which cost and lead nowhere.
[[nodiscard]] std::unique_ptr<Problem> road_grid(const RoadGridOptions& options, ProblemSeed seed);

}  // namespace problems

/// Options of routing.
struct RoutingOptions {
  /// A CSV file of directed links with the columns from, to, ospf_weight and capacity_kbps.
  std::string edges = {};
  /// A CSV file of traffic: a column "a-b" for each pair of nodes, a row a round; a first column
  /// named time is passed over.
  std::string demand = {};
  /// Over how many paths a demand is split, if there are so many; 2 or more.
  std::size_t paths = 4;
  /// How many demands are split, the largest by their mean; the others go their shortest path.
  std::size_t demands = 20;
  /// How many kbit/s the number 1 stands for in the file of traffic; the default is 100 bytes in 5
  /// minutes, the unit of the Abilene traffic matrices.
  double unit = 8.0 / 3000;
};

namespace problems {

/// Split traffic over paths: f_t(x) is the utilisation of the fullest link, max over links l of
/// (what goes over l in round t) / capacity_l, where the share x_j of its demand takes path j. The
/// paths of a demand are the shortest by ospf_weight that visit no node twice. The set is a product
/// of simplices, one a demand, the largest demand first. Convex and piecewise linear; rounds are
/// the rows of the file. Throws InputError with file, line and column for data that makes no sense.
[[nodiscard]] std::unique_ptr<Problem> routing(const RoutingOptions& options);

}  // namespace problems

/// Options of latency.
struct LatencyOptions {
  /// A CSV file with the columns i, j (names of nodes) and rtt_ms, each pair of nodes once.
  std::string file = {};
  /// How many nodes are drawn from it.
  std::size_t nodes = 60;
  /// The radius of the set, as a share of the trace norm of N.
  double share = 0.5;
};

namespace problems {

/// Complete a matrix of network latencies: f_t(X) = mean over the seen entries of 1/2 (X - N)_ij^2,
/// N the round trip times between nodes that the seed draws, in units of their 99 % quantile and
/// cut off there, 0 on the diagonal. Each round exactly half of the entries (rounded down) are
/// seen, every half as likely as any other. The set is symmetric_nuclear_ball(nodes, share * the
/// trace norm of N). Throws InputError with file, line and column for data that makes no sense.
[[nodiscard]] std::unique_ptr<Problem> latency(const LatencyOptions& options, ProblemSeed seed);

}  // namespace problems

/// Which set portfolios are chosen from.
enum class PortfolioRegion {
  /// The shares themselves: simplex(n).
  simplex,
  /// The paper's {-1 <= y_i <= 2n - 1, sum y <= n} with the shares x = (y + 1) / 2n, which may add
  /// up to less than 1 (the rest is lost); centred at y = 0.
  enlarged,
};

/// Options of portfolio.
struct PortfolioOptions {
  /// The set.
  PortfolioRegion region = PortfolioRegion::simplex;
  /// A CSV file of closing prices, wide (a date and a column a ticker) or long (date, close, Name
  /// among its columns); "synthetic" or empty for the synthetic market.
  std::string prices = {};
  /// Whether the file holds price relatives (close / previous close) rather than prices.
  bool relatives = false;
  /// The first day, as written in the file or the beginning of it (2013-02); empty for all.
  std::string from = {};
  /// The last day, likewise.
  std::string to = {};
  /// How many tickers are drawn by the seed; 0 for all of the file (100 of the synthetic market).
  std::size_t n = 0;
  /// Names of tickers, instead of drawing.
  std::vector<std::string> tickers = {};
};

namespace problems {

/// f_t(x) = -log w with the wealth w = r_t . x that a day leaves of 1, r_t the price relatives
/// (close / close before) of day t, x the shares. Below w_0 = 1/2n, or the smallest relative of the
/// file if that is less, the loss goes on along its tangent, -log w_0 + (w_0 - w)/w_0: still
/// convex, and finite where nothing is left. No play on the simplex falls below. See
/// docs/portfolio.md for the files and for the synthetic market. Throws InputError with file, line
/// and column for data that makes no sense.
[[nodiscard]] std::unique_ptr<Problem> portfolio(const PortfolioOptions& options, ProblemSeed seed);

}  // namespace problems

/// Options of lognormal_market.
struct LognormalMarketOptions {
  /// The number of stocks.
  std::size_t n = 20;
};

namespace problems {

/// f_t(x) = -log(r_t . x) on simplex(n) with made-up relatives r_ti = exp(drift_i + 0.01 z_t + 0.02
/// z_ti - 0.0002), z normal, drift_i = 0.0005 z_i but for one stock of the seed's choice, whose
/// drift is 0.01: the best portfolio is that stock alone.
[[nodiscard]] std::unique_ptr<Problem> lognormal_market(const LognormalMarketOptions& options,
                                                        ProblemSeed seed);

}  // namespace problems

/// How the level of what is told moves: what is added for all points alike.
enum class LossLevel {
  /// It stays.
  none,
  /// It rises by `size` in `period` rounds, and stays there.
  trend,
  /// size sin(2 pi t / period).
  season,
  /// Uniform on [-size, size]; drawn again every `period` rounds.
  jumps,
  /// A random walk: a normal step a round, which add up to a standard deviation of `size` in
  /// `period` rounds.
  walk,
};

/// What a player is told of a loss f.
enum class Outcomes {
  /// f.
  losses,
  /// 1 with probability f, else 0. Losses are scaled so that f is `rate` at the centre.
  clicks,
  /// f, and a large loss in some rounds: see ObservedOptions::large.
  disasters,
};

/// Options of observed.
struct ObservedOptions {
  /// The standard deviation of the noise that is added to what is told, the same for all plays of a
  /// round.
  double noise = 0;
  /// The law of this noise.
  Tails tails = Tails::normal;
  /// How the level moves.
  LossLevel level = LossLevel::none;
  /// How far, in units of `noise`; of a trend, below 0 if it falls.
  double size = 10;
  /// In how many rounds.
  std::uint64_t period = 1000;
  /// What is told.
  Outcomes outcomes = Outcomes::losses;
  /// How often there is a click at the centre, or a disaster.
  double rate = 0.05;
  /// A disaster adds `large` (1 + d) times the loss at the centre, where d = a . (x - p) / R is
  /// from -1 to 1 along a direction a that is drawn once. Other rounds are told as much less as
  /// makes the mean f: they say that a is a good way to go, and it is not.
  double large = 30;
};

namespace problems {

/// The losses of a problem, seen as in the world: what is told has noise, a level that moves, or is
/// a rare event. Regret is that of the problem itself, which has none of these.
[[nodiscard]] std::unique_ptr<Problem> observed(std::unique_ptr<Problem> problem,
                                                const ObservedOptions& options, ProblemSeed seed);

}  // namespace problems

using problems::quadratic, problems::completion, problems::tracking, problems::separable,
    problems::contextual, problems::regression, problems::linear, problems::alternating,
    problems::replay, problems::max_affine, problems::curved, problems::thin, problems::road_grid,
    problems::routing, problems::latency, problems::portfolio, problems::lognormal_market,
    problems::observed;

}  // namespace keyhole
#pragma GCC visibility pop
