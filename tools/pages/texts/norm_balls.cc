#include "pages/set_texts.h"

namespace keyhole::pages {

std::vector<SetText> norm_ball_texts() {
  return {
      {"lp_ball",
       {.use = "a vector of bounded size, by a norm between the sum and the largest of its "
               "coordinates",
        .example = "lp_ball(2, 3)",
        .oracle =
            "v_i = -radius / w_i sign(d_i) |g_i|^(q-1) / ||g||_q^(q-1), g = d / w, 1/p + 1/q = "
            "1; -radius / w_1 e_1 for d = 0; p = 1: -radius / w_i sign(d_i) e_i for the first i "
            "of largest |g_i|; p = inf: radius / w_i where d_i < 0, else -radius / w_i",
        .cost = "O(n)",
        .geometry = "the centre is 0, D = 2 R; with weights 1 R = radius and r = radius n^(1/2 - "
                    "1/p) for p <= 2, r = radius and R = radius n^(1/2 - 1/p) for p >= "
                    "2; with others R = radius / min w and r = radius / ||w||_s, s = 2p "
                    "/ (2 - p), for p <= 2, r = radius / max w and R = radius ||1/w||_s, "
                    "s = 2p / (p - 2), for p >= 2",
        .exploration = "p < 2: the points +-radius / w_i e_i; p = 2: the whole boundary; "
                       "p > 2: n^(-1/p) radius (+-1/w_1, ..., +-1/w_n)",
        .projection = "p = 1: Michelot's method; p = inf: clamping; else y_i + mu w_i^2 "
                      "y_i^(p-1) = c_i by Newton's method, in mu and in each y_i",
        .reference = "C. Combettes, S. Pokutta, Complexity of linear minimization and projection "
                     "on some sets, 2021"}},
      {"k_sparse_ball",
       {.use = "a vector of which about k bounded coordinates are to matter",
        .example = "k_sparse_ball(3, 2)",
        .oracle = "-radius sign(d_i) at the k largest |d_i|, of several the first; "
                  "sign(0) = 1",
        .cost = "O(n)",
        .geometry = "p = 0, r = radius min(1, k / sqrt n), R = radius sqrt k, D = 2 R",
        .exploration = "random signs on k random coordinates: Sigma = radius^2 k/n I",
        .projection = "the magnitudes become clamp(|z_i| - theta, 0, radius), as for "
                      "solid_hypersimplex",
        .reference = "B. Wu, C. Ding, D. Sun, K.-C. Toh, On the Moreau-Yosida "
                     "regularization of the vector k-norm related functions, 2014"}},
      {"k_support_ball",
       {.use = "a vector of which about k coordinates are to matter, with bounded length",
        .example = "k_support_ball(3, 2)",
        .oracle = "-radius d_S / ||d_S|| for the k largest |d_i|, of several the first; -radius "
                  "e_1 for d = 0",
        .cost = "O(n) on average, by selection",
        .geometry = "p = 0, r = radius sqrt(k / n), R = radius, D = 2 radius",
        .exploration = "+-radius / sqrt k on k coordinates, all choices as likely as each other",
        .projection = "x_i = z_i theta_i / (theta_i + l), theta_i = clamp(c |z_i| - l, 0, 1) with "
                      "sum theta = k, and the l of norm radius, both by Newton's method",
        .reference = "A. Argyriou, R. Foygel, N. Srebro, Sparse prediction with the k-support "
                     "norm, 2012; A. McDonald, M. Pontil, D. Stamos, Spectral k-support norm "
                     "regularization, 2014"}},
      {"k_norm_ball",
       {.use = "a vector whose k largest coordinates together are bounded",
        .example = "k_norm_ball(3, 2)",
        .oracle = "the better of -radius sign(d_i) e_i for the first i of largest |d_i| "
                  "and -radius / k sign(d), of equal ones the first, but the second for k = "
                  "1; sign(0) = 1",
        .cost = "O(n)",
        .geometry = "p = 0, r = radius / sqrt k, R = radius max(1, sqrt n / k), D = 2 R",
        .exploration = "the points +-radius e_i, or for n > k^2 the corners radius / k "
                       "(+-1, ..., +-1)",
        .projection = "as for owl_ball with k weights 1 and n - k weights 0",
        .reference = "B. Wu, C. Ding, D. Sun, K.-C. Toh, On the Moreau-Yosida "
                     "regularization of the vector k-norm related functions, 2014"}},
      {"owl_ball",
       {.use = "a vector of which few coordinates are to matter, the largest ones less or more",
        .example = "owl_ball([1, 0.5, 0.25])",
        .oracle = "-radius / W_k sign(d_i) at the k largest |d_i|, of several the first, "
                  "W_k = w_1 + ... + w_k, for the first k of largest sum of those |d_i| "
                  "over W_k for which these are vertices; sign(0) = 1",
        .cost = "O(n log n)",
        .geometry = "p = 0, r = radius / ||w||, R = radius max_k sqrt k / W_k, D = 2 R",
        .exploration = "random signs radius / W_k on k random coordinates, for the k of "
                       "the farthest vertices: Sigma = R^2 / n I",
        .projection = "pooling of adjacent violators of |z|_(k) - mu w_k, Newton's "
                      "method on mu",
        .reference =
            "M. Bogdan, E. van den Berg, C. Sabatti, W. Su, E. Candes, SLOPE: adaptive variable "
            "selection via convex optimization, 2015; X. Zeng, M. Figueiredo, The ordered "
            "weighted l1 norm: atomic formulation, projections, and algorithms, 2014"}},
      {"group_ball",
       {.use = "a vector of which few groups of coordinates are to matter",
        .example = "group_ball([2, 1])",
        .oracle = "-radius d_g / ||d_g|| in the first group of largest ||d_g||; -radius "
                  "e_1 for d = 0",
        .cost = "O(n)",
        .geometry = "p = 0, r = radius / sqrt m, R = radius, D = 2 radius",
        .exploration = "uniform on the sphere of one group, chosen in proportion to its "
                       "size: Sigma = radius^2 / n I",
        .projection = "the lengths ||x_g|| are projected onto {l >= 0, sum l <= radius}",
        .reference = "M. Yuan, Y. Lin, Model selection and estimation in regression "
                     "with grouped variables, 2006"}},
      {"latent_group_ball",
       {.use = "a vector of which few groups of coordinates are to matter, where groups overlap",
        .example = "latent_group_ball([[0, 1], [1, 2]])",
        .oracle = "-radius d_g / ||d_g|| in the first group of largest ||d_g||; for d = 0 -radius "
                  "at the least coordinate of the first group",
        .cost = "O(the sizes of all groups)",
        .geometry = "p = 0, r = radius sqrt(c / m), c the least number of the m groups that a "
                    "coordinate is in, a lower bound, R = radius, D = 2 radius",
        .exploration = "vertices of random directions, with the weights of a D-optimal design",
        .reference = "L. Jacob, G. Obozinski, J.-P. Vert, Group lasso with overlap and graph "
                     "lasso, 2009"}},
      {"ellipsoid",
       {.use = "a vector of bounded size where directions are not alike, such as a region of trust",
        .example = "ellipsoid([[2, 1], [1, 1]])",
        .oracle = "c - A^-1 d / sqrt(d' A^-1 d); for d = 0 as for e_1",
        .cost = "O(n^2), and O(n^3) once",
        .geometry = "p = c, r = the largest eigenvalue of A to the power -1/2, R = the "
                    "smallest one to the same, D = 2 R",
        .exploration = "the boundary, as the image of the sphere: Sigma = A^-1 / n",
        .projection = "the secular equation sum l_i y_i^2 / (1 + mu l_i)^2 = 1 in the "
                      "eigenvectors of A, by Newton's method",
        .reference = "G. Golub, C. Van Loan, Matrix Computations, section 6.2.1"}},
      {"total_variation_ball",
       {.use = "a signal that changes little from one coordinate to the next",
        .example = "total_variation_ball(4)",
        .oracle = "+-radius s_k, s_k = -(n - k)/n on the first k coordinates and k/n on "
                  "the others, for the first k where the sum of the first k coordinates "
                  "of d, less its mean, has the largest magnitude; -radius s_1 for d = 0",
        .cost = "O(n)",
        .geometry = "p = 0, r = radius / sqrt(4n - 6), R = radius sqrt(k (n - k) / n) "
                    "with k = floor(n/2), D = 2 R",
        .exploration = "the vertices +-radius s_k, each as likely as the others; "
                       "Sigma^-1 v = +-(n - 1) / radius (e_{k+1} - e_k)",
        .projection = "dynamic programming, and Newton's method on the multiplier",
        .reference = "N. Johnson, A dynamic programming algorithm for the fused lasso and "
                     "L0-segmentation, 2013"}},
      {"ball_in_box",
       {.use = "settings between bounds that together may not go far from a point",
        .example = "ball_in_box(0, 1, 3)",
        .oracle = "with x(t) = clamp(c - t d), coordinate by coordinate, the corner x(infinity) if "
                  "it is in the ball, else the x(t) at the distance radius from c; clamp(c_i) "
                  "where d_i = 0, and for d = 0 as for e_1",
        .cost = "O(n log n)",
        .geometry = "p is the centre of a largest ball inside, the point of [lower + r, upper - r] "
                    "nearest to c, r by bisection; R and D are upper bounds, those of the ball or "
                    "of the box",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .projection = "clamp(c + t (z - c)) for the largest t up to 1 that is in the ball"}},
      {"l1_ball_in_box",
       {.use = "few changes from what is run today, each between bounds",
        .example = "l1_ball_in_box([-0.3, -0.6, 0], [0.7, 0.6, 0.8])",
        .oracle = "the coordinates in the order of falling |d_i|, of equal ones the first, go to "
                  "their bound against d_i until the radius is used, the last one in part; 0 where "
                  "d_i = 0",
        .cost = "O(n log n)",
        .geometry = "p is the centre of a largest ball inside, the point of [lower + r, upper - r] "
                    "nearest to 0, r by bisection; R and D are upper bounds, each by a fractional "
                    "knapsack",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .projection = "|x_i| = clamp(|z_i| - mu, 0, the bound of that side) with the mu >= 0 that "
                      "meets the sum; the signs stay",
        .reference = "P. Brucker, An O(n) algorithm for quadratic knapsack problems, 1984"}},
      {"cut_ball",
       {.use = "a vector of bounded length on one side of a plane",
        .example = "cut_ball([1, 2], offset=0.5)",
        .oracle = "c - radius d / ||d|| if the half-space has it, else the point of the ball in "
                  "the plane that is farthest against d: the middle of that part if d is a "
                  "multiple of the normal; for d = 0 as for e_1",
        .cost = "O(n)",
        .geometry = "with a = normal / ||normal|| and h = (offset - <normal, c>) / ||normal||, p = "
                    "c - (radius - h) / 2 a, r = (radius + h) / 2, R^2 = r^2 + radius^2 - h^2, D = "
                    "2 radius for h >= 0, else 2 sqrt(radius^2 - h^2)",
        .exploration = "the pole c - radius a with probability 1 / (n + 1), else uniform on the "
                       "points of the sphere of height min(h, radius / n) above c",
        .projection = "onto the ball or the half-space if the other has what is found, else onto "
                      "the circle where they meet"}},
  };
}

}  // namespace keyhole::pages
