#include "keyhole/norm_balls.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

Entry lp_ball_entry() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {
      .name = "lp_ball",
      .summary = "{x : sum (w_i |x_i|)^p <= radius^p}, 1 <= p <= inf",
      .capabilities = {"projects"},
      .parameters = {dimension(1),
                     {"p", Type::number, "the power, inf allowed", {}, {}, {1, infinity}},
                     size("radius", "the radius"),
                     Parameter{"weights", Type::coordinates, "the weights w_i", {}, {}, positive}
                         .or_value("1")},
      .build = [](const Arguments& given) {
        return lp_ball(given.number("p"), given.coordinates("weights", given.whole("n")),
                       given.number("radius"));
      }};
}

Parameter ball_centre() {
  return Parameter{"centre", Type::coordinates, "c", {}, {}, moderate}.or_value("0");
}

Parameter largest_count(const char* meaning) {
  return {"k", Type::whole, meaning, {}, {}, {1, most_coordinates}};
}

Entry k_sparse_ball_entry() {
  return {.name = "k_sparse_ball",
          .summary = "{x : |x_i| <= radius, sum |x_i| <= k radius}",
          .capabilities = {"projects"},
          .parameters = {dimension(1), largest_count("the number of entries of a vertex, up to n"),
                         size("radius", "the largest magnitude of a coordinate")},
          .build = [](const Arguments& given) {
            return k_sparse_ball(given.whole("n"), given.whole("k"), given.number("radius"));
          }};
}

Entry k_support_ball_entry() {
  return {.name = "k_support_ball",
          .summary = "the hull of {x : ||x|| <= radius, at most k x_i are not 0}",
          .capabilities = {"projects"},
          .parameters = {dimension(1), largest_count("how many are not 0, up to n"),
                         size("radius", "the largest length")},
          .build = [](const Arguments& given) {
            return k_support_ball(given.whole("n"), given.whole("k"), given.number("radius"));
          }};
}

Entry k_norm_ball_entry() {
  return {.name = "k_norm_ball",
          .summary = "{x : the k largest |x_i| sum to at most radius}",
          .capabilities = {"projects"},
          .parameters = {dimension(1), largest_count("how many magnitudes are summed, up to n"),
                         size("radius", "their largest sum")},
          .build = [](const Arguments& given) {
            return k_norm_ball(given.whole("n"), given.whole("k"), given.number("radius"));
          }};
}

Entry owl_ball_entry() {
  return {.name = "owl_ball",
          .summary = "{x : sum w_k |x|_(k) <= radius}, the magnitudes in falling order",
          .capabilities = {"projects"},
          .parameters = {{"weights", Type::numbers, "w_1 >= ... >= w_n >= 0", {}, {}, not_negative},
                         size("radius", "the largest value of the norm")},
          .build = [](const Arguments& given) {
            return owl_ball(given.numbers("weights"), given.number("radius"));
          }};
}

Entry group_ball_entry() {
  return {.name = "group_ball",
          .summary = "{x : ||x_1|| + ... + ||x_m|| <= radius}, x_g the coordinates of group g",
          .capabilities = {"projects"},
          .parameters = {{"sizes",
                          Type::numbers,
                          "the number of coordinates of each group",
                          {},
                          {},
                          {1, most_coordinates}},
                         size("radius", "the largest sum of the lengths")},
          .build = [](const Arguments& given) {
            return group_ball(given.wholes("sizes"), given.number("radius"));
          }};
}

SetPtr build_ellipsoid(const Arguments& given) {
  const std::size_t n = given.rows("matrix").size();
  return ellipsoid(given.matrix("matrix", n), given.coordinates("centre", n));
}

Entry latent_group_ball_entry() {
  return {.name = "latent_group_ball",
          .summary = "the hull of {x : ||x|| <= radius, x_i = 0 outside group g} over the groups",
          .capabilities = {"membership by separation"},
          .parameters = {{"groups",
                          Type::rows,
                          "the coordinates of each group, from 0 on",
                          {},
                          {},
                          {0, most_coordinates}},
                         size("radius", "the largest sum of the lengths")},
          .build = [](const Arguments& given) {
            return latent_group_ball(whole_rows(given, "groups"), given.number("radius"));
          }};
}

Entry ellipsoid_entry() {
  return {.name = "ellipsoid",
          .summary = "{x : (x - c)' A (x - c) <= 1}, A positive definite",
          .capabilities = {"projects"},
          .parameters = {{"matrix", Type::rows, "the rows of A", {}, {}, moderate}, ball_centre()},
          .build = build_ellipsoid};
}

Entry total_variation_ball_entry() {
  return {.name = "total_variation_ball",
          .summary = "{x : sum |x_{i+1} - x_i| <= radius, sum x = 0}",
          .capabilities = {"projects", "flat"},
          .parameters = {dimension(2), size("radius", "the largest total variation")},
          .build = [](const Arguments& given) {
            return total_variation_ball(given.whole("n"), given.number("radius"));
          }};
}

Entry ball_in_box_entry() {
  return {.name = "ball_in_box",
          .summary = "{lower <= x <= upper, ||x - c|| <= radius}",
          .capabilities = {"projects"},
          .parameters = {lower_bounds(), upper_bounds(),
                         dimension(1).or_else("the length of the lists"),
                         size("radius", "the radius of the ball"), ball_centre()},
          .build = [](const Arguments& given) {
            const std::size_t n = bounded_dimension(given, "ball_in_box(lower, upper, n)");
            return ball_in_box(given.coordinates("lower", n), given.coordinates("upper", n),
                               given.number("radius"), given.coordinates("centre", n));
          }};
}

Entry l1_ball_in_box_entry() {
  return {.name = "l1_ball_in_box",
          .summary = "{lower <= x <= upper, |x_1| + ... + |x_n| <= radius}, lower <= 0 <= upper",
          .capabilities = {"projects"},
          .parameters = {lower_bounds(), upper_bounds(),
                         dimension(1).or_else("the length of the lists"),
                         size("radius", "the largest sum of magnitudes")},
          .build = [](const Arguments& given) {
            const std::size_t n = bounded_dimension(given, "l1_ball_in_box(lower, upper, n)");
            return l1_ball_in_box(given.coordinates("lower", n), given.coordinates("upper", n),
                                  given.number("radius"));
          }};
}

Entry cut_ball_entry() {
  return {
      .name = "cut_ball",
      .summary = "{||x - c|| <= radius, <normal, x> <= offset}",
      .capabilities = {"projects"},
      .parameters = {{"normal", Type::numbers, "the normal of the plane", {}, {}, moderate},
                     Parameter{"offset", Type::number, "the largest <normal, x>", {}, {}, moderate}
                         .or_value("0"),
                     size("radius", "the radius of the ball"),
                     ball_centre()},
      .build = [](const Arguments& given) {
        const std::vector<double> normal = given.numbers("normal");
        return cut_ball(normal, given.number("offset"), given.number("radius"),
                        given.coordinates("centre", normal.size()));
      }};
}

}  // namespace

std::vector<Entry> norm_ball_entries() {
  return {lp_ball_entry(),           k_sparse_ball_entry(),  k_support_ball_entry(),
          k_norm_ball_entry(),       owl_ball_entry(),       group_ball_entry(),
          latent_group_ball_entry(), ellipsoid_entry(),      total_variation_ball_entry(),
          ball_in_box_entry(),       l1_ball_in_box_entry(), cut_ball_entry()};
}

}  // namespace keyhole::spec
