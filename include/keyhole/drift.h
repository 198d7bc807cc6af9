#pragma once

#include <cstdint>
#include <memory>

#include "keyhole/algorithm.h"
#include "keyhole/gradient_algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

namespace algorithms {

/// Restarts an algorithm every so many rounds, for losses whose best point moves: what was
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

}  // namespace algorithms

/// What a watchful algorithm has noticed.
struct WatchfulStatus {
  /// How often the algorithm inside was restarted.
  std::uint64_t restarts = 0;
  /// How often there was doubt.
  std::uint64_t doubts = 0;
  /// How much less a play of the algorithm inside costs than one at the centre, of late; 0 while
  /// that is not known.
  double worth = 0;
};

/// An algorithm that notices when what was learned has lost its worth. See watchful().
class WatchfulAlgorithm : public Algorithm {
 public:
  using Algorithm::Algorithm;

  /// What it has noticed.
  [[nodiscard]] virtual WatchfulStatus status() const = 0;
};

namespace algorithms {

/// Restarts an algorithm when what it has learned has lost half of its worth, for losses whose
/// best point jumps or wanders at times that nobody knows: watchful(parameter_free(set)) knows the
/// set and nothing else. Our own method. The worth is how much less the algorithm's plays cost than
/// plays at the centre p of the set; with its losses f, k of them since it was last started:
///
///   in calm:   a play is made at p with probability about 1 / (8 sqrt k); w is the average of what
///              such plays have cost above the recent f, and W the largest w so far
///   doubt:     a = max(0, a + (f - mean) / deviation - 1/2) > 12, where the fraction counts for no
///              more than 3; then plays are made at p and by the algorithm in turn, by chance, and
///              w is the difference of their means
///   in either: w clearly (by 3 standard errors) below W / 2:  everything is forgotten
///   calm again: w clearly above W / 2, or after 64 plays at p
///
/// So a rise of all losses alike is not taken for a change of the best point. Doubts that come to
/// nothing take no more than 2 sqrt t + 64 plays at p in t rounds, calm about sqrt(t) / 4. Feedback
/// for a play from before a restart is counted as late. The algorithm must play any number of
/// rounds. Nothing depends on the scale of the losses if nothing does inside.
[[nodiscard]] std::unique_ptr<WatchfulAlgorithm> watchful(std::unique_ptr<Algorithm> algorithm);

}  // namespace algorithms

using algorithms::restarting, algorithms::watchful;

}  // namespace keyhole
#pragma GCC visibility pop
