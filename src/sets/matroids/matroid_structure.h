// What can be learned about a matroid from its independence test alone.

#pragma once

#include <cstddef>
#include <vector>

#include "keyhole/matroids.h"

namespace keyhole::sets {

using MatroidElements = std::vector<std::size_t>;

/// The connected components of more than one element, each sorted: e and f are in the same one if
/// some circuit has both. From the fundamental circuits of one base.
[[nodiscard]] std::vector<MatroidElements> matroid_components(const Matroid& matroid);

/// The elements f of an independent set such that it stays independent with f replaced by e, where
/// e does not join: with e itself its fundamental circuit. As many passes as it has elements.
[[nodiscard]] MatroidElements matroid_circuit(IndependenceTest& test,
                                              const MatroidElements& independent, std::size_t e);

/// x(S) <= rank(S) for a flat S: a set to which no element can be added without raising the rank.
struct MatroidFlat {
  MatroidElements elements;
  double rank = 0;
};

/// All sets of the elements of a small component.
class MatroidTable {
 public:
  /// 2^12 sets take less than a millisecond.
  static constexpr std::size_t most_elements = 12;

  /// Throws InvalidArgument if the ranks are not those of a matroid.
  MatroidTable(const Matroid& matroid, MatroidElements elements);

  /// But for the empty set and those of one element.
  [[nodiscard]] std::vector<MatroidFlat> flats() const;
  /// The mean of the indicator vectors of all bases, for each element.
  [[nodiscard]] std::vector<double> mean_of_bases() const;
  /// min over S of rank(S) / |S|.
  [[nodiscard]] double least_density() const;

 private:
  [[nodiscard]] std::size_t sets() const { return std::size_t{1} << elements_.size(); }
  void require_ranks(const Matroid& matroid) const;

  MatroidElements elements_;
  std::vector<unsigned char> ranks_;  // of each set, given by its bits
};

}  // namespace keyhole::sets
