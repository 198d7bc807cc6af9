#pragma once

#include <cstdint>

#include "keyhole/archive.h"
#include "learners/level.h"

namespace keyhole::algorithms {

/// Watches what learning is worth: how much less a learner's plays cost than plays at the centre of
/// the set. Says when half of it is lost, which is when the learner had better start again.
///
/// Rare plays at the centre show the worth while all is calm. They are too rare to show a change
/// soon, so a rise of the learner's own losses (Page's cumulative sum) raises doubt: then every
/// other play is made at the centre until the two sides differ clearly. A rise that both sides
/// share, such as a bad day of a market, changes nothing.
class Watch {
 public:
  /// When a rise of the losses raises doubt: always, or only once the learner was seen to be worth
  /// something. Before that it may only explore farther than it did, and pay for it. Then it may
  /// also play a sample for 0.1 sqrt k of its plays, and these count as one: a bad sample is not a
  /// change.
  enum class Doubts : std::uint8_t { always, of_worth };

  explicit Watch(Doubts doubts = Doubts::always) : when_(doubts) {}

  /// How often to play at the centre.
  [[nodiscard]] double probing() const;

  /// Takes the loss of a play of the learner. Returns whether the learner should start again; the
  /// watch has then begun again itself.
  bool take_from_learner(double loss);
  /// Takes the loss of a play at the centre, likewise.
  bool take_from_centre(double loss);

  /// The worth of late; 0 while it is not known.
  [[nodiscard]] double worth() const noexcept { return worth_.count < enough ? 0 : worth_.mean; }
  /// How often there was doubt.
  [[nodiscard]] std::uint64_t doubts() const noexcept { return doubts_; }
  /// How often the learner was to start again.
  [[nodiscard]] std::uint64_t restarts() const noexcept { return restarts_; }

  /// The fields of a state.
  void state(Archive& archive);

 private:
  /// The sums of the losses of one side in doubt, relative to the losses before.
  struct Side {
    std::uint64_t count = 0;
    double sum = 0;
    double squares = 0;

    void take(double loss);
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    /// The variance of the mean, of a stream whose variance is known to be no less than `least`, if
    /// so many losses count as one.
    [[nodiscard]] double squared_error(double least, double as_one) const;
  };
  /// An exponential average of the worth that single plays at the centre show.
  struct Average {
    std::uint64_t count = 0;
    double mean = 0;
    double variance = 0;

    void take(double number);
    /// The standard deviation of the mean.
    [[nodiscard]] double error() const;
  };

  static constexpr std::uint64_t enough = 8;  // plays at the centre that show the worth

  /// How many plays of the learner may be alike.
  [[nodiscard]] double alike() const;
  /// Compares the two sides. Returns whether half of the worth is lost.
  bool compare();
  bool begin_anew();

  Doubts when_;
  // Of all time.
  std::uint64_t losses_ = 0;
  std::uint64_t spent_ = 0;  // plays at the centre in doubts that came to nothing
  std::uint64_t doubts_ = 0;
  std::uint64_t restarts_ = 0;
  // Since the learner last started.
  std::uint64_t k_ = 0;     // its losses
  double recent_ = 0;       // their fast exponential average
  Level level_;             // since the last doubt
  double rise_ = 0;         // the cumulative sum
  Average worth_;           // in calm
  double most_worth_ = 0;   // the largest that it has been, less a standard error
  std::uint8_t doubt_ = 0;  // whether there is doubt...
  double variance_ = 0;     // ...and the variance of the losses before
  double before_ = 0;       // what both sides are relative to
  Side learner_;
  Side centre_;
};

}  // namespace keyhole::algorithms
