#include "base/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

using base::edit_distance;
using base::nearest;

/// The definition, without any table.
std::size_t slow_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const auto without = [](std::string_view text, std::size_t k) {
    return text.substr(0, text.size() - k);
  };
  const std::size_t exchanged =
      slow_distance(without(a, 1), without(b, 1)) + (a.back() == b.back() ? 0 : 1);
  std::size_t best = std::min(
      {exchanged, slow_distance(without(a, 1), b) + 1, slow_distance(a, without(b, 1)) + 1});
  if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] && b.back() == a[a.size() - 2]) {
    best = std::min(best, slow_distance(without(a, 2), without(b, 2)) + 1);
  }
  return best;
}

TEST(Nearest, DistancesAreThoseOfTheDefinition) {
  Random random(6);
  const auto word = [&] {
    std::string text;
    for (std::size_t k = random.integer(0, 6); k > 0; --k) {
      text.push_back("abc"[random.integer(0, 2)]);
    }
    return text;
  };
  for (int k = 0; k < 500; ++k) {
    const std::string a = word();
    const std::string b = word();
    EXPECT_EQ(edit_distance(a, b), slow_distance(a, b)) << a << " " << b;
  }
}

TEST(Nearest, SuggestsWhatWasMeant) {
  const std::vector<std::string> names = {
      "ball", "box", "simplex", "solid_simplex", "nuclear_ball", "symmetric_nuclear_ball"};
  EXPECT_EQ(nearest("simplx", names), "simplex");
  EXPECT_EQ(nearest("SIMPLEX", names), "simplex");
  EXPECT_EQ(nearest("bal", names), "ball");
  EXPECT_EQ(nearest("blal", names), "ball");
  EXPECT_EQ(nearest("bxo", names), "box");
  EXPECT_EQ(nearest("nuclearball", names), "nuclear_ball");
  EXPECT_EQ(nearest("solid", names), "solid_simplex");
  EXPECT_EQ(nearest("radios", {"n", "radius"}), "radius");
}

TEST(Nearest, SuggestsNothingSilly) {
  const std::vector<std::string> names = {"n",         "m", "c", "ball", "box", "as_published",
                                          "as_printed"};
  for (const char* const word : {"", "x", "k", "be", "cube", "ellipsoid", "as_"}) {
    EXPECT_EQ(nearest(word, names), "") << word;
  }
  EXPECT_EQ(nearest(std::string(1000000, 'b'), names), "");
  EXPECT_EQ(nearest("ball", {}), "");
}

}  // namespace
}  // namespace keyhole::tests
