#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "keyhole/archive.h"
#include "learners/posterior/better_model.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/model.h"
#include "learners/posterior/residuals.h"

namespace keyhole::algorithms {

/// Where a loss comes from.
enum class Origin : std::uint8_t {
  /// From a play: what it cost counts, and others came before it.
  play,
  /// From a play at the point of the play before: it shows nothing of how the level moves.
  same_play,
  /// From a point that was not played here: others paid for it, and it has no place in time.
  taught,
};

/// How fast a level moves that wanders at a rate, by Brown's double smoothing (1963): with K the
/// share of an error that the level takes in the long run, the velocity takes (K / 2)^2 of it.
class Velocity {
 public:
  explicit Velocity(double rate) {
    const double K = (std::sqrt(rate * rate + 4 * rate) - rate) / 2;
    share_ = K * K / 4;
  }
  /// How far the level moves until the next loss.
  [[nodiscard]] double get() const noexcept { return now_; }
  /// Takes what a loss was off by; of one that counts for less than others, less.
  void take(double error, double count) { now_ += share_ * std::min(1.0, count) * error; }
  /// Begins at rest.
  void begin() noexcept { now_ = 0; }
  /// The fields of a state.
  void state(Archive& archive) { archive.field(now_); }

 private:
  double share_ = 0;
  double now_ = 0;
};

/// A model of the losses, with room for the features of a point and for a sample of it.
struct Candidate {
  Candidate(const Frame& frame, Curvatures curvatures, double rate, const Contexts& contexts)
      : model(frame, curvatures, contexts),
        velocity(rate),
        phi(model.size()),
        room(model.size_at()) {}

  /// What is known of the coefficients.
  [[nodiscard]] Regression& posterior() noexcept { return model.posterior(); }
  /// Their mean.
  [[nodiscard]] std::span<const double> mean() const { return model.posterior().mean(); }
  /// What the mean says of the point whose features are in phi.
  [[nodiscard]] double expected() const;
  /// What the loss does on the straight way from the start to the point whose features are in phi:
  /// at a share s of it there is slope s + bend s^2 more. The error is the bend's.
  struct Way {
    double slope = 0;
    double bend = 0;
    double error = 0;
  };
  [[nodiscard]] Way way();
  /// The mean in a context; until the next call.
  [[nodiscard]] std::span<const double> mean_at(std::span<const double> psi) {
    return model.at(mean(), psi, room);
  }
  /// The fields of a state.
  void state(Archive& archive);

  Model model;
  Residuals residuals;
  Velocity velocity;  // of the level, a loss
  std::vector<double> phi;
  std::vector<double> room;  // for the coefficients in a context
};

/// How losses move with time.
struct Motion {
  /// The rate that their level wanders at.
  double rate = 0;
  /// For how many losses their level and slopes are remembered; 0 if for ever.
  double memory = 0;
};

/// What is known of the losses if they move in one way: a model with few curvatures, and in few
/// dimensions one with all of them. That is needed where losses tie coordinates together, as
/// |y_1 - y_2| does. The one that predicts better is believed.
class Strand {
 public:
  Strand(const Frame& frame, const Motion& of_losses, const Contexts& contexts);

  /// What was said of a loss before it was learned.
  struct Said {
    double level = 0;     // of losses at the start
    double expected = 0;  // what the loss was said to be
    double variance = 0;  // of what it was off by
    double away = 0;      // that, in standard deviations
    double learned = 0;   // the loss as it was learned
    bool jumped = false;  // whether the level seems to have jumped
  };

  /// The one that predicts better.
  [[nodiscard]] Candidate& best() { return better.is_second() ? *all : few; }
  [[nodiscard]] const Candidate& best() const { return better.is_second() ? *all : few; }
  /// Begins after `count` losses, none of them learned: see Models::begin.
  void begin(double noise, double reach, std::uint64_t count);
  /// Begins with what a strand knows that moves in no way, and with what is known of the residuals
  /// of this one: a little of it if the level wanders, its latest part if this one forgets.
  void begin_from(const Strand& still, const Residuals& known);
  /// Writes the features of a point, and notes those of a play.
  void note(std::span<const double> z, const Psi& psi, Origin origin);
  /// Learns one of the first losses, at the point noted.
  void learn_first(double value, double noise);
  /// Learns a loss at z, the point noted: see Models::learn.
  void learn(std::span<const double> z, const Psi& psi, double value, std::span<const double> here,
             Origin origin, double count = 1);
  /// After a loss, of a strand with a memory: forgets the level and the slopes a little, now and
  /// then, and fits what is left.
  void fade(std::span<const double> here);
  /// Fits both: see Model::refit.
  void refit(std::uint64_t count, double growth, std::span<const double> here);
  /// The fields of a state.
  void state(Archive& archive);

  Motion motion;
  Candidate few;
  std::optional<Candidate> all;
  BetterModel better;
  std::uint8_t all_is_fitted = 0;
  // How far the level has wandered since the model with all curvatures was fitted.
  double tide = 0;
  double tide_variance = 0;
  double remembered = 0;  // losses since it has forgotten any
  Said said;              // of the latest loss

 private:
  /// What a candidate is to learn of a loss, beyond what it expects, and with what precision.
  std::pair<double, double> take(Candidate& by, std::span<const double> z, const Psi& psi,
                                 double value, std::span<const double> here, Origin origin,
                                 double count);
};

/// A level that wanders at a rate, filtered from the residuals of a model whose level stands still
/// (Kalman 1960). It costs next to nothing, and shows whether a strand of that rate would predict
/// better.
struct LevelFilter {
  explicit LevelFilter(double of_level) : rate(of_level), velocity(of_level) {}
  /// Begins with what is known of the noise.
  void begin(const Residuals& known) {
    residuals = known;
    velocity.begin();
    offset = variance = 0;
  }
  /// Takes what a loss was above the other model, whose own variance there is h.
  void take(double residual, double h, bool fresh, double count);
  /// The fields of a state.
  void state(Archive& archive);

  double rate;
  Residuals residuals;
  Velocity velocity;
  double offset = 0;    // of the level from that of the model
  double variance = 0;  // of that
};

/// The models that posterior has of the losses: a strand that moves in no way and, once there is
/// evidence that the level wanders, one for each rate of it and one for each memory. The one that
/// predicts best is believed. After construction nothing allocates.
class Models {
 public:
  explicit Models(const Frame& frame, const Contexts& contexts = no_contexts);

  using Said = Strand::Said;

  /// The one that predicts better.
  [[nodiscard]] Candidate& better() { return strands_[at_].best(); }
  [[nodiscard]] const Candidate& better() const { return strands_[at_].best(); }
  /// The one with the most curvatures that is fitted: what it says of a gain leaves the least out.
  [[nodiscard]] Candidate& finest() {
    Strand& by = strands_[at_];
    return by.all_is_fitted != 0 ? *by.all : by.few;
  }
  /// The one to draw a sample of: the better one, but for trials of the other, by a random number
  /// from 0 to 1.
  [[nodiscard]] Candidate& to_sample(double uniform);
  /// How many coefficients the largest one has.
  [[nodiscard]] std::size_t most_coefficients() const {
    return strands_[0].all ? strands_[0].all->model.size() : strands_[0].few.model.size();
  }
  /// The variance of the noise.
  [[nodiscard]] double noise() const { return better().residuals.noise(); }
  /// How the losses move.
  [[nodiscard]] const Motion& motion() const { return strands_[at_].motion; }
  /// What was said of the latest loss.
  [[nodiscard]] const Said& said() const { return said_; }

  /// Begins with no losses, for noise of that variance and plays that go so far.
  void begin(double noise, double reach, std::uint64_t count = 0);
  /// Whether the world is known to move: then all strands begin as soon as it is watched.
  void expect_motion(bool known) { moves_ = known ? 1 : 0; }
  /// The one that is believed, with all curvatures or with few.
  [[nodiscard]] Candidate& with_pairs(bool all) {
    return all ? *strands_[at_].all : strands_[at_].few;
  }
  /// Learns one of the first losses, at z.
  void learn_first(std::span<const double> z, const Psi& psi, double value, double noise,
                   Origin origin);
  /// Learns a loss at z, where the latest plays were made at `here` on the average. Its noise has
  /// 1/count of the variance. Returns it as it was learned: without what could be predicted of its
  /// residual, and clipped.
  double learn(std::span<const double> z, const Psi& psi, double value,
               std::span<const double> here, Origin origin, double count = 1);
  /// Says that the variance of the noise is so many times what it was.
  void scale_noise(double by);
  /// Fits the models after so many losses: see Model::refit.
  void refit(std::uint64_t count, double growth, std::span<const double> here);

  /// The fields of a state.
  void state(Archive& archive);
  /// Those of before revision 7: of one strand, whose residuals come later.
  void read_before_7(Archive& archive);
  void read_residuals_before_7(Archive& archive);

 private:
  static constexpr std::size_t rates = 3;
  static constexpr std::size_t memories = 3;
  static constexpr std::size_t strands = 1 + rates + memories;

  /// How strand k moves, of a model with so many coefficients.
  static Motion motion_of(std::size_t k, double dimension);
  /// How well strand k predicts, less what it must be better by than one that moves less.
  static double merit(std::size_t k, const Residuals& residuals);

  /// How many strands there are by now.
  [[nodiscard]] std::size_t used() const { return wanders_ != 0 ? strands : 1; }
  /// Looks for evidence that the level wanders.
  void watch(double value, Origin origin, double count);

  /// Begins the strands from that one on.
  void begin_strands(std::size_t from);

  std::vector<Strand> strands_;       // one for each motion
  std::vector<LevelFilter> filters_;  // one for each rate
  std::uint8_t moves_ = 0;            // whether the world is known to move
  std::uint8_t watching_ = 0;         // whether the filters have begun
  std::uint8_t wanders_ = 0;          // whether there was evidence that the level wanders
  std::uint64_t at_ = 0;              // the one that is believed
  Said said_;
};

}  // namespace keyhole::algorithms
