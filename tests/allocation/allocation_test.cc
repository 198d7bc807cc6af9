// Ask and tell allocate nothing, epochs of doubling included, and a long run keeps its memory.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include "catalogue.h"

namespace {
std::atomic<std::uint64_t> allocations{0};  // NOLINT
}  // namespace

// Not inlined, or the compiler takes them for mismatched pairs.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;  // NOLINT
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }  // NOLINT
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);  // NOLINT
}

namespace keyhole::tests {
namespace {

TEST(Allocation, TheCounterCounts) {
  const std::uint64_t before = allocations;
  { const std::vector<double> some(10); }
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocation, AskAndTellAllocateNothing) {
  Random random(2);
  for (const SetFamily& sets : set_families()) {
    const SetPtr set = sets.draw(20, random);
    for_each_learner([&](const std::string& name, const auto& make) {
      auto learner = make(set, 3000, {.window = 64});
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
