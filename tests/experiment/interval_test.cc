#include "experiment/measures/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace keyhole::tests {
namespace {

using experiment::Moments;
using experiment::student_t_95;

TEST(Interval, QuantilesOfStudentsDistribution) {
  // Closed forms for one and two degrees of freedom.
  EXPECT_NEAR(student_t_95(1), std::tan(std::numbers::pi * 0.475), 1e-9);
  EXPECT_NEAR(student_t_95(2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)), 1e-10);
  // The usual table.
  const std::pair<std::uint64_t, double> table[] = {
      {3, 3.182446},   {4, 2.776445},   {5, 2.570582},   {7, 2.364624},  {9, 2.262157},
      {10, 2.228139},  {19, 2.093024},  {29, 2.045230},  {30, 2.042272}, {60, 2.000298},
      {100, 1.983972}, {120, 1.979930}, {1000, 1.962339}};
  for (const auto& [degrees, quantile] : table) {
    EXPECT_NEAR(student_t_95(degrees), quantile, 6e-7) << degrees;
  }
  EXPECT_NEAR(student_t_95(999'999), 1.959966, 6e-7);
  // Where the sums hand over to the expansion.
  const double step = student_t_95(1000) - student_t_95(999);
  EXPECT_NEAR(student_t_95(1001) - student_t_95(1000), step, std::abs(step) * 0.01);
}

TEST(Interval, MeanAndWidthByHand) {
  Moments moments;
  moments.add(2);
  EXPECT_EQ(moments.interval(5).mean, 2);
  EXPECT_FALSE(moments.interval(5).half_width.has_value());
  for (const double x : {4.0, 4.0, 5.0, 5.0, 7.0, 8.0, 5.0}) moments.add(x);
  // Sum 40, mean 5, squared distances 9 + 1 + 1 + 0 + 0 + 4 + 9 + 0 = 24, s^2 = 24 / 7.
  EXPECT_EQ(moments.count(), 8U);
  const auto interval = moments.interval(student_t_95(7));
  EXPECT_NEAR(interval.mean, 5, 1e-15);
  EXPECT_NEAR(*interval.half_width, 2.364624 * std::sqrt(24.0 / 7 / 8), 1e-6);
}

TEST(Interval, NumbersFarFromZeroKeepTheirSpread) {
  Moments moments;
  for (int k = 0; k < 10; ++k) moments.add(1e9 + k % 2);
  EXPECT_NEAR(*moments.interval(1).half_width, std::sqrt(2.5 / 9 / 10), 1e-7);
}

}  // namespace
}  // namespace keyhole::tests
