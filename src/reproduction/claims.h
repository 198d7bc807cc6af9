// The claims of the paper's evaluation, held against what was measured.

#pragma once

#include <optional>
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
  undecided,       // the intervals of times allow both
  not_comparable,  // it holds, on other data than the paper's
};

/// The verdict in words.
[[nodiscard]] std::string text_of(Verdict verdict);

/// A number that was measured, and its interval or range.
struct Number {
  double value = 0;
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  /// The round after which it was measured; 0 if it belongs to none.
  double round = 0;
};

/// Whether a claim holds of a run.
enum class Holds { no, undecided, yes };

/// What was measured in a run.
struct Evidence {
  /// The name of the run, and its setting and region in words.
  std::string run = {};
  std::string label = {};
  /// Whether the run counts in the verdict, and whether the claim holds there.
  bool counts = true;
  Holds holds = Holds::no;
  /// One for each column of the claim.
  std::vector<Number> numbers = {};
};

/// A claim.
struct Claim {
  /// What the paper says or shows.
  std::string text;
  /// What the numbers measure.
  std::string quantity;
  /// What each number is of: a learner, or a time.
  std::vector<std::string> columns;
  /// The paper's numbers.
  std::vector<double> paper;
  /// What was measured, run by run.
  std::vector<Evidence> measured = {};
  /// The verdict, over all settings that were run.
  Verdict verdict = Verdict::not_reproduced;
};

/// The four learners of the paper, as runs name them.
[[nodiscard]] const std::vector<std::string>& paper_learners();

/// The point of a curve at the first recorded round from t on, or its last.
[[nodiscard]] const report::Point& at_round(const report::Series& curve, double t);

/// All claims, held against the outcomes:
/// - the order of the four curves at the end of each experiment: reproduced if each curve lies
///   below the next and the 95 % interval of their difference excludes 0; where two published ends
///   differ by less than one part in a thousand, either order will do; not comparable where it
///   comes out on a synthetic market in place of prices;
/// - the decline of Proposed on the quadratic problem: its average loss at the end is below that at
///   a quarter of the rounds, the intervals not touching;
/// - the near-linear loss of Unregularized: its average loss at the end is at least 0.9 of that at
///   a quarter of the rounds;
/// - the times relative to Proposed: reproduced if the interval of the nine passes is within a
///   factor of 1.5 of the paper's, and undecided if only a part of it is.
/// Where a setting has several runs of an experiment, all that count must agree.
[[nodiscard]] std::vector<Claim> judge(const std::vector<Outcome>& outcomes);

}  // namespace keyhole::reproduction
