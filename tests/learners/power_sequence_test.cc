#include "learners/power_sequence.h"

#include <gtest/gtest.h>

#include <random>

namespace keyhole {
namespace {

TEST(PowerSequence, IsPowWhateverCameBefore) {
  algorithms::PowerSequence power(-0.4);
  std::mt19937_64 random(1);
  std::uint64_t t = 1;
  for (int k = 0; k < 20000; ++k) {
    ASSERT_EQ(power(t), math::pow(static_cast<double>(t), -0.4)) << t;
    // Mostly one after the other, and now and then somewhere else, as after a restart.
    t = random() % 50 == 0 ? 1 + random() % (std::uint64_t{1} << (random() % 50)) : t + 1;
  }
}

}  // namespace
}  // namespace keyhole
