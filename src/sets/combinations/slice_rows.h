// Where {A x = b} cuts a set.

#pragma once

#include <span>
#include <vector>

#include "sets/combinations/column_generation.h"

namespace keyhole::sets {

/// {x in the hull of K : A x = b} = {Q (x - p) = g}, p the centre of K: Q orthonormal rows within
/// the directions of the hull, one after the other.
struct SliceRows {
  std::vector<double> rows = {};
  std::vector<double> right = {};
};

/// By Gram and Schmidt, row by row. Rows that follow from those before, or hold in all of the hull,
/// are left out; throws InvalidArgument if one contradicts them, or follows but for rounding.
[[nodiscard]] SliceRows independent_rows(const Set& set, std::span<const double> matrix,
                                         std::span<const double> right);

/// Finds x_0 on the rows and a ball of K about it: x_0 is on the way from p to the last point v of
/// K with Q (v - p) = s g, a linear function's least over the slice {Q (v - p) || g}, which holds
/// p. The hull of v and of the ball of radius r about p holds the one of radius (1 - 1 / s) r about
/// x_0. Throws InvalidArgument if there is no such point, or s exceeds 1 by less than 1e-6.
[[nodiscard]] SliceFrame find_frame(const SetPtr& set, const SliceRows& rows);

}  // namespace keyhole::sets
