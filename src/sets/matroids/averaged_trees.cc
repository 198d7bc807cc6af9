#include "sets/matroids/averaged_trees.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole::sets {
namespace {

constexpr std::size_t most_tests_of_trees = 4'000'000;
constexpr std::size_t fewest_trees = 20;
constexpr std::size_t most_trees = 400;
/// How far from an edge in the order of its node its partners are.
constexpr std::size_t near_edges = 4;

/// A forest from a root in each of its trees.
class RootedForest {
 public:
  explicit RootedForest(std::size_t nodes) : above_(nodes), first_(nodes), last_(nodes) {}

  void set(const GraphicMatroid& graph, const std::vector<std::vector<std::size_t>>& at,
           const std::vector<bool>& in_forest) {
    std::fill(first_.begin(), first_.end(), 0);
    std::size_t count = 0;
    for (std::size_t root = 0; root < first_.size(); ++root) {
      if (first_[root] != 0) continue;
      above_[root] = graph.edges().size();
      first_[root] = ++count;
      path_.assign(1, {root, 0});
      while (!path_.empty()) {
        auto& [node, next] = path_.back();
        if (next == at[node].size()) {
          last_[node] = count;
          path_.pop_back();
          continue;
        }
        const std::size_t e = at[node][next++];
        if (!in_forest[e] || e == above_[node]) continue;
        const Edge& edge = graph.edges()[e];
        const std::size_t child = edge.from == node ? edge.to : edge.from;
        above_[child] = e;
        first_[child] = ++count;
        path_.emplace_back(child, 0);
      }
    }
  }

  /// Whether the path from `node` to `target` begins with the forest's edge f from `node` to
  /// `other`, where there is a path.
  [[nodiscard]] bool begins_with(std::size_t f, std::size_t node, std::size_t other,
                                 std::size_t target) const {
    return above_[node] == f ? !is_below(target, node) : is_below(target, other);
  }

 private:
  [[nodiscard]] bool is_below(std::size_t node, std::size_t root) const {
    return first_[node] >= first_[root] && first_[node] <= last_[root];
  }

  std::vector<std::size_t> above_;
  std::vector<std::size_t> first_;  // in the order in which nodes are reached, from 1 on
  std::vector<std::size_t> last_;   // of the nodes below
  std::vector<std::pair<std::size_t, std::size_t>> path_;
};

/// How many forests allow the exchange of one edge for another that it meets.
class MeetingEdges {
 public:
  MeetingEdges(const GraphicMatroid& graph, const GraphBlocks& blocks)
      : graph_(graph),
        at_(edges_at_nodes(graph.nodes(), graph.edges())),
        forest_(graph.nodes()),
        pairs_of_(graph.edges().size()),
        reached_in_(graph.edges().size(), 0) {
    std::vector<std::size_t> block_of(graph.edges().size(), blocks.blocks.size());
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      for (const std::size_t e : blocks.blocks[b]) block_of[e] = b;
    }
    for (std::size_t v = 0; v < at_.size(); ++v) {
      std::vector<std::size_t> order = at_[v];
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t e, std::size_t f) { return block_of[e] < block_of[f]; });
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < std::min(order.size(), i + 1 + near_edges); ++j) {
          if (block_of[order[i]] != block_of[order[j]]) break;
          add_pair(v, order[i], order[j]);
        }
      }
    }
  }

  void count(const std::vector<bool>& in_forest) {
    forest_.set(graph_, at_, in_forest);
    for (Pair& pair : pairs_) {
      if (in_forest[pair.a] == in_forest[pair.b]) continue;
      const bool a_leaves = in_forest[pair.a];
      const std::size_t leaves = a_leaves ? pair.a : pair.b;
      const std::size_t enters = a_leaves ? pair.b : pair.a;
      const bool allowed = forest_.begins_with(leaves, pair.node, other_end(leaves, pair.node),
                                               other_end(enters, pair.node));
      (a_leaves ? pair.a_for_b : pair.b_for_a) += allowed ? 1 : 0;
    }
  }

  /// The largest t for which the exchanges with at least that count connect the edges; 0 if none.
  [[nodiscard]] unsigned bottleneck(const std::vector<std::size_t>& block, std::size_t trees) {
    unsigned low = 0;
    auto high = static_cast<unsigned>(trees);
    while (low < high) {
      const unsigned middle = low + (high - low + 1) / 2;
      const bool connected = connects(block, middle, true) && connects(block, middle, false);
      (connected ? low : high) = connected ? middle : middle - 1;
    }
    return low;
  }

 private:
  struct Pair {
    std::size_t node = 0;
    std::size_t a = 0;
    std::size_t b = 0;
    unsigned a_for_b = 0;  // a leaves, b enters
    unsigned b_for_a = 0;
  };

  void add_pair(std::size_t node, std::size_t a, std::size_t b) {
    pairs_of_[a].push_back(pairs_.size());
    pairs_of_[b].push_back(pairs_.size());
    pairs_.push_back({node, a, b});
  }

  [[nodiscard]] std::size_t other_end(std::size_t e, std::size_t node) const {
    const Edge& edge = graph_.edges()[e];
    return edge.from == node ? edge.to : edge.from;
  }

  [[nodiscard]] bool connects(const std::vector<std::size_t>& block, unsigned t, bool forth) {
    ++searches_;
    reached_in_[block.front()] = searches_;
    std::vector<std::size_t> queue = {block.front()};
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (const std::size_t p : pairs_of_[queue[k]]) {
        const Pair& pair = pairs_[p];
        const bool from_a = pair.a == queue[k];
        const std::size_t to = from_a ? pair.b : pair.a;
        const unsigned allowed = from_a == forth ? pair.a_for_b : pair.b_for_a;
        if (reached_in_[to] == searches_ || allowed < t) continue;
        reached_in_[to] = searches_;
        queue.push_back(to);
      }
    }
    return queue.size() == block.size();
  }

  const GraphicMatroid& graph_;
  std::vector<std::vector<std::size_t>> at_;
  RootedForest forest_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::size_t>> pairs_of_;
  std::vector<std::size_t> reached_in_;  // the last search that reached each edge
  std::size_t searches_ = 0;
};

}  // namespace

AveragedTrees::AveragedTrees(const GraphicMatroid& graph, const GraphBlocks& blocks) {
  const std::size_t m = graph.edges().size();
  const std::size_t trees = std::clamp(most_tests_of_trees / m, fewest_trees, most_trees);
  MeetingEdges exchanges(graph, blocks);
  const auto test = graph.test();
  const math::Ars key(0x7472656573, 0);
  std::vector<double> weights(m);
  std::vector<std::size_t> loads(m, 0);
  std::vector<std::size_t> order(m);
  std::vector<bool> in_forest(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < trees; ++k) {
    math::gaussians(key, k, 0, weights);
    const bool even = k % 2 == 1;
    std::sort(order.begin(), order.end(), [&](std::size_t e, std::size_t f) {
      if (even && loads[e] != loads[f]) return loads[e] < loads[f];
      return weights[e] != weights[f] ? weights[e] < weights[f] : e < f;
    });
    test->reset();
    for (const std::size_t e : order) {
      in_forest[e] = test->add(e);
      loads[e] += in_forest[e] ? 1 : 0;
    }
    exchanges.count(in_forest);
  }
  std::vector<std::size_t> least(blocks.blocks.size());
  for (std::size_t b = 0; b < least.size(); ++b) {
    least[b] = exchanges.bottleneck(blocks.blocks[b], trees);
  }
  std::size_t count = trees;
  if (std::find(least.begin(), least.end(), 0U) != least.end()) {
    const std::size_t more = 1 + blocks.exchanges.size();
    for (std::size_t e = 0; e < m; ++e) loads[e] += blocks.in_forest[e] ? more : 0;
    for (const auto& [leaves, enters] : blocks.exchanges) {
      --loads[leaves];
      ++loads[enters];
    }
    count += more;
    for (std::size_t& t : least) t = std::max<std::size_t>(t, 1);
  }
  for (const std::size_t load : loads) {
    mean.push_back(static_cast<double>(load) / static_cast<double>(count));
  }
  for (const std::size_t t : least) {
    slacks.push_back(static_cast<double>(t) / static_cast<double>(count));
  }
}

}  // namespace keyhole::sets
