// Affine images that many points share.

#pragma once

#include <span>
#include <string>

#include "keyhole/set.h"

namespace keyhole::sets {

/// {A x + b : x in the set} where A takes different points of the set to the same one. Throws
/// InvalidArgument where affine_image() refuses; numbers and shapes have been looked at.
[[nodiscard]] SetPtr reduced_image(const SetPtr& set, std::span<const double> matrix,
                                   std::span<const double> shift);

/// Of any affine image.
[[nodiscard]] std::string affine_image_text(const Set& set, std::span<const double> matrix,
                                            std::span<const double> shift);

/// Throws InvalidArgument unless the singular values are near enough, and an image with them of a
/// set of these radii is not too thin, nor too far away.
void require_fair_image(double least, double most, const Set& set, std::span<const double> shift,
                        std::span<const double> centre);

}  // namespace keyhole::sets
