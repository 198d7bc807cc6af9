#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "keyhole/catalogue.h"

namespace keyhole::experiment {

/// The experiment that a text in TOML describes. `name` is what messages call the text: its file;
/// if empty, they do not say where. Every problem is built, and every learner for every problem, so
/// that what cannot run is refused here. Throws InputError with the line: `study.toml:3: unknown
/// key 'round'; did you mean 'rounds'?`. Thread-safe.
[[nodiscard]] Experiment parse_experiment(const std::string& text, const std::string& name,
                                          const std::string& folder = {},
                                          const Catalogue& catalogue = Catalogue::standard());

/// The same from a file; names of files in it are relative to its folder.
[[nodiscard]] Experiment read_experiment(const std::string& path,
                                         const Catalogue& catalogue = Catalogue::standard());

/// The same experiment with these learners behind its own. Throws InputError if they cannot play.
[[nodiscard]] Experiment with_learners(Experiment experiment, const std::vector<Named>& learners,
                                       const Catalogue& catalogue);

/// The canonical TOML with every default filled in (but for keys that are absent by default, and
/// for a problem's own), which parses back to the same experiment.
[[nodiscard]] std::string print_config(const Experiment& experiment);

/// The same experiment for a first look: at most 4096 rounds, the checkpoints among them, and at
/// most 2 repeats. Its text is its print_config().
[[nodiscard]] Experiment quick_look(Experiment experiment);

}  // namespace keyhole::experiment
