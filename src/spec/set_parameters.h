// Parameters that several sets have.

#pragma once

#include "spec/table.h"

namespace keyhole::spec {

/// Nodes of a graph: far more than can have edges.
inline constexpr double most_nodes = 1e6;

inline constexpr Range node = {0, most_nodes};

inline Parameter dimension(double least) {
  return {"n", Type::whole, "the number of coordinates", {}, {}, {least, most_coordinates}};
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
