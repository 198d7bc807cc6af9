// Parameters that several sets have.

#pragma once

#include "spec/table.h"

namespace keyhole::spec {

/// Nodes of a graph: far more than can have edges.
inline constexpr double most_nodes = 1e6;

inline constexpr options::Range node = {0, most_nodes};

inline Parameter dimension(double least) {
  return {"n", Type::whole, "the number of coordinates", {}, {}, {least, most_coordinates}};
}

/// The number of coordinates of a set with the parameters lower, upper and n: that, or how many
/// bounds are listed. `usage` is what to write where neither is there.
inline std::size_t bounded_dimension(const Arguments& given, const char* usage) {
  std::optional<std::uint64_t> n = given.optional_whole("n");
  if (!n) n = given.listed("lower");
  if (!n) n = given.listed("upper");
  if (!n) given.refuse(std::string("n is missing, the number of coordinates: ") + usage);
  return *n;
}

inline Parameter lower_bounds() {
  return {"lower", Type::coordinates, "the lower bounds", {}, {}, moderate};
}

inline Parameter upper_bounds() {
  return {"upper", Type::coordinates, "the upper bounds", {}, {}, moderate};
}

/// Lists of whole numbers.
inline std::vector<std::vector<std::size_t>> whole_rows(const Arguments& given, const char* name) {
  std::vector<std::vector<std::size_t>> result;
  for (const std::vector<double>& row : given.rows(name)) {
    result.emplace_back();
    for (const double element : row) {
      const auto whole = static_cast<std::size_t>(element);
      if (static_cast<double>(whole) != element) given.refuse(name, "must hold whole numbers");
      result.back().push_back(whole);
    }
  }
  return result;
}

inline Parameter side(const char* name, const char* meaning) {
  return {name, Type::whole, meaning, {}, {}, {1, most_rows}};
}

inline Parameter size(const char* name, const char* meaning) {
  return Parameter{name, Type::number, meaning, {}, {}, positive}.or_value("1");
}

inline Parameter nodes() {
  return {"nodes", Type::whole, "the number of nodes, counted from 0", {}, {}, {2, most_nodes}};
}

inline Parameter edges() { return {"edges", Type::rows, "[from, to] for each edge", {}, {}, node}; }

}  // namespace keyhole::spec
