#include "sets/distributions/cheapest_moves.h"

#include <algorithm>
#include <numeric>

namespace keyhole::sets {
namespace {

/// Moves that there is room for at first: all that there can be of 256 places, or one a place.
constexpr std::size_t most_reserved = 65536;

}  // namespace

CheapestMoves::CheapestMoves(const std::vector<double>& q, double budget)
    : q_(q), budget_(budget), ends_(q.size()), point_(q.size()) {
  moves_.reserve(std::max(q.size(), std::min(q.size() * q.size(), most_reserved)));
}

/// In the hull so far, `cost` is that from the origin.
void CheapestMoves::add_to_hull(std::size_t first, Move move, std::span<const double> d) {
  while (true) {
    const bool is_first = moves_.size() == first;
    const std::size_t from = is_first ? move.origin : moves_.back().to;
    const double width = move.cost - (is_first ? 0 : moves_.back().cost);
    const double gain = d[from] - d[move.to];
    if (!(gain > 0)) return;
    if (width > 0) {
      move.saving = gain / width;
      if (is_first || move.saving < moves_.back().saving) break;
    }
    moves_.pop_back();
  }
  moves_.push_back(move);
}

/// From the costs from the origin to those of the edges.
void CheapestMoves::split(std::size_t first) {
  for (std::size_t k = moves_.size(); k-- > first + 1;) moves_[k].cost -= moves_[k - 1].cost;
}

void CheapestMoves::spend() {
  // Those of one place save less and less, so they keep their order.
  std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) {
    return a.saving != b.saving ? a.saving > b.saving : a.origin < b.origin;
  });
  std::fill(point_.begin(), point_.end(), 0.0);
  std::iota(ends_.begin(), ends_.end(), std::size_t{0});
  double left = budget_;
  for (const Move& move : moves_) {
    const double cost = q_[move.origin] * move.cost;
    if (cost > left) {  // a part of it goes, and nothing after it
      const double part = q_[move.origin] * (left / cost);
      point_[move.to] += part;
      point_[ends_[move.origin]] -= part;
      break;
    }
    left -= cost;
    ends_[move.origin] = move.to;
  }
  // What is there comes last: a place that a part leaves has that much.
  for (std::size_t i = 0; i < q_.size(); ++i) point_[ends_[i]] += q_[i];
  for (double& x : point_) x = std::max(x, 0.0);
}

}  // namespace keyhole::sets
