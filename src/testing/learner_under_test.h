#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

/// What is told of a play: one loss, or the numbers of one gradient.
using Told = std::vector<double>;

/// What is told of round t at the point x.
using ToldSequence = std::function<Told(std::uint64_t t, std::span<const double> x)>;

/// A learner of either kind, and the one thing in which the kinds differ.
struct Subject {
  std::unique_ptr<LearnerBase> learner;
  void (*tell)(LearnerBase& learner, PlayId id, const Told& told);
};

/// A learner at work on a sequence of losses or gradients, and what it has played.
class Run {
 public:
  Run(Subject subject, ToldSequence sequence);

  [[nodiscard]] LearnerBase& learner() { return *subject_.learner; }
  [[nodiscard]] const std::vector<std::vector<double>>& plays() const { return plays_; }
  /// What is to be told of a play of this run.
  [[nodiscard]] Told told(PlayId id) const;

  /// Throws unless the plays are numbered 1, 2, 3, ...
  void ask();
  void tell(PlayId id) { tell(id, told(id)); }
  void tell(PlayId id, const Told& told) { subject_.tell(learner(), id, told); }
  void follow(Event event) { event.told == 0 ? ask() : tell(event.told); }
  Run& follow(const Script& script);

  /// Goes on from a run's state with its plays as the past.
  void resume(const State& state, const std::vector<std::vector<double>>& plays);

 private:
  Subject subject_;
  ToldSequence sequence_;
  std::vector<std::vector<double>> plays_;
};

/// A way to make learners of one kind, and what to tell them.
class LearnerUnderTest {
 public:
  LearnerUnderTest(const LearnerFactory& make, const LearnerCheckOptions& options);
  LearnerUnderTest(const GradientLearnerFactory& make, const GradientLearnerCheckOptions& options);

  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// Whether the seed is meant to shape the plays.
  [[nodiscard]] bool random() const { return random_; }
  /// Whether what is told is meant to shape the plays.
  [[nodiscard]] bool learns() const { return learns_; }
  /// Whether there is a learner for scaled losses or gradients.
  [[nodiscard]] bool has_scaled() const { return static_cast<bool>(make_scaled_); }
  /// Whether there is one on other sets.
  [[nodiscard]] bool has_other_sets() const { return static_cast<bool>(make_on_); }
  /// The name of the option with what is told: "losses" or "gradients".
  [[nodiscard]] const char* what_is_told() const { return what_is_told_; }

  /// A new learner on the losses or gradients of scenario 0.
  [[nodiscard]] Run run() const { return run(seed_); }
  [[nodiscard]] Run run(std::uint64_t seed) const { return run(seed, 0, 1); }
  [[nodiscard]] Run run(std::uint64_t seed, unsigned scenario, std::uint64_t fork) const;
  /// The run of options.scaled on losses or gradients times `scale`.
  [[nodiscard]] Run scaled_run(double scale) const;
  /// The run of options.on on another set, on the losses or gradients of scenario 0.
  [[nodiscard]] Run run_on(const SetPtr& set) const;

 private:
  const char* what_is_told_;
  std::uint64_t rounds_;
  std::uint64_t seed_;
  bool random_;
  bool learns_;
  std::function<Subject(std::uint64_t seed)> make_;
  std::function<Subject(std::uint64_t seed, double scale)> make_scaled_;
  std::function<Subject(std::uint64_t seed, const SetPtr& set)> make_on_;
  std::function<ToldSequence(unsigned scenario, std::uint64_t fork)> sequences_;
};

}  // namespace keyhole::testing
