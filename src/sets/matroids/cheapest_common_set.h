// A cheapest set that is independent in two matroids.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sets/matroids/matroid_exchanges.h"

namespace keyhole::sets {

/// Weighted matroid intersection by augmenting paths (Lawler, "Matroid intersection algorithms",
/// 1975; Frank, "A weighted matroid intersection algorithm", 1981). A set I that is cheapest among
/// the common independent sets of its size becomes one of the next size along a path
///
///   x_0, y_1, x_1, ..., y_k, x_k
///
/// of elements x outside I that enter and elements y of I that leave: x_0 joins I in the first
/// matroid, x_k in the second one, x_i replaces y_i in the first and x_(i-1) replaces y_i in the
/// second. The path is one of least cost and, of those, of the fewest elements: else the result
/// might not be independent. It ends when no path lowers the cost, since each path costs at least
/// as much as the one before it.
///
/// An x that joins in the second matroid could replace any y there: such steps, and those to an x
/// that joins in the first, are left out. What they begin would be a cycle of negative cost
/// otherwise, or a path that is shorter without them.
///
/// Costs are whole numbers on a grid of 2^-50 of the power of two at or above the largest |c_e|, so
/// that sums along paths are exact. Elements of cost 0 or more are never in the set.
///
/// After construction nothing allocates, but for matroids that are neither laminar nor graphic. One
/// a thread.
class CheapestCommonSet {
 public:
  /// More could make sums overflow, and the exchanges take much memory.
  static constexpr std::size_t most_elements = 2000;

  /// Both of as many elements, of which none is dependent alone. They must outlive this.
  CheapestCommonSet(const Matroid& first, const Matroid& second);

  /// Its elements, sorted; they hold until the next call.
  [[nodiscard]] std::span<const std::size_t> find(std::span<const double> costs);

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  /// The circuits that the elements outside close, one after the other.
  struct Circuits {
    std::unique_ptr<MatroidExchanges> exchanges;
    std::vector<std::uint32_t> members = {};
    std::vector<std::size_t> ends = {};  // one for each element outside, where its circuit ends

    void find(std::span<const std::size_t> independent, std::span<const std::uint32_t> outside);
    /// That of the k-th element outside: empty if it joins.
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t k) const;
  };

  /// What a path to an element costs, and how many steps it has.
  struct Label {
    std::int64_t cost = 0;
    std::uint32_t steps = none;  // none: not reached

    [[nodiscard]] bool is_before(const Label& other) const {
      if (steps == none || other.steps == none) return steps != none;
      return cost != other.cost ? cost < other.cost : steps < other.steps;
    }
  };

  void put_on_grid(std::span<const double> costs);
  [[nodiscard]] bool augment();
  void find_labels();
  [[nodiscard]] bool relax(std::uint32_t from, std::uint32_t to, std::int64_t more);

  std::vector<std::int64_t> costs_;
  std::vector<char> is_in_;
  std::vector<std::size_t> set_;
  std::vector<std::uint32_t> candidates_;  // elements of negative cost
  std::vector<std::uint32_t> outside_;     // those that are not in the set
  Circuits first_;
  Circuits second_;
  std::vector<Label> labels_;
  std::vector<std::uint32_t> via_;  // the element before on the path
};

}  // namespace keyhole::sets
