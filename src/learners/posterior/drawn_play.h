#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/exploration.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/sample_log.h"

namespace keyhole::algorithms {

/// A play: its random part, which follows from its number and the sizes that it is made with, and
/// the point that it makes of the start and a sample. Nothing of it is state.
class DrawnPlay {
 public:
  explicit DrawnPlay(std::unique_ptr<Exploration> nu)
      : nu_(std::move(nu)),
        v_(nu_->mean().size()),
        words_((own_words + nu_->needs().words + 1) / 2 * 2),
        normals_(nu_->needs().normals) {}

  /// The distribution of what is explored.
  [[nodiscard]] Exploration& nu() noexcept { return *nu_; }

  /// Goes to play t, made with these sizes.
  void go_to(PlayId t, const SampleLog::Sizes& sizes, const Randomness& random) {
    random.words(t, words_);
    const RandomBits own{words_, {}};
    turn_ = own.uniform(0);
    way_ = 0;
    share_ = 0;
    explored_ = 0;
    near_start_ = true;
    if (!(own.uniform(1) < sizes.at_start)) {
      near_start_ = sizes.exploring == 1;
      way_ = own.uniform(2) < sizes.on_the_way ? own.uniform(3) : 1;
      share_ = sizes.reach * way_;
      if (own.uniform(4) < sizes.exploring) explored_ = sizes.exploring_reach;
    }
    if (explored_ == 0) return;
    random.normals(t, normals_);
    nu_->draw({std::span(words_).subspan(own_words), normals_}, v_);
  }

  /// Whether the play is made near the start, to compare or because nothing is known.
  [[nodiscard]] bool near_start() const noexcept { return near_start_; }

  /// Which of the latest samples it is made from, from 0 to 1.
  [[nodiscard]] double turn() const noexcept { return turn_; }
  /// Goes so far towards that sample at most.
  void reach(double most) { share_ = most * way_; }

  /// Writes its point, for the start and the point of the sample.
  void write(std::span<const double> start, std::span<const double> sample,
             std::span<double> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double along = start[i] + share_ * (sample[i] - start[i]);
      y[i] = explored_ == 0 ? along : (1 - explored_) * along + explored_ * v_[i];
    }
  }
  /// Writes the coordinates of its point, for those of the sample.
  void write_coordinates(const Frame& frame, std::span<const double> sample,
                         std::span<double> z) const {
    if (explored_ == 0) {
      for (std::size_t k = 0; k < z.size(); ++k) z[k] = share_ * sample[k];
      return;
    }
    frame.coordinates(v_, z);
    for (std::size_t k = 0; k < z.size(); ++k) {
      z[k] = (1 - explored_) * share_ * sample[k] + explored_ * z[k];
    }
  }

 private:
  static constexpr std::size_t own_words = 6;

  std::unique_ptr<Exploration> nu_;
  double share_ = 0;     // of the way from the start to the sample
  double explored_ = 0;  // of the way from there to v
  double way_ = 0;       // share_ of how far it may go
  double turn_ = 0;
  bool near_start_ = true;
  std::vector<double> v_;
  std::vector<std::uint64_t> words_;
  std::vector<double> normals_;
};

}  // namespace keyhole::algorithms
