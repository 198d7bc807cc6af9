#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/exploration.h"
#include "learners/parameter_free/exploration_sizes.h"

namespace keyhole::algorithms {

/// The random part of a play: its kind and the explored point v, which follow from the number of
/// the play and the sizes that it is made with. Nothing of it is state.
class RandomPlay {
 public:
  explicit RandomPlay(std::unique_ptr<Exploration> nu)
      : nu_(std::move(nu)),
        v_(nu_->mean().size()),
        words_((2 + nu_->needs().words + 1) / 2 * 2),
        normals_(nu_->needs().normals) {}

  /// The distribution of v.
  [[nodiscard]] const Exploration& nu() const noexcept { return *nu_; }

  /// Goes to play t, and says of which kind it is: by two random words of its own.
  PlayKind go_to(PlayId t, const PlayLog::Sizes& sizes, const Randomness& random) {
    const bool fresh = t != latest_;
    if (fresh) random.words(t, words_);
    latest_ = t;
    const RandomBits all{words_, {}};
    if (all.uniform(0) < sizes.exploring) {
      if (fresh) random.normals(t, normals_);
      return PlayKind::exploring;
    }
    return all.uniform(1) < sizes.at_iterate ? PlayKind::at_iterate : PlayKind::shrunk;
  }

  /// Writes the point of this play, of that kind and reach, about x.
  void write(PlayKind kind, double s, std::span<const double> x, std::span<double> y) {
    if (kind == PlayKind::exploring) nu_->draw(bits(), v_);
    const std::span<const double> end =
        kind == PlayKind::exploring ? std::span<const double>(v_) : nu_->mean();
    mix(x, kind == PlayKind::at_iterate ? 0 : s, end, y);
  }

  /// Sigma^-1 (v - e) of this play, which explores; e is the mean of nu.
  [[nodiscard]] std::span<const double> score() {
    nu_->score(bits(), v_);
    return v_;
  }

  /// Forgets which play this is: another seed may follow.
  void forget() noexcept { latest_ = 0; }

 private:
  [[nodiscard]] RandomBits bits() const { return {std::span(words_).subspan(2), normals_}; }

  /// y = (1 - weight) x + weight end. The vectors do not overlap, which the compiler cannot know.
  static void mix(std::span<const double> x, double weight, std::span<const double> end,
                  std::span<double> y) {
    const double keep = 1 - weight;
    const double* __restrict from = x.data();
    const double* __restrict to = end.data();
    double* __restrict result = y.data();
    const std::size_t size = y.size();
    for (std::size_t i = 0; i < size; ++i) result[i] = keep * from[i] + weight * to[i];
  }

  std::unique_ptr<Exploration> nu_;
  std::vector<double> v_;
  PlayId latest_ = 0;  // the play that words_ and normals_ are of
  std::vector<std::uint64_t> words_;
  std::vector<double> normals_;
};

}  // namespace keyhole::algorithms
