// The table says what is accepted, and what is accepted is in the table.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/number_text.h"
#include "keyhole/keyhole.h"
#include "spec/syntax.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using base::number_text;
using Entry = SpecEntry;
using Type = ParameterType;

const AlgorithmContext context = {
    .set = ball(2), .loss_bound = 1, .gradient_bound = 1, .horizon = 100};

/// A value for a parameter.
std::string value_for(const Parameter& parameter) {
  switch (parameter.type) {
    case Type::number:
    case Type::coordinates:
      if (parameter.name == "lower") return "0";
      if (parameter.name == "p") return "2";
      if (parameter.name == "discount") return "0.5";
      return parameter.name == "upper" ? "2" : "1";
    case Type::whole:
      return parameter.name == "k" ? "1" : "2";  // of two coordinates one
    case Type::numbers: {
      if (parameter.name == "centre") return "[0, 0]";
      if (parameter.name == "groups") return "[0, 1]";
      if (parameter.name == "distribution") return "[0.5, 0.5]";
      const std::string item =
          number_text(std::clamp(1.0, parameter.range.low, parameter.range.high));
      return "[" + item + ", " + item + "]";
    }
    case Type::rows:
      return parameter.name == "relations" ? "[[0, 1]]" : "[[1, 0], [0, 1]]";
    case Type::set:
    case Type::sets:
      return "ball(2)";
    case Type::learner:
      return "projection_free";
    case Type::problem:
      return "tracking(ball(2))";
    case Type::text:
      return "file.csv";
    default:
      return parameter.default_value;  // not required anywhere
  }
}

/// A spec with one argument of choice, and otherwise with those that are required.
std::string call(const Entry& entry, const std::string& name = "", const std::string& value = "") {
  std::string arguments;
  for (const Parameter& parameter : entry.parameters) {
    const bool chosen = parameter.name == name;
    const bool of_bounds = entry.parameters.front().name == "lower" && parameter.name == "n";
    if (!chosen && !of_bounds && parameter.absent != Absent::refused) continue;
    arguments += (arguments.empty() ? "" : ", ") + parameter.name + "=" +
                 (chosen ? value : value_for(parameter));
  }
  return entry.name + "(" + arguments + ")";
}

/// Checks the arguments alone: nothing is built.
void check(const Entry& entry, const std::string& text) {
  (void)spec::arguments_of(Catalogue::standard(), entry, spec::parse(text), text);
}

std::string built(const Entry& entry, const std::string& text) {
  if (entry.kind() == SpecKind::set) return make_set(text)->spec();
  return std::visit([](const auto& algorithm) { return algorithm->spec(); },
                    make_algorithm(text, context));
}

TEST(SpecTable, EverythingIsExplained) {
  std::set<std::string> names;
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is there twice";
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_FALSE(entry.capabilities.empty()) << entry.name;
    EXPECT_EQ(entry.family.empty(), entry.kind() != SpecKind::set) << entry.name;
    bool optional = false;
    std::set<std::string> keys;
    for (const Parameter& parameter : entry.parameters) {
      const std::string name = entry.name + "." + parameter.name;
      EXPECT_TRUE(keys.insert(parameter.name).second) << name << " is there twice";
      EXPECT_FALSE(parameter.meaning.empty()) << name;
      EXPECT_FALSE(parameter.type_text().empty()) << name;
      EXPECT_LE(parameter.meaning.size(), 60u) << name;
      EXPECT_FALSE(parameter.default_value.empty() && optional)
          << name << " is required after one that is not";
      optional = !parameter.default_value.empty();
    }
  }
  EXPECT_TRUE(
      std::is_sorted(Catalogue::standard().entries().begin(), Catalogue::standard().entries().end(),
                     [](const SpecEntry& a, const SpecEntry& b) { return a.kind() < b.kind(); }));
}

TEST(SpecTable, Signatures) {
  std::map<std::string, std::string> signatures;
  for (const SpecEntry& entry : Catalogue::standard().entries())
    signatures[entry.name] = signature(entry);
  EXPECT_EQ(signatures["nuclear_ball"],
            "nuclear_ball(m, n, radius=1, certified=false, residual=1e-10)");
  EXPECT_EQ(signatures["stay"], "stay()");
  EXPECT_EQ(signatures["product"], "product(sets...)");
  EXPECT_EQ(signatures["ogd"], "ogd(gradient_bound=the problem's, start=the centre)");
}

TEST(SpecTable, EveryFactoryHasAnEntry) {
  const auto names_in = [](const std::string& header, const std::string& type) {
    std::ifstream file(KEYHOLE_SOURCE_DIR "/include/keyhole/" + header);
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::regex declaration("\\n\\[\\[nodiscard\\]\\] " + type + "\\s+(\\w+)\\(");
    std::set<std::string> names;
    for (std::sregex_iterator match(all.begin(), all.end(), declaration), end; match != end;
         ++match) {
      names.insert((*match)[1]);
    }
    EXPECT_FALSE(names.empty()) << header;
    return names;
  };
  const auto table_of = [](SpecKind kind) {
    std::set<std::string> names;
    for (const SpecEntry& entry : Catalogue::standard().entries()) {
      if (entry.kind() == kind) names.insert(entry.name);
    }
    return names;
  };
  std::set<std::string> sets = names_in("sets.h", "SetPtr");
  sets.merge(names_in("polytope.h", "SetPtr"));
  sets.merge(names_in("graphs.h", "SetPtr"));
  sets.merge(names_in("norm_balls.h", "SetPtr"));
  sets.merge(names_in("choices.h", "SetPtr"));
  // Specs name the matroid and say whether its bases are meant.
  std::set<std::string> of_matroids = names_in("matroids.h", "(?:SetPtr|MatroidPtr)");
  for (const char* const name : {"matroid_bases", "independent_sets", "matroid_of_rank"}) {
    EXPECT_EQ(of_matroids.erase(name), 1u) << name;
  }
  // And the function, not its base polytope.
  EXPECT_EQ(of_matroids.erase("submodular_bases"), 1u);
  of_matroids.insert({"cut_bases", "coverage_bases"});
  sets.merge(of_matroids);
  sets.merge(names_in("spectral_sets.h", "SetPtr"));
  EXPECT_EQ(sets, table_of(SpecKind::set));
  std::set<std::string> learners;
  for (const char* const header : {"algorithms.h", "gradient_algorithms.h"}) {
    learners.merge(names_in(header, "std::unique_ptr<\\w*Algorithm>"));
  }
  EXPECT_EQ(learners, table_of(SpecKind::learner));
  EXPECT_EQ(names_in("problems.h", "std::unique_ptr<Problem>"), table_of(SpecKind::problem));
}

TEST(SpecTable, RangesHoldAtBothEnds) {
  std::size_t ranges = 0;
  for (const Entry& entry : Catalogue::standard().entries()) {
    for (const Parameter& parameter : entry.parameters) {
      if (parameter.range.text().empty()) continue;
      ++ranges;
      const bool whole = parameter.type == Type::whole;
      const auto text = [&](double number) {
        const std::string value = number_text(number);
        const bool is_list = parameter.type == Type::numbers || parameter.type == Type::rows;
        const std::string item = parameter.type == Type::rows ? "[" + value + "]" : value;
        return call(entry, parameter.name, is_list ? "[" + item + "]" : value);
      };
      const auto [low, high, nonzero] = parameter.range;
      for (const double inside : {low, high}) {
        EXPECT_NO_THROW(check(entry, text(inside))) << text(inside);
      }
      std::vector<double> outside = {
          whole ? low - 1 : std::nextafter(low, -HUGE_VAL),
          whole && high < 0x1p53 ? high + 1 : std::nextafter(high, HUGE_VAL), -HUGE_VAL, HUGE_VAL};
      if (nonzero) outside.insert(outside.end(), {0.0, -1e-51});
      for (const double number : outside) {
        if (parameter.range.holds(number)) continue;  // inf, which is the end of some
        const std::string refusal = message<SpecError>([&] { check(entry, text(number)); });
        const bool no_whole = whole && std::isinf(number);
        const std::string expected =
            no_whole ? " must be a whole number" : " must be from " + parameter.range.text();
        EXPECT_NE(refusal.find(expected), std::string::npos) << text(number) << ": " << refusal;
        EXPECT_NE(refusal.find(": " + parameter.name), std::string::npos) << refusal;
      }
    }
  }
  EXPECT_GT(ranges, 40u);
}

TEST(SpecTable, TypesAreChecked) {
  for (const Entry& entry : Catalogue::standard().entries()) {
    for (const Parameter& parameter : entry.parameters) {
      const bool takes_words = parameter.type == Type::text || parameter.type == Type::set ||
                               parameter.type == Type::sets || parameter.type == Type::learner ||
                               parameter.type == Type::problem;
      for (const std::string wrong : {"[[x]]", takes_words ? "[]" : "nonsense"}) {
        const std::string text = call(entry, parameter.name, wrong);
        const std::string refusal = message<SpecError>([&] { check(entry, text); });
        EXPECT_NE(refusal.find(" must be " + parameter.demand() + ", not " + wrong),
                  std::string::npos)
            << refusal;
      }
    }
  }
}

TEST(SpecTable, DefaultsAreAcceptedAndMeanTheSame) {
  for (const Entry& entry : Catalogue::standard().entries()) {
    for (const Parameter& parameter : entry.parameters) {
      if (parameter.absent != Absent::has_value) continue;
      const std::string text = call(entry, parameter.name, parameter.default_value);
      EXPECT_NO_THROW(check(entry, text)) << text;
      // Unbounded without bounds, a source that is the sink, rows that are too short, a single
      // tree.
      const bool empty = entry.name == "polytope" || entry.name == "flow" ||
                         entry.name == "multicommodity_flow" || entry.name == "arborescences";
      if (entry.kind() != SpecKind::problem && !empty) {
        EXPECT_EQ(built(entry, text), built(entry, call(entry))) << text;
      }
    }
  }
}

const Parameter& parameter(const std::string& entry, const std::string& name) {
  for (const Entry& candidate : Catalogue::standard().entries()) {
    for (const Parameter& found : candidate.parameters) {
      if (candidate.name == entry && found.name == name) return found;
    }
  }
  throw std::out_of_range(entry + "." + name);
}

TEST(SpecTable, DefaultsAreThoseOfTheLibrary) {
  for (const SetPtr& set : {ball(3), solid_simplex(3), simplex(3), symmetric_nuclear_ball(3),
                            psd_trace_ball(3), nuclear_ball(3, 3), l1_ball(3)}) {
    EXPECT_EQ(make_set(set->spec())->spec(), set->spec());
  }
  const auto of = [](const std::string& text) {
    return std::visit([](const auto& algorithm) { return algorithm->spec(); },
                      make_algorithm(text, context));
  };
  const SetPtr& set = context.set;
  EXPECT_EQ(of("parameter_free"), parameter_free(set)->spec());
  EXPECT_EQ(of("posterior"), posterior(set)->spec());
  EXPECT_EQ(of("face"), face(set)->spec());
  EXPECT_EQ(of("linear_thompson"), linear_thompson(set)->spec());
  EXPECT_EQ(of("spsa"), spsa(set)->spec());
  EXPECT_EQ(of("cma_es"), cma_es(set)->spec());
  EXPECT_EQ(of("projection_free"), projection_free(set, {.loss_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("unregularized"), unregularized(set, {.loss_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("fkm"), fkm(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("bbcg"), bbcg(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("two_point"), two_point(set, {.gradient_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("ogd"), ogd(set, {.gradient_bound = 1})->spec());
  EXPECT_EQ(of("ocg"), ocg(set, {.gradient_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("one_shot"), one_shot(set)->spec());
  EXPECT_EQ(of("stochastic_ocg"),
            stochastic_ocg(set, {.gradient_bound = 1, .horizon = 100})->spec());
  EXPECT_EQ(of("fed_constant(fkm)"),
            fed_constant(fkm(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = 100}))->spec());

  const auto number = [](const std::string& entry, const std::string& name) {
    return spec::parse_value(parameter(entry, name).default_value).number;
  };
  for (const std::string name :
       {"nuclear_ball", "symmetric_nuclear_ball", "psd_trace_ball", "spectraplex"}) {
    EXPECT_EQ(number(name, "residual"), MatrixOracleOptions{}.residual);
    EXPECT_EQ(parameter(name, "certified").default_value, "false");
  }
  EXPECT_EQ(number("quadratic", "n"), static_cast<double>(QuadraticOptions{}.n));
  EXPECT_EQ(number("quadratic", "rows"), static_cast<double>(QuadraticOptions{}.rows));
  EXPECT_EQ(number("completion", "n"), static_cast<double>(CompletionOptions{}.n));
  EXPECT_EQ(number("completion", "k"), static_cast<double>(CompletionOptions{}.k));
  EXPECT_EQ(CompletionOptions{}.region, MatrixRegion::nuclear);
  EXPECT_EQ(parameter("completion", "region").default_value, "nuclear");
  EXPECT_EQ(number("tracking", "distance"), TrackingOptions{}.distance);
  EXPECT_EQ(number("tracking", "jitter"), TrackingOptions{}.jitter);
  EXPECT_EQ(number("tracking", "offset"), TrackingOptions{}.offset);
  EXPECT_EQ(number("tracking", "noise"), TrackingOptions{}.noise);
  EXPECT_EQ(number("tracking", "flip"), static_cast<double>(TrackingOptions{}.flip));
  EXPECT_EQ(TrackingOptions{}.tails, Tails::normal);
  EXPECT_EQ(parameter("tracking", "tails").default_value, "normal");
  EXPECT_EQ(number("separable", "power"), SeparableOptions{}.power);
  EXPECT_EQ(number("separable", "inner"), SeparableOptions{}.inner);
  EXPECT_EQ(number("separable", "noise"), SeparableOptions{}.noise);
  EXPECT_FALSE(SeparableOptions{}.corners || SeparableOptions{}.scaled);
  EXPECT_EQ(parameter("separable", "corners").default_value, "false");
  EXPECT_EQ(parameter("separable", "scaled").default_value, "false");
  EXPECT_EQ(number("contextual", "noise"), ContextualOptions{}.noise);
  EXPECT_EQ(number("contextual", "numbers"), static_cast<double>(ContextualOptions{}.numbers));
  EXPECT_EQ(parameter("contextual", "scene").default_value, "prices");
  EXPECT_EQ(number("regression", "noise"), RegressionOptions{}.noise);
  EXPECT_EQ(number("alternating", "offset"), AlternatingOptions{}.offset);
  EXPECT_EQ(number("alternating", "spread"), AlternatingOptions{}.spread);
  EXPECT_EQ(number("alternating", "swing"), AlternatingOptions{}.swing);
  EXPECT_EQ(number("max_affine", "slope"), MaxAffineOptions{}.slope);
  EXPECT_EQ(number("max_affine", "pieces"), static_cast<double>(MaxAffineOptions{}.pieces));
  EXPECT_EQ(number("max_affine", "distance"), MaxAffineOptions{}.distance);
  EXPECT_EQ(parameter("max_affine", "kinks").default_value, "coordinates");
  EXPECT_EQ(number("curved", "condition"), CurvedOptions{}.condition);
  EXPECT_EQ(number("curved", "distance"), CurvedOptions{}.distance);
  EXPECT_EQ(parameter("curved", "axes").default_value, "rotated");
  EXPECT_EQ(number("thin", "thinness"), ThinOptions{}.thinness);
  EXPECT_EQ(parameter("thin", "rotated").default_value, "true");
  EXPECT_EQ(number("road_grid", "mean"), RoadGridOptions{}.mean);
  EXPECT_EQ(number("lognormal_market", "n"), static_cast<double>(LognormalMarketOptions{}.n));
  EXPECT_EQ(number("routing", "paths"), static_cast<double>(RoutingOptions{}.paths));
  EXPECT_EQ(number("routing", "demands"), static_cast<double>(RoutingOptions{}.demands));
  EXPECT_EQ(number("routing", "unit"), RoutingOptions{}.unit);
  EXPECT_EQ(number("latency", "nodes"), static_cast<double>(LatencyOptions{}.nodes));
  EXPECT_EQ(number("latency", "share"), LatencyOptions{}.share);
  EXPECT_EQ(number("linear", "mean"), LinearOptions{}.mean);
  EXPECT_EQ(number("linear", "spread"), LinearOptions{}.spread);
  EXPECT_EQ(number("linear", "noise"), LinearOptions{}.noise);
  EXPECT_EQ(number("linear", "flip"), static_cast<double>(LinearOptions{}.flip));
  EXPECT_EQ(number("portfolio", "n"), static_cast<double>(PortfolioOptions{}.n));
  EXPECT_EQ(PortfolioOptions{}.region, PortfolioRegion::simplex);
  EXPECT_EQ(parameter("portfolio", "region").default_value, "simplex");
  EXPECT_EQ(PortfolioOptions{}.relatives, false);
  EXPECT_EQ(parameter("portfolio", "relatives").default_value, "false");
}

TEST(SpecTable, TheContextIsADefault) {
  const auto of = [](const std::string& text, const AlgorithmContext& given) {
    return std::visit([](const auto& algorithm) { return algorithm->spec(); },
                      make_algorithm(text, given));
  };
  const AlgorithmContext given = {
      .set = ball(2), .loss_bound = 3, .gradient_bound = 4, .horizon = 50};
  EXPECT_EQ(of("fkm", given), "fkm(loss_bound=3, gradient_bound=4, horizon=50)");
  EXPECT_EQ(of("fkm(loss_bound=5, horizon=6)", given),
            "fkm(loss_bound=5, gradient_bound=4, horizon=6)");
  EXPECT_EQ(of("fkm(5, 7)", given), "fkm(loss_bound=5, gradient_bound=7, horizon=50)");
  EXPECT_EQ(of("anytime(projection_free)", given), "anytime(projection_free(loss_bound=3, c=0.5))");
  EXPECT_EQ(of("anytime(ocg)", given), "anytime(ocg(gradient_bound=4))");
  EXPECT_EQ(of("restarting(fkm, every=7)", given),
            "restarting(fkm(loss_bound=3, gradient_bound=4), every=7)");
  EXPECT_EQ(of("watchful(anytime(fkm))", given),
            "watchful(anytime(fkm(loss_bound=3, gradient_bound=4)))");
  EXPECT_EQ(of("levelled(anytime(fkm), [\"number\"])", given),
            "levelled(anytime(fkm(loss_bound=9, gradient_bound=4)), contexts=[\"number\"])");
  EXPECT_EQ(of("anchored(fkm, 3)", given),
            "anchored(fkm(loss_bound=3, gradient_bound=4, horizon=50), anchors=3)");
  EXPECT_EQ(of("fed_constant(anytime(fkm), 0.25)", given),
            "fed_constant(anytime(fkm(loss_bound=3, gradient_bound=4)), value=0.25)");
  AlgorithmContext in_context = given;
  in_context.contexts = {"number", "cyclic"};
  EXPECT_EQ(of("posterior(contexts=[\"problem\"])", in_context),
            "posterior(contexts=[\"number\", \"cyclic\"])");
  EXPECT_EQ(of("posterior(contexts=[\"problem\"])", given), "posterior()");
  EXPECT_EQ(of("levelled(stay, [\"problem\"])", in_context),
            "levelled(stay(), contexts=[\"number\", \"cyclic\"])");
  // The bound of Theorem 1 needs G, which no text of projection_free shows.
  const auto with = make_algorithm("projection_free", given);
  EXPECT_TRUE(std::get<0>(with)->regret_bound(50).holds);
  const auto without =
      make_algorithm("projection_free", {.set = ball(2), .loss_bound = 3, .horizon = 50});
  EXPECT_FALSE(std::get<0>(without)->regret_bound(50).holds);
}

TEST(SpecTable, BuildersAreHeldToTheTable) {
  const std::string text = "ball(2)";
  const spec::Node call_of_ball = spec::parse(text);
  const Catalogue& all = Catalogue::standard();
  const Arguments arguments =
      spec::arguments_of(all, *all.find(SpecKind::set, "ball"), call_of_ball, text);
  EXPECT_THROW((void)arguments.number("weight"), std::logic_error);
  EXPECT_THROW((void)arguments.number("n"), std::logic_error);
  EXPECT_EQ(arguments.whole("n"), 2u);
  const std::string fkm_text = "fkm";
  const spec::Node call_of_fkm = spec::parse(fkm_text);
  const Arguments of_fkm =
      spec::arguments_of(all, *all.find(SpecKind::learner, "fkm"), call_of_fkm, fkm_text);
  EXPECT_THROW((void)of_fkm.number("c"), std::logic_error);
  EXPECT_EQ(of_fkm.optional_number("c"), std::nullopt);
}

}  // namespace
}  // namespace keyhole::tests
