// Prints digits that must be the same with every compiler and on every processor: the building
// blocks of randomness, sums and extreme pairs, traces of every learner on closed-form sets, and of
// every learner that does not project on sets of matrices; then what every kind of set answers, and
// a short digest of each play of all traces, by which scripts/compare-output finds the first that
// differs. `--lemon` prints the sets that need LEMON, `--states DIR` writes the golden states
// instead, and `--studies DIR` the golden studies.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "base/number_text.h"
#include "catalogue.h"
#include "golden/golden_sets.h"
#include "golden/golden_states.h"
#include "keyhole/exploration.h"
#include "keyhole/spec.h"
#include "math/golden_math.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#ifndef __EMSCRIPTEN__  // which has no studies
#include "golden/golden_studies.h"
#endif

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
         learner == "two_point_descent" || learner == "spsa" || learner == "cma_es";
}

const LearnerOptions options{.seed = 0xfedcba9876543210, .stream = 2};

/// Plays so many rounds and returns two digits for each play: the last of its hash, which change
/// with any single byte of the point.
template <class AnyLearner>
std::string play_digits(AnyLearner& learner, std::uint64_t rounds) {
  constexpr const char* hex = "0123456789abcdef";
  std::vector<double> x(learner.set().dimension());
  std::vector<double> losses;
  std::string digits;
  while (losses.size() < rounds) {
    play_golden_round(learner, losses, x);
    const std::uint64_t hash = math::digits_of(x);
    digits += {hex[hash / 16 % 16], hex[hash % 16]};
  }
  return digits;
}

/// Prints a trace, and adds its plays to the lines that are printed at the end.
template <class AnyLearner>
void print_trace(const std::string& family, AnyLearner learner, std::vector<std::string>& plays) {
  const std::string name = family + " " + learner.set().spec() + " ";
  plays.push_back("plays " + name + play_digits(learner, 150));
  std::vector<double> x(learner.set().dimension());
  learner.recommend(x);
  print(name + "x_1", std::bit_cast<std::uint64_t>(x[0]));
  print(name + "state", learner.state().hash());
}

std::vector<std::string> print_traces() {
  std::vector<std::string> plays;
  const GradientLearnerOptions gradient_options{.seed = options.seed, .stream = options.stream};
  for (const SetPtr& set : sets()) {
    for (const LearnerFamily& family : learner_families()) {
      if (!family.plays_on(*set)) continue;
      print_trace(family.name, Learner(family.make(set, 150), options), plays);
    }
  }
  for (const SetPtr& set : sets()) {
    for (const GradientLearnerFamily& family : gradient_learner_families()) {
      print_trace(family.name, GradientLearner(family.make(set, 150), gradient_options), plays);
    }
  }
  for (const SetPtr& set : matrix_sets()) {
    for (const LearnerFamily& family : learner_families()) {
      if (projects(family.name) || !family.plays_on(*set)) continue;
      print_trace(family.name, Learner(family.make(set, 150), options), plays);
    }
    for (const GradientLearnerFamily& family : gradient_learner_families()) {
      if (projects(family.name)) continue;
      print_trace(family.name, GradientLearner(family.make(set, 150), gradient_options), plays);
    }
  }
  return plays;
}

/// posterior in contexts of every kind, within limits and with names that it chooses, with them and
/// alone, of numbers that are exact in binary.
void print_in_contexts() {
  const std::vector<double> lower = {-1, 0, 0.5, -2};
  const std::vector<double> upper = {1, 0.25, 3, -1};
  const SetPtr with_names = product({simplex(3), box(lower, upper)});
  for (const SetPtr& set : {box(lower, upper), simplex(5), with_names}) {
    for (const std::string what : {"contexts", "limits", "choices"}) {
      const bool within = what == "limits";
      const bool alone = what == "choices";
      if (alone && set != with_names) continue;
      PosteriorOptions own;
      if (!alone) own.contexts = {"number", "cyclic", "choice(3)"};
      if (set == with_names) own.choices = {"0-2"};
      if (within) own.limits = {{.most = 0.5}, {.least = -2, .over_all = true}};
      Learner learner(posterior(set, own), options);
      std::vector<double> x(set->dimension());
      for (std::uint64_t t = 1; t <= 400; ++t) {
        const auto part = [t](std::uint64_t of) { return static_cast<double>(t * t % of) / 16; };
        const Context context = {part(37) - 1, part(16), 16 * part(3)};
        const PlayId id = learner.ask(alone ? Context() : context, x);
        const double loss = x[0] * (part(37) - 1) + x[1] * x[1] + part(7);
        if (within) {
          learner.tell(id, {.loss = loss, .metrics = {x[1] + part(5), -x[2] - part(11)}});
        } else {
          learner.tell(id, loss);
        }
      }
      const std::string name = what + " " + set->spec() + " ";
      learner.recommend(alone ? Context() : Context{0.5, 0.25, 2}, x);
      print(name + "x", math::digits_of(x));
      print(name + "state", learner.state().hash());
    }
  }
}

/// A line of the latest set.
void print_of_set(const std::string& what, const std::string& value) {
  std::printf("  %s %s\n", what.c_str(), value.c_str());
}

void print_of_set(const std::string& what, std::uint64_t digits) { print("  " + what, digits); }

std::vector<double> normals(std::size_t n, std::uint64_t number) {
  std::vector<double> z(n);
  math::gaussians(math::Ars(1, 0), number, 0, z);
  return z;
}

/// Zero, ties, and three of normal numbers.
std::vector<std::vector<double>> directions(std::size_t n) {
  std::vector<double> ties(n);
  for (std::size_t i = 0; i < n; ++i) ties[i] = static_cast<double>(i * i % 5) / 2 - 1;
  return {std::vector<double>(n), ties, normals(n, 0), normals(n, 1), normals(n, 2)};
}

/// So many times the direction away from the centre.
std::vector<double> away(const Set& set, std::vector<double> direction, double times) {
  for (std::size_t i = 0; i < direction.size(); ++i) {
    direction[i] = set.centre()[i] + times * direction[i];
  }
  return direction;
}

void print_exploration(const Set& set) {
  const auto exploration = set.exploration();
  std::vector<double> moments = {exploration->squared_radius(), exploration->squared_extent()};
  for (const auto& of_coordinates : {exploration->mean(), exploration->variance()}) {
    moments.insert(moments.end(), of_coordinates.begin(), of_coordinates.end());
  }
  print_of_set("moments", math::digits_of(moments));
  std::vector<std::uint64_t> words(exploration->needs().words);
  std::vector<double> v(set.dimension());
  for (std::uint64_t k = 0; k < 3; ++k) {
    std::vector<std::uint64_t> pairs(words.size() + words.size() % 2);
    math::Ars(2, 0).words(k, 0, pairs);
    std::copy_n(pairs.begin(), words.size(), words.begin());
    const std::vector<double> z = normals(exploration->needs().normals, 100 + k);
    exploration->draw({words, z}, v);
    print_of_set("draw " + std::to_string(k), math::digits_of(v));
    exploration->score({words, z}, v);
    print_of_set("score " + std::to_string(k), math::digits_of(v));
  }
}

void print_oracle(const Set& set) {
  const auto oracle = set.oracle();
  std::vector<double> x(set.dimension());
  const auto all = directions(set.dimension());
  for (std::size_t k = 0; k < all.size(); ++k) {
    oracle->minimise(all[k]).write_to(x);
    print_of_set("minimise " + std::to_string(k), math::digits_of(x));
  }
  if (set.can_gauge()) {
    std::vector<double> w = all.back();
    set.flatten(w);
    w = away(set, w, 1);
    const double gauge = oracle->gauge(w, x);
    print_of_set("gauge", base::number_text(gauge));
    print_of_set("subgradient", math::digits_of(x));
  }
  if (set.can_project()) {
    for (const double times : {0.25, 1.0, 100.0}) {
      oracle->project(away(set, all.back(), times), x);
      print_of_set("project " + base::number_text(times), math::digits_of(x));
    }
  }
}

void print_sets(const std::vector<GoldenSet>& sets) {
  for (const auto& [spec, rounds] : sets) {
    std::printf("set %s\n", spec.c_str());
    const SetPtr set = make_set(spec);
    print_of_set("centre", math::digits_of(set->centre()));
    print_of_set("r", base::number_text(set->inner_radius()));
    print_of_set("R", base::number_text(set->outer_radius()));
    print_of_set("D", base::number_text(set->diameter()));
    print_exploration(*set);
    print_oracle(*set);
    if (rounds == 0) continue;
    Learner learner(parameter_free(set), options);
    print_of_set("plays", play_digits(learner, rounds));
    std::vector<double> x(set->dimension());
    learner.recommend(x);
    print_of_set("x_1", std::bit_cast<std::uint64_t>(x[0]));
    print_of_set("state", learner.state().hash());
  }
}

void write(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  for (const std::byte byte : bytes) file.put(std::to_integer<char>(byte));
  if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
}

void write_states(const std::string& folder) {
  for_each_golden_state([&](const auto& golden) {
    auto learner = golden.make();
    play_golden(learner, golden.rounds);
    const State state = learner.state();
    write(folder + "/" + golden.file(), state.bytes());
    if (golden.name != "fkm") return;
    // What a state of the next format might look like: the version that stands after the magic.
    std::vector<std::byte> newer(state.bytes().begin(), state.bytes().end());
    newer[8] = std::byte{3};
    write(folder + "/state_format_3.bin", newer);
  });
}

}  // namespace
}  // namespace keyhole::tests

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--states") {
    keyhole::tests::write_states(argv[2]);
    return 0;
  }
#ifndef __EMSCRIPTEN__
  if (argc == 3 && std::string(argv[1]) == "--studies") {
    keyhole::tests::write_golden_studies(argv[2]);
    return 0;
  }
#endif
  if (argc == 2 && std::string(argv[1]) == "--lemon") {
    keyhole::tests::print_sets(keyhole::tests::golden_sets_of_lemon());
    return 0;
  }
  keyhole::math::print_math_digits(std::cout);
  std::cout.flush();
  const std::vector<std::string> plays = keyhole::tests::print_traces();
  keyhole::tests::print_in_contexts();
  keyhole::tests::print_sets(keyhole::tests::golden_sets());
  for (const std::string& line : plays) std::printf("%s\n", line.c_str());
  return 0;
}
