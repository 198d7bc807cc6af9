#include "keyhole/sets.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

Parameter set_to_change() { return {"set", Type::set, "the set"}; }

Parameter scale() {
  return {"scale", Type::number, "the factor", {}, {}, {-largest_number, largest_number, true}};
}

Parameter shift() { return {"shift", Type::coordinates, "what is added", {}, {}, moderate}; }

SetPtr build_image(const Arguments& given, double factor) {
  const SetPtr set = given.set("set");
  return image(set, factor, given.coordinates("shift", set->dimension()));
}

SetPtr build_affine_image(const Arguments& given) {
  const SetPtr set = given.set("set");
  return affine_image(set, given.matrix("matrix", set->dimension()),
                      given.coordinates("shift", given.rows("matrix").size()));
}

}  // namespace

std::vector<Entry> set_algebra_entries() {
  const std::vector<std::string> inherits = {"projects if its set does"};
  return {
      {"image",
       "{scale x + shift : x in the set}",
       inherits,
       {set_to_change(), scale().or_value("1"), shift().or_value("0")},
       [](const Arguments& given) { return build_image(given, given.number("scale")); }},
      {"scaled",
       "{scale x : x in the set}",
       inherits,
       {set_to_change(), scale()},
       [](const Arguments& given) { return scaled(given.set("set"), given.number("scale")); }},
      {"translated",
       "{x + shift : x in the set}",
       inherits,
       {set_to_change(), shift()},
       [](const Arguments& given) { return build_image(given, 1); }},
      {"affine_image",
       "{A x + b : x in the set}, A the matrix and b the shift",
       {"flat if its set is or there are more rows than columns"},
       {set_to_change(),
        {"matrix", Type::rows, "the rows, a number for each coordinate", {}, {}, moderate},
        shift().or_value("0")},
       build_affine_image},
      {"product",
       "{(x, y, ...) : x in the first set, y in the second, ...}",
       {"projects if its sets do"},
       {{"sets", Type::sets, "the sets, one argument each"}},
       [](const Arguments& given) { return product(given.sets("sets")); }},
      {.name = "minkowski_sum",
       .summary = "{x + y + ... : x in the first set, y in the second, ...}",
       .capabilities = {},
       .parameters = {{"sets", Type::sets, "sets of the same dimension, one argument each"}},
       .build = [](const Arguments& given) { return minkowski_sum(given.sets("sets")); },
       .page = {.example = "minkowski_sum(box(0, 1, 2), ball(2, radius=0.5))",
                .oracle = "the sum of the sets' own",
                .cost = "the sum of the sets' own",
                .geometry = "p = sum p_i; r = the sum of r_i over the sets whose hull is that of "
                            "the sum, or the root of the least eigenvalue of sum r_i^2 P_i, P_i "
                            "the projections onto their hulls (a lower bound); R = sum R_i, D = "
                            "sum D_i (upper bounds)",
                .exploration = "vertices that random directions find, by a D-optimal design (up to "
                               "1500 dimensions; above, the inscribed sphere)",
                .reference = "membership: P. Wolfe, Finding the nearest point in a polytope, "
                             "Mathematical Programming 11 (1976)"}},
      {.name = "hull_of_union",
       .summary = "the convex hull of the union of the sets",
       .capabilities = {},
       .parameters = {{"sets", Type::sets, "sets of the same dimension, one argument each"}},
       .build = [](const Arguments& given) { return hull_of_union(given.sets("sets")); },
       .page = {.example = "hull_of_union(ball(2, radius=0.5), image(box(0, 1, 2), shift=1))",
                .oracle = "the least of the sets' own answers, the first of them",
                .cost = "the sum of the sets' own",
                .geometry = "p and r: those of the set with the largest inner ball, or a mean of "
                            "vertices and a ball that they hold, if that is larger (a lower "
                            "bound); R and D from the centres and outer radii of the sets (upper "
                            "bounds)",
                .exploration = "vertices that random directions find, by a D-optimal design (up to "
                               "1500 dimensions; above, the inscribed sphere)",
                .reference = "membership: P. Wolfe, Finding the nearest point in a polytope, "
                             "Mathematical Programming 11 (1976)"}},
      {"recentred",
       "the same set about another centre",
       inherits,
       {set_to_change(),
        {"centre", Type::numbers, "a point of its relative interior", {}, {}, moderate}},
       [](const Arguments& given) { return recentred(given.set("set"), given.numbers("centre")); }},
  };
}

}  // namespace keyhole::spec
