#pragma once

#include <memory>
#include <optional>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// Controls: what any learner must beat to have learned something. They play any number of rounds
/// (fed_constant as many as what it wraps), and have no regret bound.

namespace algorithms {

/// Plays the centre of the set in every round: y_t = p.
[[nodiscard]] std::unique_ptr<Algorithm> stay(SetPtr set);

/// Plays a random vertex in every round: y_t = argmin over K of u_t . v, u_t uniform on the sphere
/// of the hull's directions. It recommends the centre.
[[nodiscard]] std::unique_ptr<Algorithm> random_vertex(SetPtr set);

/// The same algorithm, told a constant instead of its losses: what it does without learning. When
/// and whether it is told stays as it is.
/// Default of the constant: half of the bound M of the algorithm, 1 for an algorithm without one.
[[nodiscard]] std::unique_ptr<Algorithm> fed_constant(std::unique_ptr<Algorithm> algorithm,
                                                      std::optional<double> constant = {});

}  // namespace algorithms

using algorithms::stay, algorithms::random_vertex, algorithms::fed_constant;

}  // namespace keyhole
#pragma GCC visibility pop
