#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "spec/arguments.h"
#include "spec/polytope_file.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

const char* const michelot =
    "C. Michelot, A finite algorithm for finding the projection of a point onto the canonical "
    "simplex of R^n, J. Optim. Theory Appl. 50, 1986";

const char* const kuczynski_wozniakowski =
    "J. Kuczynski, H. Wozniakowski, Estimating the largest eigenvalue by the power and Lanczos "
    "algorithms with a random start, SIAM J. Matrix Anal. Appl. 13, 1992";

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

SetPtr build_path_splits(const Arguments& given) { return path_splits(given.wholes("paths")); }

SetPtr build_unit_flow(const Arguments& given) {
  return unit_flow(given.whole("nodes"), given.edges("edges"), given.whole("source"),
                   given.whole("sink"));
}

Entry unit_flow_entry() {
  return {"unit_flow",
          "{f >= 0, one unit flows from the source to the sink} of a graph without cycles",
          {"flat"},
          {nodes(),
           edges(),
           {"source", Type::whole, "where the unit enters", {}, {}, node},
           {"sink", Type::whole, "where it leaves", {}, {}, node}},
          build_unit_flow,
          {},
          {.example = "unit_flow(4, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], 0, 3)",
           .oracle = "a shortest path, 1 on its edges, by dynamic programming in topological "
                     "order; of several edges that leave a node at the same cost the first",
           .cost = "O(edges); flatten O(nodes^2 + edges)",
           .geometry =
               "p the mean of a random path, r = min p_e/||P e_e||, P the projection onto the "
               "circulations, R exact by a longest path, D <= sqrt(2 longest path): an upper bound",
           .exploration = "up to 400 edges random paths with their covariance exactly; else the "
                          "inscribed sphere"}};
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
      {"nuclear_ball",
       "{X : the singular values of X sum to at most radius}, m x n, row by row",
       projects,
       {side("m", "the number of rows"), side("n", "the number of columns"),
        size("radius", "the largest sum of the singular values"), certified()},
       [](const Arguments& given) {
         return nuclear_ball(given.whole("m"), given.whole("n"), given.number("radius"),
                             {.certified = given.flag("certified")});
       },
       {},
       {.example = "nuclear_ball(2, 2)",
        .oracle =
            "-radius u v' for the top singular pair D v = sigma u of the direction D, and -radius "
            "e_1 e_1' for D = 0; in a tied space the arithmetic picks, always the same",
        .cost = "O(m n k), k = min(m, n), up to order 100 (tridiagonal form); above, 70 to 150 "
                "products with the matrix (Lanczos)",
        .geometry = "p = 0, r = radius/sqrt k, R = radius, D = 2 radius, k = min(m, n)",
        .exploration = "radius a b', a and b uniform on unit spheres; scores m n/radius a b'",
        .projection = "of the singular values onto the solid simplex, through the singular value "
                      "decomposition",
        .reference = kuczynski_wozniakowski}},
      {"symmetric_nuclear_ball",
       "{X = X' : the magnitudes of the eigenvalues of X sum to at most radius}, n x n",
       flat,
       {side("n", "the number of rows and columns"),
        size("radius", "the largest sum of the magnitudes of the eigenvalues"), certified()},
       [](const Arguments& given) {
         return symmetric_nuclear_ball(given.whole("n"), given.number("radius"),
                                       {.certified = given.flag("certified")});
       },
       {},
       {.example = "symmetric_nuclear_ball(2)",
        .oracle = "-radius sign(lambda) v v' for the eigenvalue of largest magnitude (of two, the "
                  "negative one), and -radius e_1 e_1' for d = 0; directions are made symmetric",
        .cost = "O(n^3) up to order 100 (tridiagonal form); above, 70 to 150 products with the "
                "matrix (Lanczos)",
        .geometry = "p = 0, r = radius/sqrt n, R = radius, D = 2 radius",
        .exploration =
            "+-radius w w', w uniform on the unit sphere; scores +-n/(2 radius) ((n + 2) w w' - I)",
        .projection = "of the eigenvalues onto the l1 ball, through the eigenvalue decomposition",
        .reference = kuczynski_wozniakowski}},
      {"psd_trace_ball",
       "{X = X' positive semidefinite, tr X <= trace}, n x n",
       flat,
       {side("n", "the number of rows and columns"), size("trace", "the largest trace"),
        certified()},
       [](const Arguments& given) {
         return psd_trace_ball(given.whole("n"), given.number("trace"),
                               {.certified = given.flag("certified")});
       },
       {},
       {.example = "psd_trace_ball(2)",
        .oracle = "trace v v' for the smallest eigenvalue of the direction if it is negative, else "
                  "0; directions are made symmetric",
        .cost = "O(n^3) up to order 100 (tridiagonal form); above, 70 to 150 products with the "
                "matrix (Lanczos)",
        .geometry = "p = r I, r = trace/(n + sqrt n), R = trace sqrt(1 - 2/(n + sqrt n) + 1/(1 + "
                    "sqrt n)^2), D = trace sqrt 2 (trace for n = 1)",
        .exploration =
            "0 with probability 1/(n + 1), else trace w w', w uniform on the unit sphere",
        .projection =
            "of the eigenvalues onto the solid simplex, through the eigenvalue decomposition",
        .reference = kuczynski_wozniakowski}},
      polytope_entry(),
      unit_flow_entry(),
      {"path_splits",
       "the shares of each demand's paths: a simplex a demand",
       flat,
       {{"paths", Type::numbers, "the number of paths of each demand", {}, {}, {2, most_rows}}},
       build_path_splits,
       {},
       {.example = "path_splits([3, 2])",
        .oracle = "demand by demand the first path of smallest d",
        .cost = "O(n)",
        .geometry =
            "p side by side, r = min r_i, R^2 = sum R_i^2, D^2 = sum D_i^2 of the simplices",
        .exploration = "independent draws of the simplices",
        .projection = "demand by demand",
        .reference = michelot}},
  };
}

}  // namespace keyhole::spec
