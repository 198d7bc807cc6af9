#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace keyhole::experiment {

/// What a learner says that it believes: see Belief. Only what it says, in the order there, and how
/// often it has started again if it has.
using Beliefs = std::vector<std::pair<std::string, double>>;

/// What one player did in one run.
struct PlayerResult {
  /// False if it did not play; then there is nothing but its spec.
  bool played = true;
  /// What it goes by in the experiment: its spec.
  std::string spec = {};
  /// The canonical description of its algorithm.
  std::string algorithm = {};
  /// Average losses of rounds 1..t, t on the fine grid.
  std::vector<double> average_loss = {};
  /// Average regret of rounds 1..t, t on the grid of regret.
  std::vector<double> average_regret = {};
  /// What the point recommended when the losses of rounds 1..t-1 were learned would have cost in
  /// rounds 1..t, on the average, above the best fixed point, t on the grid of regret. Empty where
  /// best points move, and in parts of earlier versions.
  std::vector<double> recommended_regret = {};
  /// What the worst window cost more than at the centre, a round: see WorstWindow.
  std::optional<double> worst_window = {};
  /// Linear minimisations.
  std::uint64_t oracle_calls = 0;
  /// Plays that were not in the set.
  std::uint64_t infeasible_plays = 0;
  /// Losses above M, or gradients longer than G.
  std::uint64_t alarms = 0;
  /// Values that were told and came too late to be learned from.
  std::uint64_t late = 0;
  /// The theorem's bound on the expected regret, if there is one.
  std::optional<double> regret_bound = {};
  /// Whether the theorem holds for the constants in use.
  bool regret_bound_holds = false;
  /// Which theorem, or why there is no bound.
  std::string regret_bound_note = {};
  /// After the last round.
  Beliefs beliefs = {};

  bool operator==(const PlayerResult&) const = default;
};

/// What one run, all players of one problem in one repeat, gave: the unit of work, and of what is
/// kept when an experiment is interrupted.
struct Part {
  /// The hash of what it belongs to: see problem_hash().
  std::uint64_t key = 0;
  /// The index of the problem.
  std::size_t problem = 0;
  /// The number of the repeat.
  std::uint64_t repeat = 0;
  /// How many rounds were played.
  std::uint64_t rounds = 0;
  /// The set that was played on; long ones are cut.
  std::string set = {};
  /// Its number of coordinates.
  std::size_t dimension = 0;
  /// M and G of the problem, where they are finite.
  std::optional<double> loss_bound = {};
  /// See loss_bound.
  std::optional<double> gradient_bound = {};
  /// Whether they hold for certain.
  bool bounds_proven = false;
  /// The largest gap of a best fixed point, as a share of the scale of the total loss.
  double hindsight_gap = 0;
  /// The least total loss of rounds 1..t, t on the grid of regret.
  std::vector<double> least_loss = {};
  /// What the problem wants its readers to know.
  std::vector<std::string> warnings = {};
  /// The players.
  std::vector<PlayerResult> players = {};

  bool operator==(const Part&) const = default;
};

/// The part as a text of two lines: a JSON object and the checksum of the first line. Numbers read
/// back to the same doubles.
[[nodiscard]] std::string part_text(const Part& part);

/// The part of a text; none if it is not exactly what part_text() wrote.
[[nodiscard]] std::optional<Part> read_part(const std::string& text);

}  // namespace keyhole::experiment
