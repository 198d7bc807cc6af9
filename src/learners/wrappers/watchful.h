#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "keyhole/algorithms.h"

namespace keyhole {

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

/// watchful() with a point of the set that stands for the centre: that of the rare plays which show
/// what learning is worth. None is the centre. It starts again only if the learner was worth
/// something: one that has not learned anything yet would learn nothing for ever.
[[nodiscard]] std::unique_ptr<Algorithm> watchful_from(std::unique_ptr<Algorithm> algorithm,
                                                       std::vector<double> start);

}  // namespace algorithms

}  // namespace keyhole
