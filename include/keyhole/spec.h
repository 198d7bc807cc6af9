#pragma once

#include <memory>
#include <string_view>

#include "keyhole/catalogue.h"
#include "keyhole/contents.h"
#include "keyhole/learner.h"
#include "keyhole/space.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// Names for sets, learners and problems, as text:
///
///   simplex(100)      nuclear_ball(20, 20, radius=18)      anytime(projection_free(c=0.5))
///
///   spec     = name [ "(" [ argument { "," argument } ] ")" ]
///   argument = [ key "=" ] value
///   value    = number | word | "quoted text" | "[" [ value { "," value } ] "]" | spec
///
/// Arguments without a key come first, in the order of the entry. Words are made of letters, digits
/// and _ . + - /, so that days and simple names of files need no quotes; in quotes a backslash
/// escapes a quote, a backslash, n, t and r. Numbers are read as in C++, the same in every locale,
/// and inf is one. Spaces do not matter. One catalogue drives the files of experiments, the command
/// line, its lists and the documentation (docs/specs.md); all functions are thread-safe.

/// The set of a spec; throws SpecError, and InputError for its files, whose names are relative to
/// the current folder. make_set(set->spec()) is an equal set for every built-in set but large
/// polytopes given by rows, whose text holds a digest of their rows in place of the rows, and sets
/// with a list of more than 1 MiB of text, which their text names by its content.
[[nodiscard]] SetPtr make_set(std::string_view spec,
                              const Catalogue& catalogue = Catalogue::standard());
/// The same of a spec that names arrays by their content, array("sha256:..."): the contents have
/// them.
[[nodiscard]] SetPtr make_set(std::string_view spec, const Contents& contents,
                              const Catalogue& catalogue = Catalogue::standard());

/// The problem of a spec; throws SpecError, and InputError for its files.
[[nodiscard]] std::unique_ptr<Problem> make_problem(
    std::string_view spec, const ProblemContext& context = {},
    const Catalogue& catalogue = Catalogue::standard());

/// The algorithm of a spec; throws SpecError, also where the set or the context does not suit it.
[[nodiscard]] AnyAlgorithm make_algorithm(std::string_view spec, const AlgorithmContext& context,
                                          const Catalogue& catalogue = Catalogue::standard());

/// The learner of a spec: that of an algorithm, "anytime(projection_free())", with these options,
/// or what Learner::spec() says, "learner(posterior(), seed=7, stream=0, window=4096)", which has
/// options of its own in place of these. "default" is the algorithm of Learner(set). Throws
/// SpecError, also for an algorithm that is told gradients: a learner that is made from a text is
/// told losses.
[[nodiscard]] Learner make_learner(std::string_view spec, const AlgorithmContext& context,
                                   const LearnerOptions& options = {},
                                   const Catalogue& catalogue = Catalogue::standard());
/// The same on a set.
[[nodiscard]] Learner make_learner(std::string_view spec, const SetPtr& set,
                                   const LearnerOptions& options = {},
                                   const Catalogue& catalogue = Catalogue::standard());
/// The same for a problem: on its set, with its bounds and its rounds.
[[nodiscard]] Learner make_learner(std::string_view spec, const Problem& problem,
                                   const LearnerOptions& options = {},
                                   const Catalogue& catalogue = Catalogue::standard());

/// A learner on a space: it takes the contexts and the limits of the space, and the default chooses
/// names that decide (Space::choice_words()). Space::values() turns its points into values. Throws
/// InvalidArgument if it takes no contexts or limits and the space has some.
[[nodiscard]] Learner make_learner(std::string_view spec, const Space& space,
                                   const LearnerOptions& options = {},
                                   const Catalogue& catalogue = Catalogue::standard());

/// The learner of a state: its set and itself from the specs that the state carries, and then as
/// restore() has it. Throws StateError if the state has only a part of its specs or a digest of its
/// set, and says what to do; SpecError or InputError if the set or its file cannot be made here.
[[nodiscard]] Learner open_learner(const State& state, Digits digits = Digits::same,
                                   const Catalogue& catalogue = Catalogue::standard());
/// The same on a set that you have made: for sets whose spec has only a digest of them.
[[nodiscard]] Learner open_learner(const State& state, const SetPtr& set,
                                   Digits digits = Digits::same,
                                   const Catalogue& catalogue = Catalogue::standard());

}  // namespace keyhole
#pragma GCC visibility pop
