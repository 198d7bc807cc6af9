#include "keyhole/matroids.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

SetPtr polytope_of(const Arguments& given, MatroidPtr matroid) {
  return given.flag("bases") ? matroid_bases(std::move(matroid))
                             : independent_sets(std::move(matroid));
}

SetPtr build_uniform(const Arguments& given) {
  return polytope_of(given, uniform_matroid(given.whole("n"), given.whole("k")));
}

SetPtr build_partition(const Arguments& given) {
  return polytope_of(given, partition_matroid(given.wholes("groups"), given.wholes("limits")));
}

SetPtr build_laminar(const Arguments& given) {
  std::vector<std::vector<std::size_t>> sets;
  for (const std::vector<double>& row : given.rows("sets")) {
    sets.emplace_back();
    for (const double element : row) {
      const auto whole = static_cast<std::size_t>(element);
      if (static_cast<double>(whole) != element) given.refuse("sets", "must hold whole numbers");
      sets.back().push_back(whole);
    }
  }
  return polytope_of(given, laminar_matroid(given.whole("n"), sets, given.wholes("limits")));
}

SetPtr build_graphic(const Arguments& given) {
  return polytope_of(given, graphic_matroid(given.whole("nodes"), given.edges("edges")));
}

SetPtr build_spanning_trees(const Arguments& given) {
  return spanning_trees(given.whole("nodes"), given.edges("edges"));
}

SetPtr build_common_independent_sets(const Arguments& given) {
  return common_independent_sets(given.set("first"), given.set("second"));
}

Parameter bases() {
  return Parameter{"bases", Type::flag, "whether only the bases, the largest independent sets"}
      .or_value("false");
}

Parameter limits(const char* meaning) {
  return {"limits", Type::numbers, meaning, {}, {}, {0, most_coordinates}};
}

constexpr Range element = {0, most_coordinates};

Entry uniform_entry() {
  return {.name = "uniform_matroid",
          .summary = "{0 <= x <= 1, sum x <= k}, or with bases sum x = k: subsets of k of n",
          .capabilities = {"projects"},
          .parameters = {dimension(1),
                         {"k", Type::whole, "the largest size, the rank", {}, {}, element},
                         bases()},
          .build = build_uniform};
}

Entry partition_entry() {
  return {.name = "partition_matroid",
          .summary = "{0 <= x <= 1, x sums to at most the limit in each group}, with bases to it",
          .capabilities = {"projects"},
          .parameters = {{"groups", Type::numbers, "the group of each element", {}, {}, element},
                         limits("the limit of each group"),
                         bases()},
          .build = build_partition};
}

Entry laminar_entry() {
  return {
      .name = "laminar_matroid",
      .summary =
          "{0 <= x <= 1, x sums to at most the limit in each of nested sets}, or its "
          "bases",
      .capabilities = {"projects"},
      .parameters =
          {dimension(1),
           {"sets", Type::rows, "the elements of each set, nested or disjoint", {}, {}, element},
           limits("the limit of each set"),
           bases()},
      .build = build_laminar};
}

Entry graphic_entry() {
  return {.name = "graphic_matroid",
          .summary = "the hull of the forests of a graph, or with bases of the largest ones",
          .capabilities = {"projects"},
          .parameters = {nodes(), edges(), bases()},
          .build = build_graphic};
}

Entry spanning_trees_entry() {
  return {.name = "spanning_trees",
          .summary = "the hull of the spanning trees of a connected graph",
          .capabilities = {"projects", "flat"},
          .parameters = {nodes(), edges()},
          .build = build_spanning_trees};
}

Entry common_independent_sets_entry() {
  return {.name = "common_independent_sets",
          .summary = "the hull of the sets that are independent in two matroids",
          .capabilities = {"0-1 vertices"},
          .parameters = {{"first", Type::set, "a matroid, without bases"},
                         {"second", Type::set, "another one on the same elements"}},
          .build = build_common_independent_sets};
}

}  // namespace

std::vector<Entry> matroid_entries() {
  return {uniform_entry(), partition_entry(),      laminar_entry(),
          graphic_entry(), spanning_trees_entry(), common_independent_sets_entry()};
}

}  // namespace keyhole::spec
