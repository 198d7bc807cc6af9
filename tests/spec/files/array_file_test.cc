// Lists, matrices and graphs in files.

#include "spec/files/array_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::spec {
namespace {

using tests::message;
using Points = std::vector<std::vector<double>>;

const Points triangle = {{0, 0.5}, {3, -1}, {1, 1e-3}};

/// The bytes that numpy.save writes.
std::string npy(const std::string& header, const std::vector<double>& numbers, char version = 1) {
  std::string padded = header;
  while ((10 + padded.size() + 1) % 64 != 0) padded += ' ';
  padded += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0', static_cast<char>(padded.size() % 256),
            static_cast<char>(padded.size() / 256)};
  if (version > 1) bytes += {'\0', '\0'};
  bytes += padded;
  for (const double number : numbers) {
    char raw[8];
    std::memcpy(raw, &number, 8);
    bytes.append(raw, 8);
  }
  return bytes;
}

const std::string rows_first = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
const std::string columns_first = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }";

/// The rows of an array of NumPy.
Points parse_npy(const std::string& bytes) {
  const Array array = Array::from_npy(bytes, "a.npy");
  Points points;
  for (std::size_t i = 0; i < array.rows(); ++i) {
    points.emplace_back(array.row(i).begin(), array.row(i).end());
  }
  return points;
}

std::string refusal(const std::string& bytes) {
  return message<InputError>([&] { (void)parse_npy(bytes); });
}

TEST(ArrayFiles, ReadArraysOfNumpyInEitherOrder) {
  EXPECT_EQ(parse_npy(npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3})), triangle);
  EXPECT_EQ(parse_npy(npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3}, 2)), triangle);
  EXPECT_EQ(parse_npy(npy(columns_first, {0, 3, 1, 0.5, -1, 1e-3})), triangle);
}

TEST(ArrayFiles, RefuseArraysThatAreNotUnderstood) {
  const std::string good = npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3});
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW((void)parse_npy(good.substr(0, length)), InputError) << length;
  }
  EXPECT_EQ(refusal("PK"), "a.npy: is not an .npy file of NumPy");
  EXPECT_EQ(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", {})),
            "a.npy: holds numbers of the type '<f4', not '<f8': save points.astype('<f8')");
  EXPECT_EQ(refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (6, 1, 1), }", {})),
            "a.npy: holds an array of the shape (6, 1, 1), not a list or rows and columns");
  EXPECT_EQ(refusal(npy("{'descr': '<f8', 'shape': (6, 2), }", {})),
            "a.npy: has a header that is not understood");
  EXPECT_EQ(refusal(npy(rows_first, {1, 2, 3, 4, 5})), "a.npy: has too few numbers");
  EXPECT_EQ(refusal(npy(rows_first, {1, 2, 3, 4, 5, 6, 7})),
            "a.npy: has 56 bytes of numbers for 3 rows of 2");
  EXPECT_EQ(refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': "
                        "(4611686018427387904, 4), }",
                        {})),
            "a.npy: has too few numbers");
}

TEST(ArrayFiles, MakeHullsFromTheFolderOfTheExperiment) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("point_files_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "plans.csv") << "a,b\n0,0.5\n3,-1\n1,0.001\n";
  std::ofstream(folder / "plans.npy", std::ios::binary)
      << npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3});
  const std::string expected = convex_hull(triangle)->spec();
  for (const char* const name : {"plans.csv", "plans.npy"}) {
    const std::string path = (folder / name).string();
    EXPECT_EQ(make_set("convex_hull(file=\"" + path + "\")")->spec(), expected);
    const auto problem = make_problem(std::string("linear(convex_hull(file=") + name + "))",
                                      {.folder = folder.string()});
    EXPECT_EQ(problem->set().spec(), expected);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::ofstream(folder / "nan.npy", std::ios::binary) << npy(rows_first, {1, 2, 3, nan, 5, 6});
  const std::string wrong = message<SpecError>(
      [&] { (void)make_set("convex_hull(file=\"" + (folder / "nan.npy").string() + "\")"); });
  EXPECT_TRUE(wrong.ends_with("points, number 1 of row 1, must be from -1e+50 to 1e+50, not nan"))
      << wrong;
  std::filesystem::remove_all(folder);
  EXPECT_EQ(message<InputError>([] { (void)make_set("convex_hull()"); }),
            "convex_hull(): points are missing: convex_hull(points), or convex_hull(file=...)");
  EXPECT_THROW((void)make_set("convex_hull([[0], [1]], file=a.csv)"), SpecError);
  EXPECT_THROW((void)make_set("convex_hull(file=missing.csv)"), InputError);
}

class FilesOfNumbers : public ::testing::Test {
 protected:
  FilesOfNumbers() { std::filesystem::create_directories(folder_); }
  ~FilesOfNumbers() override { std::filesystem::remove_all(folder_); }

  /// file("...") of a new file.
  std::string file(const std::string& name, const std::string& bytes,
                   const std::string& column = "") const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return "file(\"" + path + "\"" + (column.empty() ? "" : ", " + column) + ")";
  }
  static void expect_same(const std::string& from_file, const std::string& written) {
    EXPECT_EQ(make_set(from_file)->spec(), make_set(written)->spec()) << from_file;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("array_files_" + std::to_string(::getpid()));
};

TEST_F(FilesOfNumbers, StandForAnyList) {
  const std::string weights = file("w.npy", Array({1, 2, 3}).npy());
  expect_same("knapsack(" + weights + ", 2)", "knapsack([1, 2, 3], 2)");
  expect_same("box(0, " + weights + ")", "box([0, 0, 0], [1, 2, 3])");
  expect_same("group_ball(" + weights + ")", "group_ball([1, 2, 3])");
  const std::string table = "weight,upper\n1,4\n2,5\n3,6\n";
  expect_same("knapsack(" + file("t.csv", table, "weight") +
                  ", 2, upper=" + file("t.csv", table, "upper") + ")",
              "knapsack([1, 2, 3], 2, upper=[4, 5, 6])");
  expect_same("knapsack(" + file("one.csv", "w\n1\n2\n") + ", 2)", "knapsack([1, 2], 2)");
  expect_same("ellipsoid(" + file("Q.csv", "a,b\n2,0\n0,3\n") + ")", "ellipsoid([[2, 0], [0, 3]])");
  expect_same("ellipsoid(" + file("Q.npy", Array({2, 0, 0, 3}, 2).npy()) + ")",
              "ellipsoid([[2, 0], [0, 3]])");
  const double infinity = std::numeric_limits<double>::infinity();
  expect_same("polytope(2, lower=0, upper=" + file("u.npy", Array({infinity, 1}).npy()) +
                  ", A=[[1, 1]], b=[1])",
              "polytope(2, lower=0, upper=[inf, 1], A=[[1, 1]], b=[1])");
  EXPECT_EQ(
      make_problem("linear(knapsack(file(w.npy), 2))", {.folder = folder_.string()})->set().spec(),
      "knapsack([1, 2, 3], 2)");
}

TEST_F(FilesOfNumbers, StandForGraphs) {
  const std::string written =
      "flow(4, [[0, 1], [0, 2], [1, 3], [2, 3]], 0, 3, capacities=[1, 2, 3, 4])";
  const std::string flow =
      "c a network\np max 4 4\nn 1 s\nn 4 t\na 1 2 1\na 1 3 2\na 2 4 3\na 3 4 4\n";
  expect_same("flow(4, " + file("net.max", flow) +
                  ", 0, 3, capacities=" + file("net.max", flow, "capacity") + ")",
              written);
  const std::string list = "# from to weight\n0 1 1\n0 2 2\n\n1\t3 3 % the last but one\r\n2 3 4";
  expect_same("flow(4, " + file("net.txt", list) +
                  ", 0, 3, capacities=" + file("net.txt", list, "weight") + ")",
              written);
  expect_same(
      "graphic_matroid(3, " + file("triangle.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n") + ")",
      "graphic_matroid(3, [[0, 1], [1, 2], [0, 2]])");
  expect_same("unit_flow(3, " + file("e.csv", "from,to\n0,1\n1,2\n0,2\n") + ", 0, 2)",
              "unit_flow(3, [[0, 1], [1, 2], [0, 2]], 0, 2)");
}

TEST_F(FilesOfNumbers, AreRefusedWithTheirLine) {
  const auto refusal = [&](const std::string& text) {
    return message<InputError>([&] { (void)graph_of_text(text, "g"); });
  };
  EXPECT_EQ(refusal("0 1\n1 2 3\n"), "g:2: an edge has 2 numbers here, not 3");
  EXPECT_EQ(refusal("0 -1\n"), "g:1: '-1' is not a whole number up to 2^53");
  EXPECT_EQ(refusal("0 1 x\n"), "g:1: 'x' is not a number");
  EXPECT_EQ(refusal(""), "g: has no edges");
  EXPECT_EQ(refusal("p sp 2 1\na 0 1 1\n"), "g:2: node 0 is none of 1 to 2");
  EXPECT_EQ(refusal("p sp 2 1\na 1 3 1\n"), "g:2: node 3 is none of 1 to 2");
  EXPECT_EQ(refusal("p sp 2 1\na 1 2\n"), "g:2: an edge is a line 'a' with 3 numbers");
  EXPECT_EQ(refusal("p col 2 1\na 1 2\n"), "g:2: an edge is a line 'e' with 2 numbers");
  EXPECT_EQ(refusal("p sp 2 2\na 1 2 1\n"), "g: has 1 edges, and its line p says 2");
  EXPECT_EQ(refusal("p sp 2 2\np sp 2 2\n"), "g:2: a line p stands before all edges, once");
  EXPECT_NE(refusal("p tsp 2 2\n").find("g:1: a line p is like"), std::string::npos);

  const auto of_spec = [&](const std::string& spec) {
    return message<InputError>([&] { (void)make_set(spec); });
  };
  EXPECT_NE(of_spec("knapsack(" + file("t.csv", "a,b\n1,2\n", "c") + ", 2)")
                .find("t.csv: has no column 'c'; it has a, b"),
            std::string::npos);
  EXPECT_NE(of_spec("knapsack(" + file("t.csv", "a,b\n1,2\n") + ", 2)")
                .find("weights at column 10 must be a list of numbers, not an array of 1x2"),
            std::string::npos);
  EXPECT_THROW((void)make_set("knapsack(file(missing.npy), 2)"), InputError);
  EXPECT_THROW((void)make_set("knapsack(file(), 2)"), SpecError);
}

}  // namespace
}  // namespace keyhole::spec
