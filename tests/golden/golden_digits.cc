// Prints digits that must be the same with every compiler and on every processor: the building
// blocks of randomness, sums and extreme pairs, traces of every learner on closed-form sets, and of
// every learner that does not project on sets of matrices. `--states DIR` writes the golden states
// instead.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "base/hash.h"
#include "catalogue.h"
#include "golden/golden_states.h"
#include "math/golden_math.h"

namespace keyhole::tests {
namespace {

void print(const std::string& name, std::uint64_t digits) {
  std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(digits));
}

/// Sets with parameters that are exact in binary, so that no library function shapes them.
std::vector<SetPtr> sets() {
  const std::vector<double> lower = {-1, 0, 0.5, -2, 0, 1};
  const std::vector<double> upper = {1, 0.25, 3, -1, 1, 2};
  const std::vector<double> centre = {0.25, 0.125, 0.125, 0.125, 0.125, 0.25};
  return {ball(6),
          ball(1, 3),
          box(lower, upper),
          solid_simplex(6, 2),
          simplex(6),
          simplex(40),
          image(solid_simplex(6), 12, -1),
          image(box(lower, upper), -0.5, 3),
          recentred(simplex(6), centre)};
}

/// Sets of matrices: their oracles have the same digits everywhere, their projections have not.
std::vector<SetPtr> matrix_sets() {
  return {nuclear_ball(3, 5, 2), symmetric_nuclear_ball(4), psd_trace_ball(5, 3),
          image(psd_trace_ball(2), -2, 1)};
}

bool projects(const std::string& learner) {
  return learner.find("fkm") != std::string::npos || learner == "ogd" ||
         learner == "two_point_descent";
}

template <class AnyLearner>
void print_trace(const std::string& family, AnyLearner learner) {
  play_golden(learner, 150);
  std::vector<double> x(learner.set().dimension());
  learner.recommend(x);
  const std::string name = family + " " + learner.set().spec() + " ";
  print(name + "x_1", std::bit_cast<std::uint64_t>(x[0]));
  print(name + "state", learner.state().hash());
}

void print_traces() {
  const LearnerOptions options{.seed = 0xfedcba9876543210, .stream = 2};
  const GradientLearnerOptions gradient_options{.seed = options.seed, .stream = options.stream};
  for (const SetPtr& set : sets()) {
    for (const LearnerFamily& family : learner_families()) {
      if (!family.plays_on(*set)) continue;
      print_trace(family.name, Learner(family.make(set, 150), options));
    }
  }
  for (const SetPtr& set : sets()) {
    for (const GradientLearnerFamily& family : gradient_learner_families()) {
      print_trace(family.name, GradientLearner(family.make(set, 150), gradient_options));
    }
  }
  for (const SetPtr& set : matrix_sets()) {
    for (const LearnerFamily& family : learner_families()) {
      if (projects(family.name) || !family.plays_on(*set)) continue;
      print_trace(family.name, Learner(family.make(set, 150), options));
    }
    for (const GradientLearnerFamily& family : gradient_learner_families()) {
      if (projects(family.name)) continue;
      print_trace(family.name, GradientLearner(family.make(set, 150), gradient_options));
    }
  }
}

void write(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  for (const std::byte byte : bytes) file.put(std::to_integer<char>(byte));
  if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
}

void write_states(const std::string& folder) {
  for (const GoldenState& golden : golden_states()) {
    Learner learner = golden.make();
    play_golden(learner, golden.rounds);
    const State state = learner.state();
    write(folder + "/" + golden.file, state.bytes());
    // What a state of the next format might look like: the version that stands after the magic.
    std::vector<std::byte> newer(state.bytes().begin(), state.bytes().end());
    newer[8] = std::byte{2};
    write(folder + "/state_format_2.bin", newer);
  }
  GradientLearner learner = golden_gradient_learner();
  play_golden(learner, golden_gradient_rounds);
  const State state = learner.state();
  write(folder + "/" + golden_gradient_file, state.bytes());
}

}  // namespace
}  // namespace keyhole::tests

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--states") {
    keyhole::tests::write_states(argv[2]);
    return 0;
  }
  keyhole::math::print_math_digits(std::cout);
  std::cout.flush();
  keyhole::tests::print_traces();
  return 0;
}
