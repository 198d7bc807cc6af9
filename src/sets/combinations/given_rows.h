// The rows A and b that a slice and a cut are made by.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "keyhole/polytope.h"
#include "keyhole/set.h"

namespace keyhole::sets {

/// Up to so many coordinates the simplex method on a description by inequalities is about as quick
/// as column generation or quicker; at 500 it takes ten times as long for a slice of a box.
inline constexpr std::size_t most_described = 200;

/// A and b as they were given.
struct GivenRows {
  std::vector<double> matrix;
  std::vector<double> right;

  GivenRows(std::span<const double> A, std::span<const double> b)
      : matrix(A.begin(), A.end()), right(b.begin(), b.end()) {}

  /// With other rows before these.
  void prepend(const GivenRows& first);
  /// "slice(of, A=[...], b=[...])".
  [[nodiscard]] std::string text(const std::string& name, const std::string& of) const;
};

/// Throws InvalidArgument unless there are a set, at least one row and moderate numbers of the
/// right count. `name` is "slice" or "cut".
void require_rows(const std::string& name, const SetPtr& set, std::span<const double> matrix,
                  std::span<const double> right);

/// The polytope of a description of the set by linear inequalities and of the rows: A x = b for a
/// "slice", A x <= b for a "cut".
[[nodiscard]] SetPtr described_by_rows(const std::string& name, const Set& set,
                                       PolytopeConstraints all, const GivenRows& given);

}  // namespace keyhole::sets
