#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"
#include "learners/contexts.h"
#include "learners/level.h"
#include "learners/parameter_free/first_losses.h"
#include "learners/parameter_free/first_reach.h"
#include "learners/posterior/alarm.h"
#include "learners/posterior/budget.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/here.h"
#include "learners/posterior/models.h"

namespace keyhole::algorithms {

/// What posterior has learned since it began, or began again after a surprise. After construction
/// nothing allocates.
class Life {
  using Chosen = PosteriorConstants;

 public:
  /// For points with the coordinates of a frame.
  Life(const Frame& frame, double caution, const Contexts& contexts = no_contexts,
       std::uint64_t trials = 0);

  /// Forgets everything. It is the life after so many others, and learns from play `from` on, of
  /// a world that is known to move or not.
  void begin(std::uint64_t before, PlayId from, bool moves = false);

  /// Whether so little is known that all plays explore near the start.
  [[nodiscard]] bool exploring_only() const {
    return since <= Chosen::first_losses || since < m_ + 2;
  }
  /// Whether the unit of the losses is known.
  [[nodiscard]] bool knows_unit() const { return since >= Chosen::first_losses; }
  /// Whether it is at plays of which there will be few: then there is no time to be careful.
  [[nodiscard]] bool is_bold() const { return best().model.noted()[0] < trials(); }
  /// Whether the curvature elsewhere is still in doubt.
  [[nodiscard]] bool is_early() const {
    return static_cast<double>(since) < Chosen::early * dimension();
  }
  /// m + 2.
  [[nodiscard]] double dimension() const { return static_cast<double>(m_ + 2); }
  /// The same with those of contexts.
  [[nodiscard]] double coefficients() const { return coefficients_; }
  /// How many losses what is known rests on.
  [[nodiscard]] double remembered() const {
    const double memory = models.motion().memory;
    const auto count = static_cast<double>(since);
    return memory > 0 ? std::min(memory, count) : count;
  }
  /// The model that is believed.
  [[nodiscard]] Candidate& best() { return models.better(); }
  [[nodiscard]] const Candidate& best() const { return models.better(); }

  /// A loss as the model has it.
  [[nodiscard]] double in_unit(double loss) const { return (loss - level_) / unit; }
  /// Writes where plays are made in a context.
  void write_here(std::span<const double> psi, std::span<double> z) const { here_.write(psi, z); }

  /// A loss.
  struct Told {
    /// Of which play; `not_played` if of none.
    PlayId play = 0;
    Origin origin = Origin::play;
    /// How far the play went: towards its sample, or to explore.
    double reach = 0;
    double loss = 0;
    /// How often it counts.
    double count = 1;
  };
  static constexpr PlayId not_played = 0;

  /// A gain, in units, and its standard deviation.
  struct Gain {
    double mean = 0;
    double error = 0;
  };
  /// What is to be believed of the gain of z over the start, where the model may be wrong; for
  /// contexts about psi. It is that of the finest model, and its variance the sum of
  ///
  ///   model   what the model does not know
  ///   models  half of what it differs by from the one that is believed: either may be right
  ///   start   by convexity a gain differs from the model's by no more than what curvature adds on
  ///           the way, if the slopes at both ends are right. So the model may be off by that at
  ///           the start, and the first losses, which are near it, show by how much
  ///   valley  where there is a kink the least point lies below any parabola: a share of the same
  ///   unpaid  what it is said to gain more than all plays have on the average: the parabola that
  ///           fits a kink lies above it by that
  [[nodiscard]] Gain believed_gain(std::span<const double> psi, std::span<const double> z);
  /// A point in a context.
  struct Place {
    std::span<const double> z;
    std::span<const double> psi;
  };
  /// What one costs more than another, or at all, in units: by the finest model. Its variance is
  /// the sum of `model` and `models` above and of what curvature adds on the way from the other
  /// one, squared: a loss with other curvatures differs by that. It allocates.
  [[nodiscard]] Gain believed_cost(const Place& at, const std::optional<Place>& other);

  /// Counts what exploring may cost.
  void count_budget() { budget.count(best().model, models.noise(), trials()); }
  /// Learns a loss at z, in a context. Returns whether it is a surprise.
  bool learn(std::span<const double> z, const Told& told, const Psi& psi = {});
  /// Calls f(psi) for the latest contexts that losses came from.
  template <class F>
  void for_each_recent(F f) const {
    const std::size_t kept = std::min<std::size_t>(contexts_seen_, Chosen::recent_contexts);
    for (std::size_t i = 0; i < kept; ++i) f(std::span(recent_).subspan(i * l_, l_));
  }

  /// The fields of a state.
  void state(Archive& archive);
  /// Those of before revision 7, after `since` and `first`.
  void read_before_7(Archive& archive);

  // What samples are drawn with, and what their plays say.
  std::uint64_t number = 0;   // of lives before
  PlayId first = 1;           // that it learns from
  std::uint64_t since = 0;    // losses learned from
  std::uint8_t best_due = 0;  // whether the least point is to be found again
  double unit = 1;            // the model is of (loss - level) / unit
  double reach = 0;
  double gain = 0;   // of the least point over the start, by the mean
  double width = 0;  // its standard deviation
  Models models;
  FirstReach first_reach;
  Level spread;  // of the losses
  Budget budget;
  Alarm alarm;
  std::vector<double> least;  // the least point by the mean, at the latest refit

 private:
  /// How many of the few plays it learns from.
  [[nodiscard]] double trials() const {
    return first > trials_ ? 0 : static_cast<double>(trials_ - first + 1);
  }
  void begin_model();
  [[nodiscard]] Gain above_model_at_start(Candidate& by, double bend);
  void find_usual_count();
  void measure_counts_in(double usual);
  void state_of_counts(Archive& archive);
  void refit();
  [[nodiscard]] std::span<double> first_z(std::size_t i) {
    return std::span(first_z_).subspan(i * m_, m_);
  }
  [[nodiscard]] std::span<double> first_psi(std::size_t i) {
    return std::span(first_psi_).subspan(i * l_, l_);
  }

  std::size_t m_;
  std::size_t l_;  // how many numbers a context has
  std::uint64_t trials_;
  double coefficients_;
  double level_ = 0;
  double usual_count_ = 1;       // what counts are measured in, a power of two
  double next_ = 0;              // how many losses there will be at the next refit
  std::vector<double> first_z_;  // coordinates of the first plays
  FirstLosses first_losses_;     // and their losses...
  std::vector<double> first_counts_ = std::vector<double>(Chosen::first_losses, 1.0);
  std::uint8_t has_counts_ = 0;  // whether some losses do not count once
  Here here_;                    // the latest plays are made
  // Of contexts.
  std::vector<double> first_psi_;  // of the first plays
  std::vector<double> recent_;     // the latest
  std::uint64_t contexts_seen_ = 0;
};

}  // namespace keyhole::algorithms
