#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "spec/polytope_file.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

SetPtr build_box(const Arguments& given) {
  const std::size_t n = bounded_dimension(given, "box(lower, upper, n)");
  return box(given.coordinates("lower", n), given.coordinates("upper", n));
}

LinearRows read_rows(const Arguments& given, const char* matrix, const char* right, std::size_t n) {
  LinearRows result{.right = given.numbers(right)};
  const std::size_t rows = given.count(matrix);
  if (rows != result.right.size()) {
    given.refuse(std::string(matrix) + " has " + std::to_string(rows) + " rows, and " + right +
                 " has " + std::to_string(result.right.size()) + " numbers");
  }
  result.dense = given.matrix(matrix, n);
  return result;
}

SetPtr build_polytope(const Arguments& given) {
  if (given.has("file")) {
    for (const char* const own : {"n", "lower", "upper", "A", "b", "C", "d"}) {
      if (given.has(own)) given.refuse(own, "is for rows given here, and there is a file");
    }
    return polytope_of_file(given.text("file"), given.file("file"),
                            given.has("sha256") ? given.text("sha256") : "");
  }
  if (given.has("sha256")) given.refuse("sha256", "is the digest of a file, and there is no file");
  const std::optional<std::uint64_t> number = given.optional_whole("n");
  if (!number) {
    given.refuse(
        "n is missing, the number of coordinates: polytope(n, lower, upper, A, b, C, d), "
        "or polytope(file=...)");
  }
  const std::size_t n = *number;
  return polytope({.n = n,
                   .lower = given.coordinates("lower", n),
                   .upper = given.coordinates("upper", n),
                   .inequalities = read_rows(given, "A", "b", n),
                   .equalities = read_rows(given, "C", "d", n)});
}

Entry polytope_entry() {
  const char* const digest =
      "the text of a large polytope holds a digest of its rows, not the rows: give A and b, C and "
      "d instead";
  return {
      "polytope",
      "{x : lower <= x <= upper, A x <= b, C x = d}, given by its rows or by a file",
      {"projects"},
      {Parameter{"n", Type::whole, "the number of coordinates", {}, {}, {1, most_rows}}.or_else(
           "the file's"),
       Parameter{"lower", Type::coordinates, "lower bounds, inf allowed"}.or_else("none"),
       Parameter{"upper", Type::coordinates, "upper bounds, inf allowed"}.or_else("none"),
       Parameter{"A", Type::rows, "the rows of the inequalities"}.or_value("[]"),
       Parameter{"b", Type::numbers, "their right hand sides"}.or_value("[]"),
       Parameter{"C", Type::rows, "the rows of the equalities"}.or_value("[]"),
       Parameter{"d", Type::numbers, "their right hand sides"}.or_value("[]"),
       Parameter{"file", Type::text, "an MPS, LP or CSV file, whose constraints it has"}.or_else(
           "none"),
       Parameter{"sha256", Type::text, "what the file's digest must be"}.or_else("any")},
      build_polytope,
      {{"inequalities", digest}, {"equalities", digest}, {"digest", digest}}};
}

}  // namespace

std::vector<Entry> basic_set_entries() {
  const std::vector<std::string> projects = {"projects"};
  const std::vector<std::string> flat = {"projects", "flat"};
  return {
      {"ball",
       "{x : ||x|| <= radius}",
       projects,
       {dimension(1), size("radius", "the radius")},
       [](const Arguments& given) { return ball(given.whole("n"), given.number("radius")); }},
      {"box",
       "{x : lower <= x <= upper}",
       projects,
       {lower_bounds(), upper_bounds(), dimension(1).or_else("the length of the lists")},
       build_box},
      {"solid_simplex",
       "{x >= 0, sum x <= total}",
       projects,
       {dimension(1), size("total", "the largest sum")},
       [](const Arguments& given) {
         return solid_simplex(given.whole("n"), given.number("total"));
       }},
      {"simplex",
       "{x >= 0, sum x = total}",
       flat,
       {dimension(2), size("total", "the sum")},
       [](const Arguments& given) { return simplex(given.whole("n"), given.number("total")); }},
      {"l1_ball",
       "{x : |x_1| + ... + |x_n| <= radius}",
       projects,
       {dimension(1), size("radius", "the largest sum of magnitudes")},
       [](const Arguments& given) { return l1_ball(given.whole("n"), given.number("radius")); }},
      polytope_entry(),
  };
}

}  // namespace keyhole::spec
