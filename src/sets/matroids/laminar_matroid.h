// Limits on sets of which any two are nested or disjoint: uniform and partition matroids too.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "keyhole/matroids.h"

namespace keyhole::sets {

/// x(A) <= limit for a set A. The polytope {0 <= x <= 1, x(A) <= limit for all A} has integer
/// vertices (the matrix of a laminar family is totally unimodular), so these are the inequalities
/// of the independent sets.
struct LaminarSet {
  std::vector<std::size_t> elements;  // sorted
  std::size_t limit = 0;
  /// The rank: the limit, or less if the sets inside and the elements allow less.
  std::size_t rank = 0;
  /// What the sets inside and the elements in none of them could have without this limit.
  std::size_t rank_inside = 0;
  /// The smallest set around it; itself if there is none.
  std::size_t parent = 0;
};

class LaminarMatroid final : public Matroid {
 public:
  /// Throws InvalidArgument unless the sets are a laminar family of different elements 0, ..., n-1.
  LaminarMatroid(std::size_t n, const std::vector<std::vector<std::size_t>>& sets,
                 std::span<const std::size_t> limits, std::string spec);

  [[nodiscard]] std::unique_ptr<IndependenceTest> test() const override;
  [[nodiscard]] std::string spec() const override { return spec_; }

  /// Those inside come before those around them; the last one has all elements.
  [[nodiscard]] const std::vector<LaminarSet>& sets() const { return sets_; }
  /// The smallest set with the element.
  [[nodiscard]] std::size_t smallest_set(std::size_t element) const { return smallest_[element]; }
  /// Whether no set but the last contains another: a partition.
  [[nodiscard]] bool is_partition() const;
  /// Whether the element is in no independent set.
  [[nodiscard]] bool is_loop(std::size_t element) const;
  /// The number of elements that two independent sets cover at most: as all limits were twice as
  /// large, since integer points of 2 K are sums of two of K.
  [[nodiscard]] std::size_t covered_by_two() const;
  /// Without elements that are constant on the bases, which are components of their own.
  [[nodiscard]] std::vector<std::vector<std::size_t>> components() const;

 private:
  std::vector<LaminarSet> sets_;
  std::vector<std::size_t> smallest_;
  std::string spec_;
};

}  // namespace keyhole::sets
