#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "spec/polytope_file.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

const char* const michelot =
    "C. Michelot, A finite algorithm for finding the projection of a point onto the canonical "
    "simplex of R^n, J. Optim. Theory Appl. 50, 1986";

SetPtr build_box(const Arguments& given) {
  std::optional<std::uint64_t> n = given.optional_whole("n");
  if (!n) n = given.listed("lower");
  if (!n) n = given.listed("upper");
  if (!n) given.refuse("n is missing, the number of coordinates: box(lower, upper, n)");
  return box(given.coordinates("lower", *n), given.coordinates("upper", *n));
}

LinearRows read_rows(const Arguments& given, const char* matrix, const char* right, std::size_t n) {
  LinearRows result{.right = given.numbers(right)};
  const std::size_t rows = given.rows(matrix).size();
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

SetPage polytope_page() {
  return {.example = "polytope(3, lower=0, upper=1, A=[[1, 2, 1], [1, -1, 1]], b=[2.5, 1.5])",
          .oracle =
              "where the simplex method stops, always from the same basis: a pure function "
              "of d, ties included, optimal to 1e-9 R",
          .cost =
              "O(rows n) a pivot of the dense simplex method; above 250,000 places in A or C "
              "a sparse one (CLP)",
          .geometry =
              "p the centre of a largest ball inside, r its radius, R and D by the "
              "bounding box: upper bounds",
          .exploration =
              "up to n = 1500 a list of vertices with the weights of a D-optimal "
              "design; else the inscribed sphere",
          .projection =
              "Newton's method on the dual near the set, a dual active set method from "
              "afar; none for large sparse polytopes",
          .reference =
              "G. Dantzig, Linear Programming and Extensions, 1963; D. Goldfarb, A. "
              "Idnani, A numerically stable dual method for solving strictly convex "
              "quadratic programs, Math. Program. 27, 1983"};
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
       Parameter{"file", Type::text, "an MPS or LP file, whose constraints it has"}.or_else("none"),
       Parameter{"sha256", Type::text, "what the file's digest must be"}.or_else("any")},
      build_polytope,
      {{"inequalities", digest}, {"equalities", digest}, {"digest", digest}},
      polytope_page()};
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
       [](const Arguments& given) { return ball(given.whole("n"), given.number("radius")); },
       {},
       {.example = "ball(2)",
        .oracle = "-radius d / ||d||, and -radius e_1 for d = 0",
        .cost = "O(n)",
        .geometry = "p = 0, r = R = radius, D = 2 radius",
        .exploration = "uniform on the sphere; scores n / radius u",
        .projection = "radius x / ||x|| from outside"}},
      {"box",
       "{x : lower <= x <= upper}",
       projects,
       {{"lower", Type::coordinates, "the lower bounds", {}, {}, moderate},
        {"upper", Type::coordinates, "the upper bounds", {}, {}, moderate},
        dimension(1).or_else("the length of the lists")},
       build_box,
       {},
       {.example = "box(lower=[0, -1, 0], upper=[1, 1, 2])",
        .oracle = "upper_i where d_i < 0, else lower_i; so lower for d = 0",
        .cost = "O(n)",
        .geometry = "p = (lower + upper)/2, r = min (upper - lower)/2, R = ||upper - lower||/2, D "
                    "= ||upper - lower||",
        .exploration = "uniform on the corners; scores +-2/(upper_i - lower_i)",
        .projection = "by clamping"}},
      {"solid_simplex",
       "{x >= 0, sum x <= total}",
       projects,
       {dimension(1), size("total", "the largest sum")},
       [](const Arguments& given) {
         return solid_simplex(given.whole("n"), given.number("total"));
       },
       {},
       {.example = "solid_simplex(3)",
        .oracle = "total e_i for the first i of smallest d_i if that is negative, else 0",
        .cost = "O(n)",
        .geometry = "p = r 1, r = total/(n + sqrt n), R = total sqrt(1 - 2/(n + sqrt n) + 1/(1 + "
                    "sqrt n)^2), D = total sqrt 2 (total for n = 1)",
        .exploration = "uniform on 0, total e_1, ..., total e_n",
        .projection = "by Michelot's method, O(n) a pass, few passes",
        .reference = michelot}},
      {"simplex",
       "{x >= 0, sum x = total}",
       flat,
       {dimension(2), size("total", "the sum")},
       [](const Arguments& given) { return simplex(given.whole("n"), given.number("total")); },
       {},
       {.example = "simplex(3)",
        .oracle = "total e_i for the first i of smallest d_i; so total e_1 for d = 0",
        .cost = "O(n)",
        .geometry =
            "p = total/n 1, r = total/sqrt(n (n - 1)), R = total sqrt((n - 1)/n), D = total sqrt 2",
        .exploration = "uniform on total e_1, ..., total e_n; scores n/total (e_i - 1/n 1)",
        .projection = "by Michelot's method, O(n) a pass, few passes",
        .reference = michelot}},
      {"l1_ball",
       "{x : |x_1| + ... + |x_n| <= radius}",
       projects,
       {dimension(1), size("radius", "the largest sum of magnitudes")},
       [](const Arguments& given) { return l1_ball(given.whole("n"), given.number("radius")); },
       {},
       {.example = "l1_ball(3)",
        .oracle =
            "-radius sign(d_i) e_i for the first i of largest |d_i|, and -radius e_1 for d = 0",
        .cost = "O(n)",
        .geometry = "p = 0, r = radius/sqrt n, R = radius, D = 2 radius",
        .exploration = "uniform on +-radius e_i; scores +-n/radius e_i",
        .projection = "of the magnitudes onto the solid simplex, O(n) a pass, few passes",
        .reference = "J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra, Efficient projections "
                     "onto the l1-ball for learning in high dimensions, ICML 2008"}},
      polytope_entry(),
  };
}

}  // namespace keyhole::spec
