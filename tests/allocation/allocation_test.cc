// Ask and tell allocate nothing, epochs of doubling included, losses neither, and a long run keeps
// its memory.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "allocations.h"
#include "catalogue.h"
#include "instances.h"
#include "learners/wrappers/watchful.h"

namespace keyhole::tests {
namespace {

TEST(Allocation, TheCounterCounts) {
  const std::uint64_t before = allocations;
  { const std::vector<double> some(10); }
  EXPECT_EQ(allocations, before + 1);
  // volatile, or the compiler leaves the pair out
  void* volatile memory = std::malloc(10);  // NOLINT
  EXPECT_EQ(allocations, before + 2);
  std::free(memory);  // NOLINT
}

TEST(Allocation, TheCounterSeesTheAllocationsInTheLibrary) {
  const SetPtr set = nuclear_ball(6, 6);
  const std::vector<double> x(36, 1.0 / 8);  // of norm 3/4: its singular values are needed
  const std::uint64_t before = allocations;
  EXPECT_TRUE(set->contains(x));
  EXPECT_GE(allocations, before + 3);
}

TEST(Allocation, OraclesOfMatricesAllocateNothing) {
  Random random(3);
  const MatrixOracleOptions certified{.certified = true};
  for (const SetPtr& set :
       {nuclear_ball(5, 5, 2), nuclear_ball(20, 20, 18), nuclear_ball(12, 30), nuclear_ball(30, 7),
        symmetric_nuclear_ball(6), symmetric_nuclear_ball(20, 18), symmetric_nuclear_ball(40),
        psd_trace_ball(6), psd_trace_ball(20, 18), psd_trace_ball(40), nuclear_ball(110, 105),
        symmetric_nuclear_ball(105), psd_trace_ball(105), psd_trace_ball(105, 1, certified),
        elliptope(9), max_norm_ball(4, 5)}) {
    const auto oracle = set->oracle();
    const double R = set->outer_radius();
    const bool projects = set->can_project() && set->dimension() <= 1600;
    std::vector<double> nearest(set->dimension());
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> d = random.normals(set->dimension(), k % 2 == 0 ? R : 0.01 * R);
      const std::uint64_t before = allocations;
      oracle->minimise(d);
      const std::uint64_t by_minimise = allocations - before;
      if (projects) oracle->project(d, nearest);
      const std::uint64_t by_project = allocations - before - by_minimise;
      EXPECT_EQ(by_minimise, 0u) << set->spec() << ", call " << k;
      EXPECT_EQ(by_project, 0u) << set->spec() << ", call " << k;
    }
  }
}

TEST(Allocation, GaugesAllocateNothing) {
  Random random(6);
  std::size_t gauges = 0;
  std::vector<SetFamily> families = all_set_families();
  families.push_back({"elliptope", 4, [](std::size_t, Random&) { return elliptope(5); }});
  families.push_back(
      {"max_norm_ball", 4, [](std::size_t, Random&) { return max_norm_ball(4, 5); }});
  for (const SetFamily& sets : families) {
    const SetPtr set = sets.draw(20, random);
    if (!set->can_gauge()) continue;
    ++gauges;
    const auto oracle = set->oracle();
    const std::vector<double> w = random.normals(set->dimension());
    std::vector<double> subgradient(set->dimension());
    const std::uint64_t before = allocations;
    (void)oracle->gauge(w, subgradient);
    const std::uint64_t during = allocations - before;
    EXPECT_EQ(during, 0u) << sets.name;
  }
  EXPECT_GE(gauges, 10u);
}

TEST(Allocation, ExplorationsAllocateNothing) {
  Random random(4);
  for (const SetFamily& sets : all_set_families()) {
    const SetPtr set = sets.draw(20, random);
    const auto nu = set->exploration();
    const std::vector<std::uint64_t> words(nu->needs().words, 0x123456789abcdef0);
    const std::vector<double> normals = random.normals(nu->needs().normals);
    std::vector<double> x(set->dimension());
    const std::uint64_t before = allocations;
    for (int k = 0; k < 3; ++k) {
      nu->draw({words, normals}, x);
      nu->score({words, normals}, x);
    }
    const std::uint64_t during = allocations - before;
    EXPECT_EQ(during, 0u) << sets.name;
  }
}

TEST(Allocation, AskAndTellAllocateNothing) {
  Random random(2);
  Turns turns;
  for (const SetFamily& sets : set_families()) {
    const SetPtr set = sets.draw(20, random);
    for_each_learner([&](const std::string& name, const auto& make) {
      if (!turns.next() || !plays_on(name, *set)) return;
      // Bisection allocates what contains() does.
      if (name.find("newton") != std::string::npos && !set->can_gauge()) return;
      LearnerOptions options{.window = 64, .expiry = 50};
      if (make(set, 3000, options).contexts() == 0) options.max_step = set->diameter() / 4;
      auto learner = make(set, 3000, options);
      std::vector<double> x(set->dimension());
      const std::uint64_t before = allocations;
      for (std::uint64_t t = 1; t <= 3000; ++t) {
        const PlayId id = learner.ask(x);
        const double loss = static_cast<double>(id % 8) / 8;
        if (t % 3 != 0) tell(learner, id, loss);
        if (t > 40 && t % 12 == 0) tell(learner, id - 24, 0);     // late
        if (t > 40 && t % 12 == 5) tell(learner, id, loss);       // twice
        if (t > 100 && t % 12 == 7) tell(learner, id - 99, 0.5);  // expired
      }
      learner.recommend(x);
      const std::uint64_t during = allocations - before;
      EXPECT_EQ(during, 0u) << name << " on " << sets.name;
      const Summary summary = learner.summary();
      EXPECT_TRUE(summary.duplicates > 0 && summary.expired > 0);
    });
  }
}

TEST(Allocation, NorDoesAskingInContextsAndChoosingNames) {
  Learner learner(posterior(product({simplex(3), box(0, 1, 5)}),
                            {.contexts = {"number", "cyclic", "choice(4)"}, .choices = {"0-2"}}));
  Context context(3);
  std::vector<double> x(8);
  Random random(8);
  const std::uint64_t before = allocations;
  for (std::uint64_t t = 1; t <= 3000; ++t) {
    context[0] = random.normal();
    context[1] = random.uniform();
    context[2] = static_cast<double>(t % 5);
    const PlayId id = learner.ask(context, x);
    if (t % 3 != 0) learner.tell(id, context[0] + x[3] * x[3] + random.normal());
    learner.recommend(context, x);
  }
  EXPECT_EQ(allocations - before, 0u);
}

TEST(Allocation, NorDoesPlayingWithinLimits) {
  Learner learner(
      posterior(box(0, 1, 5),
                {.contexts = {"number"}, .limits = {{.most = 2}, {.most = 1, .over_all = true}}}));
  Context context(1);
  Feedback told{.metrics = Metrics(2)};
  std::vector<double> x(5);
  Random random(9);
  const std::uint64_t before = allocations;
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    context[0] = random.normal();
    const PlayId id = learner.ask(context, x);
    told.metrics[0] = x[0] + x[1] + random.normal();
    told.metrics[1] = x[2] * x[2] + random.normal();
    told.loss = random.normal() - x[0] - x[2];
    learner.tell(id, told);
    learner.recommend(context, x);
  }
  EXPECT_EQ(allocations - before, 0u);
}

TEST(Allocation, NorDoesTeaching) {
  Random random(7);
  for (const SetFamily& sets : set_families()) {
    const SetPtr set = sets.draw(20, random);
    std::vector<double> x = set->centre();
    for (const bool linear : {false, true}) {
      Learner learner(linear ? linear_thompson(set) : posterior(set));
      for (int k = 1; k <= 300; ++k) {
        const std::uint64_t before = allocations;
        EXPECT_TRUE(set->contains(x));
        const std::uint64_t by_contains = allocations - before;
        learner.learn(x, static_cast<double>(k % 8) / 8);
        const std::uint64_t by_learn = allocations - before - by_contains;
        ASSERT_EQ(by_learn, by_contains) << sets.name << ", point " << k;
        const PlayId id = learner.ask(x);
        learner.tell(id, static_cast<double>(k % 7) / 7);
      }
    }
  }
}

TEST(Allocation, NorDoesAskingOnSetsThatCannotProject) {
  Random random(5);
  for (const SetFamily& sets : set_families_without_projection()) {
    const SetPtr set = sets.draw(20, random);
    Learner learner(projection_free(set, {.loss_bound = 1, .horizon = 100}));
    std::vector<double> x(set->dimension());
    const std::uint64_t before = allocations;
    for (std::uint64_t t = 1; t <= 100; ++t) learner.tell(learner.ask(x), 0.5);
    learner.recommend(x);
    const std::uint64_t during = allocations - before;
    EXPECT_EQ(during, 0u) << sets.name;
  }
}

TEST(Allocation, NorDoTheSetsOfTheCatalogue) {
  Random random(9);
  for (const InstanceFamily& family : catalogue_instances()) {
    if (family.name.find("matchings") == 0 || family.name.find("perfect_matchings") == 0) {
      continue;  // LEMON finds the heaviest, and allocates
    }
    const SetPtr set = family.draw(10, random).set;
    const auto nu = set->exploration();
    const std::vector<std::uint64_t> words(nu->needs().words, 0x123456789abcdef0);
    const std::vector<double> normals = random.normals(nu->needs().normals);
    const auto oracle = set->oracle();
    const std::vector<double> z = random.normals(set->dimension());
    const bool projects = set->can_project();
    const bool gauges = set->can_gauge();
    Learner learner(parameter_free(set));
    Learner sampling(posterior(set));
    std::vector<double> x(set->dimension());
    const std::uint64_t before = allocations;
    nu->draw({words, normals}, x);
    nu->score({words, normals}, x);
    if (projects) oracle->project(z, x);
    if (gauges) oracle->gauge(z, x);
    for (std::uint64_t t = 1; t <= 100; ++t) {
      learner.tell(learner.ask(x), static_cast<double>(t % 8) / 8);
      sampling.tell(sampling.ask(x), static_cast<double>(t % 8) / 8);
    }
    learner.recommend(x);
    sampling.recommend(x);
    const std::uint64_t during = allocations - before;
    EXPECT_EQ(during, 0u) << family.name << ": " << set->spec();
  }
}

TEST(Allocation, NorDoesAFreshStart) {
  const SetPtr set = ball(5);
  const auto problem = tracking(set, {.noise = 0.1, .flip = 1500}, {1});
  auto made = watchful(parameter_free(set));
  const auto& algorithm = dynamic_cast<const WatchfulAlgorithm&>(*made);
  Learner learner(std::move(made));
  std::vector<double> x(5);
  const std::uint64_t before = allocations;
  for (std::uint64_t t = 1; t <= 6000; ++t) {
    problem->draw(t);
    const PlayId id = learner.ask(x);
    learner.tell(id, problem->value(x));
  }
  const std::uint64_t during = allocations - before;
  EXPECT_EQ(during, 0u);
  EXPECT_GE(algorithm.status().restarts, 2u);
}

TEST(Allocation, LossesAllocateNothing) {
  const auto check = [](const std::unique_ptr<Problem>& problem) {
    const auto total = problem->total();
    std::vector<double> x = problem->set().centre();
    std::vector<double> g(x.size());
    const std::uint64_t before = allocations;
    for (std::uint64_t t = 1; t <= 100; ++t) {
      problem->draw(t);
      total->add();
      (void)problem->value(x);
      problem->gradient(x, g);
      (void)total->value(x);
      total->gradient(x, g);
      (void)total->line_minimum(x, g, 1);
    }
    const std::uint64_t during = allocations - before;
    EXPECT_EQ(during, 0u) << problem->spec();
  };
  check(quadratic({}, {1}));
  check(completion({}, {1}));
  check(tracking(simplex(10), {}, {1}));
  check(linear(simplex(10), LinearOptions{}, {1}));
}

/// Resident memory in pages, from /proc.
std::uint64_t resident_pages() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident;
}

TEST(Allocation, MemoryIsConstantOverAMillionRounds) {
  const SetPtr set = simplex(10);
  Learner learner(anytime(projection_free(set, {.loss_bound = 1})));
  std::vector<double> x(10);
  const auto play = [&](std::uint64_t rounds) {
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const PlayId id = learner.ask(x);
      learner.tell(id, x[0]);
    }
  };
  const auto state_size = [&] {
    const State state = learner.state();
    return state.bytes().size();
  };
  play(5000);
  const std::size_t size = state_size();
  const std::uint64_t pages = resident_pages();
  const std::uint64_t before = allocations;
  play(scaled_count(1e6));
  const std::uint64_t during = allocations - before;
  EXPECT_EQ(during, 0u);
  // Pages of code may be touched for the first time; a double kept each round would take 2000
  // pages.
  EXPECT_LE(resident_pages(), pages + 64);
  EXPECT_EQ(state_size(), size);
}

}  // namespace
}  // namespace keyhole::tests
