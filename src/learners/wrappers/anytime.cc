// Chen, Zhang, Karbasi: "Projection-Free Bandit Convex Optimization", AISTATS 2019, Algorithm 2.

#include <algorithm>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/gradient_learners.h"
#include "keyhole/learners.h"

namespace keyhole::algorithms {
namespace {

/// For algorithms of either kind: what they are told is passed on as it is.
template <class Kind>
class Anytime : public Kind {
 public:
  using Randomness = typename Kind::Randomness;
  using Told = typename Kind::Told;

  explicit Anytime(std::unique_ptr<WithHorizon<Kind>> inner)
      : Kind(inner->shared_set(), nullptr),
        inner_(std::move(inner)),
        previous_(this->set().dimension()) {
    inner_->restart(1);
  }

  // Epoch m runs the algorithm with horizon 2^m from round 2^m to round 2^(m+1) - 1.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (played_ == inner_->horizon()) {
      inner_->recommend(previous_);
      inner_->restart(2 * inner_->horizon());
      played_ = 0;
      first_ = t;
    }
    ++played_;
    inner_->play(t, random, y);
  }

  bool absorb(PlayId s, Told told, Randomness& random) override {
    return s >= first_ && inner_->absorb(s, told, random);
  }

  void advance() override { inner_->advance(); }

  void recommend(std::span<double> x) const override {
    if (played_ < inner_->horizon() / 2) {
      std::copy(previous_.begin(), previous_.end(), x.begin());
    } else {
      inner_->recommend(x);
    }
  }

  // The sum over the epochs so far, the last one whole: what the proof of Theorem 2 bounds by
  // beta / (1 - 2^(-4/5)) (t + 1)^(4/5) where each epoch's bound is at most beta T^(4/5).
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    RegretBound sum = inner_->horizon_bound(1);
    // After the largest power of two comes 0.
    for (std::uint64_t T = 2; T != 0 && T <= rounds; T *= 2) {
      sum.value += inner_->horizon_bound(T).value;
    }
    if (sum.holds) sum.note += ", summed over the epochs";
    return sum;
  }

  [[nodiscard]] std::uint64_t oracle_calls() const noexcept override {
    return inner_->oracle_calls();
  }
  [[nodiscard]] Oracle& oracle() noexcept override { return inner_->oracle(); }
  [[nodiscard]] std::string spec() const override {
    return "anytime(" + inner_->family_spec() + ")";
  }

  void state(Archive& archive) override {
    inner_->state(archive);
    archive.field(played_);
    archive.field(first_);
    archive.field(previous_);
  }

 protected:
  [[nodiscard]] const WithHorizon<Kind>& inner() const noexcept { return *inner_; }

 private:
  std::unique_ptr<WithHorizon<Kind>> inner_;
  // State, with the inner algorithm's.
  std::uint64_t played_ = 0;      // rounds of this epoch
  PlayId first_ = 1;              // the first play of this epoch
  std::vector<double> previous_;  // what the epoch before recommended at its end
};

class AnytimeBandit final : public Anytime<Algorithm> {
 public:
  using Anytime::Anytime;
  [[nodiscard]] double loss_bound() const noexcept override { return inner().loss_bound(); }
};

class AnytimeGradient final : public Anytime<GradientAlgorithm> {
 public:
  using Anytime::Anytime;
  [[nodiscard]] double gradient_bound() const noexcept override { return inner().gradient_bound(); }
};

constexpr const char* needs_one = "anytime needs an algorithm that takes a horizon";

}  // namespace

std::unique_ptr<Algorithm> anytime(std::unique_ptr<HorizonAlgorithm> algorithm) {
  base::require(algorithm != nullptr, needs_one);
  return std::make_unique<AnytimeBandit>(std::move(algorithm));
}

std::unique_ptr<GradientAlgorithm> anytime(std::unique_ptr<HorizonGradientAlgorithm> algorithm) {
  base::require(algorithm != nullptr, needs_one);
  return std::make_unique<AnytimeGradient>(std::move(algorithm));
}

}  // namespace keyhole::algorithms
