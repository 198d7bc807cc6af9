// The curves of the paper's Figure 1 and the times of its Figure 1d: facts, read off the published
// graphics to about one part in a thousand of the axis.

#pragma once

#include <span>
#include <string>

namespace keyhole::reproduction {

/// The average losses after t rounds, the means of 50 runs.
struct PublishedPoint {
  double t;
  double proposed;
  double fkm;
  double unregularized;
  double stochastic;

  /// That of a learner by the name that runs give it.
  [[nodiscard]] double of(const std::string& learner) const;
};

/// The points of an experiment: quadratic, portfolio or completion.
[[nodiscard]] std::span<const PublishedPoint> published_curve(const std::string& experiment);

/// The time of FKM or StochOCG relative to Proposed.
[[nodiscard]] double published_time(const std::string& experiment, const std::string& learner);

}  // namespace keyhole::reproduction
