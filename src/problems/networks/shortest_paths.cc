#include "problems/networks/shortest_paths.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace keyhole::problems {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Search {
 public:
  Search(const std::vector<Link>& links, std::size_t nodes, std::size_t to)
      : links_(links), to_(to), closed_(nodes), removed_(links.size()), distance_(nodes) {}

  void open_all() {
    std::fill(closed_.begin(), closed_.end(), false);
    std::fill(removed_.begin(), removed_.end(), false);
  }
  void close(std::size_t node) { closed_[node] = true; }
  void remove(std::size_t link) { removed_[link] = true; }

  /// Appends the shortest path from a node over what is open; false if there is none. By Bellman's
  /// equations for the distance to the end; then along the first links that keep to it.
  bool append_shortest(std::size_t from, Path& path) {
    std::fill(distance_.begin(), distance_.end(), infinity);
    distance_[to_] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t l = 0; l < links_.size(); ++l) {
        if (!usable(l) || !(along(l) < distance_[links_[l].from])) continue;
        distance_[links_[l].from] = along(l);
        changed = true;
      }
    }
    if (distance_[from] == infinity) return false;
    for (std::size_t node = from; node != to_;) {
      std::size_t l = 0;
      while (links_[l].from != node || !usable(l) || along(l) != distance_[node]) ++l;
      path.push_back(l);
      node = links_[l].to;
    }
    return true;
  }

 private:
  [[nodiscard]] bool usable(std::size_t l) const {
    return !removed_[l] && !closed_[links_[l].from] && !closed_[links_[l].to];
  }
  [[nodiscard]] double along(std::size_t l) const {
    return links_[l].weight + distance_[links_[l].to];
  }

  const std::vector<Link>& links_;
  std::size_t to_;
  std::vector<bool> closed_;
  std::vector<bool> removed_;
  std::vector<double> distance_;
};

}  // namespace

std::vector<Path> shortest_paths(const std::vector<Link>& links, std::size_t nodes,
                                 std::size_t from, std::size_t to, std::size_t most) {
  // Added from the end, as Search does: equal paths have equal lengths, to the last digit.
  const auto length = [&](const Path& path) {
    double sum = 0;
    for (std::size_t k = path.size(); k > 0; --k) sum = links[path[k - 1]].weight + sum;
    return sum;
  };
  Search search(links, nodes, to);
  std::vector<Path> found;
  std::set<std::pair<double, Path>> candidates;
  Path first;
  if (most > 0 && search.append_shortest(from, first)) candidates.emplace(length(first), first);
  while (found.size() < most && !candidates.empty()) {
    found.push_back(candidates.extract(candidates.begin()).value().second);
    const Path latest = found.back();
    // Whatever comes next leaves a path found so far at some node: it shares the links up to there
    // with the latest, or is a candidate already.
    Path root;
    for (const std::size_t link : latest) {
      search.open_all();
      for (const std::size_t before : root) search.close(links[before].from);
      for (const Path& path : found) {
        if (path.size() > root.size() && std::equal(root.begin(), root.end(), path.begin())) {
          search.remove(path[root.size()]);
        }
      }
      Path path = root;
      if (search.append_shortest(links[link].from, path)) candidates.emplace(length(path), path);
      root.push_back(link);
    }
  }
  return found;
}

}  // namespace keyhole::problems
