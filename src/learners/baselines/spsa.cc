// Spall: "Multivariate stochastic approximation using a simultaneous perturbation gradient
// approximation", IEEE Trans. Automatic Control 37, 1992; the gains: "Implementation of the
// simultaneous perturbation algorithm for stochastic optimization", IEEE Trans. Aerospace and
// Electronic Systems 34, 1998.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "keyhole/algorithms.h"
#include "learners/baselines/widths.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/pending_pairs.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

class Spsa final : public Algorithm {
 public:
  Spsa(SetPtr set, const SpsaOptions& options)
      : Algorithm(std::move(set)),
        options_(checked("spsa", options)),
        widths_(widths_of(this->set())),
        pending_(options_.pending_pairs),
        x_(widths_.size()),
        of_pair_(widths_.size()),
        d_(widths_.size()),
        words_((widths_.size() / 64 + 2) / 2 * 2) {
    require_projection("spsa", this->set());
    const std::span<const double> start = start_point(this->set(), options_.start);
    std::copy(start.begin(), start.end(), x_.begin());
    of_pair_ = x_;
  }

  // y = P(x + c_k d) and P(x - c_k d), d drawn for the first of the two.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    const bool opens = played_ % 2 == 0;
    if (opens) {
      of_pair_ = x_;
      pending_.open(t);
    } else {
      pending_.close(t);
    }
    ++played_;
    draw(pending_.latest(), random);
    const double c = perturbation(pending_.index(t));
    move_within(oracle(), of_pair_, opens ? c : -c, d_, y);
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    PlayId first = 0;
    PendingPairs::Losses f{};
    const auto receipt = pending_.take(s, loss, first, f);
    if (receipt == PendingPairs::Receipt::complete) {
      draw(first, random);
      take((f.first - f.second) / (2 * perturbation(pending_.index(first))));
    }
    return receipt != PendingPairs::Receipt::late;
  }

  [[nodiscard]] bool is_late(PlayId s) const override { return pending_.has_left(s); }
  [[nodiscard]] PlayId pair_of(PlayId t) const override { return pending_.first_of(t); }

  void advance() override {}  // the step is made when its pair is complete

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] Activity activity() const override {
    return {1, std::min(1.0, perturbation(played_ / 2) * math::norm(widths_) / R())};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound with a number: Spall's theorems are about the limit"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("spsa", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    for (std::uint64_t* count : {&played_, &looked_, &steps_}) archive.field(*count);
    archive.field(sizes_);
    for (std::vector<double>* vector : {&x_, &of_pair_}) archive.field(*vector);
    pending_.state(archive);
  }

 private:
  static constexpr std::uint64_t looks = 10;  // differences that choose a

  /// c_k of pair k = 0, 1, ...
  static double perturbation(std::uint64_t k) {
    return 0.2 / math::pow(static_cast<double>(k + 1), 0.101);
  }

  /// d of the pair whose first play this is: +-1 for each coordinate, times its width.
  void draw(PlayId first, const Randomness& random) {
    random.words(first, words_);
    for (std::size_t i = 0; i < d_.size(); ++i) {
      d_[i] = (words_[i / 64] >> (i % 64) & 1U) != 0 ? widths_[i] : -widths_[i];
    }
    set().flatten(d_);
  }

  /// Learns the derivative q along d.
  void take(double q) {
    if (looked_ < looks) {
      if (q == 0) return;
      ++looked_;
      sizes_ += std::abs(q);
      return;
    }
    // a_j = a / (101 + j)^0.602, a = 0.1 101^0.602 / (the mean size of q)
    const double mean = sizes_ / static_cast<double>(looks);
    const double share = 101 / (101 + static_cast<double>(steps_));
    const double step = 0.1 * math::pow(share, 0.602) * (q / mean);
    ++steps_;
    move_within(oracle(), x_, -std::clamp(step, -1.0, 1.0), d_, x_);
  }

  SpsaOptions options_;
  std::vector<double> widths_;
  // State.
  std::uint64_t played_ = 0;
  std::uint64_t looked_ = 0;  // differences that chose a
  std::uint64_t steps_ = 0;
  double sizes_ = 0;  // of the first differences, their sum
  PendingPairs pending_;
  std::vector<double> x_;
  std::vector<double> of_pair_;  // x of the latest pair
  // Workspace.
  std::vector<double> d_;
  std::vector<std::uint64_t> words_;
};

}  // namespace

std::unique_ptr<Algorithm> spsa(SetPtr set, const SpsaOptions& options) {
  return std::make_unique<Spsa>(std::move(set), options);
}

}  // namespace keyhole::algorithms
