#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "keyhole/archive.h"
#include "learners/posterior/constants.h"

namespace keyhole::algorithms {

/// Whether the model's plays are worth it where losses have changed: they are compared with plays
/// near the start, which are few while the model does well. If they are measured to be worse it
/// retreats to the start, and tries the model now and then. Before the first change it does
/// nothing.
class Worth {
  using Chosen = PosteriorConstants;

 public:
  /// For a model with so many coefficients.
  explicit Worth(double dimension) : dimension_(dimension) {}

  /// The share of plays that are to be made near the start.
  [[nodiscard]] double compared() const {
    if (!began_) return 0;
    if (retreated_) return 1 - std::min(Chosen::most_tried, Chosen::tried / std::sqrt(away_ + 1));
    const double unproven = std::clamp(1 + doubt() / Chosen::proof, 0.0, 1.0);
    return unproven * std::min(Chosen::most_compared, Chosen::compared / std::sqrt(losses_ + 1));
  }
  /// Whether it has retreated.
  [[nodiscard]] bool retreated() const noexcept { return retreated_; }

  /// Takes the loss of a play, near the start or of the model.
  void take(bool near_start, double loss) {
    if (!began_) return;
    if (count_ == 0) first_ = loss;
    ++count_;
    double above = loss - first_;
    if (count_ > first_counts) {
      const double most = Chosen::compared_clip * std::sqrt(variance_);
      above = std::clamp(above, level_ - most, level_ + most);
    }
    const double rate = 1 / std::min(static_cast<double>(count_), Chosen::window);
    level_ += rate * (above - level_);
    variance_ += rate * ((above - level_) * (above - level_) - variance_);
    losses_ += 1;
    clock_ += 1;
    Kind& kind = kinds_[near_start ? 1 : 0];
    kind.count += 1;
    kind.sum += above;
    kind.squares += above * above;
    judge();
  }

  /// A change has been noticed, `life` losses after the one before.
  void changed(double life) {
    began_ = 1;
    if (life >= Chosen::long_life * dimension_ && !retreated_) {
      kinds_ = {};
      losses_ = clock_ = 0;
      changes_ = 0;
    } else {
      ++changes_;
      for (Kind& kind : kinds_) kind.scale(Chosen::kept);
    }
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(began_);
    archive.field(retreated_);
    archive.field(count_);
    archive.field(changes_);
    for (Kind& kind : kinds_) {
      for (double* number : {&kind.count, &kind.sum, &kind.squares}) archive.field(*number);
    }
    for (double* number : {&first_, &level_, &variance_, &losses_, &clock_, &away_}) {
      archive.field(*number);
    }
  }

 private:
  static constexpr std::uint64_t first_counts = 16;
  static constexpr double least_model = 8;
  static constexpr double least_start = 6;

  struct Kind {
    double count = 0;
    double sum = 0;
    double squares = 0;

    void scale(double share) {
      count *= share;
      sum *= share;
      squares *= share;
    }
  };

  /// How many standard errors the model's plays are above those near the start.
  [[nodiscard]] double doubt() const {
    const auto& [model, start] = kinds_;
    if (model.count < least_model || start.count < least_start) return 0;
    const double within = model.squares + start.squares - model.sum * model.sum / model.count -
                          start.sum * start.sum / start.count;
    const double variance = std::max(0.0, within) / (model.count + start.count);
    const double error = std::sqrt(variance * (1 / model.count + 1 / start.count));
    const double above = model.sum / model.count - start.sum / start.count;
    return error > 0 ? above / error : 0;
  }

  void judge() {
    const double standing = doubt();
    if (standing > -Chosen::proof) {
      for (Kind& kind : kinds_)
        kind.scale(1 - 1 / (Chosen::window + Chosen::window_growth * losses_));
    } else {
      kinds_[0].scale(1 - 1 / (Chosen::window + Chosen::proven_growth * losses_));
      if (!retreated_) clock_ = 0;
    }
    if (retreated_) {
      away_ += 1;
      if (standing < -Chosen::trust) {
        retreated_ = 0;
        clock_ = 0;
      }
      return;
    }
    const bool several = changes_ > 0;
    if (clock_ > (several ? Chosen::patience : Chosen::first_patience) * dimension_ &&
        standing > (several ? Chosen::doubt : Chosen::first_doubt)) {
      retreated_ = 1;
      away_ = 0;
    }
  }

  double dimension_;
  std::uint8_t began_ = 0;  // whether there was a change
  std::uint8_t retreated_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t changes_ = 0;    // since the latest long life
  std::array<Kind, 2> kinds_{};  // the model's plays, those near the start
  double first_ = 0;             // loss
  double level_ = 0;             // of the losses above the first
  double variance_ = 0;
  double losses_ = 0;  // compared
  double clock_ = 0;   // since the model was proven
  double away_ = 0;    // since the retreat
};

}  // namespace keyhole::algorithms
