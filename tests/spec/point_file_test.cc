// Convex hulls of points in CSV files and in arrays of NumPy.

#include "spec/point_file.h"

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

std::string refusal(const std::string& bytes) {
  return message<InputError>([&] { (void)parse_npy(bytes, "a.npy"); });
}

TEST(PointFiles, ReadArraysOfNumpyInEitherOrder) {
  EXPECT_EQ(parse_npy(npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3}), "a.npy"), triangle);
  EXPECT_EQ(parse_npy(npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3}, 2), "a.npy"), triangle);
  EXPECT_EQ(parse_npy(npy(columns_first, {0, 3, 1, 0.5, -1, 1e-3}), "a.npy"), triangle);
}

TEST(PointFiles, RefuseArraysThatAreNotUnderstood) {
  const std::string good = npy(rows_first, {0, 0.5, 3, -1, 1, 1e-3});
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW((void)parse_npy(good.substr(0, length), "a.npy"), InputError) << length;
  }
  EXPECT_EQ(refusal("PK"), "a.npy: is not an .npy file of NumPy");
  EXPECT_EQ(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", {})),
            "a.npy: holds numbers of the type '<f4', not '<f8': save points.astype('<f8')");
  EXPECT_EQ(refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", {})),
            "a.npy: holds an array of the shape (6,), not of rows and columns");
  EXPECT_EQ(refusal(npy("{'descr': '<f8', 'shape': (6, 2), }", {})),
            "a.npy: has a header that is not understood");
  EXPECT_EQ(refusal(npy(rows_first, {1, 2, 3, 4, 5})), "a.npy: has too few numbers");
  EXPECT_EQ(refusal(npy(rows_first, {1, 2, 3, 4, 5, 6, 7})),
            "a.npy: has 56 bytes of numbers for 3 rows of 2");
  EXPECT_EQ(refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': "
                        "(4611686018427387904, 4), }",
                        {})),
            "a.npy: has too few numbers");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(npy(rows_first, {1, 2, 3, nan, 5, 6})),
            "a.npy: row 1, column 1 is nan, not a finite number");
}

TEST(PointFiles, MakeHullsFromTheFolderOfTheExperiment) {
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
  std::filesystem::remove_all(folder);
  EXPECT_EQ(message<InputError>([] { (void)make_set("convex_hull()"); }),
            "convex_hull(): points are missing: convex_hull(points), or convex_hull(file=...)");
  EXPECT_THROW((void)make_set("convex_hull([[0], [1]], file=a.csv)"), SpecError);
  EXPECT_THROW((void)make_set("convex_hull(file=missing.csv)"), InputError);
}

}  // namespace
}  // namespace keyhole::spec
