#include "problems/option_lists.h"

namespace keyhole {
namespace {

using ranges::moderate;
using ranges::not_negative;
using ranges::positive;

/// Sums take n^2 numbers.
constexpr double most = 4096;

/// One that texts always name.
options::Option named(const char* key, const char* meaning, options::Range range = {}) {
  return {.key = key, .meaning = meaning, .range = range, .always = true};
}

options::Option flip(const char* meaning) { return {"flip", meaning, {0, ranges::rounds.high}}; }
options::Option stage(const char* meaning) { return {"stage", meaning, {0, ranges::rounds.high}}; }

void list_noise(OptionVisitor& visit, double& noise, Tails& tails, const char* key = "noise") {
  visit.number({key, "the standard deviation of what is added", not_negative}, noise);
  visit.choice({"tails", "the law of the noise"}, tails,
               {{"normal", Tails::normal},
                {"student", Tails::student},
                {"cauchy", Tails::cauchy},
                {"lognormal", Tails::lognormal}});
}

}  // namespace

void list_options(OptionVisitor& visit, QuadraticOptions& options) {
  visit.whole(named("n", "the number of coordinates", {1, most}), options.n);
  visit.whole(named("rows", "the number of inequalities", {0, most}), options.rows);
}

void list_options(OptionVisitor& visit, PortfolioOptions& options) {
  visit.choice(named("region", "the set"), options.region,
               {{"simplex", PortfolioRegion::simplex}, {"enlarged", PortfolioRegion::enlarged}});
  visit.file({"prices", "a CSV file of closing prices", {}, "a synthetic market"}, options.prices);
  visit.flag({"relatives", "whether the file holds price relatives"}, options.relatives);
  visit.text({"from", "the first day, as in the file", {}, "the file's first"}, options.from);
  visit.text({"to", "the last day, as in the file", {}, "the file's last"}, options.to);
  visit.whole({"n", "how many tickers are drawn, 0 for all", {0, 1e8}}, options.n);
  visit.texts({"tickers", "names of tickers, instead of drawing"}, options.tickers);
}

void list_options(OptionVisitor& visit, CompletionOptions& options) {
  visit.whole(named("n", "the number of rows and columns", {2, most}), options.n);
  visit.whole(named("k", "the rank of N_t' N_t, and the size of the set", {1, most}), options.k);
  visit.choice(named("region", "the set"), options.region,
               {{"nuclear", MatrixRegion::nuclear},
                {"symmetric", MatrixRegion::symmetric},
                {"psd", MatrixRegion::psd}});
}

void list_options(OptionVisitor& visit, TrackingOptions& options) {
  visit.number(named("distance", "of the target from the centre, in inner radii", not_negative),
               options.distance);
  visit.number(named("jitter", "of the target, in inner radii", not_negative), options.jitter);
  visit.number(named("offset", "what is added to every loss", moderate), options.offset);
  list_noise(visit, options.noise, options.tails);
  visit.whole(flip("rounds until the target changes sides, 0 for never"), options.flip);
  visit.whole(stage("rounds until the target moves anywhere, 0 for never"), options.stage);
}

void list_options(OptionVisitor& visit, SeparableOptions& options) {
  visit.whole(named("power", "1 for magnitudes, 2 for squares", {1, 2}), options.power);
  visit.number(named("inner", "how far the c_i spread, in half ranges", not_negative),
               options.inner);
  visit.flag({"corners", "whether the c_i are at the ends of that"}, options.corners);
  visit.flag({"scaled", "whether differences are in ranges of the set"}, options.scaled);
  visit.number({"steepness", "s of exp(s d) - s d, 0 for powers", {0, 500}}, options.steepness);
  visit.whole(
      {"turn", "rounds in which the c_i go round, 0 if they stay", {0, ranges::rounds.high}},
      options.turn);
  list_noise(visit, options.noise, options.tails);
}

void list_options(OptionVisitor& visit, ContextualOptions& options) {
  visit.choice(named("scene", "what it is about, and what is known"), options.scene,
               {{"prices", Scene::prices},
                {"loads", Scene::loads},
                {"hours", Scene::hours},
                {"weekdays", Scene::weekdays},
                {"routes", Scene::routes},
                {"targets", Scene::targets}});
  visit.number(named("noise", "the standard deviation of what is added", not_negative),
               options.noise);
  visit.whole({"change", "of prices: rounds until customers are others", {0, ranges::rounds.high}},
              options.change);
  visit.whole({"numbers", "of targets: how many numbers are known", {1, 1000}}, options.numbers);
  visit.whole({"moving", "of targets: how many of them move the point", {0, 1000}}, options.moving);
  visit.number({"shift", "of targets: what the first adds, times itself", moderate}, options.shift);
}

void list_options(OptionVisitor& visit, RegressionOptions& options) {
  visit.number(named("noise", "the standard deviation of b_t", not_negative), options.noise);
  visit.flag({"bounded", "whether a_t is uniform in the unit ball"}, options.bounded);
  visit.whole(stage("rounds until theta moves anywhere, 0 for never"), options.stage);
}

void list_options(OptionVisitor& visit, LinearOptions& options) {
  visit.number(named("spread", "the standard deviation of a mean cost", not_negative),
               options.spread);
  visit.number(named("noise", "the standard deviation about it", not_negative), options.noise);
  visit.number({"mean", "what is added to every mean cost", moderate}, options.mean);
  visit.whole(flip("rounds until mu is mirrored about the mean, 0 for never"), options.flip);
  visit.whole(stage("rounds until mu is drawn again, 0 for never"), options.stage);
  list_noise(visit, options.added, options.tails, "added");
}

void list_options(OptionVisitor& visit, AlternatingOptions& options) {
  visit.number(named("offset", "the magnitude of the constant", not_negative), options.offset);
  visit.number(named("spread", "the standard deviation of a mean cost", not_negative),
               options.spread);
  visit.number(named("swing", "the standard deviation of what alternates", not_negative),
               options.swing);
  visit.choice({"wave", "how it swings"}, options.wave,
               {{"signs", Wave::signs},
                {"cosine", Wave::cosine},
                {"square", Wave::square},
                {"coins", Wave::coins},
                {"walk", Wave::walk}});
  visit.whole({"period", "of cosines and square waves, in rounds", {2, 1e6}}, options.period);
}

void list_options(OptionVisitor& visit, MaxAffineOptions& options) {
  visit.choice(named("kinks", "the pieces"), options.kinks,
               {{"coordinates", Kinks::coordinates},
                {"growing", Kinks::growing},
                {"pair", Kinks::pair},
                {"drawn", Kinks::drawn}});
  visit.number(named("slope", "what is taken off for each unit of x", moderate), options.slope);
  visit.whole({"pieces", "how many a_k are drawn", {1, 10000}}, options.pieces);
  visit.number({"distance", "of theta from the centre, in inner radii", not_negative},
               options.distance);
  list_noise(visit, options.noise, options.tails);
}

void list_options(OptionVisitor& visit, CurvedOptions& options) {
  visit.choice(named("axes", "along what"), options.axes,
               {{"aligned", Axes::aligned}, {"rotated", Axes::rotated}, {"chain", Axes::chain}});
  visit.number(named("condition", "the largest curvature over the least", {1, 1e12}),
               options.condition);
  visit.number(named("distance", "of theta from the centre, in inner radii", not_negative),
               options.distance);
  list_noise(visit, options.noise, options.tails);
}

void list_options(OptionVisitor& visit, ThinOptions& options) {
  visit.whole(named("n", "the number of coordinates", {2, 1000}), options.n);
  visit.choice(
      named("region", "the set"), options.region,
      {{"box", ThinRegion::box}, {"ellipsoid", ThinRegion::ellipsoid}, {"band", ThinRegion::band}});
  visit.number(named("thinness", "of half of the directions", {1e-3, 1}), options.thinness);
  visit.flag({"rotated", "whether no coordinate is thin"}, options.rotated);
  visit.choice(named("losses", "which"), options.losses,
               {{"linear", ThinLosses::linear}, {"quadratic", ThinLosses::quadratic}});
  visit.number(named("noise", "that of the losses", not_negative), options.noise);
}

void list_options(OptionVisitor& visit, RoadGridOptions& options) {
  visit.whole(named("rows", "crossings from north to south", {2, 60}), options.rows);
  visit.whole(named("columns", "crossings from east to west", {2, 60}), options.columns);
  visit.flag({"two_way", "whether links go both ways"}, options.two_way);
  visit.number(named("spread", "the standard deviation of a mean cost", not_negative),
               options.spread);
  visit.number(named("noise", "the standard deviation about it", not_negative), options.noise);
  visit.number(named("mean", "what is added to every mean cost", moderate), options.mean);
}

void list_options(OptionVisitor& visit, LognormalMarketOptions& options) {
  visit.whole(named("n", "the number of stocks", {2, 100000}), options.n);
}

void list_options(OptionVisitor& visit, RoutingOptions& options) {
  visit.file(named("edges", "a CSV file of links"), options.edges);
  visit.file(named("demand", "a CSV file of traffic, a column a pair of nodes"), options.demand);
  visit.whole(named("paths", "over how many a demand is split", {2, 1000}), options.paths);
  visit.whole(named("demands", "how many, the largest, are split", {1, 100000}), options.demands);
  visit.number({"unit", "kbit/s that 1 is in the traffic", positive}, options.unit);
}

void list_options(OptionVisitor& visit, LatencyOptions& options) {
  visit.file(named("file", "a CSV file of round trip times, a row a pair"), options.file);
  visit.whole(named("nodes", "how many nodes are drawn", {2, most}), options.nodes);
  visit.number(named("share", "of N's trace norm, the radius", positive), options.share);
}

void list_options(OptionVisitor& visit, ObservedOptions& options) {
  list_noise(visit, options.noise, options.tails);
  visit.choice({"level", "how the level moves"}, options.level,
               {{"none", LossLevel::none},
                {"trend", LossLevel::trend},
                {"season", LossLevel::season},
                {"jumps", LossLevel::jumps},
                {"walk", LossLevel::walk}});
  visit.number({"size", "how far, in units of the noise", moderate}, options.size);
  visit.whole({"period", "in how many rounds", {1, 1e9}}, options.period);
  visit.choice({"outcomes", "what is told"}, options.outcomes,
               {{"losses", Outcomes::losses},
                {"clicks", Outcomes::clicks},
                {"disasters", Outcomes::disasters}});
  visit.number({"rate", "of clicks at the centre, or of disasters", {1e-6, 1}}, options.rate);
  visit.number({"large", "a disaster, in losses of the centre", positive}, options.large);
}

}  // namespace keyhole
