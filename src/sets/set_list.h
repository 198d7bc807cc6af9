// What sums and hulls of several sets of the same dimension share.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::sets {

/// Throws InvalidArgument unless there is at least one set, none is missing, and all have the same
/// dimension; `what` names what they are for.
void require_list_of_sets(const std::string& what, const std::vector<SetPtr>& sets);

/// An oracle of each.
[[nodiscard]] std::vector<std::unique_ptr<Oracle>> oracles_of(const std::vector<SetPtr>& sets);

/// "name(spec, spec, ...)".
[[nodiscard]] std::string list_spec(const std::string& name, const std::vector<SetPtr>& sets);

/// Whether x has n coordinates, all finite and at most largest_number.
[[nodiscard]] bool is_point(std::span<const double> x, std::size_t n);

/// ||x - y||.
[[nodiscard]] double distance_between(std::span<const double> x, std::span<const double> y);

/// The directions of an affine hull.
class JointHull {
 public:
  /// Of all n coordinates.
  explicit JointHull(std::size_t n) : dimension_(n) {}
  /// Those that the rows of n numbers each span, up to 1e-9 of `size`.
  JointHull(std::vector<double> rows, std::size_t n, double size);

  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  void flatten(std::span<double> direction) const;

 private:
  std::size_t dimension_;
  std::vector<double> basis_;  // orthonormal rows; none for all coordinates
};

/// The hull of the sum of sets: all that their hulls span.
[[nodiscard]] JointHull hull_of_sum(const std::vector<SetPtr>& sets);
/// The hull of the union: that, and what leads from one centre to another.
[[nodiscard]] JointHull hull_of_all(const std::vector<SetPtr>& sets);

}  // namespace keyhole::sets
