#include "keyhole/spectral_sets.h"
#include "spec/arguments.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

Entry spectraplex_entry() {
  return {
      "spectraplex",
      "{X = X' positive semidefinite, tr X = trace}, n x n, row by row",
      {"projects", "flat"},
      {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_rows}},
       size("trace", "the trace"),
       certified()},
      [](const Arguments& given) {
        return spectraplex(given.whole("n"), given.number("trace"),
                           {.certified = given.flag("certified")});
      },
      {},
      {.example = "spectraplex(2)",
       .oracle = "trace v v' for a unit eigenvector v of the smallest eigenvalue of (D + D')/2; "
                 "ties are resolved by the arithmetic, 0 gives trace e_1 e_1'",
       .cost = "O(n^3) up to n = 100, above some products with D (Lanczos)",
       .geometry = "p = trace/n I, r = trace / sqrt(n (n - 1)), R = trace sqrt((n - 1)/n), "
                   "D = trace sqrt 2, all exact",
       .exploration =
           "trace w w', w uniform on the unit sphere; Sigma = 2 trace^2 / (n (n + 2)) on "
           "the symmetric matrices without trace",
       .projection = "the eigenvalues onto the simplex, the eigenvectors stay, O(n^3)",
       .reference = "Hazan: Sparse approximate solutions to semidefinite programs, LATIN 2008"}};
}

Entry fantope_entry() {
  return {
      "fantope",
      "{X = X' : 0 <= X <= I, tr X = k}, n x n, row by row: hull of the projectors of rank k",
      {"projects", "flat"},
      {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_rows}},
       {"k", Type::whole, "the trace, below n", {}, {}, {1, most_rows}}},
      [](const Arguments& given) { return fantope(given.whole("n"), given.whole("k")); },
      {},
      {.example = "fantope(2, 1)",
       .oracle = "the projector onto the eigenvectors of the k smallest eigenvalues of (D + D')/2; "
                 "ties are resolved by the arithmetic, 0 gives diag(1, ..., 1, 0, ..., 0)",
       .cost = "O(n^3)",
       .geometry = "p = k/n I, r = l/n sqrt(n/(n - 1)), R = sqrt(k (n - k)/n), D = sqrt(2 l), "
                   "l = min(k, n - k), all exact",
       .exploration = "the projectors onto uniformly random k-dimensional subspaces; Sigma = "
                      "2 k (n - k) / (n (n - 1)(n + 2)) on the symmetric matrices without trace",
       .projection = "the eigenvalues onto {0 <= l <= 1, sum l = k}, the eigenvectors stay, O(n^3)",
       .reference = "Overton, Womersley: On the sum of the largest eigenvalues of a symmetric "
                    "matrix, SIAM J. Matrix Anal. Appl. 13, 1992; Vu, Cho, Lei, Rohe: Fantope "
                    "projection and selection, NIPS 2013"}};
}

Entry operator_norm_ball_entry() {
  return {
      "operator_norm_ball",
      "{X : the largest singular value of X is at most radius}, m x n, row by row",
      {"projects"},
      {side("m", "the number of rows"), side("n", "the number of columns"),
       size("radius", "the largest singular value")},
      [](const Arguments& given) {
        return operator_norm_ball(given.whole("m"), given.whole("n"), given.number("radius"));
      },
      {},
      {.example = "operator_norm_ball(1, 2)",
       .oracle = "-radius U V' for the direction U S V', completed so that all min(m, n) singular "
                 "values of the answer are radius, also for 0",
       .cost = "O(m n min(m, n))",
       .geometry = "p = 0, r = radius, R = radius sqrt(min(m, n)), D = 2 R, all exact",
       .exploration =
           "radius W, W uniform on the matrices whose singular values are all 1; Sigma = "
           "radius^2 / max(m, n) I",
       .projection = "singular values above radius become radius, O(m n min(m, n))",
       .reference = "Higham: Computing the polar decomposition, with applications, SIAM J. Sci. "
                    "Stat. Comput. 7, 1986"}};
}

}  // namespace

std::vector<Entry> spectral_set_entries() {
  return {spectraplex_entry(), fantope_entry(), operator_norm_ball_entry()};
}

}  // namespace keyhole::spec
