#include "problems/option_lists.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

/// A problem that a function makes of a struct of options and the seed.
template <class Options, class Make>
Entry with(const std::string& name, const std::string& summary,
           const std::vector<std::string>& capabilities, Make make) {
  return {name, summary, capabilities, with_options<Options>(),
          [make](const Arguments& given, const ProblemContext& context) {
            return make(given.options<Options>(), context.seed);
          }};
}

/// The same of a problem on a set, which is the first parameter.
template <class Options, class Make>
Entry on_set(const std::string& name, const std::string& summary, Make make) {
  return {name,
          summary,
          {"drawn from the seed"},
          with_options<Options>({{"set", Type::set, "the set"}}),
          [make](const Arguments& given, const ProblemContext& context) {
            return make(given.set("set"), given.options<Options>(), context.seed);
          }};
}

std::unique_ptr<Problem> build_linear(const Arguments& given, const ProblemContext& context) {
  if (!given.has("file")) {
    return linear(given.set("set"), given.options<LinearOptions>(), context.seed);
  }
  for (const Parameter& synthetic : with_options<LinearOptions>()) {
    if (given.has(synthetic.name)) {
      given.refuse(synthetic.name, "is for synthetic costs, and there is a file");
    }
  }
  return linear(given.set("set"), given.file("file"));
}

}  // namespace

std::vector<Entry> problem_entries() {
  const std::vector<std::string> seeded = {"drawn from the seed"};
  const std::vector<std::string> logged = {"read from a file"};
  const std::vector<std::string> both = {"read from a file", "drawn from the seed"};
  return {
      with<QuadraticOptions>(
          "quadratic",
          "the paper's quadratic programming: 1/2 ||G_t x||^2 + w_t . x on a random polytope",
          seeded, quadratic),
      with<PortfolioOptions>(
          "portfolio", "the growth of a portfolio: -log(r_t . x), r_t the price relatives of day t",
          both, portfolio),
      with<CompletionOptions>(
          "completion",
          "the paper's matrix completion: 1/2 sum of (X - N_t' N_t)_ij^2 over the entries seen",
          seeded, completion),
      on_set<TrackingOptions>(
          "tracking", "follow a target that jitters: 1/2 ||x - theta_t||^2 + offset + noise",
          tracking),
      on_set<SeparableOptions>(
          "separable", "sums over coordinates: |x_i - c_i|^power / power, with noise", separable),
      with<ContextualOptions>("contextual",
                              "what is best depends on what is known: segments, loads, weekdays",
                              seeded, contextual),
      on_set<RegressionOptions>(
          "regression", "least squares, a sample a round: 1/2 (a_t . x - b_t)^2", regression),
      {"linear", "costs that are linear: c_t . x, from a file or drawn", both,
       with_options<LinearOptions>({{"set", Type::set, "the set"},
                                    Parameter{"file", Type::text, "a CSV file of cost vectors"}
                                        .or_else("costs are drawn")}),
       build_linear},
      on_set<AlternatingOptions>("alternating",
                                 "costs that swing: +-offset + (mu +- h) . x, the signs in turn",
                                 alternating),
      on_set<MaxAffineOptions>("max_affine",
                               "kinks that tie coordinates: max of affine functions, with noise",
                               max_affine),
      on_set<CurvedOptions>(
          "curved", "different curvatures: 1/2 (x - theta)' H (x - theta), with noise", curved),
      with<ThinOptions>("thin", "sets that are thin in directions that no coordinate shows", seeded,
                        thin),
      with<RoadGridOptions>("road_grid", "costs of the links of a grid of roads, from end to end",
                            seeded, road_grid),
      with<LognormalMarketOptions>(
          "lognormal_market", "the growth of a portfolio in a made-up market with one good stock",
          seeded, lognormal_market),
      with<RoutingOptions>(
          "routing", "traffic split over paths: the utilisation of the fullest link", logged,
          [](const RoutingOptions& options, ProblemSeed /*seed*/) { return routing(options); }),
      with<LatencyOptions>(
          "latency",
          "completion of a matrix of round trip times: mean of 1/2 (X - N)_ij^2 over entries seen",
          both, latency),
      {"replay",
       "logged losses of every alternative, mixtures of which are played",
       logged,
       {{"file", Type::text, "a CSV file of losses, a column an alternative"},
        Parameter{"set", Type::set, "the set"}.or_else("simplex(n)")},
       [](const Arguments& given, const ProblemContext& /*context*/) {
         return replay(given.file("file"), given.set("set"));
       }},
      {"observed", "a problem seen as in the world: noise, levels that move, rare events", both,
       with_options<ObservedOptions>({{"problem", Type::problem, "whose losses are seen"}}),
       [](const Arguments& given, const ProblemContext& context) {
         return observed(given.problem("problem", context), given.options<ObservedOptions>(),
                         context.seed);
       }},
  };
}

}  // namespace keyhole::spec
