// The circulations of a directed graph: what two flows of the same divergence differ by.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// "edge 3 (0 -> 2)".
[[nodiscard]] std::string edge_text(std::size_t e, const Edge& edge);

/// "[[0, 1], [0, 2]]".
[[nodiscard]] std::string edges_text(std::span<const Edge> edges);

/// Throws InvalidArgument unless source, sink and the ends of all edges are among the nodes, and
/// the source is not the sink.
void require_network(std::size_t nodes, std::span<const Edge> edges, std::size_t source,
                     std::size_t sink);

/// {f : N f = 0, f_e = 0 for the edges left out}, N f the divergence: what leaves each node less
/// what enters it. Holds a dense matrix of the order of the nodes
/// with edges. Thread-safe.
class Circulations {
 public:
  /// At most so many nodes with edges.
  static constexpr std::size_t most_nodes = 5000;

  /// `left_out`: one for each edge, or none.
  Circulations(std::size_t nodes, std::span<const Edge> edges, std::vector<bool> left_out = {});

  /// Edges - nodes + connected components, of the edges that are not left out.
  [[nodiscard]] std::size_t dimension() const { return dimension_; }

  /// N f, of all edges.
  void divergence(std::span<const double> flow, std::span<double> of_nodes) const;

  /// The orthogonal projection f - N' (N N')^-1 N f, with one node of each component left out of N.
  void flatten(std::span<double> flow) const;

  /// ||P e_e|| for each edge, P the projection; 0 for those left out and those in `fixed`, if any.
  /// Of large graphs 1, which is never too small.
  [[nodiscard]] std::vector<double> axis_lengths(const std::vector<bool>& fixed = {}) const;

 private:
  [[nodiscard]] bool is_left_out(std::size_t e) const { return !left_out_.empty() && left_out_[e]; }

  /// x = (N N')^-1 x. Nodes of graphs are mostly numbered near their neighbours, so the rows of the
  /// factor begin with zeros; leaving them out changes no sum, for the lanes of math::dot stay.
  void solve(std::span<double> x) const;

  std::size_t nodes_;
  std::vector<Edge> edges_;
  std::vector<bool> left_out_;
  std::size_t dimension_ = 0;
  std::size_t unknowns_ = 0;
  std::vector<std::size_t> unknown_;  // of each node; unknowns_ for the last of each component
  struct Ends {
    std::uint32_t from;
    std::uint32_t to;
  };
  std::vector<Ends> ends_;          // of each edge, the unknowns of its nodes
  std::vector<double> laplacian_;   // N N': Cholesky's factor
  std::vector<std::size_t> first_;  // of each of its rows: before it are zeros; a multiple of 8
};

}  // namespace keyhole::sets
