// A long random sweep over the catalogue of sets: sizes, scales and images that no test has fixed.
// Every instance goes through the kit, small ones next to a slow independent oracle. And for each
// instance 13 random slices and cuts of every kind of set (tests/instances/random_slices.h and
// random_cuts.h).
//
//   sweep SEED [INSTANCES [FAMILY [NUMBER]]]    10 instances of every family
//
// The slices of a kind are the family `slice_of_KIND`, its cuts `cut_of_KIND`.
//
// What fails is printed with the words that show it again; the exit code is then 1.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "base/hash.h"
#include "instances.h"
#include "instances/random_cuts.h"
#include "instances/random_slices.h"
#include "keyhole/sets.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

/// The same for the same words, whatever else is swept.
std::uint64_t seed_of(const std::string& seed, const std::string& family, int number) {
  const std::string text = seed + " " + family + " " + std::to_string(number);
  return base::fnv1a(std::as_bytes(std::span(text)));
}

/// What the kit finds about an instance; empty if nothing.
std::string try_instance(const InstanceFamily& family, std::uint64_t seed) {
  Random random(seed);
  constexpr std::size_t bearable = 6;  // for the slow oracle
  const bool small = random.uniform() < 0.5;
  const std::size_t n = small ? random.integer(2, bearable) : random.integer(bearable + 1, 25);
  Instance instance = family.draw(n, random);
  testing::SetCheckOptions options{.seed = seed, .directions = 30};
  SetPtr set = instance.set;
  if (small) options.slow_minimum = instance.slow_minimum;
  if (random.uniform() < 0.5) {  // larger, smaller, turned over, elsewhere
    const double scale = (random.uniform() < 0.5 ? 1 : -1) * std::pow(10.0, random.uniform(-6, 6));
    const std::vector<double> shift =
        random.normals(set->dimension(), std::abs(scale) * set->outer_radius() *
                                             std::pow(10.0, random.uniform(-2, 2)));
    set = image(set, scale, shift);
    if (small) {
      options.slow_minimum = [=](std::span<const double> d) {
        std::vector<double> turned(d.begin(), d.end());
        double moved = 0;
        for (std::size_t i = 0; i < turned.size(); ++i) {
          moved += d[i] * shift[i];
          turned[i] *= scale;
        }
        return moved + instance.slow_minimum(turned);
      };
    }
  }
  const testing::Report report = testing::check_set(set, options);
  return report.ok() ? "" : set->spec().substr(0, 400) + "\n" + report.text();
}

/// The first fault of 13 slices, a thousand of all kinds together; empty if there is none.
std::string try_slices(const InstanceFamily& kind, std::uint64_t seed) {
  Random random(seed);
  for (int k = 0; k < 13; ++k) {
    const std::string fault = fault_of_slice(random_slice(kind, random), random);
    if (!fault.empty()) return fault;
  }
  return "";
}

/// The same for cuts.
std::string try_cuts(const InstanceFamily& kind, std::uint64_t seed) {
  Random random(seed);
  for (int k = 0; k < 13; ++k) {
    const std::string fault = fault_of_cut(random_cut(kind, random), random);
    if (!fault.empty()) return fault;
  }
  return "";
}

/// A family, and what is wrong with an instance of it.
struct Subject {
  std::string name;
  std::function<std::string(std::uint64_t seed)> try_one;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const InstanceFamily& family : catalogue_instances()) {
    all.push_back({family.name, [family](auto seed) { return try_instance(family, seed); }});
  }
  for (const InstanceFamily& kind : kinds_to_slice()) {
    all.push_back({"slice_of_" + kind.name, [kind](auto seed) { return try_slices(kind, seed); }});
    all.push_back({"cut_of_" + kind.name, [kind](auto seed) { return try_cuts(kind, seed); }});
  }
  return all;
}

int sweep(const std::string& seed, int instances, const std::string& only, int number) {
  int failed = 0;
  int tried = 0;
  for (const Subject& family : subjects()) {
    if (!only.empty() && family.name != only) continue;
    for (int k = number < 0 ? 0 : number; k < (number < 0 ? instances : number + 1); ++k) {
      ++tried;
      std::string found;
      try {
        found = family.try_one(seed_of(seed, family.name, k));
      } catch (const std::exception& error) {
        found = error.what();
      }
      if (found.empty()) continue;
      ++failed;
      std::printf("sweep %s %d %s %d\n%s\n", seed.c_str(), instances, family.name.c_str(), k,
                  found.c_str());
      std::fflush(stdout);
    }
  }
  std::printf("%d of %d instances failed\n", failed, tried);
  return failed > 0 || tried == 0 ? 1 : 0;
}

}  // namespace
}  // namespace keyhole::tests

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: sweep SEED [INSTANCES [FAMILY [NUMBER]]]\n");
    return 2;
  }
  const int instances = argc > 2 ? std::atoi(argv[2]) : 10;
  return keyhole::tests::sweep(argv[1], instances, argc > 3 ? argv[3] : "",
                               argc > 4 ? std::atoi(argv[4]) : -1);
}
