// Any text is an experiment or an InputError, and the canonical text of an experiment is that
// experiment. Problems and learners are stand-ins: their specs have a target of their own.

#include "experiment/config.h"
#include "fuzz/fuzz.h"
#include "keyhole/algorithms.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"
#include "keyhole/spec.h"

namespace {

/// Quick ones, by names that the corpus has.
keyhole::Catalogue stand_ins() {
  using namespace keyhole;  // NOLINT
  Catalogue catalogue;
  for (const char* const name : {"tracking", "quadratic", "p"}) {
    catalogue.add({.name = name,
                   .summary = "a stand-in",
                   .build = [](const Arguments&, const ProblemContext& context) {
                     return tracking(ball(2), TrackingOptions{}, context.seed);
                   }});
  }
  for (const char* const name : {"stay", "random_vertex", "parameter_free", "l"}) {
    catalogue.add({.name = name,
                   .summary = "a stand-in",
                   .build = [](const Arguments&, const AlgorithmContext& context) -> AnyAlgorithm {
                     return stay(context.set);
                   }});
  }
  catalogue.add(*Catalogue::standard().find(SpecKind::learner, "fed_constant"));
  return catalogue;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace keyhole;  // NOLINT
  const std::string text(data, data + size);
  static const Catalogue catalogue = stand_ins();
  try {
    const auto read = experiment::parse_experiment(text, "fuzz.toml", {}, catalogue);
    const std::string printed = experiment::print_config(read);
    const auto back = experiment::parse_experiment(printed, "printed.toml", {}, catalogue);
    tests::promise(back.problems == read.problems && back.learners == read.learners &&
                       back.rounds == read.rounds && back.checkpoints == read.checkpoints &&
                       back.slowest == read.slowest && back.repeats == read.repeats &&
                       back.seed == read.seed && back.controls == read.controls,
                   printed);
  } catch (const InputError&) {
  }
  return 0;
}
