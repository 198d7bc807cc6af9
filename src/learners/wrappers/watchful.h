#pragma once

#include <memory>
#include <vector>

#include "keyhole/drift.h"

namespace keyhole::algorithms {

/// watchful() with a point of the set that stands for the centre: that of the rare plays which show
/// what learning is worth. None is the centre. It starts again only if the learner was worth
/// something: one that has not learned anything yet would learn nothing for ever.
[[nodiscard]] std::unique_ptr<WatchfulAlgorithm> watchful_from(std::unique_ptr<Algorithm> algorithm,
                                                               std::vector<double> start);

}  // namespace keyhole::algorithms
