// What refuses an answer without proof, by answers that are wrong and by budgets that are too
// small.

#include "sets/proof.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "catalogue.h"
#include "keyhole/spectral_sets.h"
#include "sets/bisected_gauge.h"
#include "sets/matrices/proved_programs.h"
#include "sets/multiplier.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Proof, IsRequired) {
  EXPECT_NO_THROW(sets::require_proof("it", 1e-10, 1e-10));
  EXPECT_NO_THROW(sets::require_proof("it", -1, 1e-10));
  EXPECT_EQ(message<Error>([] { sets::require_proof("it from an answer", 0.5, 0.25); }),
            "rounding errors keep it from an answer: it is proved to 0.5, not to 0.25");
  EXPECT_THROW(sets::require_proof("it", nan, 1e-10), Error);
  EXPECT_NO_THROW(sets::require_end("it", true));
  EXPECT_EQ(message<Error>([] { sets::require_end("it from an answer", false); }),
            "rounding errors keep it from an answer: the method came to no end");
}

TEST(Proof, OfACorrelationMatrixTakesSteps) {
  Random random(1);
  const std::vector<double> d = random.normals(36);
  math::MaxCutRelaxation enough(6);
  (void)enough.minimise(d);
  EXPECT_LE(enough.relative_gap(), math::MaxCutRelaxation::accuracy);
  math::MaxCutRelaxation too_few(6, 5);
  (void)too_few.minimise(d);
  EXPECT_EQ(too_few.steps(), 5U);
  EXPECT_GT(too_few.relative_gap(), 1e-6);
  // So an oracle gives no answer.
  sets::ProvedRelaxation proved("it", math::MaxCutRelaxation(6));
  EXPECT_NO_THROW((void)proved.minimise(d));
  sets::ProvedRelaxation unproved("it", math::MaxCutRelaxation(6, 5));
  const std::string error = message<Error>([&] { (void)unproved.minimise(d); });
  EXPECT_EQ(error.rfind("rounding errors keep it from an answer: it is proved to 0.", 0), 0U)
      << error;
}

TEST(Proof, OfAMaxNormTakesSteps) {
  Random random(2);
  const std::vector<double> x = random.normals(20);
  EXPECT_LE(math::MaxNorm(4, 5).find(x).relative_gap(), math::MaxNorm::accuracy);
  EXPECT_GT(math::MaxNorm(4, 5, 3).find(x).relative_gap(), 1e-6);
  // Two bounds that leave a level open, and two that do not.
  const math::MaxNorm::Bounds far = math::MaxNorm(4, 5, 3).find(x, nan);
  EXPECT_LT(far.lower, far.upper);
  EXPECT_FALSE(math::MaxNorm(4, 5, 0).find(x).relative_gap() <= math::MaxNorm::accuracy);
  // So a ball says neither what the norm is nor, between the bounds, whether it is larger.
  sets::ProvedMaxNorm enough(math::MaxNorm(4, 5));
  sets::ProvedMaxNorm too_few(math::MaxNorm(4, 5, 3));
  const double norm = enough.find(x).lower;
  EXPECT_TRUE(enough.is_at_most(norm + 1e-6, x));
  EXPECT_FALSE(enough.is_at_most(norm - 1e-6, x));
  EXPECT_THROW((void)too_few.find(x), Error);
  EXPECT_THROW((void)too_few.is_at_most(norm, x), Error);
  EXPECT_FALSE(too_few.is_at_most(far.lower / 2, x));
  EXPECT_TRUE(too_few.is_at_most(2 * far.upper, x));
}

TEST(Proof, OfAMultiplierTakesSteps) {
  // Halvings of [0, 1], for every step of Newton's would leave it.
  const auto find = [](int steps) {
    return sets::multiplier(
        0.0, 1.0, 1.0, [](double x) { return x > 0.3 ? 2.0 : -2.0; }, 1e-16, steps);
  };
  EXPECT_NEAR(find(200), 0.3, 1e-15);
  EXPECT_EQ(message<Error>([&] { (void)find(20); }),
            "rounding errors keep a multiplier from being found: the method came to no end");
}

TEST(Proof, OfASpectrumNeedsNumbers) {
  const std::vector<double> d = {1, nan, 2, 3};
  for (const SetPtr& set :
       {fantope(2, 1), operator_norm_ball(2, 2), schatten_ball(2, 2, 3), max_norm_ball(1, 4)}) {
    std::vector<double> x(4);
    EXPECT_FALSE(set->contains(d)) << set->spec();
    if (!set->can_project()) continue;
    EXPECT_THROW((void)set->oracle()->minimise(d), Error) << set->spec();
    EXPECT_THROW(set->oracle()->project(d, x), Error) << set->spec();
  }
}

TEST(Proof, OfABisectedGaugeTakesAsManyStepsAsTheSetIsLong) {
  const SetPtr set = box({-1, -1e8}, {1, 1e8});
  std::vector<double> scratch(2);
  EXPECT_NEAR(sets::bisected_gauge(*set, std::vector<double>{0, 5e7}, scratch), 0.5, 1e-13);
  EXPECT_NEAR(sets::bisected_gauge(*set, std::vector<double>{0.5, 0}, scratch), 0.5, 1e-13);
  EXPECT_GT(sets::bisected_gauge(*set, std::vector<double>{0, 5e-324}, scratch), -1);
}

}  // namespace
}  // namespace keyhole::tests
