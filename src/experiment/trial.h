#pragma once

#include <atomic>
#include <optional>
#include <string>
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

  /// Plays each player alone on each problem for a twentieth of a second, and those that seem too
  /// slow twice more: the least time counts. The control `stay` always plays: it is what the others
  /// are compared with. None if told to stop. To be called while nothing else runs.
  [[nodiscard]] static std::optional<Trial> run(const Experiment& experiment,
                                                const Catalogue& catalogue,
                                                const std::atomic<bool>& stop);

  /// How long a round takes, in seconds, of a player that is left out; none for one that plays.
  [[nodiscard]] std::optional<double> left_out(std::size_t problem, std::size_t player) const;

  /// As a text of two lines, a JSON object and its checksum.
  [[nodiscard]] std::string text(const Experiment& experiment) const;
  /// The trial of a text; none if it is not what text() wrote for this experiment.
  [[nodiscard]] static std::optional<Trial> read(const std::string& text,
                                                 const Experiment& experiment);

 private:
  struct LeftOut {
    std::size_t problem;
    std::size_t player;
    double seconds;
  };
  std::vector<LeftOut> left_out_;
};

}  // namespace keyhole::experiment
