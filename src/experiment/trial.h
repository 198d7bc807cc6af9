#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/experiment.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// Who is too slow for which problem, found out before an experiment begins and then kept with its
/// results: times differ from run to run, and all parts must agree on who plays.
class Trial {
 public:
  /// Nobody is too slow.
  Trial() = default;

  /// Plays each player alone on a problem for a twentieth of a second, and those that seem too slow
  /// twice more: the least time counts. The control `stay` always plays: it is what the others are
  /// compared with. What is known is not tried again. False if told to stop. To be called while
  /// nothing else runs on the processor.
  [[nodiscard]] bool try_problem(const Experiment& experiment, const Catalogue& catalogue,
                                 std::size_t problem, const std::atomic<bool>& stop);

  /// What it says of one problem.
  [[nodiscard]] Trial of_problem(std::size_t problem) const;
  /// Takes over what another trial says and this one does not.
  void join(const Trial& other);

  /// Whether all players have been tried on a problem, if the experiment asks for that.
  [[nodiscard]] bool is_complete(const Experiment& experiment, std::size_t problem) const;
  /// The same for all problems.
  [[nodiscard]] bool is_complete(const Experiment& experiment) const;

  /// How long a round takes, in seconds, of a player that is left out; none for one that plays.
  [[nodiscard]] std::optional<double> left_out(std::size_t problem, std::size_t player) const;

  /// As a text of two lines, a JSON object and its checksum.
  [[nodiscard]] std::string text(const Experiment& experiment) const;
  /// The trial of a text, as far as it is of use for this experiment: problems and players may have
  /// been added since. None if it is not what text() wrote, or if it was of another `slowest`.
  [[nodiscard]] static std::optional<Trial> read(const std::string& text,
                                                 const Experiment& experiment);

 private:
  struct LeftOut {
    std::size_t problem;
    std::size_t player;
    double seconds;
  };
  [[nodiscard]] bool has_tried(std::size_t problem, std::size_t player) const;

  std::vector<std::pair<std::size_t, std::size_t>> tried_;  // problem and player
  std::vector<LeftOut> left_out_;
};

}  // namespace keyhole::experiment
