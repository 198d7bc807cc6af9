#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "learners/level.h"
#include "learners/play_log.h"

namespace keyhole::algorithms {

/// The kinds of plays of parameter_free: exploring, y = (1 - s) x + s v; at the iterate, y = x; at
/// the iterate drawn as far as an exploring play towards the mean of all v, y = (1 - s) x + s E v.
enum class PlayKind : std::size_t { exploring, at_iterate, shrunk };

/// What each kind of play has cost of late, over a baseline.
class Costs {
 public:
  /// Takes what a play has cost and returns by how much that is above the level of its kind: no
  /// more than `clip` standard deviations either way, of exploring plays while a rarer kind has not
  /// shown its own.
  double take(PlayKind kind, double cost, double clip);

  /// The level of one kind.
  [[nodiscard]] const Level& of(PlayKind kind) const {
    return levels_[static_cast<std::size_t>(kind)];
  }

  /// Whether each kind has been seen often enough, in k losses, to compare them.
  [[nodiscard]] bool known(std::uint64_t k) const;
  /// A: what being drawn towards the mean of the explored points costs.
  [[nodiscard]] double of_shrinking() const;
  /// C: what exploring costs beyond that.
  [[nodiscard]] double of_exploring() const;
  /// A + C, each less a standard error.
  [[nodiscard]] double certain_price() const;
  /// kappa, where C = 1/2 kappa s^2 E||v - E v||^2 = 1/2 kappa s^2 n: half of it, less a standard
  /// error.
  [[nodiscard]] double curvature(double squared_reach, double n) const;

  /// The fields of a state.
  void state(Archive& archive) {
    for (Level& level : levels_) level.state(archive);
  }

 private:
  std::array<Level, 3> levels_;
};

/// s, rho and pi after k losses while the costs are not known: s = k^(-1/4), at most 0.15.
[[nodiscard]] PlayLog::Sizes first_sizes(std::uint64_t k);

/// The fixed schedule: s = k^(-1/4), at most 0.3, exploring nearly always.
[[nodiscard]] PlayLog::Sizes fixed_sizes(std::uint64_t k);

/// What caution adds. Then u grows step by step from where it is, however small.
struct Limits {
  /// The square of the s that the costs are of, if not that of now.
  double squared_reach;
  /// What exploring may cost a round, u P.
  double price;
};

/// By what the kinds of plays cost, from the sizes before: exploring with probability rho as far as
/// s tells u = rho s^2 per round and costs u P, P = (A + C) / s^2; what is known after k rounds
/// errs by n sqrt(V / (u k)): u balances the two. For a given u far and rare is cheaper by the
/// linear price A, near and often truer by the curvature C: s balances these. n is the dimension.
[[nodiscard]] PlayLog::Sizes sizes_by_cost(const PlayLog::Sizes& before, const Costs& costs,
                                           std::uint64_t k, double n,
                                           const std::optional<Limits>& limits = {});

}  // namespace keyhole::algorithms
