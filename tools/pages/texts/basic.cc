#include "pages/set_texts.h"

namespace keyhole::pages {
namespace {

const char* const michelot =
    "C. Michelot, A finite algorithm for finding the projection of a point onto the canonical "
    "simplex of R^n, J. Optim. Theory Appl. 50, 1986";

}  // namespace

std::vector<SetText> basic_texts() {
  return {
      {"polytope",
       {.use = "anything that linear inequalities and equations describe, such as amounts within "
               "several budgets at once",
        .example = "polytope(3, lower=0, upper=1, A=[[1, 2, 1], [1, -1, 1]], b=[2.5, 1.5])",
        .oracle = "where the simplex method stops, always from the same basis: a pure function "
                  "of d, ties included, optimal to 1e-9 R",
        .cost = "O(rows n) a pivot of the dense simplex method; above 250,000 places in A or C "
                "a sparse one (CLP)",
        .geometry = "p the centre of a largest ball inside, r its radius, R and D by the "
                    "bounding box: upper bounds",
        .exploration = "up to n = 1500 a list of vertices with the weights of a D-optimal design; "
                       "above n = 100, where these would take more than about a second, some of "
                       "them, and projections of points p - R d / ||d||; else the inscribed "
                       "sphere",
        .projection = "Newton's method on the dual near the set, a dual active set method from "
                      "afar; none for large sparse polytopes",
        .reference = "G. Dantzig, Linear Programming and Extensions, 1963; D. Goldfarb, A. "
                     "Idnani, A numerically stable dual method for solving strictly convex "
                     "quadratic programs, Math. Program. 27, 1983"}},
      {"convex_hull",
       {.use = "mixtures of points that you can list",
        .example = "convex_hull([[0, 0], [4, 0], [5, 2], [2, 4], [0, 3]])",
        .oracle = "the first point of smallest <d, v>; for d = 0 the first",
        .cost = "O(m n) for m points",
        .geometry =
            "of a simplex the incentre and its radius; else p and Sigma are the mean and the "
            "covariance of a D-optimal design of the points, r = sqrt(least eigenvalue of Sigma "
            "/ the largest (v - p)' Sigma^-1 (v - p)), a lower bound; R and D from the points",
        .exploration = "the points, with the weights of the design",
        .projection = "Wolfe's method, by the oracle alone",
        .reference = "P. Wolfe, Finding the nearest point in a polytope, 1976; F. John, "
                     "Extremum problems with inequalities as subsidiary conditions, 1948"}},
      {"ball",
       {.use = "a vector whose length is bounded, such as weights of a model",
        .example = "ball(2)",
        .oracle = "-radius d / ||d||, and -radius e_1 for d = 0",
        .cost = "O(n)",
        .geometry = "p = 0, r = R = radius, D = 2 radius",
        .exploration = "uniform on the sphere; scores n / radius u",
        .projection = "radius x / ||x|| from outside"}},
      {"box",
       {.use = "settings, each between a least and a largest value",
        .example = "box(lower=[0, -1, 0], upper=[1, 1, 2])",
        .oracle = "upper_i where d_i < 0, else lower_i; so lower for d = 0",
        .cost = "O(n)",
        .geometry = "p = (lower + upper)/2, r = min (upper - lower)/2, R = ||upper - lower||/2, D "
                    "= ||upper - lower||",
        .exploration = "uniform on the corners; scores +-2/(upper_i - lower_i)",
        .projection = "by clamping"}},
      {"solid_simplex",
       {.use = "amounts within a budget of which something may be left over",
        .example = "solid_simplex(3)",
        .oracle = "total e_i for the first i of smallest d_i if that is negative, else 0",
        .cost = "O(n)",
        .geometry = "p = r 1, r = total/(n + sqrt n), R = total sqrt(1 - 2/(n + sqrt n) + 1/(1 + "
                    "sqrt n)^2), D = total sqrt 2 (total for n = 1)",
        .exploration = "uniform on 0, total e_1, ..., total e_n",
        .projection = "by Michelot's method, O(n) a pass, few passes",
        .reference = michelot}},
      {"simplex",
       {.use = "shares that sum to one: a portfolio, a mixture, traffic over a list of paths",
        .example = "simplex(3)",
        .oracle = "total e_i for the first i of smallest d_i; so total e_1 for d = 0",
        .cost = "O(n)",
        .geometry =
            "p = total/n 1, r = total/sqrt(n (n - 1)), R = total sqrt((n - 1)/n), D = total sqrt 2",
        .exploration = "uniform on total e_1, ..., total e_n; scores n/total (e_i - 1/n 1)",
        .projection = "by Michelot's method, O(n) a pass, few passes",
        .reference = michelot}},
      {"l1_ball",
       {.use = "a vector of which few coordinates are to matter",
        .example = "l1_ball(3)",
        .oracle =
            "-radius sign(d_i) e_i for the first i of largest |d_i|, and -radius e_1 for d = 0",
        .cost = "O(n)",
        .geometry = "p = 0, r = radius/sqrt n, R = radius, D = 2 radius",
        .exploration = "uniform on +-radius e_i; scores +-n/radius e_i",
        .projection = "of the magnitudes onto the solid simplex, O(n) a pass, few passes",
        .reference = "J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra, Efficient projections "
                     "onto the l1-ball for learning in high dimensions, ICML 2008"}},
  };
}

}  // namespace keyhole::pages
