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
  return polytope_of(
      given, laminar_matroid(given.whole("n"), whole_rows(given, "sets"), given.wholes("limits")));
}

SetPtr build_cut_bases(const Arguments& given) {
  const std::vector<Edge> edges = given.edges("edges");
  return submodular_bases(
      cut_function(given.whole("nodes"), edges, given.coordinates("weights", edges.size())));
}

SetPtr build_coverage_bases(const Arguments& given) {
  return submodular_bases(coverage_function(whole_rows(given, "covers"), given.numbers("weights")));
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

constexpr options::Range element = {0, most_coordinates};

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

Entry cut_bases_entry() {
  return {
      .name = "cut_bases",
      .summary =
          "the base polytope of the cuts of a graph: x(S) <= the weight of the edges "
          "with one end in S, sum x = 0",
      .capabilities = {"projects", "flat"},
      .parameters = {nodes(), edges(),
                     Parameter{"weights", Type::coordinates, "those of the edges", {}, {}, positive}
                         .or_value("1")},
      .build = build_cut_bases};
}

Entry coverage_bases_entry() {
  return {
      .name = "coverage_bases",
      .summary =
          "the base polytope of a coverage: x(S) <= the weight of all places that S "
          "covers, sum x = that of all",
      .capabilities = {"projects", "flat"},
      .parameters = {{"covers", Type::rows, "the places that each element covers", {}, {}, element},
                     {"weights", Type::numbers, "those of the places", {}, {}, positive}},
      .build = build_coverage_bases};
}

}  // namespace

std::vector<Entry> matroid_entries() {
  return {uniform_entry(),   partition_entry(),      laminar_entry(),
          graphic_entry(),   spanning_trees_entry(), common_independent_sets_entry(),
          cut_bases_entry(), coverage_bases_entry()};
}

}  // namespace keyhole::spec
