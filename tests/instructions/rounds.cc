// usage: rounds LEARNER SET
//
// Plays rounds whose instructions are to be counted: those inside measured_rounds. SET is a spec of
// a set, or of a problem, which stands for its set. The losses cost nothing.

#include <keyhole/keyhole.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

keyhole::SetPtr set_of(const std::string& spec) {
  try {
    return keyhole::make_set(spec);
  } catch (const keyhole::SpecError&) {
    return keyhole::make_problem(spec)->shared_set();
  }
}

double loss_of_round(std::uint64_t t) {
  const double golden = 0.6180339887498949 * static_cast<double>(t);
  return 2 * (golden - std::floor(golden)) - 1;
}

void play(keyhole::Learner& learner, std::vector<double>& y, std::uint64_t rounds) {
  for (std::uint64_t t = 0; t < rounds; ++t) learner.tell(learner.ask(y), loss_of_round(t));
}

}  // namespace

// A name of its own for callgrind to look for.
extern "C" [[gnu::noinline]] void measured_rounds(keyhole::Learner& learner,
                                                  std::vector<double>& y) {
  play(learner, y, 200);
}

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s LEARNER SET\n", argv[0]);
    return 2;
  }
  const keyhole::SetPtr set = set_of(argv[2]);
  keyhole::AnyAlgorithm algorithm = keyhole::make_algorithm(
      argv[1], {.set = set, .loss_bound = 3, .gradient_bound = 1, .horizon = 1U << 20U});
  keyhole::Learner learner(std::get<0>(std::move(algorithm)), {.seed = 7});
  std::vector<double> y(set->dimension());
  play(learner, y, 200);
  measured_rounds(learner, y);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
