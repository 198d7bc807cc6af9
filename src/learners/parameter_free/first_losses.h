#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "keyhole/algorithm.h"
#include "keyhole/archive.h"
#include "learners/parameter_free/constants.h"

namespace keyhole::algorithms {

/// The first losses, kept to be judged together: while they come in, nothing is known of
/// their spread, by which an absurd one could be told.
class FirstLosses {
  using Chosen = ParameterFreeConstants;

 public:
  /// The loss of a play.
  struct Told {
    PlayId play = 0;
    double loss = 0;
  };

  /// Takes the next loss. Returns true if it is the last of them, and one is absurd.
  bool take(PlayId play, double loss) {
    if (count_ == all_.size()) return false;
    all_[count_] = {play, loss};
    ++count_;
    return count_ == all_.size() && one_is_absurd();
  }

  /// All of them, each brought within about eight standard deviations of the median.
  [[nodiscard]] std::array<Told, Chosen::first_losses> clipped() const {
    std::array<Told, Chosen::first_losses> result = all_;
    const double most = Chosen::first_clip * spread();
    for (Told& told : result) told.loss = std::clamp(told.loss, median() - most, median() + most);
    return result;
  }

  /// All of them: as they came, or clipped if one is absurd.
  [[nodiscard]] std::array<Told, Chosen::first_losses> judged() const {
    return one_is_absurd() ? clipped() : all_;
  }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(count_);
    if (count_ > all_.size()) throw StateError("the state has too many first losses");
    for (Told& told : all_) {
      archive.field(told.play);
      archive.field(told.loss);
    }
  }

 private:
  static double middle(std::array<double, Chosen::first_losses> numbers) {
    std::sort(numbers.begin(), numbers.end());
    constexpr std::size_t half = Chosen::first_losses / 2;
    return (numbers[half - 1] + numbers[half]) / 2;
  }
  [[nodiscard]] double median() const {
    std::array<double, Chosen::first_losses> losses;
    std::transform(all_.begin(), all_.end(), losses.begin(), [](const Told& t) { return t.loss; });
    return middle(losses);
  }
  /// The median distance from the median: two thirds of a standard deviation for normal numbers.
  [[nodiscard]] double spread() const {
    std::array<double, Chosen::first_losses> distances;
    std::transform(all_.begin(), all_.end(), distances.begin(),
                   [this](const Told& t) { return std::abs(t.loss - median()); });
    return middle(distances);
  }
  /// Not if more than half are equal: then there is no spread.
  [[nodiscard]] bool one_is_absurd() const {
    const double most = Chosen::absurd * spread();
    return most > 0 && std::any_of(all_.begin(), all_.end(), [&](const Told& t) {
             return std::abs(t.loss - median()) > most;
           });
  }

  std::uint64_t count_ = 0;
  std::array<Told, Chosen::first_losses> all_{};
};

}  // namespace keyhole::algorithms
