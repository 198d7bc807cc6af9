#pragma once

#include <cstdint>
#include <memory>

#include "keyhole/algorithm.h"
#include "keyhole/gradient_algorithm.h"

namespace keyhole {

/// Starts an algorithm anew every so many rounds, for losses whose best point moves: what was
/// learned in one window is forgotten in the next. One that takes a horizon gets the window as its
/// horizon. The bound is that of a window times the number of windows begun, on the regret against
/// the best point of each window. Feedback for a play of an earlier window is counted as late, not
/// learned from. The point recommended is that of the window before until the current one is half
/// over.
///
/// With C T^(3/4) as its bound for T rounds and W rounds to a window this is C T W^(-1/4): few,
/// long windows unless the best point moves. Losses that move by V in all (the sum of the largest
/// changes from one to the next) add 2 W V against the best point of every single round (Besbes,
/// Gur, Zeevi, "Non-stationary stochastic optimization", 2015).
[[nodiscard]] std::unique_ptr<Algorithm> restarting(std::unique_ptr<Algorithm> algorithm,
                                                    std::uint64_t every);

/// The same around an algorithm that is told gradients.
[[nodiscard]] std::unique_ptr<GradientAlgorithm> restarting(
    std::unique_ptr<GradientAlgorithm> algorithm, std::uint64_t every);

}  // namespace keyhole
