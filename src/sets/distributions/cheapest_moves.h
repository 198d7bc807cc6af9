// The best use of a budget for moving a distribution to cheaper places.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::sets {

/// min <d, x> over the distributions x to which q can be moved at a total cost of at most the
/// budget. What q_i is worth at place j, against the cost of moving it there: only the lower hull
/// of these points counts. Its edges, of all places i, are taken in the order of what a unit of
/// cost saves, until the budget is used up: a fractional knapsack with several choices (Zemel
/// 1980). Of equal ones those of the first place come first. One a thread.
class CheapestMoves {
 public:
  /// q must outlive this. Up to 256 places, or with one move a place, no call allocates.
  CheapestMoves(const std::vector<double>& q, double budget);

  /// The minimiser; it holds until the next call. places.for_each(i, visit) calls visit(j, cost)
  /// for the places j != i, by rising costs of moving a unit there from i. It may leave out those
  /// at which d is no less than at i or at one before.
  template <class Places>
  std::span<const double> find(std::span<const double> d, const Places& places) {
    moves_.clear();
    for (std::size_t i = 0; i < q_.size(); ++i) {
      if (!(q_[i] > 0)) continue;
      const std::size_t first = moves_.size();
      places.for_each(i, [&](std::size_t j, double cost) {
        add_to_hull(first, {i, j, cost, 0}, d);
      });
      split(first);
    }
    spend();
    return point_;
  }

 private:
  /// What moves from one place to another, on its way from its own, and what a unit of cost saves.
  struct Move {
    std::size_t origin;
    std::size_t to;
    double cost;
    double saving;
  };

  void add_to_hull(std::size_t first, Move move, std::span<const double> d);
  void split(std::size_t first);
  void spend();

  const std::vector<double>& q_;
  double budget_;
  std::vector<Move> moves_;
  std::vector<std::size_t> ends_;  // where what was at a place is now
  std::vector<double> point_;
};

}  // namespace keyhole::sets
