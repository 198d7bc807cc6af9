#include "pages/set_texts.h"

namespace keyhole::pages {
namespace {

const char* const kuczynski_wozniakowski =
    "J. Kuczynski, H. Wozniakowski, Estimating the largest eigenvalue by the power and Lanczos "
    "algorithms with a random start, SIAM J. Matrix Anal. Appl. 13, 1992";

}  // namespace

std::vector<SetText> matrix_texts() {
  return {
      {"nuclear_ball",
       {.use = "a matrix of low rank, such as ratings that few causes explain",
        .example = "nuclear_ball(2, 2)",
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
       {.use = "a symmetric matrix of low rank",
        .example = "symmetric_nuclear_ball(2)",
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
       {.use = "a covariance, or the square of a metric, of bounded total size",
        .example = "psd_trace_ball(2)",
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
      {"spectraplex",
       {.use = "a density matrix, or a mixture of directions",
        .example = "spectraplex(2)",
        .oracle = "trace v v' for a unit eigenvector v of the smallest eigenvalue of (D + D')/2; "
                  "ties are resolved by the arithmetic, 0 gives trace e_1 e_1'",
        .cost = "O(n^3) up to order 100 (tridiagonal form); above, 70 to 150 products with the "
                "matrix (Lanczos)",
        .geometry = "p = trace/n I, r = trace / sqrt(n (n - 1)), R = trace sqrt((n - 1)/n), "
                    "D = trace sqrt 2, all exact",
        .exploration =
            "trace w w', w uniform on the unit sphere; Sigma = 2 trace^2 / (n (n + 2)) on "
            "the symmetric matrices without trace",
        .projection = "the eigenvalues onto the simplex, the eigenvectors stay, O(n^3)",
        .reference =
            "E. Hazan, Sparse approximate solutions to semidefinite programs, LATIN 2008"}},
      {"fantope",
       {.use = "the k directions that matter most, as in principal components",
        .example = "fantope(2, 1)",
        .oracle =
            "the projector onto the eigenvectors of the k smallest eigenvalues of (D + D')/2; "
            "ties are resolved by the arithmetic, 0 gives diag(1, ..., 1, 0, ..., 0)",
        .cost = "O(n^3)",
        .geometry = "p = k/n I, r = l/n sqrt(n/(n - 1)), R = sqrt(k (n - k)/n), D = sqrt(2 l), "
                    "l = min(k, n - k), all exact",
        .exploration = "the projectors onto uniformly random k-dimensional subspaces; Sigma = "
                       "2 k (n - k) / (n (n - 1)(n + 2)) on the symmetric matrices without trace",
        .projection =
            "the eigenvalues onto {0 <= l <= 1, sum l = k}, the eigenvectors stay, O(n^3)",
        .reference =
            "M. Overton, R. Womersley, On the sum of the largest eigenvalues of a "
            "symmetric matrix, SIAM J. Matrix Anal. Appl. 13, 1992; V. Vu, J. Cho, J. Lei, "
            "K. Rohe, Fantope projection and selection, NIPS 2013"}},
      {"operator_norm_ball",
       {.use = "a matrix that makes no vector longer than by a factor, such as a gain",
        .example = "operator_norm_ball(1, 2)",
        .oracle = "-radius U V' for the direction U S V', completed so that all min(m, n) singular "
                  "values of the answer are radius, also for 0",
        .cost = "O(m n min(m, n))",
        .geometry = "p = 0, r = radius, R = radius sqrt(min(m, n)), D = 2 R, all exact",
        .exploration =
            "radius W, W uniform on the matrices whose singular values are all 1; Sigma = "
            "radius^2 / max(m, n) I",
        .projection = "singular values above radius become radius, O(m n min(m, n))",
        .reference =
            "N. Higham, Computing the polar decomposition, with applications, SIAM J. Sci. "
            "Stat. Comput. 7, 1986"}},
      {"schatten_ball",
       {.use = "a matrix between low rank and bounded gain",
        .example = "schatten_ball(1, 2, 3)",
        .oracle = "with U S V' the direction, U v(S) V', v(S) the answer of lp_ball(min(m, n), p, "
                  "radius) to the singular values",
        .cost = "O(m n min(m, n))",
        .geometry =
            "p = 0, r = radius min(1, k^(1/2 - 1/p)), R = radius max(1, k^(1/2 - 1/p)), k = "
            "min(m, n), D = 2 R, all exact",
        .exploration = "for p < 2 radius a b', a and b uniform on the unit spheres; for p = 2 the "
                       "sphere; for p > 2 radius k^(-1/p) W, W uniform on the matrices whose "
                       "singular values are all 1",
        .projection = "the singular values onto lp_ball(min(m, n), p, radius), O(m n min(m, n))",
        .reference = "R. Schatten, A theory of cross-spaces, 1950; J. von Neumann, Some "
                     "matrix-inequalities and metrization of matric-space, 1937"}},
      {"elliptope",
       {.use = "correlations of n things",
        .example = "elliptope(3)",
        .oracle =
            "the semidefinite relaxation of Max-Cut, by a primal-dual interior-point method: the "
            "value is within 1e-10 ||d|| of the least one, d without its diagonal, or, where "
            "rounding allows no less, within 1e-9 ||d||; otherwise it throws an Error. Of several "
            "optimal matrices about the analytic centre, moved to the boundary; d = 0 gives ones",
        .cost = "O(n^3) a step, about 20 steps",
        .geometry = "p = I, r = sqrt(n/(n - 1)), R = sqrt(n (n - 1)), exact; D = n sqrt 2, exact "
                    "for even n, else a bound",
        .exploration = "x x', x uniform on the vectors of n signs; Sigma = 2 on the symmetric "
                       "matrices with diagonal 0",
        .reference = "C. Helmberg, F. Rendl, R. Vanderbei, H. Wolkowicz, An interior-point method "
                     "for semidefinite programming, SIAM J. Optim. 6, 1996; M. Laurent, S. Poljak, "
                     "On a positive semidefinite relaxation of the cut polytope, Linear Algebra "
                     "Appl. 223, 1995"}},
      {"max_norm_ball",
       {.use = "a matrix of low rank whose entries stay small, such as ratings with missing ones",
        .example = "max_norm_ball(1, 2)",
        .oracle = "radius times the block beside the diagonal of the answer of elliptope(m + n) to "
                  "the direction in that block; d = 0 gives the matrix of radius. Membership by "
                  "Newton's method on the dual of the max norm, which is found to 1e-10, or, where "
                  "rounding allows no less, to 1e-8 of itself; otherwise it throws an Error",
        .cost = "O((m + n)^3) a step, about 20 steps",
        .geometry = "p = 0, r = radius, R = radius sqrt(m n), D = 2 R, all exact",
        .exploration = "radius u v', u and v uniform on the vectors of m and n signs; Sigma = "
                       "radius^2",
        .reference = "N. Srebro, A. Shraibman, Rank, trace-norm and max-norm, COLT 2005; T. Lee, "
                     "A. Shraibman, R. Spalek, A direct product theorem for discrepancy, CCC "
                     "2008"}},
  };
}

}  // namespace keyhole::pages
