#pragma once

#include <cstddef>
#include <memory>

#include "learners/posterior/status.h"

namespace keyhole::algorithms {

/// The largest dimension of a hull that posterior has a model of all slopes in.
constexpr std::size_t most_modelled_dimensions = 512;

/// What posterior is where the hull has more dimensions: face where the set has few vertices, else
/// parameter_free, with the same caution, start and reach. Memory and time a round grow with the
/// dimension, not with its square.
[[nodiscard]] std::unique_ptr<PosteriorAlgorithm> in_many_dimensions(
    const SetPtr& set, const PosteriorOptions& options);

}  // namespace keyhole::algorithms
