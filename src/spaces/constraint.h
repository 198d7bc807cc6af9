// Linear constraints as text: "cpu + 2*memory <= 10".

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keyhole::spaces {

/// sum of coefficient times coordinate, compared with a number.
struct Constraint {
  /// Coordinates and their coefficients.
  std::vector<std::pair<std::size_t, double>> terms = {};
  /// What the sum is compared with.
  double right = 0;
  /// Whether it is equal to it, not only at most.
  bool equality = false;
  /// What messages call it.
  std::string name = {};
};

/// The coordinate of a name such as "cpu" or "pool.a"; throws InvalidArgument, with a sentence that
/// goes on from the constraint, if there is none.
using CoordinateOf = std::function<std::size_t(std::string_view)>;

/// Reads a constraint: sums of numbers, names and products of a number and a name on both sides of
/// <=, >= or =. A greater-or-equal is turned around. Throws InvalidArgument, which quotes the text
/// and says where, if it is no such thing.
[[nodiscard]] Constraint read_constraint(std::string_view text, const CoordinateOf& coordinate_of);

}  // namespace keyhole::spaces
