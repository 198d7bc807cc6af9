// The cheapest closed set of an acyclic graph, by a minimum cut.

#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace keyhole::math {

// Sets U of the elements 0, ..., n - 1 with j in U whenever i is, for each relation (i, j). That of
// the least weight is the side of the source of a minimum cut (Picard, "Maximal closure of a graph
// and applications to combinatorial problems", Management Science 22, 1976): elements of a negative
// weight hang on the source, those of a positive one on the sink, and relations have no limit. The
// flow is Dinic's ("Algorithm for solution of a problem of maximum flow", 1970): of all shortest
// ways at once, so it takes at most n + 1 phases, and each way ends with an arc whose rest is
// exactly 0.
//
// Nothing allocates after construction. One a thread.
class Closure {
 public:
  Closure(std::size_t n, std::span<const std::pair<std::size_t, std::size_t>> relations);

  // in[i] = whether element i is in the cheapest U; of several it is the smallest. Relations
  // between different blocks do not count.
  void find(std::span<const double> weights, std::span<const std::size_t> block,
            std::span<unsigned char> in);
  // The same with all relations.
  void find(std::span<const double> weights, std::span<unsigned char> in);

 private:
  struct Arc {
    std::size_t to = 0;
    std::size_t back = 0;  // the arc of the other direction
    double rest = 0;
  };

  void join(std::size_t from, std::size_t to);
  // Levels from the source; whether the sink has one.
  [[nodiscard]] bool reach();
  // Sends what one way of rising levels takes; false if there is none left.
  [[nodiscard]] bool send();

  std::size_t n_;
  std::vector<std::pair<std::size_t, std::size_t>> relations_;
  std::vector<std::size_t> first_;  // of the arcs of each node; the source is n, the sink n + 1
  std::vector<Arc> arcs_;
  std::vector<std::size_t> place_;  // of the arc of each relation, then of source and sink
  std::vector<std::size_t> level_;
  std::vector<std::size_t> next_;   // the arc of each node to look at
  std::vector<std::size_t> queue_;  // of nodes; then the arcs of a way
  std::vector<std::size_t> same_;   // one block
};

}  // namespace keyhole::math
