#pragma once

// Every set and every learner of the library, as families of random instances: the laws are swept
// over all pairs of them. A new set or learner joins all sweeps by one line in catalogue.cc.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "random.h"

namespace keyhole::tests {

struct SetFamily {
  std::string name;
  std::size_t smallest_dimension;
  /// A set of dimension n; of matrices, the largest of nearly square shape that has no more.
  std::function<SetPtr(std::size_t n, Random& random)> draw;
};

/// The largest s with s^2 <= n.
inline std::size_t side(std::size_t n) {
  std::size_t s = 1;
  while ((s + 1) * (s + 1) <= n) ++s;
  return s;
}

SetPtr random_box(std::size_t n, Random& random);

/// The set about a random convex combination of its centre (at least a half of it) and vertices.
SetPtr recentred_at_random(const SetPtr& set, Random& random);

/// {0 <= x <= 1, A x <= 1} with A uniform on [0, 1], and as many equalities through a point inside.
SetPtr random_polytope(std::size_t n, std::size_t equalities, Random& random);

/// The number of nodes and n >= 2 edges of a graph without cycles, every edge on a path from node 0
/// to node 1: grown from two parallel edges by dividing edges and joining nodes.
std::pair<std::size_t, std::vector<Edge>> random_graph(std::size_t n, Random& random);

std::vector<SetFamily> set_families();

/// Sets that cannot project: not for every learner.
std::vector<SetFamily> set_families_without_projection();

std::vector<SetFamily> all_set_families();

struct LearnerFamily {
  std::string name;
  /// An algorithm for losses of magnitude up to 1; the horizon is for those that need one.
  std::function<std::unique_ptr<Algorithm>(const SetPtr& set, std::uint64_t horizon)> make;
  /// Whether the seed shapes its plays.
  bool random = true;
  /// Whether the losses shape its plays: not those of a control.
  bool learns = true;
  /// How many rounds it may take until they do.
  std::uint64_t hears_within = 40;
  /// Whether it can play on a set, of those that project.
  std::function<bool(const Set& set)> plays_on = [](const Set&) { return true; };
};

std::vector<LearnerFamily> learner_families();

struct GradientLearnerFamily {
  std::string name;
  /// Whether the seed shapes its plays.
  bool random;
  /// An algorithm for gradients of norm up to 1; the horizon is for those that need one.
  std::function<std::unique_ptr<GradientAlgorithm>(const SetPtr& set, std::uint64_t horizon)> make;
  /// How many rounds it may take until the gradients shape its plays. Conditional gradients move
  /// between few vertices: in a shorter run two seeds, or eleven sequences of gradients under
  /// noise, may lead to the same plays by chance.
  std::uint64_t hears_within = 60;
};

std::vector<GradientLearnerFamily> gradient_learner_families();

/// Tells one number: the loss...
inline Receipt tell(Learner& learner, PlayId id, double number) { return learner.tell(id, number); }
/// ...or a gradient about as large, a pure function of the number and the play; zero on purpose for
/// -1/4 alone, and without allocation.
Receipt tell(GradientLearner& learner, PlayId id, double number);
/// Checks such a tell.
inline Receipt check(const Learner& learner, PlayId id, double number) {
  return learner.check(id, number);
}
Receipt check(const GradientLearner& learner, PlayId id, double number);

/// Losses that push a learner about: noise, a pull along one axis, a constant, a turning pull, and
/// far beyond M.
double pushing_loss(std::uint64_t kind, std::uint64_t t, std::span<const double> y, Random& random);

/// Whether a learner of that name can play on a set, of those that project.
bool plays_on(const std::string& name, const Set& set);

/// Calls sweep(name, make) for every learner of either kind, where make(set, horizon, options)
/// makes one, if plays_on(name, set).
template <class Sweep>
void for_each_learner(const Sweep& sweep) {
  for (const LearnerFamily& family : learner_families()) {
    sweep(family.name, [&](const SetPtr& set, std::uint64_t horizon, LearnerOptions options) {
      return Learner(family.make(set, horizon), options);
    });
  }
  for (const GradientLearnerFamily& family : gradient_learner_families()) {
    sweep(family.name, [&](const SetPtr& set, std::uint64_t horizon, LearnerOptions options) {
      const std::uint64_t window = std::min<std::uint64_t>(options.window, 64);
      return GradientLearner(family.make(set, horizon),
                             {options.seed, options.stream, window, options.expiry,
                              options.max_step, options.max_steps, options.maximize});
    });
  }
}

/// What is run often shrinks the long sweeps: KEYHOLE_TEST_SCALE, 1 by default.
inline double test_scale() {
  const char* text = std::getenv("KEYHOLE_TEST_SCALE");
  return text == nullptr ? 1 : std::strtod(text, nullptr);
}

inline std::uint64_t scaled_count(double count) {
  return static_cast<std::uint64_t>(std::ceil(count * test_scale()));
}

/// Which pairs of a set and a learner a sweep takes: all of them, or where KEYHOLE_TEST_SCALE is
/// below 1 a fifth or fewer, of which every set and every learner has its turns.
class Turns {
 public:
  [[nodiscard]] bool next() { return pair_++ % stride_ == 0; }

 private:
  // Prime, so that it does not go round with the number of learners.
  std::uint64_t stride_ = test_scale() < 0.1 ? 13 : test_scale() < 1 ? 5 : 1;
  std::uint64_t pair_ = 0;
};

}  // namespace keyhole::tests
