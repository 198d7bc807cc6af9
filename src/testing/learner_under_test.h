#pragma once

#include <cstdint>
#include <vector>

#include "keyhole/testing.h"

namespace keyhole::testing {

/// One ask, or the tell of one play.
struct Event {
  /// The play told; 0 for an ask.
  PlayId told = 0;
};

/// A run's asks and tells, in order.
using Script = std::vector<Event>;

/// A few asks in a row and then the plays told before the next.
struct Batch {
  std::uint64_t asks = 1;
  std::vector<PlayId> tells;
};

/// The batches one after the other.
Script script_of(const std::vector<Batch>& batches);

/// Ask, tell, ask, tell: the loss of each play before the next.
Script prompt_script(std::uint64_t rounds);

/// Asks only.
Script silent_script(std::uint64_t rounds);

/// Up to 5 asks in a row; then tells of plays of this batch and earlier ones in a random order.
/// Some are never told.
std::vector<Batch> random_batches(std::uint64_t rounds, std::uint64_t seed);

/// A learner at work on a sequence of losses, and what it has played.
class Run {
 public:
  Run(Learner learner, LossSequence losses);

  [[nodiscard]] Learner& learner() { return learner_; }
  [[nodiscard]] const std::vector<std::vector<double>>& plays() const { return plays_; }
  /// The loss of a play of this run.
  [[nodiscard]] double loss(PlayId id) const;

  /// Throws unless the plays are numbered 1, 2, 3, ...
  void ask();
  void tell(PlayId id) { learner_.tell(id, loss(id)); }
  void follow(Event event) { event.told == 0 ? ask() : tell(event.told); }
  Run& follow(const Script& script);

  /// Goes on from a run's state with its plays as the past.
  void resume(const State& state, const std::vector<std::vector<double>>& plays);

 private:
  Learner learner_;
  LossSequence losses_;
  std::vector<std::vector<double>> plays_;
};

/// A way to make learners, and the losses to try them on.
class LearnerUnderTest {
 public:
  LearnerUnderTest(LearnerFactory make, LearnerCheckOptions options);

  [[nodiscard]] const LearnerCheckOptions& options() const { return options_; }
  [[nodiscard]] std::uint64_t rounds() const { return options_.rounds; }
  [[nodiscard]] std::uint64_t seed() const { return options_.seed; }

  /// A new learner on the losses of scenario 0.
  [[nodiscard]] Run run() const { return run(options_.seed); }
  [[nodiscard]] Run run(std::uint64_t seed) const { return run(seed, 0, 1); }
  [[nodiscard]] Run run(std::uint64_t seed, unsigned scenario, std::uint64_t fork) const;
  /// The run of options.scaled on losses times `scale`.
  [[nodiscard]] Run scaled_run(double scale) const;

 private:
  LearnerFactory make_;
  LearnerCheckOptions options_;
};

}  // namespace keyhole::testing
