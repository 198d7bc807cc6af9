// The entries of the standard catalogue, by family.

#pragma once

#include <vector>

#include "keyhole/spec.h"

namespace keyhole::spec {

using Entry = SpecEntry;
using Type = ParameterType;
using ranges::moderate, ranges::not_negative, ranges::positive;

/// Numbers of coordinates: beyond, a misprint is likelier than a machine with the memory.
inline constexpr double most_coordinates = 1e8;
/// Rows and columns of matrices: with as many coordinates.
inline constexpr double most_rows = 1e4;

/// The sets by family, in the order of the documentation.
[[nodiscard]] std::vector<Entry> basic_set_entries();
[[nodiscard]] std::vector<Entry> norm_ball_entries();
[[nodiscard]] std::vector<Entry> choice_entries();
[[nodiscard]] std::vector<Entry> matroid_entries();
[[nodiscard]] std::vector<Entry> graph_entries();
[[nodiscard]] std::vector<Entry> spectral_set_entries();
[[nodiscard]] std::vector<Entry> set_algebra_entries();
[[nodiscard]] std::vector<Entry> learner_entries();
[[nodiscard]] std::vector<Entry> problem_entries();

}  // namespace keyhole::spec
