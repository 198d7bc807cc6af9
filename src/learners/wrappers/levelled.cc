// Losses less what the context says of them. Deng, Xu, Kohavi, Walker: "Improving the sensitivity
// of online controlled experiments by utilizing pre-experiment data", WSDM 2013, have the idea for
// tests of two variants.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/require.h"
#include "keyhole/algorithms.h"
#include "learners/contexts.h"
#include "learners/level.h"
#include "learners/option_lists.h"
#include "learners/regression.h"
#include "learners/wrappers/wrapper.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

/// What plays were made in, for plays whose loss comes later: the latest 4096 plays, and a state
/// has those alone that wait for losses.
class ContextLog {
 public:
  /// Of a play.
  struct Entry {
    /// 0 if its loss has come in.
    PlayId play = 0;
    /// What is subtracted from its loss.
    double level = 0;
  };

  explicit ContextLog(std::size_t numbers)
      : numbers_(numbers), entries_(most), psi_(most * numbers) {}

  /// Play t waits for its loss; its context's numbers are to be written.
  std::span<double> add(PlayId t, double level) {
    latest_ = t;
    entries_[t % most] = {t, level};
    return psi(t);
  }
  /// Null if its loss has come in, or if it is older than the log.
  [[nodiscard]] const Entry* of(PlayId t) const {
    const Entry& entry = entries_[t % most];
    return t != 0 && entry.play == t && t + most > latest_ ? &entry : nullptr;
  }
  /// The numbers of the context of a play.
  [[nodiscard]] std::span<double> psi(PlayId t) {
    return std::span(psi_).subspan(t % most * numbers_, numbers_);
  }
  /// Its loss has come in.
  void remove(PlayId t) { entries_[t % most] = {}; }

  /// The fields of a state.
  void state(Archive& archive) {
    archive.field(latest_);
    const PlayId first = latest_ < most ? 1 : latest_ - most + 1;
    std::uint64_t waiting = 0;
    for (PlayId t = first; t <= latest_; ++t) waiting += of(t) != nullptr ? 1 : 0;
    archive.field(waiting);
    if (archive.reading()) {
      if (waiting > most || latest_ > std::uint64_t{1} << 62U) {
        throw StateError("the state's plays that wait for losses are not sound");
      }
      std::fill(entries_.begin(), entries_.end(), Entry());
      for (; waiting > 0; --waiting) {
        PlayId t = 0;
        archive.field(t);
        entries_[t % most].play = t;
        fields(archive, t);
      }
      return;
    }
    for (PlayId t = first; t <= latest_; ++t) {
      if (of(t) == nullptr) continue;
      archive.field(entries_[t % most].play);
      fields(archive, t);
    }
  }

 private:
  static constexpr std::size_t most = 4096;

  void fields(Archive& archive, PlayId t) {
    archive.field(entries_[t % most].level);
    for (double& number : psi(t)) archive.field(number);
  }

  std::size_t numbers_;
  PlayId latest_ = 0;
  std::vector<Entry> entries_;
  std::vector<double> psi_;
};

/// Around an algorithm that takes no contexts. The regression has a prior of the weight of one
/// loss: coefficients of the size of the noise. Losses count from the first one on, so that no
/// constant matters that is added to all, and for at most eight standard deviations.
class Levelled final : public Wrapper<Algorithm, Algorithm> {
 public:
  Levelled(std::unique_ptr<Algorithm> inner, LevelledOptions options)
      : Wrapper(std::move(inner)),
        options_(std::move(options)),
        contexts_(options_.contexts),
        seen_(contexts_),
        regression_(1 + contexts_.size()),
        log_(contexts_.size()),
        psi_(contexts_.size()),
        phi_(regression_.size()) {
    regression_.begin(std::vector<double>(regression_.size(), 1));
  }

  [[nodiscard]] std::size_t contexts() const noexcept override { return contexts_.given(); }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    play_in(t, {}, random, y);
  }

  void play_in(PlayId t, std::span<const double> context, Randomness& random,
               std::span<double> y) override {
    contexts_.write(context, psi_);
    inner().play(t, random, y);
    // The second play of a pair is told the same loss as the first, the play before.
    const PlayId first_of_pair = inner().pair_of(t);
    if (first_of_pair == 0 || first_of_pair == t) level_ = level_of(psi_);
    std::copy(psi_.begin(), psi_.end(), log_.add(t, level_).begin());
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    return absorb_counted(s, loss, 1, random);
  }

  bool absorb_counted(PlayId s, double loss, double count, Randomness& random) override {
    const ContextLog::Entry* const entry = log_.of(s);
    if (entry == nullptr) return false;
    if (!inner().absorb_counted(s, loss - entry->level, count, random)) return false;
    take(log_.psi(s), loss, count);
    log_.remove(s);
    return true;
  }
  [[nodiscard]] bool is_late(PlayId s) const override {
    return log_.of(s) == nullptr || inner().is_late(s);
  }

  [[nodiscard]] bool can_learn() const noexcept override { return inner().can_learn(); }
  void learn(std::span<const double> point, double loss, double count) override {
    learn_in({}, point, loss, count);
  }
  void learn_in(std::span<const double> context, std::span<const double> point, double loss,
                double count) override {
    contexts_.write(context, psi_);
    inner().learn(point, loss - level_of(psi_), count);
    take(psi_, loss, count);
  }

  [[nodiscard]] std::uint64_t rounds() const noexcept override { return inner().rounds(); }
  /// What is subtracted is at most 2 M.
  [[nodiscard]] double loss_bound() const noexcept override { return inner().loss_bound() / 3; }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    RegretBound bound = inner().regret_bound(rounds);
    if (bound.holds) bound.note += ", for the losses less what the context says of them";
    return bound;
  }
  [[nodiscard]] std::string spec() const override {
    return spec_of("levelled", options_, inner().spec());
  }

  void state(Archive& archive) override {
    inner().state(archive);
    archive.field(losses_);
    for (double* number : {&level_, &first_, &least_, &most_}) archive.field(*number);
    errors_.state(archive);
    seen_.state(archive);
    regression_.state(archive);
    log_.state(archive);
  }

 private:
  /// What is known of a loss from its context alone, above the mean.
  [[nodiscard]] double level_of(std::span<const double> psi) {
    phi_[0] = 0;
    for (std::size_t j = 0; j < psi.size(); ++j) {
      phi_[1 + j] = psi[j] == Contexts::unknown ? 0 : psi[j] - seen_.means()[j];
    }
    const double level = math::dot(regression_.mean(), phi_);
    return std::clamp(level, least_ - most_, most_ - least_);
  }

  void take(std::span<const double> psi, double loss, double count) {
    if (losses_++ == 0) first_ = least_ = most_ = loss;
    least_ = std::min(least_, loss);
    most_ = std::max(most_, loss);
    seen_.take(psi);
    const std::span<const double> filled = seen_.filled(psi).values;
    phi_[0] = 1;
    std::copy(filled.begin(), filled.end(), phi_.begin() + 1);
    const double largest = 8 * errors_.deviation();
    const double error =
        std::clamp(loss - first_ - math::dot(regression_.mean(), phi_), -largest, largest);
    errors_.take(error);
    regression_.learn(phi_, count, error);
  }

  LevelledOptions options_;
  Contexts contexts_;
  // State, with the inner algorithm's.
  std::uint64_t losses_ = 0;
  double level_ = 0;  // that of the latest play
  double first_ = 0;  // loss, and the least and the most of all
  double least_ = 0;
  double most_ = 0;
  Level errors_;
  SeenContexts seen_;
  Regression regression_;  // of losses on (1, l(c))
  ContextLog log_;
  // Workspace.
  std::vector<double> psi_;
  std::vector<double> phi_;
};

}  // namespace

std::unique_ptr<Algorithm> levelled(std::unique_ptr<Algorithm> algorithm,
                                    const LevelledOptions& options) {
  base::require(algorithm != nullptr, "levelled needs an algorithm to tell losses to");
  require_plain("levelled", *algorithm);
  constexpr std::size_t most = 1023;  // a loss takes 2 million operations
  const std::size_t numbers = Contexts(options.contexts).size();
  base::require(numbers <= most, "levelled takes contexts of up to " + std::to_string(most) +
                                     " numbers, and these have " + std::to_string(numbers));
  return std::make_unique<Levelled>(std::move(algorithm), options);
}

}  // namespace keyhole::algorithms
