// The forests of a graph, and the inequalities of their hull.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "keyhole/matroids.h"

namespace keyhole::sets {

class GraphicMatroid final : public Matroid {
 public:
  /// Throws InvalidArgument unless the edges are between nodes 0, ..., nodes - 1.
  GraphicMatroid(std::size_t nodes, std::span<const Edge> edges);

  [[nodiscard]] std::unique_ptr<IndependenceTest> test() const override;
  [[nodiscard]] std::string spec() const override { return "graphic_matroid(" + text() + ")"; }
  /// "3, [[0, 1], [1, 2]]".
  [[nodiscard]] std::string text() const;

  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  /// Whether x(edges within S) <= |S| - 1 + slack for every set S of nodes, x >= 0 a number for
  /// each edge.
  [[nodiscard]] bool bounds_forests(std::span<const double> x, double slack) const;

 private:
  std::size_t nodes_;
  std::vector<Edge> edges_;
};

}  // namespace keyhole::sets
