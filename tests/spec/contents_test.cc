// Numbers that a spec names by their content.

#include "spec/contents.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "base/list_text.h"
#include "base/sha256.h"
#include "keyhole/keyhole.h"
#include "random.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

constexpr std::size_t n = 260;

/// The diagonal matrix of 1, 2, ... and small numbers beside it, symmetric.
std::vector<double> large_matrix(double corner = 1) {
  Random random(1);
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = static_cast<double>(i + 1);
    for (std::size_t j = 0; j < i; ++j) {
      matrix[i * n + j] = matrix[j * n + i] = random.uniform(-1e-3, 1e-3);
    }
  }
  matrix[0] = corner;
  return matrix;
}

SetPtr large_ellipsoid(double corner = 1) {
  return ellipsoid(large_matrix(corner), std::vector<double>(n));
}

std::string quoted(const std::string& name) { return "array(\"" + name + "\")"; }

TEST(Contents, HaveTheDigestOfTheFileOfNumpy) {
  const Array array({1, 2, 3, 4, 5, 6}, 2);
  // np.save("a.npy", np.arange(1.0, 7).reshape(3, 2)); sha256sum a.npy
  EXPECT_EQ(array.name(),
            "sha256:28666c70b9d58838008c66436979ebf9890a07f46c05cf45e9139957c96e26f9");
  EXPECT_EQ(array.name(), "sha256:" + base::sha256(array.npy()));
  // np.save("b.npy", np.arange(1.0, 7))
  EXPECT_EQ(Array({1, 2, 3, 4, 5, 6}).name(),
            "sha256:6518bd536e1d69ae2d62b35d1d7311b3e7ea808687785d650a16aed4c2cf3e8e");
  EXPECT_EQ(array.shape_text(), "3x2");
  EXPECT_EQ(Array({1, 2, 3}).shape_text(), "3");
  EXPECT_THROW(Array({1, 2, 3}, 2), InvalidArgument);
  for (const Array& made : {array, Array({1, 2, 3}), Array(std::vector<double>{})}) {
    const Array again = Array::from_npy(made.npy(), "a.npy");
    EXPECT_EQ(again.name(), made.name());
    EXPECT_EQ(again.shape_text(), made.shape_text());
  }
}

TEST(Contents, StandForListsAndMatrices) {
  const Contents contents = {{"w", Array({1, 2, 3})},
                             {"column", Array({1, 2, 3}, 1)},
                             {"Q", Array({2, 0, 0, 3}, 2)},
                             {"edges", Array({0, 1, 1, 2, 0, 2}, 2)}};
  const auto same = [&](const std::string& named, const std::string& written) {
    EXPECT_EQ(make_set(named, contents)->spec(), make_set(written)->spec()) << named;
  };
  for (const char* const list : {"w", "column"}) {
    const std::string w = quoted(list);
    same("knapsack(" + w + ", 2)", "knapsack([1, 2, 3], 2)");
    same("box(0, upper=" + w + ")", "box([0, 0, 0], [1, 2, 3])");
    same("group_ball(" + w + ")", "group_ball([1, 2, 3])");
  }
  same(R"(ellipsoid(array("Q", 2x2)))", "ellipsoid([[2, 0], [0, 3]])");
  same("unit_flow(3, " + quoted("edges") + ", 0, 2)",
       "unit_flow(3, [[0, 1], [1, 2], [0, 2]], 0, 2)");
  same("product(simplex(2), scaled(convex_hull(" + quoted("Q") + "), 2))",
       "product(simplex(2), scaled(convex_hull([[2, 0], [0, 3]]), 2))");
  same("polytope(2, lower=0, A=" + quoted("Q") + ", b=[1, 1])",
       "polytope(2, lower=0, A=[[2, 0], [0, 3]], b=[1, 1])");
}

TEST(Contents, AreCheckedAsListsAre) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Contents contents = {{"w", Array({1, -2, 3})}, {"Q", Array({2, 0, nan, 3}, 2)}};
  const auto refusal = [&](const std::string& spec) {
    return message<SpecError>([&] { (void)make_set(spec, contents); });
  };
  EXPECT_EQ(refusal(R"(knapsack(array("w"), 2))"),
            R"(knapsack(array("w"), 2): weights, number 0 of row 1, must be from 1e-50 to 1e+50, )"
            "not -2");
  EXPECT_EQ(refusal(R"(ellipsoid(array("Q")))").substr(0, 54),
            R"(ellipsoid(array("Q")): matrix, number 0 of row 1, must)");
  EXPECT_EQ(
      refusal(R"(ellipsoid(array("w")))"),
      R"(ellipsoid(array("w")): matrix at column 11 must be a list of lists of numbers, not an )"
      "array of 3");
  EXPECT_EQ(
      refusal(R"(ellipsoid(array("w", 3x3)))"),
      R"(ellipsoid(array("w", 3x3)): array at column 11 must have the shape 3x3, and 'w' is 3)");
  EXPECT_EQ(
      refusal(R"(knapsack(array("x"), 2))"),
      R"(knapsack(array("x"), 2): array at column 10 names the content 'x', which is not here: )"
      "give the array, or the file that it was made from");
  for (const char* const unknown :
       {"array(w)", "array()", "array(\"w\", 3, 4)", "array(a=\"w\")"}) {
    EXPECT_THROW((void)make_set("knapsack(" + std::string(unknown) + ", 2)", contents), SpecError);
  }
  Catalogue catalogue;
  EXPECT_THROW(catalogue.add({"array", "a ball", {}, {}, [](const Arguments&) { return ball(2); }}),
               InvalidArgument);
}

TEST(Contents, NameListsThatAreTooLongToBeWritten) {
  const Array matrix(large_matrix(), n);
  const SetPtr set = large_ellipsoid();
  EXPECT_EQ(set->spec(), "ellipsoid(array(\"" + matrix.name() + "\", 260x260))");
  EXPECT_EQ(make_set(set->spec(), {{matrix.name(), matrix}})->spec(), set->spec());
  EXPECT_NE(large_ellipsoid(2)->spec(), set->spec());

  std::vector<double> edge_ends;
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < 100000; ++e) {
    edges.push_back({e, e + 1});
    edge_ends.insert(edge_ends.end(), {static_cast<double>(e), static_cast<double>(e + 1)});
  }
  const Array ends(edge_ends, 2);
  EXPECT_EQ(matchings(100001, edges)->spec(),
            "matchings(100001, array(\"" + ends.name() + "\", 100000x2))");
  EXPECT_EQ(base::array_text(Array({1, 2, 3, 4}, 2)), "[[1, 2], [3, 4]]");
}

TEST(Contents, OfOtherNumbersAreNotThoseOfAState) {
  const Array matrix(large_matrix(), n);
  const Contents contents = {{matrix.name(), matrix}};
  Learner learner = make_learner("parameter_free", large_ellipsoid());
  for (int k = 0; k < 5; ++k) (void)learner.tell(learner.ask().id, 0.5);
  const State state = learner.state();
  EXPECT_LT(state.bytes().size(), 100000);
  Learner again = open_learner(state, make_set(state.set_spec(), contents));
  EXPECT_EQ(again.ask().point, learner.ask().point);
  const std::string without = message<StateError>([&] { (void)open_learner(state); });
  EXPECT_NE(without.find("is not here"), std::string::npos) << without;
  const std::string other =
      message<StateError>([&] { (void)open_learner(state, large_ellipsoid(2)); });
  EXPECT_NE(other.find("the state belongs to the set ellipsoid(array(\"sha256:"), std::string::npos)
      << other;
}

TEST(Contents, OfATreeAreThoseThatItsTextNames) {
  const Array large(large_matrix(), n);
  const Contents given = {{"large", large}, {"small", Array({1, 2})}};
  const spec::Node tree = spec::parse_whole(
      R"(product(ellipsoid(array("large")), knapsack(array("small"), 1)))", {.contents = &given});
  EXPECT_EQ(spec::print(tree),
            "product(ellipsoid(array(\"" + large.name() + "\", 260x260)), knapsack([1, 2], 1))");
  const Contents named = spec::named_contents(tree);
  ASSERT_EQ(named.size(), 1);
  EXPECT_EQ(named.begin()->first, large.name());
}

}  // namespace
}  // namespace keyhole::tests
