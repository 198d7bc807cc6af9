#include "learners/option_lists.h"

#include "learners/limit_text.h"

namespace keyhole {
namespace {

using ranges::not_negative;
using ranges::positive;

const char* const of_problem = "the problem's";
const char* const formula = "the formula";

options::Option loss_bound() {
  return {"loss_bound", "M, the largest magnitude of a loss", positive, of_problem,
          options::From::loss_bound};
}

options::Option gradient_bound() {
  return {"gradient_bound", "G, the largest norm of a gradient", positive, of_problem,
          options::From::gradient_bound};
}

options::Option horizon() {
  return {"horizon", "T, the number of rounds; anytime chooses its own", ranges::rounds,
          "the run's", options::From::horizon};
}

options::Option delta() { return {"delta", "overrides delta, for every T", positive, formula}; }

options::Option eta() { return {"eta", "overrides eta, for every T", positive, formula}; }

options::Option constants() { return {"constants", "which formulas"}; }

options::Option pending_pairs() {
  return {"pending_pairs", "how many pairs wait for a missing half", {1, 0x1p24}};
}

options::Option start() {
  return {"start", "x_1, a point of the set", ranges::moderate, "the centre"};
}

options::Option contexts() {
  return {"contexts", "known before a play: \"number\", \"cyclic\" or \"choice(4)\""};
}

}  // namespace

void list_options(OptionVisitor& visit, ParameterFreeOptions& options) {
  visit.choice({"explore_at", "where it explores"}, options.explore_at,
               {{"extreme_points", ExploreAt::extreme_points},
                {"inscribed_sphere", ExploreAt::inscribed_sphere}});
  visit.choice(
      {"schedule", "how often and how far"}, options.schedule,
      {{"measured", ExplorationSchedule::measured}, {"fixed", ExplorationSchedule::fixed}});
  visit.choice({"baseline", "what is subtracted from a loss"}, options.baseline,
               {{"best_predictor", Baseline::best_predictor}, {"average", Baseline::average}});
  visit.flag({"shrinkage", "stay at the centre until gradients stand out from noise"},
             options.shrinkage);
  visit.flag({"curvature", "let the leader use the measured curvature"}, options.curvature);
  visit.flag({"averaging", "average the leaders"}, options.averaging);
  visit.flag({"restarts", "start the sums of gradients again after a change"}, options.restarts);
  visit.flag({"clipping", "a loss counts for at most eight standard deviations"}, options.clipping);
  visit.flag({"lateness", "take account of how late losses come"}, options.lateness);
  visit.number({"reach",
                "the largest share of the way to an explored point",
                {1e-6, 1},
                "as far as it pays"},
               options.reach);
  visit.number(
      {"caution", "what exploring may cost a round, in units of noise", {1e-6, 1e6}, "no limit"},
      options.caution);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, PosteriorOptions& options) {
  visit.number({"caution", "what exploring may cost a round, in units of noise", {1e-6, 1e6}},
               options.caution);
  visit.number(
      {"reach", "the largest share of the way to another point", {1e-6, 1}, "as far as it pays"},
      options.reach);
  visit.flag({"restarts", "start again after a change"}, options.restarts);
  visit.coordinates(start(), options.start);
  visit.texts(contexts(), options.contexts);
  visit.texts({"choices", "shares of names that decide for the others, such as \"0-3\""},
              options.choices);
  std::vector<std::string> texts;
  for (const Limit& limit : options.limits) texts.push_back(limit_text(limit));
  visit.texts({"limits", "bounds on metrics, such as \"most=200\""}, texts);
  options.limits.clear();
  for (const std::string& text : texts) options.limits.push_back(read_limit(text));
  visit.whole(
      {"trials", "about how many plays there will be, if they are few", ranges::rounds, "many"},
      options.trials);
}

void list_options(OptionVisitor& visit, LevelledOptions& options) {
  visit.texts(contexts(), options.contexts);
}

void list_options(OptionVisitor& visit, FaceOptions& options) {
  visit.number({"caution", "what exploring may cost a round, in units of noise", {1e-6, 1e6}},
               options.caution);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, LinearThompsonOptions& options) {
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, SpsaOptions& options) {
  visit.whole(pending_pairs(), options.pending_pairs);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, CmaEsOptions& options) {
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, ProjectionFreeOptions& options) {
  visit.required(loss_bound(), options.loss_bound);
  visit.number(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.number({"c", "a length, delta = c T^(-1/5)", positive, "r/2"}, options.c);
  visit.number(eta(), options.eta);
  visit.choice(constants(), options.constants,
               {{"corrected", Constants::corrected}, {"as_published", Constants::as_published}});
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, FkmOptions& options) {
  visit.required(loss_bound(), options.loss_bound);
  visit.number(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.choice(constants(), options.constants,
               {{"zhao", FkmConstants::zhao}, {"textbook", FkmConstants::textbook}});
  visit.number({"c", "a length, of the textbook's delta = c T^(-1/4)", positive, "r/2"}, options.c);
  visit.number(delta(), options.delta);
  visit.number(eta(), options.eta);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, BbcgOptions& options) {
  visit.required(loss_bound(), options.loss_bound);
  visit.number(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.number({"strong_convexity", "alpha, if losses are alpha-strongly convex", positive, "none"},
               options.strong_convexity);
  visit.number({"c", "a length, delta = c T^(-1/4)", positive, formula}, options.c);
  visit.number(eta(), options.eta);
  visit.number({"epsilon", "overrides the tolerance of leaders", positive, formula},
               options.epsilon);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, TwoPointOptions& options) {
  visit.required(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.choice({"step", "what it does with gradients"}, options.step,
               {{"conditional_gradient", TwoPointStep::conditional_gradient},
                {"gradient_descent", TwoPointStep::gradient_descent}});
  visit.number(delta(), options.delta);
  visit.number(eta(), options.eta);
  visit.whole(pending_pairs(), options.pending_pairs);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, GaugeOptions& options) {
  visit.required(loss_bound(), options.loss_bound);
  visit.number(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.number(delta(), options.delta);
  visit.number(eta(), options.eta);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, OnlineNewtonOptions& options) {
  visit.required(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.number({"radius", "rho, how far the best point is from the start", positive, "R or more"},
               options.radius);
  visit.number(eta(), options.eta);
  visit.number({"lambda", "the weight of the curvature", positive, "1/n"}, options.lambda);
  visit.number({"penalty", "of the gauge outside the set, in multiples of G R", not_negative},
               options.penalty);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, OgdOptions& options) {
  visit.required(gradient_bound(), options.gradient_bound);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, OcgOptions& options) {
  visit.required(gradient_bound(), options.gradient_bound);
  visit.whole(horizon(), options.horizon);
  visit.number(eta(), options.eta);
  visit.choice(constants(), options.constants,
               {{"classic", OcgConstants::classic}, {"optimized", OcgConstants::optimized}});
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, StochasticOcgOptions& options) {
  visit.required(gradient_bound(), options.gradient_bound);
  visit.number({"standard_deviation", "of the noise in every direction", not_negative,
                "the dimension of the hull"},
               options.standard_deviation);
  visit.whole(horizon(), options.horizon);
  visit.number(eta(), options.eta);
  visit.coordinates(start(), options.start);
}

void list_options(OptionVisitor& visit, OneShotOptions& options) {
  const char* const of_gradients = "the problem's G";
  options::Option bound = loss_bound();
  bound.range = not_negative;
  visit.number(bound, options.loss_bound);
  visit.number({"gradient_deviation", "of a gradient from its mean; for the bound", not_negative,
                of_gradients, options::From::gradient_bound},
               options.gradient_deviation);
  visit.number({"smoothness", "L, of the mean loss; for the bound", not_negative, "none: no bound"},
               options.smoothness);
  visit.number({"start_gradient", "the norm at x_1; for the bound", not_negative, of_gradients,
                options::From::gradient_bound},
               options.start_gradient);
  visit.coordinates(start(), options.start);
}

}  // namespace keyhole
