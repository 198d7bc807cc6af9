#include <utility>

#include "keyhole/algorithms.h"
#include "learners/option_lists.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

Parameter inner_learner(const char* meaning) { return {"learner", Type::learner, meaning}; }

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

AnyAlgorithm build_levelled(const Arguments& given, const AlgorithmContext& context) {
  AlgorithmContext inner_context = context;
  if (context.loss_bound) inner_context.loss_bound = 3 * *context.loss_bound;
  return levelled(told_losses(given, inner_context), given.options<LevelledOptions>(context));
}

AnyAlgorithm build_anchored(const Arguments& given, const AlgorithmContext& context) {
  const std::uint64_t anchors = given.whole("anchors");
  if (static_cast<double>(anchors * context.set->dimension()) > most_coordinates) {
    given.refuse("anchors", "makes points of more than 1e8 coordinates");
  }
  AlgorithmContext inner_context = context;
  inner_context.set = product(std::vector<SetPtr>(anchors, context.set));
  return anchored(context.set, told_losses(given, inner_context));
}

AnyAlgorithm build_fed_constant(const Arguments& given, const AlgorithmContext& context) {
  return fed_constant(told_losses(given, context), given.optional_number("value"));
}

}  // namespace

std::vector<Entry> learner_entries() {
  const std::string losses = "told losses";
  const std::string told_gradients = "told gradients";
  const std::string any_rounds = "any number of rounds";
  const std::string takes_horizon = "takes a horizon";
  const std::string needs_projection = "the set must project";
  return {
      algorithm_entry<PosteriorOptions>(
          "posterior",
          "the default: Thompson sampling on a model of the losses, told nothing but the set",
          {losses, any_rounds}, posterior),
      algorithm_entry<ParameterFreeOptions>(
          "parameter_free", "follows the leader of estimated gradients: told nothing but the set",
          {losses, any_rounds}, parameter_free),
      algorithm_entry<FaceOptions>(
          "face", "Thompson sampling in the hull of few vertices, for many dimensions",
          {losses, any_rounds}, face),
      algorithm_entry<ProjectionFreeOptions>(
          "projection_free",
          "Algorithm 1 of Chen, Zhang and Karbasi (2019): a linear minimisation a round",
          {losses, takes_horizon}, projection_free),
      algorithm_entry<ProjectionFreeOptions>(
          "unregularized",
          "projection_free without its regularizer: the paper's ablation, without a bound",
          {losses, takes_horizon}, unregularized),
      algorithm_entry<FkmOptions>("fkm", "Flaxman, Kalai and McMahan (2005): a projection a round",
                                  {losses, takes_horizon, needs_projection}, fkm),
      algorithm_entry<BbcgOptions>("bbcg",
                                   "Garber and Kretzu (2020): blocks, few linear minimisations",
                                   {losses, takes_horizon}, bbcg),
      algorithm_entry<TwoPointOptions>(
          "two_point", "two plays see the same loss: gradients from their difference",
          {losses, takes_horizon}, two_point),
      algorithm_entry<GaugeOptions>(
          "gauge", "descent on a ball, lifted by the gauge (Mhammedi 2022): a gauge a round",
          {losses, takes_horizon, "the set must have a gauge"}, gauge),
      algorithm_entry<OnlineNewtonOptions>(
          "online_newton",
          "Lattimore and Gyorgy (2023), brought into the set by its gauge: up to 64 dimensions",
          {losses, takes_horizon}, online_newton),
      algorithm_entry<LinearThompsonOptions>(
          "linear_thompson",
          "Thompson sampling for linear losses (Agrawal, Goyal 2013): a baseline",
          {losses, any_rounds}, linear_thompson),
      algorithm_entry<SpsaOptions>(
          "spsa", "simultaneous perturbation stochastic approximation (Spall 1992): a baseline",
          {losses, any_rounds, needs_projection}, spsa),
      algorithm_entry<CmaEsOptions>("cma_es", "separable CMA-ES (Ros, Hansen 2008): a baseline",
                                    {losses, any_rounds, needs_projection}, cma_es),
      {"anytime",
       "the doubling trick around a learner that takes a horizon",
       {any_rounds},
       {inner_learner("a learner that takes a horizon")},
       build_anytime},
      {"restarting",
       "restarts a learner every so many rounds, for losses that drift",
       {any_rounds},
       {inner_learner("a learner; one that takes a horizon gets the window"),
        Parameter{"every", Type::whole, "W, the rounds of a window", {}, {}, ranges::rounds}},
       build_restarting},
      {"watchful",
       "restarts a learner when it no longer clearly beats the centre, for losses that drift",
       {losses, any_rounds},
       {inner_learner("a learner for any number of rounds")},
       [](const Arguments& given, const AlgorithmContext& context) -> AnyAlgorithm {
         return watchful(told_losses(given, context));
       }},
      {"levelled",
       "tells a learner its losses less what a regression on the context says of them",
       {losses},
       with_options<LevelledOptions>({inner_learner("a learner that takes no contexts")}),
       build_levelled},
      {"anchored",
       "a learner for a point at each of some values of a number, its context, and plays between",
       {losses},
       {inner_learner("a learner that takes no contexts"),
        Parameter{"anchors", Type::whole, "J, how many points", {}, {}, {2, 1024}}},
       build_anchored},
      algorithm_entry<OgdOptions>("ogd",
                                  "online gradient descent (Zinkevich 2003): a projection a round",
                                  {told_gradients, any_rounds, needs_projection}, ogd),
      algorithm_entry<OcgOptions>(
          "ocg", "online conditional gradient (Hazan 2022): a linear minimisation a round",
          {told_gradients, takes_horizon}, ocg),
      algorithm_entry<StochasticOcgOptions>(
          "stochastic_ocg", "ocg that sees its gradients with Gaussian noise: the paper's StochOCG",
          {told_gradients, takes_horizon}, stochastic_ocg),
      algorithm_entry<OneShotOptions>(
          "one_shot",
          "one-shot Frank-Wolfe (Chen, Harshaw, Hassani, Karbasi 2018): for independent losses",
          {told_gradients, any_rounds}, one_shot),
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
