// The set that named parameters and constraints describe.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keyhole/space.h"
#include "spaces/constraint.h"

namespace keyhole::spaces {

using Parameters = std::vector<SpaceParameter>;

[[nodiscard]] std::vector<std::string> names_of(const Parameters& parameters);

/// The parameter of a name, and its first coordinate. Throws InvalidArgument if there is none.
[[nodiscard]] std::pair<const SpaceParameter*, std::size_t> find(const Parameters& parameters,
                                                                 std::string_view name);

/// The constraint that a text says. Throws InvalidArgument, which quotes it, if it says none.
[[nodiscard]] Constraint constraint_of(const Parameters& parameters, const std::string& text);

/// All that the coordinates obey besides their bounds: the sums of choices and shares, and then the
/// constraints.
[[nodiscard]] std::vector<Constraint> rows_of(const Parameters& parameters,
                                              const std::vector<std::string>& constraints);

/// A box for numbers that follow each other, a simplex for each choice, and a simplex or a capped
/// one for shares, as a product; with constraints a polytope.
[[nodiscard]] SetPtr set_of(const Parameters& parameters,
                            const std::vector<std::string>& constraints);

}  // namespace keyhole::spaces
