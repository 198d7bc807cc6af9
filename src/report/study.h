#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/report.h"

namespace keyhole::report {

/// A play of a study.
struct StudyPoint {
  /// What it cost; NaN if nobody told.
  double loss = std::numeric_limits<double>::quiet_NaN();
  /// How far it was from what was recommended then, as a share of what is possible.
  double distance = 0;
  /// How many plays were asked for between it and its loss; NaN likewise.
  double delay = std::numeric_limits<double>::quiet_NaN();
};

/// What the report of a study is made of.
struct StudyHistory {
  std::string name;
  std::vector<Fact> facts = {};
  /// Whether gains were told, not losses.
  bool maximize = false;
  /// What the learner was taught and believes, in sentences.
  std::vector<std::string> beliefs = {};
  /// The plays, the first one first.
  std::vector<StudyPoint> plays = {};
  /// The plays before which the learner has started again.
  std::vector<double> restarts = {};
  /// The plays before which the study was changed.
  std::vector<double> changes = {};
  /// Where each coordinate of the recommended point was in its range, from 0 to 1.
  std::vector<Series> recommended = {};
  /// What to deploy, and what became of the plays.
  Table deployed = {};
  Table counts = {};
};

/// The report of a study: losses over the plays, what exploring costs, how the recommendation
/// moved, how late losses were told.
[[nodiscard]] Report of_study(const StudyHistory& history);

}  // namespace keyhole::report
