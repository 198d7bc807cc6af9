#include <filesystem>

#include "keyhole/problems.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

/// What the problems themselves accept for their orders.
constexpr Range orders = {1, 4096};

/// The name of a file as it can be opened; empty if none was given.
std::string file(const Arguments& given, const char* name, const ProblemContext& context) {
  const std::string path = given.text(name);
  if (path.empty() || context.folder.empty()) return path;
  return (std::filesystem::path(context.folder) / path).string();  // an absolute path stays
}

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
                    .prices = file(given, "prices", context),
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
                  LinearOptions{.spread = given.number("spread"), .noise = given.number("noise")},
                  context.seed);
  }
  for (const char* const synthetic : {"spread", "noise"}) {
    if (given.has(synthetic)) {
      given.refuse(synthetic, "is for synthetic costs, and there is a file");
    }
  }
  return linear(given.set("set"), file(given, "file", context));
}

Parameter share(const char* name, const char* meaning, const char* otherwise) {
  return Parameter{name, Type::number, meaning, {}, {}, not_negative}.or_value(otherwise);
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
        Parameter{"relatives", Type::flag, "whether the file holds price relatives"}.or_value(
            "false"),
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
       "follow a target that jitters: 1/2 ||x - theta_t||^2 + offset",
       seeded,
       {{"set", Type::set, "the set"},
        share("distance", "of the target from the centre, in inner radii", "0.6"),
        share("jitter", "of the target, in inner radii", "0.3"),
        Parameter{"offset", Type::number, "what is added to every loss", {}, {}, moderate}.or_value(
            "0")},
       [](const Arguments& given, const ProblemContext& context) {
         return tracking(given.set("set"),
                         {.distance = given.number("distance"),
                          .jitter = given.number("jitter"),
                          .offset = given.number("offset")},
                         context.seed);
       }},
      {"linear",
       "costs that are linear: c_t . x, from a file or drawn",
       {"read from a file", "drawn from the seed"},
       {{"set", Type::set, "the set"},
        Parameter{"file", Type::text, "a CSV file of cost vectors"}.or_else("costs are drawn"),
        share("spread", "the standard deviation of a mean cost", "0.3"),
        share("noise", "the standard deviation about it", "0.2")},
       build_linear},
      {"replay",
       "logged losses of every alternative, mixtures of which are played",
       logged,
       {{"file", Type::text, "a CSV file of losses, a column an alternative"},
        Parameter{"set", Type::set, "the set"}.or_else("simplex(n)")},
       [](const Arguments& given, const ProblemContext& context) {
         return replay(file(given, "file", context), given.set("set"));
       }},
  };
}

}  // namespace keyhole::spec
