#include <limits>
#include <utility>

#include "base/require.h"
#include "keyhole/spec.h"
#include "learners/learner/learner_options.h"
#include "spec/build.h"
#include "spec/contents.h"
#include "spec/syntax.h"

namespace keyhole {
namespace {

/// What Learner::spec() is made of.
SpecEntry learner_entry() {
  return {.name = "learner",
          .summary = "an algorithm and its options",
          .parameters = with_options<LearnerOptions>(
              {{"algorithm", ParameterType::learner, "what learns", Absent::refused}}),
          .build = AlgorithmBuilder()};
}

/// The algorithm, if it is told losses.
std::unique_ptr<Algorithm> of_losses(AnyAlgorithm any, std::string_view text) {
  if (auto* const algorithm = std::get_if<std::unique_ptr<Algorithm>>(&any)) {
    return std::move(*algorithm);
  }
  spec::fail(
      text,
      "it learns from gradients, and a learner that is made from a text is told losses: give "
      "the algorithm to a GradientLearner");
}

void require_whole_spec(const State& state, const std::string& spec) {
  if (state.revision() > 4 || !spec.ends_with("...")) return;
  throw StateError(
      "the state has only the first 200 characters of its specs: make the set and the "
      "learner as they were, and restore the state into it",
      ErrorCode::foreign_state);
}

/// The set of a state.
SetPtr set_of(const State& state, const Catalogue& catalogue) {
  require_whole_spec(state, state.set_spec());
  try {
    return make_set(state.set_spec(), catalogue);
  } catch (const SpecError& error) {
    throw StateError(
        "the state's set cannot be made from its spec (" + std::string(error.what()) +
            "): make the set from its rows or its file, and hand it over with the state",
        ErrorCode::foreign_state);
  }
}

}  // namespace

Learner make_learner(std::string_view spec, const AlgorithmContext& context,
                     const LearnerOptions& options, const Catalogue& catalogue) {
  base::require(context.set != nullptr, "a learner needs a set to play on");
  const spec::Node node = spec::parse_whole(spec);
  if (node.kind != spec::Node::Kind::call || node.text != "learner") {
    AnyAlgorithm algorithm = spec::build_learner(catalogue, node, spec, context);
    return Learner(of_losses(std::move(algorithm), spec), options);
  }
  const SpecEntry entry = learner_entry();
  const Arguments given = spec::arguments_of(catalogue, entry, node, spec);
  try {
    AnyAlgorithm algorithm = given.learner("algorithm", context);
    return Learner(of_losses(std::move(algorithm), spec), given.options<LearnerOptions>(context));
  } catch (const InvalidArgument& error) {
    given.refuse(error.what());
  }
}

Learner make_learner(std::string_view spec, const SetPtr& set, const LearnerOptions& options,
                     const Catalogue& catalogue) {
  return make_learner(spec, AlgorithmContext{.set = set}, options, catalogue);
}

Learner make_learner(std::string_view spec, const Problem& problem, const LearnerOptions& options,
                     const Catalogue& catalogue) {
  const LossBounds bounds = problem.bounds();
  AlgorithmContext context{.set = problem.shared_set(),
                           .loss_bound = bounds.loss,
                           .gradient_bound = bounds.gradient,
                           .contexts = problem.contexts()};
  constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();
  if (problem.rounds() != any_number) context.horizon = problem.rounds();
  return make_learner(spec, context, options, catalogue);
}

Learner open_learner(const State& state, Digits digits, const Catalogue& catalogue) {
  return open_learner(state, set_of(state, catalogue), digits, catalogue);
}

Learner open_learner(const State& state, const SetPtr& set, Digits digits,
                     const Catalogue& catalogue) {
  require_whole_spec(state, state.learner_spec());
  Learner learner = make_learner(state.learner_spec(), set, {}, catalogue);
  learner.restore(state, digits);
  return learner;
}

}  // namespace keyhole
