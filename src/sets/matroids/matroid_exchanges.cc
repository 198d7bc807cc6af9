#include "sets/matroids/matroid_exchanges.h"

#include <algorithm>
#include <utility>

#include "sets/matroids/graphic_matroid.h"
#include "sets/matroids/laminar_matroid.h"
#include "sets/matroids/matroid_structure.h"

namespace keyhole::sets {
namespace {

/// A set is full that has as many elements of I as its limit. What e replaces must be in every full
/// set around e, so in the innermost of them.
class LaminarExchanges final : public MatroidExchanges {
 public:
  explicit LaminarExchanges(const LaminarMatroid& matroid)
      : matroid_(matroid), members_(matroid.sets().size()) {
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const LaminarSet& set = matroid.sets()[k];
      members_[k].reserve(std::min(set.limit, set.elements.size()));
    }
  }

  void take(std::span<const std::size_t> independent) override {
    for (std::vector<std::uint32_t>& members : members_) members.clear();
    for (const std::size_t f : independent) {
      for (std::size_t k = matroid_.smallest_set(f);; k = matroid_.sets()[k].parent) {
        members_[k].push_back(static_cast<std::uint32_t>(f));
        if (matroid_.sets()[k].parent == k) break;
      }
    }
  }

  void add_circuit(std::size_t e, std::vector<std::uint32_t>& circuit) override {
    for (std::size_t k = matroid_.smallest_set(e);; k = matroid_.sets()[k].parent) {
      if (members_[k].size() == matroid_.sets()[k].limit) {
        circuit.insert(circuit.end(), members_[k].begin(), members_[k].end());
        return;
      }
      if (matroid_.sets()[k].parent == k) return;
    }
  }

 private:
  const LaminarMatroid& matroid_;
  std::vector<std::vector<std::uint32_t>> members_;  // those of I, of each set
};

/// The forest with a root in each tree: an edge replaces those of the path between its ends.
class ForestExchanges final : public MatroidExchanges {
 public:
  explicit ForestExchanges(const GraphicMatroid& matroid)
      : edges_(matroid.edges()),
        first_(matroid.nodes()),
        next_(2 * matroid.size()),
        depth_(matroid.nodes()),
        root_(matroid.nodes()),
        above_(matroid.nodes()) {
    queue_.reserve(matroid.nodes());
  }

  void take(std::span<const std::size_t> independent) override {
    std::fill(first_.begin(), first_.end(), none);
    // End 2 f of edge f is at its first node, end 2 f + 1 at its second one.
    for (const std::size_t f : independent) {
      for (std::size_t end = 2 * f; end < 2 * f + 2; ++end) {
        next_[end] = std::exchange(first_[node_of(end)], end);
      }
    }
    std::fill(root_.begin(), root_.end(), none);
    for (std::size_t v = 0; v < root_.size(); ++v) {
      if (root_[v] == none) grow_tree(v);
    }
  }

  void add_circuit(std::size_t e, std::vector<std::uint32_t>& circuit) override {
    std::size_t a = edges_[e].from;
    std::size_t b = edges_[e].to;
    if (root_[a] != root_[b]) return;
    while (a != b) {
      std::size_t& lower = depth_[a] >= depth_[b] ? a : b;
      circuit.push_back(static_cast<std::uint32_t>(above_[lower] / 2));
      lower = node_of(above_[lower]);
    }
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t node_of(std::size_t end) const {
    return end % 2 == 0 ? edges_[end / 2].from : edges_[end / 2].to;
  }

  void grow_tree(std::size_t root) {
    root_[root] = root;
    depth_[root] = 0;
    queue_.assign(1, root);
    for (std::size_t k = 0; k < queue_.size(); ++k) {
      const std::size_t v = queue_[k];
      for (std::size_t end = first_[v]; end != none; end = next_[end]) {
        const std::size_t w = node_of(end ^ 1U);
        if (root_[w] != none) continue;
        root_[w] = root;
        depth_[w] = depth_[v] + 1;
        above_[w] = end;
        queue_.push_back(w);
      }
    }
  }

  const std::vector<Edge>& edges_;
  std::vector<std::size_t> first_;  // of each node, an end of an edge of the forest at it
  std::vector<std::size_t> next_;   // of each end, another one at its node
  std::vector<std::size_t> depth_;
  std::vector<std::size_t> root_;
  std::vector<std::size_t> above_;  // of each node but roots, the other end of the edge to its root
  std::vector<std::size_t> queue_;
};

class TestedExchanges final : public MatroidExchanges {
 public:
  explicit TestedExchanges(const Matroid& matroid) : test_(matroid.test()) {
    independent_.reserve(matroid.size());
  }

  void take(std::span<const std::size_t> independent) override {
    independent_.assign(independent.begin(), independent.end());
  }

  void add_circuit(std::size_t e, std::vector<std::uint32_t>& circuit) override {
    for (const std::size_t f : matroid_circuit(*test_, independent_, e)) {
      circuit.push_back(static_cast<std::uint32_t>(f));
    }
  }

 private:
  std::unique_ptr<IndependenceTest> test_;
  MatroidElements independent_;
};

}  // namespace

std::unique_ptr<MatroidExchanges> exchanges_of(const Matroid& matroid) {
  if (const auto* const laminar = dynamic_cast<const LaminarMatroid*>(&matroid)) {
    return std::make_unique<LaminarExchanges>(*laminar);
  }
  if (const auto* const graphic = dynamic_cast<const GraphicMatroid*>(&matroid)) {
    return std::make_unique<ForestExchanges>(*graphic);
  }
  return std::make_unique<TestedExchanges>(matroid);
}

}  // namespace keyhole::sets
