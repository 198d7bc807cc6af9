#include "math/smallest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace keyhole::math {
namespace {

std::size_t by_min_element(const std::vector<double>& x) {
  return static_cast<std::size_t>(std::min_element(x.begin(), x.end()) - x.begin());
}

TEST(Smallest, IsTheFirstOfTheSmallestAtEverySizeAndPlace) {
  std::mt19937_64 random(1);
  for (std::size_t n = 1; n <= 300; ++n) {
    for (const int values : {2, 5, 1000000}) {  // few values: many ties
      std::vector<double> x(n);
      for (double& number : x)
        number = static_cast<double>(random() % static_cast<unsigned>(values));
      EXPECT_EQ(first_smallest(x), by_min_element(x)) << n;
      EXPECT_FALSE(any_sign(x)) << n;
      const std::size_t place = random() % n;
      x[place] = -1;
      EXPECT_EQ(first_smallest(x), place) << n;
      EXPECT_TRUE(any_sign(x)) << n;
    }
  }
}

TEST(Smallest, TakesBothZerosForEqualAndInfinitiesForNumbers) {
  std::vector<double> x(130, 0.0);
  x[70] = -0.0;
  EXPECT_EQ(first_smallest(x), 0U);
  std::fill(x.begin(), x.end(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(first_smallest(x), 0U);
  x[129] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(first_smallest(x), 129U);
}

TEST(Smallest, GivesSomePlaceWhereSomethingIsNotANumber) {
  for (const std::size_t n : {1U, 64U, 100U}) {
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> x(n, 1.0);
      x[i] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_LT(first_smallest(x), n);
    }
  }
}

}  // namespace
}  // namespace keyhole::math
