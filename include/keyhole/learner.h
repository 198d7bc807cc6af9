#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/state.h"

namespace keyhole {

/// What every learner can be told beside its algorithm.
struct LearnerOptions {
  /// Same seed, same digits. Every 64-bit value is a seed of its own, 0 included.
  std::uint64_t seed = 0;
  /// Another stream of the same seed: independent directions, for learners that share a seed.
  std::uint64_t stream = 0;
  /// How many of the latest plays can still be told; feedback for older ones is counted as expired
  /// and not learned from. At least 1. Costs 9 bytes a play.
  std::uint64_t window = 4096;
  /// Whether the numbers told are gains rather than losses: their sign is flipped at the door.
  bool maximize = false;
};

/// A point to play, and the number by which to tell its loss.
struct Play {
  /// Its number.
  PlayId id = 0;
  /// The point, in K.
  std::vector<double> point;
};

/// What has happened so far.
struct Summary {
  /// Plays asked for.
  std::uint64_t asked = 0;
  /// Plays told within the window.
  std::uint64_t told = 0;
  /// Plays of the window that have not been told yet.
  std::uint64_t pending = 0;
  /// Tells that repeated an earlier one and were ignored.
  std::uint64_t duplicates = 0;
  /// Tells that came after their play had left the window: not learned from.
  std::uint64_t expired = 0;
  /// Tells that came within the window but after the algorithm had started anew: not learned from.
  std::uint64_t late = 0;
  /// Losses of a magnitude above the bound M that was promised: the theorem does not cover them.
  std::uint64_t above_bound = 0;
  /// How often a linear function has been minimised.
  std::uint64_t oracle_calls = 0;
  /// The mean of the numbers told, as they were told (not flipped); NaN before the first.
  double average = 0;
};

/// Plays and learns: ask for a point, play it, tell what it cost.
///
/// The order of events. Ask number t first makes the step that is due and then learns from what was
/// told since the ask before, in order of the plays' numbers: any order of those tells gives the
/// same bytes. k asks in a row step k times with what is known. Tells may come late, in any order,
/// twice or never. A tell that repeats one is ignored; one that contradicts it is an error, and
/// changes nothing; one whose play has left the window is counted as expired.
///
/// Every point written is in the set. ask() and tell() of closed-form sets allocate nothing. Not
/// thread-safe; learners in different threads may share a set.
class Learner {
 public:
  /// Takes an algorithm, such as anytime(projection_free(set, {.loss_bound = 1})).
  explicit Learner(std::unique_ptr<Algorithm> algorithm, LearnerOptions options = {});

  /// Writes the next point to play and returns its number. Throws InvalidArgument if the span has
  /// another size than the set's dimension, or if the algorithm's horizon is used up.
  PlayId ask(std::span<double> point);
  /// The same with a point of its own.
  [[nodiscard]] Play ask();
  /// k plays at once: k asks in a row.
  [[nodiscard]] std::vector<Play> ask(std::size_t k);

  /// Tells the loss of a play (its gain, with maximize). Throws FeedbackError for a number that was
  /// never asked, a loss that is not finite or beyond largest_number, and for a second, different
  /// loss.
  void tell(PlayId id, double loss);

  /// Writes the point to deploy: the current iterate, without exploration.
  void recommend(std::span<double> point) const;

  /// The set that is played on.
  [[nodiscard]] const Set& set() const noexcept { return algorithm_->set(); }
  /// The canonical one-line description of algorithm and options.
  [[nodiscard]] std::string spec() const;
  /// How many plays have been asked for.
  [[nodiscard]] std::uint64_t asked() const noexcept { return asked_; }
  /// Counts and the average loss. Looks at the whole window.
  [[nodiscard]] Summary summary() const;
  /// The theorem's bound on the expected regret after the rounds asked so far.
  [[nodiscard]] RegretBound regret_bound() const { return regret_bound(asked_); }
  /// The theorem's bound on the expected regret after that many rounds.
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const {
    return algorithm_->regret_bound(rounds);
  }

  /// Everything that shapes what follows, as one value: compare, hash, store it.
  [[nodiscard]] State state() const;
  /// Goes on from a state of a learner with the same set, algorithm and options, bit for bit.
  /// Throws StateError, and changes nothing, for any other state.
  void restore(const State& state);

 private:
  enum class Feedback : std::uint8_t { pending, received, absorbed };

  void absorb_received();
  void fields(Archive& archive);
  [[nodiscard]] std::size_t slot(PlayId id) const noexcept {
    return static_cast<std::size_t>((id - 1) % options_.window);
  }
  [[nodiscard]] PlayId oldest() const noexcept {
    return asked_ > options_.window ? asked_ - options_.window + 1 : 1;
  }

  std::unique_ptr<Algorithm> algorithm_;
  LearnerOptions options_;
  Directions directions_;
  // State, with the algorithm's own.
  std::uint64_t asked_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t expired_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t above_bound_ = 0;
  double loss_sum_ = 0;             // of the losses absorbed
  std::vector<double> losses_;      // of the window's plays, by slot
  std::vector<Feedback> feedback_;  // of the window's plays, by slot
  // Follows from the state: the range of plays received and not absorbed.
  PlayId first_received_ = 0;
  PlayId last_received_ = 0;
};

}  // namespace keyhole
