// The functions that users hand over: whatever can be called, held and copied as std::function
// does.

#include "keyhole/function.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/own_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using OfTwo = Function<double(int, double)>;

double times(int a, double b) { return a * b; }

struct Sum {
  double operator()(int a, double b) const { return offset + a + b; }
  double offset = 0;
};

TEST(Function, CallsWhateverCanBeCalled) {
  const std::vector<double> held = {1, 2, 3};
  EXPECT_EQ(OfTwo([held](int a, double b) { return held[2] + a * b; })(2, 5), 13);
  EXPECT_EQ(OfTwo([](int a, double b) { return a - b; })(2, 5), -3);
  EXPECT_EQ(OfTwo(times)(2, 5), 10);
  EXPECT_EQ(OfTwo(&times)(2, 5), 10);
  EXPECT_EQ(OfTwo(Sum{1})(2, 5), 8);
  EXPECT_EQ(OfTwo(std::function<double(int, double)>(times))(2, 5), 10);
  EXPECT_EQ(OfTwo(Function<int(long, double)>([](long a, double) { return int(a); }))(2, 5), 2);
  EXPECT_EQ((std::function<double(int, double)>(OfTwo(times))(2, 5)), 10);
}

TEST(Function, IsEmptyOfNothing) {
  double (*const no_pointer)(int, double) = nullptr;
  for (const OfTwo& f :
       {OfTwo(), OfTwo{}, OfTwo(nullptr), OfTwo(no_pointer),
        OfTwo(std::function<double(int, double)>()), OfTwo(Function<int(long, double)>())}) {
    EXPECT_FALSE(f);
    EXPECT_TRUE(f == nullptr);
    EXPECT_EQ(message<InvalidArgument>([&] { (void)f(1, 2); }),
              "an empty function was called: give one, or test it first");
  }
  EXPECT_TRUE(OfTwo(times));
  EXPECT_TRUE(OfTwo(times) != nullptr);
  EXPECT_TRUE(OfTwo([](int, double) { return 0; }));
}

TEST(Function, CopiesWhatItHolds) {
  const Function<int()> count = [n = 0]() mutable { return ++n; };
  EXPECT_EQ(count(), 1);
  Function<int()> copy = count;
  EXPECT_EQ(copy(), 2);
  EXPECT_EQ(copy(), 3);
  EXPECT_EQ(count(), 2);
  copy = count;
  EXPECT_EQ(copy(), 3);
  copy = *&copy;  // NOLINT(clang-diagnostic-self-assign-overloaded)
  EXPECT_EQ(copy(), 4);
  const Function<int()> moved = std::move(copy);
  EXPECT_EQ(moved(), 5);
  copy = [] { return 7; };
  EXPECT_EQ(copy(), 7);
  copy = nullptr;
  EXPECT_FALSE(copy);
}

TEST(Function, FreesWhatItHolds) {
  const auto held = std::make_shared<int>(3);
  {
    Function<int()> f = [held] { return *held; };
    Function<int()> g = f;
    EXPECT_EQ(held.use_count(), 3);
    g = {};
    EXPECT_EQ(held.use_count(), 2);
    g = std::move(f);
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Function, PassesReferencesAndWhatCanOnlyBeMoved) {
  const Function<void(std::string&)> add = [](std::string& text) { return text += "!"; };
  std::string text = "a";
  add(text);
  EXPECT_EQ(text, "a!");
  const Function<std::unique_ptr<int>(std::unique_ptr<int>)> next = [](std::unique_ptr<int> p) {
    ++*p;
    return p;
  };
  EXPECT_EQ(*next(std::make_unique<int>(4)), 5);
}

TEST(Function, IsMadeOnlyOfWhatFits) {
  EXPECT_TRUE((std::is_constructible_v<OfTwo, Sum>));
  EXPECT_TRUE((std::is_nothrow_move_constructible_v<OfTwo>));
  EXPECT_FALSE((std::is_constructible_v<OfTwo, int>));
  EXPECT_FALSE((std::is_constructible_v<OfTwo, double (*)(int)>));
  EXPECT_FALSE((std::is_constructible_v<OfTwo, std::string (*)(int, double)>));
  const auto moves_only = [p = std::make_unique<int>(1)](int, double) { return *p; };
  EXPECT_FALSE((std::is_constructible_v<OfTwo, decltype(moves_only)>));
}

TEST(Function, OfAnEmptyStdFunctionIsAMissingOracle) {
  const std::function<void(std::span<const double>, std::span<double>)> none;
  EXPECT_NE(message<InvalidArgument>([&] {
              (void)own_set({.dimension = 2, .minimise = none});
            }).find("needs an oracle"),
            std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
