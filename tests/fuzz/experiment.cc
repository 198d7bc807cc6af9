// Any text is an experiment or an InputError, and the canonical text of an experiment is that
// experiment. Problems and learners are stand-ins: their specs have a target of their own.

#include "experiment/config.h"
#include "fuzz/fuzz.h"
#include "keyhole/controls.h"
#include "keyhole/problems.h"
#include "keyhole/sets.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace keyhole;  // NOLINT
  const std::string text(data, data + size);
  const experiment::Factories factories = {
      .problem =
          [](const std::string&, const ProblemContext& context) {
            return tracking(ball(2), TrackingOptions{}, context.seed);
          },
      .algorithm = [](const std::string&, const AlgorithmContext& context) -> AnyAlgorithm {
        return stay(context.set);
      }};
  try {
    const auto read = experiment::parse_experiment(text, "fuzz.toml", {}, factories);
    const std::string printed = experiment::print_config(read);
    const auto back = experiment::parse_experiment(printed, "printed.toml", {}, factories);
    tests::promise(back.problems == read.problems && back.learners == read.learners &&
                       back.rounds == read.rounds && back.checkpoints == read.checkpoints &&
                       back.slowest == read.slowest && back.repeats == read.repeats &&
                       back.seed == read.seed && back.controls == read.controls,
                   printed);
  } catch (const InputError&) {
  }
  return 0;
}
