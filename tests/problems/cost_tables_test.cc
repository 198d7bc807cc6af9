// Problems from tables of costs: linear and replay.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "catalogue.h"
#include "keyhole/keyhole.h"
#include "problems/problem_checks.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// A file that is gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) { std::ofstream(path_) << text; }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("keyhole_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
        ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv"))
          .string();
};

TEST(CostTables, AreReadAsWritten) {
  const TemporaryFile file("Date,a,b,c\n2020-01-01,1,2,3\n2020-01-02,-4,0.5,1e-3\n");
  const auto problem = replay(file.path());
  EXPECT_EQ(problem->spec(), "replay(\"" + file.path() + "\")");
  EXPECT_EQ(problem->set().spec(), "simplex(3)");
  EXPECT_EQ(problem->rounds(), 2u);
  Vector c(3);
  const Vector third(3, 1.0 / 3);
  problem->draw(2);
  problem->gradient(third, c);
  EXPECT_EQ(c, (Vector{-4, 0.5, 1e-3}));
  EXPECT_NEAR(problem->value(third), (-4 + 0.5 + 1e-3) / 3, 1e-15);
  problem->draw(1);
  EXPECT_NEAR(problem->value(third), 2, 1e-15);
  EXPECT_EQ(message<InvalidArgument>([&] { problem->draw(3); }),
            "there is no round 3 of " + problem->spec() + ", which has rounds 1 to 2");
  // M from the worst alternative, G without the mean of the row: (-4, .5, .001) + 1.1663.
  EXPECT_TRUE(problem->bounds().proven);
  EXPECT_NEAR(problem->bounds().loss, 4, 1e-7);
  const double mean = -3.499 / 3;
  EXPECT_NEAR(problem->bounds().gradient, std::hypot(-4 - mean, 0.5 - mean, 1e-3 - mean), 1e-7);
}

TEST(CostTables, PassOverAFirstColumnThatCountsRounds) {
  for (const std::string name : {"date", "Day", "TIME", "t", "round"}) {
    const TemporaryFile file(name + ",a,b\n1,2,3\n");
    EXPECT_EQ(replay(file.path())->set().dimension(), 2u) << name;
  }
  const TemporaryFile file("dates,a,b\n1,2,3\n");
  EXPECT_EQ(replay(file.path())->set().dimension(), 3u);
}

TEST(CostTables, WarnOfAFirstColumnThatLooksLikeAnIndex) {
  const auto warnings = [](const std::string& text) {
    const TemporaryFile file(text);
    return replay(file.path())->warnings();
  };
  for (const std::string text :
       {"id,a,b\n0,2,3\n1,2,3\n2,4,1\n", "id,a,b\n1,2,3\n2,2,3\n3,4,1\n4,0,0\n"}) {
    ASSERT_EQ(warnings(text).size(), 1U) << text;
    EXPECT_NE(warnings(text).front().find("the first column, 'id', counts the rows"),
              std::string::npos);
  }
  for (const std::string text :
       {"t,a,b\n0,2,3\n1,2,3\n2,4,1\n", "id,a,b\n0,2,3\n1,2,3\n", "id,a,b\n2,2,3\n3,2,3\n4,4,1\n",
        "id,a,b\n0,2,3\n1,2,3\n2.5,4,1\n", "a,b,id\n2,3,0\n2,3,1\n4,1,2\n"}) {
    EXPECT_EQ(warnings(text), std::vector<std::string>{}) << text;
  }
  // Where it makes a set of another dimension, the error says it too.
  const TemporaryFile file("id,a,b\n0,2,3\n1,2,3\n2,4,1\n");
  EXPECT_NE(message<InputError>([&] {
              (void)linear(simplex(2), file.path());
            }).find("which has dimension 2. " + file.path() + ": the first column, 'id'"),
            std::string::npos);
}

TEST(CostTables, KeepWhatProblemsMust) {
  Random random(1);
  std::string text = "a,b,c,d,e,f,g,h,i\n";
  for (int t = 0; t < 30; ++t) {
    for (int i = 0; i < 9; ++i) text += (i > 0 ? "," : "") + std::to_string(random.normal());
    text += "\n";
  }
  const TemporaryFile file(text);
  check_problem(*replay(file.path()));
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(9, random);
    const auto problem = linear(set, file.path());
    EXPECT_EQ(problem->spec(), "linear(" + set->spec() + ", file=\"" + file.path() + "\")");
    check_problem(*problem);
    const auto same = replay(file.path(), set);
    same->draw(3);
    problem->draw(3);
    EXPECT_EQ(same->value(set->centre()), problem->value(set->centre()));
  }
}

TEST(CostTables, RefuseWhatCannotBeUnderstood) {
  const auto refused = [](const std::string& text, SetPtr set = nullptr) {
    const TemporaryFile file(text);
    const std::string said = message<InputError>([&] { (void)replay(file.path(), set); });
    EXPECT_EQ(said.substr(0, file.path().size()), file.path()) << said;
    return said.substr(std::min(said.size(), file.path().size()));
  };
  EXPECT_EQ(refused("a,b\n1,2\n3,abc\n"), ":3: column 'b': 'abc' is not a number");
  EXPECT_EQ(refused("a,b\n1,nan\n"), ":2: column 'b': 'nan' is not a finite number");
  EXPECT_EQ(refused("a,b\n1,2\n1e51,2\n"),
            ":3: column 'a': costs must be numbers of magnitude up to 1e50, not 1e+51");
  EXPECT_EQ(refused("a,b\n1,2\n", ball(3)),
            ": 2 columns of costs for ball(3), which has dimension 3");
  EXPECT_EQ(refused("t,a\n1,2\n", ball(2)),
            ": 1 column of costs for ball(2), which has dimension 2");
  EXPECT_EQ(refused("t,a\n1,2\n"), ": a single alternative leaves nothing to choose");
  const std::string no_costs =
      ": there are no costs; a line of names and a row of numbers for each round are expected";
  EXPECT_EQ(refused("a,b\n"), no_costs);
  EXPECT_EQ(refused("t\n1\n"), no_costs);
  EXPECT_NE(refused("a,b\n1,2,3\n"), "");
  EXPECT_NE(refused("a,b\n1\n"), "");
  EXPECT_THROW((void)replay("there is no such file.csv"), InputError);
  EXPECT_THROW((void)linear(ball(2), "there is no such file.csv"), InputError);
  EXPECT_THROW((void)linear(nullptr, "x.csv"), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
