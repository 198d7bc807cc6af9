// Means of some spanning forests of a large graph, and how far inside the hull of all they are.

#pragma once

#include <cstddef>
#include <vector>

#include "sets/matroids/graph_blocks.h"
#include "sets/matroids/graphic_matroid.h"

namespace keyhole::sets {

/// As AveragedBases::add_random(), with only those exchanges counted that are between edges which
/// meet, and at a node of many edges only between near neighbours in their order: so t is at most
/// what all exchanges would give. Half of the forests are the first in random orders, from a fixed
/// key, the others share the load as AveragedBases::add_even(). Where that gives no t, the forest
/// of the blocks is added, and what each of its exchanges makes of it: then t = 1 / (forests).
struct AveragedTrees {
  AveragedTrees(const GraphicMatroid& graph, const GraphBlocks& blocks);

  /// The number in each edge.
  std::vector<double> mean = {};
  /// t of each block.
  std::vector<double> slacks = {};
};

}  // namespace keyhole::sets
