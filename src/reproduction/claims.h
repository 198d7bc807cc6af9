// The claims of the paper's evaluation, held against what was measured.

#pragma once

#include <string>
#include <vector>

#include "reproduction/outcome.h"

namespace keyhole::reproduction {

/// What became of a claim.
enum class Verdict {
  reproduced,
  not_reproduced,
  only_published,
  only_proven,
};

/// The verdict in words.
[[nodiscard]] std::string text_of(Verdict verdict);

/// A claim.
struct Claim {
  /// What the paper says or shows.
  std::string text;
  /// The numbers that it gives.
  std::string paper;
  /// What was measured in each run, with its interval, and whether the claim holds there.
  std::vector<std::string> measured;
  /// The verdict, over all settings that were run.
  Verdict verdict;
};

/// The four learners of the paper, as runs name them.
[[nodiscard]] const std::vector<std::string>& paper_learners();

/// All claims, held against the outcomes:
/// - the order of the four curves at the end of each experiment: reproduced if each curve lies
/// below
///   the next and their 95 % intervals do not touch; where two published ends differ by less than
///   one part in a thousand, either order will do;
/// - the decline of Proposed on the quadratic problem: its average loss at the end is below that at
/// a
///   quarter of the rounds, the intervals not touching;
/// - the near-linear loss of Unregularized: its average loss at the end is at least 0.9 of that at
/// a
///   quarter of the rounds;
/// - the times relative to Proposed: reproduced if the measured median is within a factor of 1.5 of
///   the paper's.
/// Where a setting has several runs of an experiment, all that count must agree.
[[nodiscard]] std::vector<Claim> judge(const std::vector<Outcome>& outcomes);

}  // namespace keyhole::reproduction
