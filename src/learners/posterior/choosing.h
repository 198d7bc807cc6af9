#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "learners/posterior/status.h"

namespace keyhole::algorithms {

/// The choices that a learner makes by names: how many names each has, and what share each name has
/// at the start, choice by choice.
struct OwnNames {
  std::vector<std::size_t> choices;
  std::vector<double> start;
};

/// posterior on a set, with the last of its contexts chosen by itself. The names of a play stand
/// behind the numbers of its point, 1 at each that was chosen, else 0; so they do in all points.
[[nodiscard]] std::unique_ptr<PosteriorAlgorithm> posterior_with_names(
    SetPtr set, const PosteriorOptions& options, const OwnNames& names);

/// posterior with PosteriorOptions::choices.
[[nodiscard]] std::unique_ptr<PosteriorAlgorithm> choosing(const SetPtr& set,
                                                           const PosteriorOptions& options);

}  // namespace keyhole::algorithms
