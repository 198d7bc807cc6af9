// Which elements can replace which in an independent set of a matroid.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/matroids.h"

namespace keyhole::sets {

/// Exchanges with an independent set I. It refers to its matroid. One a thread.
class MatroidExchanges {
 public:
  MatroidExchanges() = default;
  MatroidExchanges(const MatroidExchanges&) = delete;
  MatroidExchanges& operator=(const MatroidExchanges&) = delete;
  virtual ~MatroidExchanges() = default;

  /// Takes an independent set I.
  virtual void take(std::span<const std::size_t> independent) = 0;

  /// Appends the elements f of I such that I - f + e is independent, for an element e outside I
  /// that does not join: with e itself its fundamental circuit. Nothing if I + e is independent.
  virtual void add_circuit(std::size_t e, std::vector<std::uint32_t>& circuit) = 0;
};

/// Counts for laminar matroids and paths for graphs, neither of which allocates after construction;
/// the independence test for others. No element may be dependent alone.
[[nodiscard]] std::unique_ptr<MatroidExchanges> exchanges_of(const Matroid& matroid);

}  // namespace keyhole::sets
