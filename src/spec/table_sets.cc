#include <cmath>

#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "spec/arguments.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

/// Nodes of a graph: far more than can have edges.
constexpr double most_nodes = 1e6;

Parameter dimension(double least) {
  return {"n", Type::whole, "the number of coordinates", {}, {}, {least, most_coordinates}};
}

Parameter certified() {
  return Parameter{"certified", Type::flag, "whether every answer above order 100 is verified"}
      .or_value("false");
}

Parameter side(const char* name, const char* meaning) {
  return {name, Type::whole, meaning, {}, {}, {1, most_rows}};
}

Parameter size(const char* name, const char* meaning) {
  return Parameter{name, Type::number, meaning, {}, {}, positive}.or_value("1");
}

Parameter set_to_change() { return {"set", Type::set, "the set"}; }

Parameter scale() {
  return {"scale", Type::number, "the factor", {}, {}, {-largest_number, largest_number, true}};
}

Parameter shift() { return {"shift", Type::coordinates, "what is added", {}, {}, moderate}; }

SetPtr build_box(const Arguments& given) {
  std::optional<std::uint64_t> n = given.optional_whole("n");
  if (!n) n = given.listed("lower");
  if (!n) n = given.listed("upper");
  if (!n) given.refuse("n is missing, the number of coordinates: box(lower, upper, n)");
  return box(given.coordinates("lower", *n), given.coordinates("upper", *n));
}

void require_length(const Arguments& given, const char* matrix, std::size_t row, std::size_t length,
                    std::size_t n) {
  if (length == n) return;
  given.refuse("row " + std::to_string(row + 1) + " of " + matrix + " has " +
               std::to_string(length) + " numbers, not " + std::to_string(n));
}

LinearRows read_rows(const Arguments& given, const char* matrix, const char* right, std::size_t n) {
  LinearRows result{.right = given.numbers(right)};
  const auto rows = given.rows(matrix);
  if (rows.size() != result.right.size()) {
    given.refuse(std::string(matrix) + " has " + std::to_string(rows.size()) + " rows, and " +
                 right + " has " + std::to_string(result.right.size()) + " numbers");
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require_length(given, matrix, i, rows[i].size(), n);
    result.dense.insert(result.dense.end(), rows[i].begin(), rows[i].end());
  }
  return result;
}

SetPtr build_polytope(const Arguments& given) {
  const std::size_t n = given.whole("n");
  return polytope({.n = n,
                   .lower = given.coordinates("lower", n),
                   .upper = given.coordinates("upper", n),
                   .inequalities = read_rows(given, "A", "b", n),
                   .equalities = read_rows(given, "C", "d", n)});
}

SetPtr build_image(const Arguments& given, double factor) {
  const SetPtr set = given.set("set");
  return image(set, factor, given.coordinates("shift", set->dimension()));
}

SetPtr build_path_splits(const Arguments& given) {
  std::vector<std::size_t> paths;
  for (const double count : given.numbers("paths")) {
    if (count != std::floor(count)) given.refuse("paths", "must be whole numbers");
    paths.push_back(static_cast<std::size_t>(count));
  }
  return path_splits(paths);
}

SetPtr build_affine_image(const Arguments& given) {
  const SetPtr set = given.set("set");
  const auto rows = given.rows("matrix");
  std::vector<double> matrix;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require_length(given, "matrix", i, rows[i].size(), set->dimension());
    matrix.insert(matrix.end(), rows[i].begin(), rows[i].end());
  }
  return affine_image(set, matrix, given.coordinates("shift", rows.size()));
}

SetPtr build_unit_flow(const Arguments& given) {
  std::vector<Edge> edges;
  for (const std::vector<double>& ends : given.rows("edges")) {
    const bool is_pair =
        ends.size() == 2 && ends[0] == std::floor(ends[0]) && ends[1] == std::floor(ends[1]);
    if (!is_pair) given.refuse("edges", "must be pairs of nodes");
    edges.push_back({static_cast<std::size_t>(ends[0]), static_cast<std::size_t>(ends[1])});
  }
  return unit_flow(given.whole("nodes"), edges, given.whole("source"), given.whole("sink"));
}

Entry unit_flow_entry() {
  const Range node = {0, most_nodes};
  return {"unit_flow",
          "{f >= 0, one unit flows from the source to the sink} of a graph without cycles",
          {"flat"},
          {{"nodes", Type::whole, "the number of nodes, counted from 0", {}, {}, {2, most_nodes}},
           {"edges", Type::rows, "[from, to] for each edge", {}, {}, node},
           {"source", Type::whole, "where the unit enters", {}, {}, node},
           {"sink", Type::whole, "where it leaves", {}, {}, node}},
          build_unit_flow};
}

Entry polytope_entry() {
  const char* const digest =
      "the text of a large polytope holds a digest of its rows, not the rows: give A and b, C and "
      "d instead";
  return {"polytope",
          "{x : lower <= x <= upper, A x <= b, C x = d}",
          {"projects"},
          {{"n", Type::whole, "the number of coordinates", {}, {}, {1, most_rows}},
           Parameter{"lower", Type::coordinates, "lower bounds, inf allowed"}.or_else("none"),
           Parameter{"upper", Type::coordinates, "upper bounds, inf allowed"}.or_else("none"),
           Parameter{"A", Type::rows, "the rows of the inequalities"}.or_value("[]"),
           Parameter{"b", Type::numbers, "their right hand sides"}.or_value("[]"),
           Parameter{"C", Type::rows, "the rows of the equalities"}.or_value("[]"),
           Parameter{"d", Type::numbers, "their right hand sides"}.or_value("[]")},
          build_polytope,
          {{"inequalities", digest}, {"equalities", digest}, {"digest", digest}}};
}

}  // namespace

std::vector<Entry> set_entries() {
  const std::vector<std::string> projects = {"projects"};
  const std::vector<std::string> flat = {"projects", "flat"};
  const std::vector<std::string> inherits = {"projects if its set does"};
  return {
      {"ball",
       "{x : ||x|| <= radius}",
       projects,
       {dimension(1), size("radius", "the radius")},
       [](const Arguments& given) { return ball(given.whole("n"), given.number("radius")); }},
      {"box",
       "{x : lower <= x <= upper}",
       projects,
       {{"lower", Type::coordinates, "the lower bounds", {}, {}, moderate},
        {"upper", Type::coordinates, "the upper bounds", {}, {}, moderate},
        dimension(1).or_else("the length of the lists")},
       build_box},
      {"solid_simplex",
       "{x >= 0, sum x <= total}",
       projects,
       {dimension(1), size("total", "the largest sum")},
       [](const Arguments& given) {
         return solid_simplex(given.whole("n"), given.number("total"));
       }},
      {"simplex",
       "{x >= 0, sum x = total}",
       flat,
       {dimension(2), size("total", "the sum")},
       [](const Arguments& given) { return simplex(given.whole("n"), given.number("total")); }},
      {"l1_ball",
       "{x : |x_1| + ... + |x_n| <= radius}",
       projects,
       {dimension(1), size("radius", "the largest sum of magnitudes")},
       [](const Arguments& given) { return l1_ball(given.whole("n"), given.number("radius")); }},
      {"nuclear_ball",
       "{X : the singular values of X sum to at most radius}, m x n, row by row",
       projects,
       {side("m", "the number of rows"), side("n", "the number of columns"),
        size("radius", "the largest sum of the singular values"), certified()},
       [](const Arguments& given) {
         return nuclear_ball(given.whole("m"), given.whole("n"), given.number("radius"),
                             {.certified = given.flag("certified")});
       }},
      {"symmetric_nuclear_ball",
       "{X = X' : the magnitudes of the eigenvalues of X sum to at most radius}, n x n",
       flat,
       {side("n", "the number of rows and columns"),
        size("radius", "the largest sum of the magnitudes of the eigenvalues"), certified()},
       [](const Arguments& given) {
         return symmetric_nuclear_ball(given.whole("n"), given.number("radius"),
                                       {.certified = given.flag("certified")});
       }},
      {"psd_trace_ball",
       "{X = X' positive semidefinite, tr X <= trace}, n x n",
       flat,
       {side("n", "the number of rows and columns"), size("trace", "the largest trace"),
        certified()},
       [](const Arguments& given) {
         return psd_trace_ball(given.whole("n"), given.number("trace"),
                               {.certified = given.flag("certified")});
       }},
      polytope_entry(),
      unit_flow_entry(),
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
      {"path_splits",
       "the shares of each demand's paths: a simplex a demand",
       flat,
       {{"paths", Type::numbers, "the number of paths of each demand", {}, {}, {2, most_rows}}},
       build_path_splits},
      {"recentred",
       "the same set about another centre",
       inherits,
       {set_to_change(),
        {"centre", Type::numbers, "a point of its relative interior", {}, {}, moderate}},
       [](const Arguments& given) { return recentred(given.set("set"), given.numbers("centre")); }},
  };
}

}  // namespace keyhole::spec
