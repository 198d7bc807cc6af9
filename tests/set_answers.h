#pragma once

// What a set answers, in a line of a test.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "keyhole/set.h"
#include "keyhole/testing.h"
#include "thrown.h"

namespace keyhole::tests {

inline std::vector<double> minimiser(const SetPtr& set, const std::vector<double>& d) {
  std::vector<double> v(set->dimension());
  set->oracle()->minimise(d).write_to(v);
  return v;
}

inline std::vector<double> projected(const SetPtr& set, std::vector<double> z) {
  set->oracle()->project(z, z);
  return z;
}

inline void expect_near(const std::vector<double>& actual, const std::vector<double>& expected,
                        double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "coordinate " << i;
  }
}

inline double length_of(const std::vector<double>& x) {
  double square = 0;
  for (const double value : x) square += value * value;
  return std::sqrt(square);
}

inline std::string kit(const SetPtr& set, std::size_t directions = 20) {
  const testing::Report report = testing::check_set(set, {.directions = directions});
  return report.ok() ? "" : set->spec() + "\n" + report.text();
}

inline std::string refusal(std::function<SetPtr()> make) {
  return message<InvalidArgument>([&] { (void)make(); });
}

}  // namespace keyhole::tests
