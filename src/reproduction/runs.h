// The runs that the paper's evaluation takes: each of its three experiments, as it seems to have
// been published and as it can be proven.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace keyhole::reproduction {

/// Which constants, centre and shrinking (shared by all runs of a setting; see
/// docs/reproduction.md).
enum class Setting {
  /// The literal setting that fits the published curves: c = 1, short horizons, and on the polytope
  /// no shrinking, so that plays leave it.
  published,
  /// The theorem's setting: every play in the set, and rounds enough to learn.
  proven,
};

/// The name of a setting.
[[nodiscard]] const char* name_of(Setting setting);

/// What the user asks for.
struct Wishes {
  /// How often each run is repeated.
  std::uint64_t repeats = 50;
  /// Fewer rounds in the proven setting, and fewer repeats: for a first look.
  bool quick = false;
  /// A file of closing prices; empty for the synthetic market.
  std::string prices = {};
};

/// One run: an experiment of one problem, ready for the runner.
struct Run {
  /// Which setting.
  Setting setting;
  /// Which of the paper's experiments: quadratic, portfolio or completion.
  std::string experiment;
  /// On which set, where there are several: enlarged, simplex, nuclear, ...
  std::string region;
  /// What the results directory of the run is called: published-quadratic, ...
  std::string name;
  /// What the figures of the run are called.
  std::string title;
  /// The experiment, as TOML.
  std::string toml;
  /// The default learner on the same losses, as TOML: fewer repeats, for its rounds take longer.
  std::string default_toml;
  /// Whether the run counts in the verdict on a claim. One on a set that the paper does not have,
  /// with constants fitted to another, is only shown next to it.
  bool counts = true;
  /// Whether a synthetic market stands in for the paper's prices.
  bool stand_in = false;

  /// The experiment and its region, for the axis of a figure.
  [[nodiscard]] std::string label() const {
    return region.empty() ? experiment : experiment + ", " + region;
  }
};

/// What runs and figures call the default learner.
inline constexpr const char* default_learner = "posterior (default)";

/// All runs of a setting.
[[nodiscard]] std::vector<Run> runs_of(Setting setting, const Wishes& wishes);

}  // namespace keyhole::reproduction
