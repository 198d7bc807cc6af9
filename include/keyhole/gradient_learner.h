#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/gradient_algorithm.h"
#include "keyhole/learner.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// What every gradient learner can be told besides its algorithm.
struct GradientLearnerOptions {
  /// Same seed, same digits. Only learners that draw noise depend on it.
  std::uint64_t seed = 0;
  /// Another stream of the same seed.
  std::uint64_t stream = 0;
  /// How many of the latest plays can still be told; gradients for older ones are counted as
  /// expired and not learned from. At least 1. Costs 1 + 8 n bytes a play, also in a state.
  std::uint64_t window = 64;
  /// As of LearnerOptions.
  std::optional<std::uint64_t> expiry = {};
  /// As of LearnerOptions.
  std::optional<double> max_step = {};
  /// As of LearnerOptions.
  std::vector<double> max_steps = {};
  /// Whether the gradients are of gains rather than of losses: their sign is flipped at the door.
  bool maximize = false;
};

/// Plays and learns from gradients: ask for a point, play it, tell the gradient of its loss there.
/// A bandit algorithm does not fit in here, nor a gradient algorithm in a Learner.
///
/// The order of events is a Learner's: ask number t first makes the step that is due and then
/// learns from the gradients told since the ask before, in order of the plays' numbers. Tells may
/// come late, in any order, twice or never, within the window. Of a gradient only the part along
/// the affine hull of the set counts: flatten() takes the rest away at the door, and two gradients
/// that differ in the rest alone are the same. A tell is compared, number by number, with what the
/// window holds.
///
/// Every point written is in the set. ask() and tell() of closed-form sets allocate nothing.
class GradientLearner final : public LearnerBase {
 public:
  /// Takes an algorithm, such as ogd(set, {.gradient_bound = 1}).
  explicit GradientLearner(std::unique_ptr<GradientAlgorithm> algorithm,
                           const GradientLearnerOptions& options = {});

  /// Tells a (sub)gradient of the loss (of the gain, with maximize) at the point of a play, and
  /// says how it was taken. Throws InvalidArgument for a span of another size than the set's
  /// dimension; FeedbackError for a number that was never asked, a coordinate that is not finite or
  /// beyond largest_number, and for a second, different gradient.
  Receipt tell(PlayId id, std::span<const double> gradient);
  /// Throws as tell() would, or says how it would be taken; changes nothing.
  Receipt check(PlayId id, std::span<const double> gradient) const;

 private:
  /// The same; writes the gradient as the plays keep it.
  Receipt check(PlayId id, std::span<const double> gradient, std::span<double> flat) const;
  void play(PlayId t, std::span<const double> context, std::span<double> y) override;
  bool absorb(PlayId s, std::span<const double> told, double count) override;
  [[nodiscard]] GradientAlgorithm& algorithm() const noexcept {
    return static_cast<GradientAlgorithm&>(LearnerBase::algorithm());  // it was given as one
  }

  Randomness random_;
  // Workspace.
  std::vector<double> gradient_;
};

}  // namespace keyhole
#pragma GCC visibility pop
