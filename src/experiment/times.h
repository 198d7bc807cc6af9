#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "experiment/summary.h"

namespace keyhole::experiment {

/// How long a round of a player takes, and which machine says so.
struct Timed {
  /// Seconds a round.
  double seconds = 0;
  /// The name of the machine.
  std::string host = {};

  bool operator==(const Timed&) const = default;
};

/// The times of the players of a problem, by spec.
using Times = std::map<std::string, Timed>;

/// As a text of two lines, a JSON object and its checksum. The key is that of the problem.
[[nodiscard]] std::string times_text(const Times& times, std::uint64_t key);

/// The times of a text; empty if it is not what times_text() wrote for that problem.
[[nodiscard]] Times read_times(const std::string& text, std::uint64_t key);

/// Puts times into the summary of a problem.
void take_times(const Times& times, ProblemSummary& summary);

/// The machines whose times are in a summary, in order: "a, b". Empty if there are less than two.
[[nodiscard]] std::string several_hosts(const ExperimentSummary& summary);

}  // namespace keyhole::experiment
