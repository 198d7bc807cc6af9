#include <cmath>
#include <utility>

#include "keyhole/bbcg.h"
#include "keyhole/controls.h"
#include "keyhole/drift.h"
#include "keyhole/gauge.h"
#include "keyhole/gradient_learners.h"
#include "keyhole/learners.h"
#include "keyhole/online_newton.h"
#include "keyhole/parameter_free.h"
#include "keyhole/two_point.h"
#include "learners/published.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

const char* const of_problem = "the problem's";

Parameter loss_bound() {
  return Parameter{"loss_bound", Type::number, "M, the largest magnitude of a loss",
                   {},           {},           positive}
      .or_else(of_problem);
}

Parameter gradient_bound() {
  return Parameter{"gradient_bound", Type::number, "G, the largest norm of a gradient", {}, {},
                   positive}
      .or_else(of_problem);
}

Parameter horizon() {
  return Parameter{"horizon", Type::whole, "T, the number of rounds; anytime chooses its own",
                   {},        {},          {1, most_rounds}}
      .or_else("the run's");
}

Parameter positive_number(const char* name, const char* meaning, const char* otherwise) {
  return Parameter{name, Type::number, meaning, {}, {}, positive}.or_else(otherwise);
}

Parameter not_negative_number(const char* name, const char* meaning, const char* otherwise) {
  return Parameter{name, Type::number, meaning, {}, {}, not_negative}.or_else(otherwise);
}

Parameter choice(const char* name, const char* meaning, std::vector<std::string> words) {
  const std::string first = words.front();
  return Parameter{name, Type::word, meaning, {}, {}, {}, std::move(words)}.or_value(first);
}

Parameter constants(std::vector<std::string> words) {
  return choice("constants", "which formulas", std::move(words));
}

Parameter eta() { return positive_number("eta", "overrides eta, for every T", "the formula"); }

Parameter start() {
  return Parameter{"start", Type::coordinates, "x_1, a point of the set", {}, {}, moderate}.or_else(
      "the centre");
}

Parameter inner_learner(const char* meaning) { return {"learner", Type::learner, meaning}; }

Parameter unsafe_no_shrink() {
  return Parameter{"unsafe_no_shrink", Type::flag, "plays may leave the set; in experiments only"}
      .or_value("false");
}

Parameter estimator_dimension() {
  return Parameter{
      "estimator_dimension", Type::whole, "the n of the estimator; in experiments only", {}, {},
      {1, most_coordinates}}
      .or_else("the dimension of the hull");
}

std::vector<Parameter> projection_free_parameters() {
  return {loss_bound(),
          gradient_bound(),
          horizon(),
          positive_number("c", "a length, delta = c T^(-1/5)", "r/2"),
          eta(),
          constants({"corrected", "as_published"}),
          start(),
          unsafe_no_shrink(),
          estimator_dimension()};
}

/// What only experiments may ask for.
algorithms::PublishedSetting published_setting(const Arguments& given,
                                               const AlgorithmContext& context) {
  const char* const why = "is for experiments only, which count the plays outside the set";
  if (!context.experiment && given.flag("unsafe_no_shrink")) given.refuse("unsafe_no_shrink", why);
  if (!context.experiment && given.has("estimator_dimension")) {
    given.refuse("estimator_dimension", why);
  }
  return {.unsafe_no_shrink = given.flag("unsafe_no_shrink"),
          .estimator_dimension = given.optional_whole("estimator_dimension")};
}

/// What the spec says, or the problem; a problem may say that it knows no bound.
std::optional<double> bound(const Arguments& given, const char* name,
                            const std::optional<double>& of_context) {
  if (given.has(name)) return given.optional_number(name);
  if (of_context && std::isfinite(*of_context)) return of_context;
  return std::nullopt;
}

double required_bound(const Arguments& given, const char* name,
                      const std::optional<double>& of_context) {
  const std::optional<double> value = bound(given, name, of_context);
  if (!value) {
    given.refuse(std::string(name) + " is missing, and the problem does not know it: write " +
                 name + "=1, or what it is");
  }
  return *value;
}

std::uint64_t rounds(const Arguments& given, const AlgorithmContext& context) {
  const auto value = given.has("horizon") ? given.optional_whole("horizon") : context.horizon;
  if (!value)
    given.refuse("horizon is missing: write horizon=1000, or wrap the learner in anytime");
  return *value;
}

ProjectionFreeOptions projection_free_options(const Arguments& given,
                                              const AlgorithmContext& context) {
  return {.loss_bound = required_bound(given, "loss_bound", context.loss_bound),
          .gradient_bound = bound(given, "gradient_bound", context.gradient_bound),
          .horizon = rounds(given, context),
          .c = given.optional_number("c"),
          .eta = given.optional_number("eta"),
          .constants = given.word("constants") == "corrected" ? Constants::corrected
                                                              : Constants::as_published,
          .start = given.coordinates("start", context.set->dimension())};
}

FkmOptions fkm_options(const Arguments& given, const AlgorithmContext& context) {
  return {
      .loss_bound = required_bound(given, "loss_bound", context.loss_bound),
      .gradient_bound = bound(given, "gradient_bound", context.gradient_bound),
      .horizon = rounds(given, context),
      .constants = given.word("constants") == "zhao" ? FkmConstants::zhao : FkmConstants::textbook,
      .c = given.optional_number("c"),
      .delta = given.optional_number("delta"),
      .eta = given.optional_number("eta"),
      .start = given.coordinates("start", context.set->dimension())};
}

BbcgOptions bbcg_options(const Arguments& given, const AlgorithmContext& context) {
  return {.loss_bound = required_bound(given, "loss_bound", context.loss_bound),
          .gradient_bound = bound(given, "gradient_bound", context.gradient_bound),
          .horizon = rounds(given, context),
          .strong_convexity = given.optional_number("strong_convexity"),
          .c = given.optional_number("c"),
          .eta = given.optional_number("eta"),
          .epsilon = given.optional_number("epsilon"),
          .start = given.coordinates("start", context.set->dimension())};
}

TwoPointOptions two_point_options(const Arguments& given, const AlgorithmContext& context) {
  return {.gradient_bound = required_bound(given, "gradient_bound", context.gradient_bound),
          .horizon = rounds(given, context),
          .step = given.word("step") == "gradient_descent" ? TwoPointStep::gradient_descent
                                                           : TwoPointStep::conditional_gradient,
          .delta = given.optional_number("delta"),
          .eta = given.optional_number("eta"),
          .pending_pairs = given.whole("pending_pairs"),
          .start = given.coordinates("start", context.set->dimension())};
}

GaugeOptions gauge_options(const Arguments& given, const AlgorithmContext& context) {
  return {.loss_bound = required_bound(given, "loss_bound", context.loss_bound),
          .gradient_bound = bound(given, "gradient_bound", context.gradient_bound),
          .horizon = rounds(given, context),
          .delta = given.optional_number("delta"),
          .eta = given.optional_number("eta"),
          .start = given.coordinates("start", context.set->dimension())};
}

OnlineNewtonOptions online_newton_options(const Arguments& given, const AlgorithmContext& context) {
  return {.gradient_bound = required_bound(given, "gradient_bound", context.gradient_bound),
          .horizon = rounds(given, context),
          .radius = given.optional_number("radius"),
          .eta = given.optional_number("eta"),
          .lambda = given.optional_number("lambda"),
          .penalty = given.number("penalty"),
          .start = given.coordinates("start", context.set->dimension())};
}

/// The algorithm as one that takes a horizon; null, and the algorithm left alone, if it does not.
template <class Kind>
std::unique_ptr<WithHorizon<Kind>> with_horizon(std::unique_ptr<Kind>& algorithm) {
  auto* const result = dynamic_cast<WithHorizon<Kind>*>(algorithm.get());
  if (result != nullptr) static_cast<void>(algorithm.release());  // it goes on as the result
  return std::unique_ptr<WithHorizon<Kind>>(result);
}

AnyAlgorithm build_anytime(const Arguments& given, const AlgorithmContext& context) {
  // The horizon of the run is not the inner one's: the first epoch has one round.
  AlgorithmContext inner_context = context;
  inner_context.horizon = 1;
  AnyAlgorithm inner = given.learner("learner", inner_context);
  return std::visit(
      [&](auto& algorithm) -> AnyAlgorithm {
        if (algorithm->rounds() == 1) {
          if (auto inside = with_horizon(algorithm)) return anytime(std::move(inside));
        } else if (with_horizon(algorithm)) {
          given.refuse("learner", "has a horizon, and anytime chooses its own: leave it out");
        }
        given.refuse("learner", "must be one that takes a horizon; any other needs no anytime");
      },
      inner);
}

AnyAlgorithm build_restarting(const Arguments& given, const AlgorithmContext& context) {
  const std::uint64_t every = given.whole("every");
  AlgorithmContext inner_context = context;
  inner_context.horizon = every;
  AnyAlgorithm inner = given.learner("learner", inner_context);
  return std::visit(
      [&](auto& algorithm) -> AnyAlgorithm {
        if (algorithm->rounds() != every && with_horizon(algorithm)) {
          given.refuse("learner", "has a horizon, and restarting gives it every: leave it out");
        }
        return restarting(std::move(algorithm), every);
      },
      inner);
}

/// The learner inside, which must be told losses.
std::unique_ptr<Algorithm> told_losses(const Arguments& given, const AlgorithmContext& context) {
  AnyAlgorithm inner = given.learner("learner", context);
  auto* const algorithm = std::get_if<std::unique_ptr<Algorithm>>(&inner);
  if (algorithm == nullptr) given.refuse("learner", "is told gradients, and must be told losses");
  return std::move(*algorithm);
}

Parameter part(const char* name, const char* meaning) {
  return Parameter{name, Type::flag, meaning}.or_value("true");
}

std::vector<Parameter> parameter_free_parameters() {
  return {choice("explore_at", "where it explores", {"extreme_points", "inscribed_sphere"}),
          choice("schedule", "how often and how far", {"measured", "fixed"}),
          choice("baseline", "what is subtracted from a loss", {"best_predictor", "average"}),
          part("shrinkage", "stay at the centre until gradients stand out from noise"),
          part("curvature", "let the leader use the measured curvature"),
          part("averaging", "average the leaders"),
          part("restarts", "sum the gradients anew after a change"),
          part("clipping", "a loss counts for at most eight standard deviations"),
          part("lateness", "take account of how late losses come")};
}

ParameterFreeOptions parameter_free_options(const Arguments& given) {
  return {.explore_at = given.word("explore_at") == "extreme_points" ? ExploreAt::extreme_points
                                                                     : ExploreAt::inscribed_sphere,
          .schedule = given.word("schedule") == "measured" ? ExplorationSchedule::measured
                                                           : ExplorationSchedule::fixed,
          .baseline = given.word("baseline") == "best_predictor" ? Baseline::best_predictor
                                                                 : Baseline::average,
          .shrinkage = given.flag("shrinkage"),
          .curvature = given.flag("curvature"),
          .averaging = given.flag("averaging"),
          .restarts = given.flag("restarts"),
          .clipping = given.flag("clipping"),
          .lateness = given.flag("lateness")};
}

AnyAlgorithm build_fed_constant(const Arguments& given, const AlgorithmContext& context) {
  return fed_constant(told_losses(given, context), given.optional_number("value"));
}

}  // namespace

std::vector<Entry> learner_entries() {
  const std::string losses = "told losses";
  const std::string told_gradients = "told gradients";
  const std::string any_rounds = "any number of rounds";
  const std::string needs_projection = "the set must project";
  return {
      {"parameter_free",
       "the default: told nothing but the set",
       {losses, any_rounds},
       parameter_free_parameters(),
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return parameter_free(context.set, parameter_free_options(given));
       }},
      {"projection_free",
       "Algorithm 1 of Chen, Zhang and Karbasi (2019): a linear minimisation a round",
       {losses, "takes a horizon"},
       projection_free_parameters(),
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return projection_free(context.set, projection_free_options(given, context),
                                published_setting(given, context));
       }},
      {"unregularized",
       "projection_free without its regularizer: the paper's ablation, without a bound",
       {losses, "takes a horizon"},
       projection_free_parameters(),
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return unregularized(context.set, projection_free_options(given, context),
                              published_setting(given, context));
       }},
      {"fkm",
       "Flaxman, Kalai and McMahan (2005): a projection a round",
       {losses, "takes a horizon", needs_projection},
       {loss_bound(), gradient_bound(), horizon(), constants({"zhao", "textbook"}),
        positive_number("c", "a length, of the textbook's delta = c T^(-1/4)", "r/2"),
        positive_number("delta", "overrides delta, for every T", "the formula"), eta(), start(),
        unsafe_no_shrink(), estimator_dimension()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return fkm(context.set, fkm_options(given, context), published_setting(given, context));
       }},
      {"bbcg",
       "Garber and Kretzu (2020): blocks, few linear minimisations",
       {losses, "takes a horizon"},
       {loss_bound(), gradient_bound(), horizon(),
        positive_number("strong_convexity", "alpha, if losses are alpha-strongly convex", "none"),
        positive_number("c", "a length, delta = c T^(-1/4)", "the formula"), eta(),
        positive_number("epsilon", "overrides the tolerance of leaders", "the formula"), start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return bbcg(context.set, bbcg_options(given, context));
       }},
      {"two_point",
       "two plays see the same loss: gradients from their difference",
       {losses, "takes a horizon"},
       {gradient_bound(), horizon(),
        choice("step", "what it does with gradients", {"conditional_gradient", "gradient_descent"}),
        positive_number("delta", "overrides delta, for every T", "the formula"), eta(),
        Parameter{"pending_pairs",
                  Type::whole,
                  "how many pairs wait for a missing half",
                  {},
                  {},
                  {1, 0x1p24}}
            .or_value("1024"),
        start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return two_point(context.set, two_point_options(given, context));
       }},
      {"gauge",
       "descent on a ball, lifted by the gauge (Mhammedi 2022): a gauge a round",
       {losses, "takes a horizon", "the set must have a gauge"},
       {loss_bound(), gradient_bound(), horizon(),
        positive_number("delta", "overrides delta, for every T", "the formula"), eta(), start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return gauge(context.set, gauge_options(given, context));
       }},
      {"online_newton",
       "Lattimore and Gyorgy (2023), brought into the set by its gauge: up to 64 dimensions",
       {losses, "takes a horizon"},
       {gradient_bound(), horizon(),
        positive_number("radius", "rho, how far the best point is from the start", "R or more"),
        eta(), positive_number("lambda", "the weight of the curvature", "1/n"),
        Parameter{"penalty",
                  Type::number,
                  "of the gauge outside the set, in multiples of G R",
                  {},
                  {},
                  not_negative}
            .or_value("3"),
        start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return online_newton(context.set, online_newton_options(given, context));
       }},
      {"anytime",
       "the doubling trick around a learner that takes a horizon",
       {any_rounds},
       {inner_learner("a learner that takes a horizon")},
       build_anytime},
      {"restarting",
       "starts a learner anew every so many rounds, for losses that drift",
       {any_rounds},
       {inner_learner("a learner; one that takes a horizon gets the window"),
        Parameter{"every", Type::whole, "W, the rounds of a window", {}, {}, {1, most_rounds}}},
       build_restarting},
      {"watchful",
       "starts a learner anew when what it has learned has lost its worth, for losses that drift",
       {losses, any_rounds},
       {inner_learner("a learner for any number of rounds")},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return watchful(told_losses(given, context));
       }},
      {"ogd",
       "online gradient descent (Zinkevich 2003): a projection a round",
       {told_gradients, any_rounds, needs_projection},
       {gradient_bound(), start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return ogd(context.set, {.gradient_bound = required_bound(given, "gradient_bound",
                                                                   context.gradient_bound),
                                  .start = given.coordinates("start", context.set->dimension())});
       }},
      {"ocg",
       "online conditional gradient (Hazan 2022): a linear minimisation a round",
       {told_gradients, "takes a horizon"},
       {gradient_bound(), horizon(), eta(), constants({"classic", "optimized"}), start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return ocg(
             context.set,
             {.gradient_bound = required_bound(given, "gradient_bound", context.gradient_bound),
              .horizon = rounds(given, context),
              .eta = given.optional_number("eta"),
              .constants = given.word("constants") == "classic" ? OcgConstants::classic
                                                                : OcgConstants::optimized,
              .start = given.coordinates("start", context.set->dimension())});
       }},
      {"stochastic_ocg",
       "ocg that sees its gradients with Gaussian noise: the paper's StochOCG",
       {told_gradients, "takes a horizon"},
       {gradient_bound(),
        not_negative_number("standard_deviation", "of the noise in every direction",
                            "the dimension of the hull"),
        horizon(), eta(), start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return stochastic_ocg(
             context.set,
             {.gradient_bound = required_bound(given, "gradient_bound", context.gradient_bound),
              .standard_deviation = given.optional_number("standard_deviation"),
              .horizon = rounds(given, context),
              .eta = given.optional_number("eta"),
              .start = given.coordinates("start", context.set->dimension())});
       }},
      {"one_shot",
       "one-shot Frank-Wolfe (Chen, Harshaw, Hassani, Karbasi 2018): for independent losses",
       {told_gradients, any_rounds},
       {loss_bound(),
        not_negative_number("gradient_deviation", "of a gradient from its mean; for the bound",
                            "the problem's G"),
        not_negative_number("smoothness", "L, of the mean loss; for the bound", "none: no bound"),
        not_negative_number("start_gradient", "the norm at x_1; for the bound", "the problem's G"),
        start()},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return one_shot(
             context.set,
             {.loss_bound = bound(given, "loss_bound", context.loss_bound),
              .gradient_deviation = bound(given, "gradient_deviation", context.gradient_bound),
              .smoothness = given.optional_number("smoothness"),
              .start_gradient = bound(given, "start_gradient", context.gradient_bound),
              .start = given.coordinates("start", context.set->dimension())});
       }},
      {"stay",
       "a control: plays the centre in every round",
       {"does not learn", any_rounds},
       {},
       [](const Arguments&, const AlgorithmContext& context) -> AnyAlgorithm {
         return stay(context.set);
       }},
      {"random_vertex",
       "a control: plays a random vertex in every round",
       {"does not learn", any_rounds},
       {},
       [](const Arguments&, const AlgorithmContext& context) -> AnyAlgorithm {
         return random_vertex(context.set);
       }},
      {"fed_constant",
       "a control: a learner that is told a constant instead of its losses",
       {"does not learn"},
       {inner_learner("a learner that is told losses"),
        Parameter{"value", Type::number, "the constant", {}, {}, moderate}.or_else(
            "half of the learner's loss bound, or 1")},
       build_fed_constant},
  };
}

}  // namespace keyhole::spec
