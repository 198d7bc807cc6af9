#include "keyhole/polytope.h"
#include "keyhole/sets.h"
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
                      given.coordinates("shift", given.count("matrix")));
}

SetPtr build_by_rows(const Arguments& given,
                     SetPtr (*make)(const SetPtr&, List<double>, List<double>)) {
  const SetPtr set = given.set("set");
  const std::vector<double> right = given.numbers("b");
  const std::size_t rows = given.count("A");
  if (rows != right.size()) {
    given.refuse("A has " + std::to_string(rows) + " rows, and b has " +
                 std::to_string(right.size()) + " numbers");
  }
  return make(set, given.matrix("A", set->dimension()), right);
}

Entry slice_entry() {
  return {"slice",
          "{x in the set : A x = b}",
          {"projects if its set is given by linear inequalities", "flat"},
          {set_to_change(),
           {"A", Type::rows, "the rows, a number for each coordinate", {}, {}, moderate},
           {"b", Type::numbers, "their values", {}, {}, moderate}},
          [](const Arguments& given) { return build_by_rows(given, slice); }};
}

Entry cut_entry() {
  return {"cut",
          "{x in the set : A x <= b}",
          {"projects if its set is given by linear inequalities", "flat if its set is"},
          {set_to_change(),
           {"A", Type::rows, "the rows, a number for each coordinate", {}, {}, moderate},
           {"b", Type::numbers, "what they are at most", {}, {}, moderate}},
          [](const Arguments& given) { return build_by_rows(given, cut); }};
}

Entry intersection_entry() {
  return {"intersection",
          "the points that all of the sets have",
          {"projects if its sets are given by linear inequalities", "flat if one of its sets is"},
          {{"sets", Type::sets, "the sets, one argument each"}},
          [](const Arguments& given) { return intersection(given.sets("sets")); }};
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
       {"flat if its set is, there are more rows than columns or the rows are dependent"},
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
       .capabilities = {"flat if its sets together are"},
       .parameters = {{"sets", Type::sets, "sets of the same dimension, one argument each"}},
       .build = [](const Arguments& given) { return minkowski_sum(given.sets("sets")); }},
      {.name = "hull_of_union",
       .summary = "the convex hull of the union of the sets",
       .capabilities = {"flat if its sets together are"},
       .parameters = {{"sets", Type::sets, "sets of the same dimension, one argument each"}},
       .build = [](const Arguments& given) { return hull_of_union(given.sets("sets")); }},
      {"recentred",
       "the same set about another centre",
       inherits,
       {set_to_change(),
        {"centre", Type::numbers, "a point of its relative interior", {}, {}, moderate}},
       [](const Arguments& given) { return recentred(given.set("set"), given.numbers("centre")); }},
      intersection_entry(),
      slice_entry(),
      cut_entry(),
  };
}

}  // namespace keyhole::spec
