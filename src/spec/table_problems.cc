#include "base/number_text.h"
#include "keyhole/problems.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

/// What the problems themselves accept for their orders.
constexpr Range orders = {1, 4096};

std::unique_ptr<Problem> build_completion(const Arguments& given, const ProblemContext& context) {
  const std::string region = given.word("region");
  return completion({.n = given.whole("n"),
                     .k = given.whole("k"),
                     .region = region == "nuclear"     ? MatrixRegion::nuclear
                               : region == "symmetric" ? MatrixRegion::symmetric
                               : region == "psd"       ? MatrixRegion::psd
                                                       : MatrixRegion::as_published},
                    context.seed);
}

std::unique_ptr<Problem> build_portfolio(const Arguments& given, const ProblemContext& context) {
  return portfolio({.region = given.word("region") == "simplex" ? PortfolioRegion::simplex
                                                                : PortfolioRegion::enlarged,
                    .prices = given.file("prices"),
                    .relatives = given.flag("relatives"),
                    .from = given.text("from"),
                    .to = given.text("to"),
                    .n = given.whole("n"),
                    .tickers = given.texts("tickers")},
                   context.seed);
}

std::unique_ptr<Problem> build_linear(const Arguments& given, const ProblemContext& context) {
  if (!given.has("file")) {
    return linear(given.set("set"),
                  LinearOptions{.spread = given.number("spread"),
                                .noise = given.number("noise"),
                                .mean = given.number("mean"),
                                .flip = given.whole("flip")},
                  context.seed);
  }
  for (const char* const synthetic : {"spread", "noise", "mean", "flip"}) {
    if (given.has(synthetic)) {
      given.refuse(synthetic, "is for synthetic costs, and there is a file");
    }
  }
  return linear(given.set("set"), given.file("file"));
}

Parameter share(const char* name, const char* meaning, const char* otherwise) {
  return Parameter{name, Type::number, meaning, {}, {}, not_negative}.or_value(otherwise);
}

Parameter any_number(const char* name, const char* meaning, const char* otherwise) {
  return Parameter{name, Type::number, meaning, {}, {}, moderate}.or_value(otherwise);
}

Parameter flip(const char* meaning) {
  return Parameter{"flip", Type::whole, meaning, {}, {}, {0, most_rounds}}.or_value("0");
}

Parameter flag(const char* name, const char* meaning) {
  return Parameter{name, Type::flag, meaning}.or_value("false");
}

Parameter tails_parameter() {
  return Parameter{"tails", Type::word, "the law of the noise", {}, {}, {}, {"normal", "student"}}
      .or_value("normal");
}

Tails tails(const Arguments& given) {
  return given.word("tails") == "normal" ? Tails::normal : Tails::student;
}

Parameter day(const char* name, const char* meaning, const char* otherwise) {
  return Parameter{name, Type::text, meaning}.or_else(otherwise);
}

}  // namespace

std::vector<Entry> problem_entries() {
  const std::vector<std::string> seeded = {"drawn from the seed"};
  const std::vector<std::string> logged = {"read from a file"};
  return {
      {"quadratic",
       "the paper's quadratic programming: 1/2 ||G_t x||^2 + w_t . x on a random polytope",
       seeded,
       {Parameter{"n", Type::whole, "the number of coordinates", {}, {}, orders}.or_value("50"),
        Parameter{"rows", Type::whole, "the number of inequalities", {}, {}, {0, orders.high}}
            .or_value("8")},
       [](const Arguments& given, const ProblemContext& context) {
         return quadratic({.n = given.whole("n"), .rows = given.whole("rows")}, context.seed);
       }},
      {"portfolio",
       "the growth of a portfolio: -log(r_t . x), r_t the price relatives of day t",
       {"read from a file", "drawn from the seed"},
       {Parameter{"region", Type::word, "the set", {}, {}, {}, {"simplex", "enlarged"}}.or_value(
            "simplex"),
        Parameter{"prices", Type::text, "a CSV file of closing prices"}.or_else(
            "a synthetic market"),
        flag("relatives", "whether the file holds price relatives"),
        day("from", "the first day, as in the file", "the file's first"),
        day("to", "the last day, as in the file", "the file's last"),
        Parameter{"n",
                  Type::whole,
                  "how many tickers are drawn, 0 for all",
                  {},
                  {},
                  {0, most_coordinates}}
            .or_value("0"),
        Parameter{"tickers", Type::texts, "names of tickers, instead of drawing"}.or_value("[]")},
       build_portfolio},
      {"completion",
       "the paper's matrix completion: 1/2 sum of (X - N_t' N_t)_ij^2 over the entries seen",
       seeded,
       {Parameter{"n", Type::whole, "the number of rows and columns", {}, {}, {2, orders.high}}
            .or_value("20"),
        Parameter{"k", Type::whole, "the rank of N_t' N_t, and the size of the set", {}, {}, orders}
            .or_value("18"),
        Parameter{"region",
                  Type::word,
                  "the set",
                  {},
                  {},
                  {},
                  {"nuclear", "symmetric", "psd", "as_published"}}
            .or_value("nuclear")},
       build_completion},
      {"tracking",
       "follow a target that jitters: 1/2 ||x - theta_t||^2 + offset + noise",
       seeded,
       {{"set", Type::set, "the set"},
        share("distance", "of the target from the centre, in inner radii", "0.6"),
        share("jitter", "of the target, in inner radii", "0.3"),
        any_number("offset", "what is added to every loss", "0"),
        share("noise", "the standard deviation of what is added", "0"),
        tails_parameter(),
        flip("rounds until the target changes sides, 0 for never")},
       [](const Arguments& given, const ProblemContext& context) {
         return tracking(given.set("set"),
                         {.distance = given.number("distance"),
                          .jitter = given.number("jitter"),
                          .offset = given.number("offset"),
                          .noise = given.number("noise"),
                          .tails = tails(given),
                          .flip = given.whole("flip")},
                         context.seed);
       }},
      {"separable",
       "sums over coordinates: |x_i - c_i|^power / power, with noise",
       seeded,
       {{"set", Type::set, "the set"},
        Parameter{"power", Type::whole, "1 for magnitudes, 2 for squares", {}, {}, {1, 2}}.or_value(
            "1"),
        share("inner", "how far the c_i spread, in half ranges", "1"),
        flag("corners", "whether the c_i are at the ends of that"),
        flag("scaled", "whether differences are in ranges of the set"),
        share("noise", "the standard deviation of what is added", "0"),
        tails_parameter()},
       [](const Arguments& given, const ProblemContext& context) {
         return separable(given.set("set"),
                          {.power = static_cast<int>(given.whole("power")),
                           .inner = given.number("inner"),
                           .corners = given.flag("corners"),
                           .scaled = given.flag("scaled"),
                           .noise = given.number("noise"),
                           .tails = tails(given)},
                          context.seed);
       }},
      {"regression",
       "least squares, a sample a round: 1/2 (a_t . x - b_t)^2",
       seeded,
       {{"set", Type::set, "the set"}, share("noise", "the standard deviation of b_t", "0.3")},
       [](const Arguments& given, const ProblemContext& context) {
         return regression(given.set("set"), {.noise = given.number("noise")}, context.seed);
       }},
      {"linear",
       "costs that are linear: c_t . x, from a file or drawn",
       {"read from a file", "drawn from the seed"},
       {{"set", Type::set, "the set"},
        Parameter{"file", Type::text, "a CSV file of cost vectors"}.or_else("costs are drawn"),
        share("spread", "the standard deviation of a mean cost", "0.3"),
        share("noise", "the standard deviation about it", "0.2"),
        any_number("mean", "what is added to every mean cost", "0"),
        flip("rounds until mu is mirrored about the mean, 0 for never")},
       build_linear},
      {"alternating",
       "costs that swing: +-offset + (mu +- h) . x, the signs in turn",
       seeded,
       {{"set", Type::set, "the set"},
        share("offset", "the magnitude of the constant", "5"),
        share("spread", "the standard deviation of a mean cost", "0.2"),
        share("swing", "the standard deviation of what alternates", "1")},
       [](const Arguments& given, const ProblemContext& context) {
         return alternating(given.set("set"),
                            {.offset = given.number("offset"),
                             .spread = given.number("spread"),
                             .swing = given.number("swing")},
                            context.seed);
       }},
      {"lognormal_market",
       "the growth of a portfolio in a made-up market with one good stock",
       seeded,
       {Parameter{"n", Type::whole, "the number of stocks", {}, {}, {2, 100000}}.or_value("20")},
       [](const Arguments& given, const ProblemContext& context) {
         return lognormal_market({.n = given.whole("n")}, context.seed);
       }},
      {"routing",
       "traffic split over paths: the utilisation of the fullest link",
       logged,
       {{"edges", Type::text, "a CSV file of links"},
        {"demand", Type::text, "a CSV file of traffic, a column a pair of nodes"},
        Parameter{"paths", Type::whole, "over how many a demand is split", {}, {}, {2, 1000}}
            .or_value("4"),
        Parameter{"demands", Type::whole, "how many, the largest, are split", {}, {}, {1, 100000}}
            .or_value("20"),
        Parameter{"unit", Type::number, "kbit/s that 1 is in the traffic", {}, {}, positive}
            .or_value(base::number_text(RoutingOptions{}.unit))},
       [](const Arguments& given, const ProblemContext& /*context*/) {
         return routing({.edges = given.file("edges"),
                         .demand = given.file("demand"),
                         .paths = given.whole("paths"),
                         .demands = given.whole("demands"),
                         .unit = given.number("unit")});
       }},
      {"latency",
       "completion of a matrix of round trip times: mean of 1/2 (X - N)_ij^2 over entries seen",
       {"read from a file", "drawn from the seed"},
       {{"file", Type::text, "a CSV file of round trip times, a row a pair"},
        Parameter{"nodes", Type::whole, "how many nodes are drawn", {}, {}, {2, orders.high}}
            .or_value("60"),
        Parameter{"share", Type::number, "of N's trace norm, the radius", {}, {}, positive}
            .or_value("0.5")},
       [](const Arguments& given, const ProblemContext& context) {
         return latency({.file = given.file("file"),
                         .nodes = given.whole("nodes"),
                         .share = given.number("share")},
                        context.seed);
       }},
      {"replay",
       "logged losses of every alternative, mixtures of which are played",
       logged,
       {{"file", Type::text, "a CSV file of losses, a column an alternative"},
        Parameter{"set", Type::set, "the set"}.or_else("simplex(n)")},
       [](const Arguments& given, const ProblemContext& /*context*/) {
         return replay(given.file("file"), given.set("set"));
       }},
  };
}

}  // namespace keyhole::spec
