#include "pages/set_texts.h"

namespace keyhole::pages {

std::vector<SetText> combination_texts() {
  return {
      {"intersection",
       {.use = "what several sets have in common, such as shares with limits or points near two "
               "places",
        .example = "intersection(ball(2), translated(ball(2), [0.8, 0.6]))",
        .oracle = "of sets given by linear inequalities the simplex method on the rows and bounds "
                  "of all sets together, always from the same basis; otherwise column generation "
                  "from the sets' own answers, over the points of their product that are equal; it "
                  "ends when the value is proved to be within 1e-10 ||d|| D of the least, D the "
                  "root of the mean square of the sets' own, or, where rounding allows no less, "
                  "within 1e-6 ||d|| D; otherwise it throws an Error with the gap",
        .cost =
            "a linear program; otherwise, with m = (k - 1) n for k sets, up to 1000 + 100 m calls "
            "of all sets' own, each with O(m^3)",
        .geometry = "of sets given by linear inequalities a largest inscribed ball (Chebyshev "
                    "centre), R and D from the bounding box; otherwise p between the centres of "
                    "the sets, r as their balls allow there, or a mean of vertices and a ball that "
                    "they hold, if that is larger; R and D from those of the sets (upper bounds)",
        .exploration = "of sets given by linear inequalities a sample of its vertices up to 1500 "
                       "coordinates; otherwise vertices that random directions find, up to 10 "
                       "coordinates of two sets; above, the inscribed sphere",
        .projection = "only of sets given by linear inequalities: Newton's method on the dual, "
                      "with a certificate",
        .reference = "G. Dantzig, P. Wolfe, Decomposition principle for linear programs, Oper. "
                     "Res. 8, 1960"}},
      {"image",
       {.use = "another set made larger or smaller and moved",
        .example = "image(l1_ball(2), scale=2, shift=[1, 0])",
        .oracle = "scale v + shift, v the answer of the set to sign(scale) d",
        .cost = "that of the set and O(n)",
        .geometry = "p mapped, |scale| r, |scale| R, |scale| D",
        .exploration = "that of the set, mapped; scores over scale",
        .projection = "that of the set, mapped"}},
      {"scaled",
       {.use = "another set made larger or smaller",
        .example = "scaled(solid_simplex(2), -2)",
        .oracle = "scale v, v the answer of the set to sign(scale) d",
        .cost = "that of the set and O(n)",
        .geometry = "scale p, |scale| r, |scale| R, |scale| D",
        .exploration = "that of the set, scaled; scores over scale",
        .projection = "that of the set, scaled"}},
      {"translated",
       {.use = "another set moved to where your numbers are",
        .example = "translated(solid_simplex(2), [-0.25, 0.5])",
        .oracle = "v + shift, v the answer of the set to d",
        .cost = "that of the set and O(n)",
        .geometry = "p + shift; r, R and D of the set",
        .exploration = "that of the set, shifted",
        .projection = "that of the set, shifted"}},
      {"affine_image",
       {.use = "another set seen through a matrix, such as settings that move together",
        .example = "affine_image(ball(2), [[2, 0.5], [0, 1]], shift=[1, 0])",
        .oracle = "a v + b, v the answer of the set to A'd",
        .cost = "that of the set and O(rows columns)",
        .geometry = "p mapped, r by the least singular value of A that is not 0, R and D by the "
                    "largest: all bounds; with dependent columns also from vertices, where that is "
                    "better",
        .exploration =
            "that of the set, mapped; scores B (B'B)^-1 times its own, B = A on its hull; with "
            "dependent columns vertices that random directions find, by a D-optimal design"}},
      {"product",
       {.use = "several decisions at once, each on a set of its own",
        .example = "product(ball(2), box(-1, 1, 1))",
        .oracle = "set by set, ties included; sparse where all of them are",
        .cost = "the sum of theirs",
        .geometry = "p side by side, r = min r_i, R^2 = sum R_i^2, D^2 = sum D_i^2",
        .exploration = "independent draws of the sets",
        .projection = "set by set, if all of them project"}},
      {"minkowski_sum",
       {.use = "the sum of decisions that are made on several sets",
        .example = "minkowski_sum(box(0, 1, 2), ball(2, radius=0.5))",
        .oracle = "the sum of the sets' own",
        .cost = "the sum of the sets' own",
        .geometry = "p = sum p_i; r = the sum of r_i over the sets whose hull is that of "
                    "the sum, or the root of the least eigenvalue of sum r_i^2 P_i, P_i "
                    "the projections onto their hulls (a lower bound); R = sum R_i, D = "
                    "sum D_i (upper bounds)",
        .exploration = "vertices that random directions find, by a D-optimal design (up to "
                       "1500 dimensions; above, the inscribed sphere)",
        .reference = "membership: P. Wolfe, Finding the nearest point in a polytope, Math. "
                     "Program. 11, 1976; where the sum is curved, A. Lewis, M. Overton, Nonsmooth "
                     "optimization via quasi-Newton methods, Math. Program. 141, 2013"}},
      {"hull_of_union",
       {.use = "a choice among sets, and mixtures of what they have",
        .example = "hull_of_union(ball(2, radius=0.5), image(box(0, 1, 2), shift=1))",
        .oracle = "the least of the sets' own answers, the first of them",
        .cost = "the sum of the sets' own",
        .geometry = "p and r: those of the set with the largest inner ball, or a mean of "
                    "vertices and a ball that they hold, if that is larger (a lower "
                    "bound); R and D from the centres and outer radii of the sets (upper "
                    "bounds)",
        .exploration = "vertices that random directions find, by a D-optimal design (up to "
                       "1500 dimensions; above, the inscribed sphere)",
        .reference = "membership: P. Wolfe, Finding the nearest point in a polytope, Math. "
                     "Program. 11, 1976; where the hull is curved, A. Lewis, M. Overton, Nonsmooth "
                     "optimization via quasi-Newton methods, Math. Program. 141, 2013"}},
      {"slice",
       {.use = "another set where totals or means are fixed",
        .example = "slice(ball(3), A=[[1, 1, 1]], b=[0.5])",
        .oracle = "column generation from the set's own answers; it ends when the value is proved "
                  "to be within 1e-10 ||d|| D of the least, or, where rounding allows no less, "
                  "within 1e-6 ||d|| D; otherwise it throws an Error with the gap",
        .cost = "up to 30 calls of the set's own a row, each with O(rows n) and some times rows^3",
        .geometry = "p between the set's own centre and the last point towards the slice, r a "
                    "share of the set's own; or a mean of vertices and a ball that they hold, if "
                    "that is larger (lower bounds); R and D from those of the set, or from a box "
                    "of the slice (upper bounds)",
        .exploration = "vertices that random directions find, by a D-optimal design (up to "
                       "1500 dimensions; above, the inscribed sphere); above 200 dimensions "
                       "points within a hundredth of the length of the farthest",
        .projection = "only of sets given by linear inequalities: that of the polytope",
        .reference = "G. Dantzig, P. Wolfe, Decomposition principle for linear programs, Oper. "
                     "Res. 8, 1960; where the set is curved, A. Lewis, M. Overton, Nonsmooth "
                     "optimization via quasi-Newton methods, Math. Program. 141, 2013"}},
      {"cut",
       {.use = "another set where totals or coordinates have limits",
        .example = "cut(ball(2), A=[[1, 0], [-1, 2]], b=[0.5, 1])",
        .oracle = "the set's own answer if it keeps the rows; otherwise column generation from the "
                  "set's own answers, with the rows that are met; it ends when the value is proved "
                  "to be within 1e-10 ||d|| D of the least, D the set's own, or, where rounding "
                  "allows no less, within 1e-6 ||d|| D; otherwise it throws an Error with the gap",
        .cost = "one call of the set's own, or up to 30 for each row that is met, each with "
                "O(rows n) and some times the cube of the rows that are met",
        .geometry = "p the set's own, or between that and the point that keeps the rows by most, r "
                    "as the set and the rows allow there; or a mean of vertices and a ball that "
                    "they hold, if that is larger (lower bounds); R and D from those of the set, "
                    "or from a box of the cut (upper bounds)",
        .exploration = "vertices that random directions find, by a D-optimal design, while rows "
                       "times dimensions are up to 400; above, the inscribed sphere",
        .projection = "only of sets given by linear inequalities: that of the polytope",
        .reference = "G. Dantzig, P. Wolfe, Decomposition principle for linear programs, Oper. "
                     "Res. 8, 1960; where the set is curved, A. Lewis, M. Overton, Nonsmooth "
                     "optimization via quasi-Newton methods, Math. Program. 141, 2013"}},
      {"recentred",
       {.use = "beginning on another set at a point of yours",
        .example = "recentred(box(0, 1, 2), [0.3, 0.6])",
        .oracle = "that of the set",
        .cost = "that of the set",
        .geometry = "p the centre given, r and R about it computed again, or bounded "
                    "where there is no formula, D of the set",
        .exploration = "that of the set, its mean too",
        .projection = "that of the set"}},
  };
}

}  // namespace keyhole::pages
