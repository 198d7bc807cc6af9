// Means of some bases of a matroid, and how far inside the hull of all they are.

#pragma once

#include <cstddef>
#include <vector>

#include "sets/matroids/matroid_structure.h"

namespace keyhole::sets {

/// Bases of a matroid, all of the same weight.
class AveragedBases {
 public:
  /// The first base in the order of the elements.
  explicit AveragedBases(const Matroid& matroid);

  /// Adds bases that share the load: each is the first one by rising (load, index), the load of an
  /// element being the number of bases so far that have it. The least of p tends to the largest
  /// possible (Plotkin, Shmoys, Tardos 1995; Thorup 2007 for spanning trees). Up to max(200, 4 n)
  /// bases, as long as 4e6 tests last.
  void add_even();

  /// For each component of the matroid, t > 0 such that rank(S) - p(S) >= t for its subsets S but
  /// itself and the empty set, with p the mean of the bases after the call. If f can be exchanged
  /// for e in bases of total weight w, then p + w (e_e - e_f) is in the hull, so rank(S) - p(S) >=
  /// w for all S with e and without f; t is the largest such that exchanges of weight t lead from
  /// every element to every other. Adds bases that are the first in random orders from a fixed key,
  /// as many as add_even(), and where no t is found all that differ from the first in one of the
  /// exchanges that connect the component. (The evenest bases will not do: the densest elements are
  /// as full as they can be in their mean, so that it is at the boundary.)
  [[nodiscard]] std::vector<double> add_random(const std::vector<MatroidElements>& components);

  /// p, the mean of the bases.
  [[nodiscard]] std::vector<double> mean() const;

 private:
  /// How many bases allow an exchange, of two elements of a component by their places in it.
  struct Exchanges {
    MatroidElements component;
    std::vector<unsigned> counts = {};  // counts[f m + e]: f leaves, e enters

    explicit Exchanges(MatroidElements elements);
    /// The largest t for which the exchanges with at least that count connect all; 0 if none.
    [[nodiscard]] unsigned bottleneck() const;
    [[nodiscard]] bool connects(unsigned t, bool forth) const;
  };

  [[nodiscard]] bool wants_more() const;
  /// Adds the first base in the order of order_.
  void add_base();
  /// Counts the exchanges of the last base.
  void count(Exchanges& exchanges);
  /// Adds neighbours of the first base, until exchanges lead everywhere.
  void add_neighbours(Exchanges& exchanges);

  std::unique_ptr<IndependenceTest> test_;
  std::size_t bases_ = 0;
  std::vector<std::size_t> loads_;
  std::vector<std::size_t> order_;
  std::vector<bool> in_last_;
  std::vector<bool> in_first_;
  std::size_t tests_ = 0;
};

}  // namespace keyhole::sets
