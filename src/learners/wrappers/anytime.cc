// Chen, Zhang, Karbasi: "Projection-Free Bandit Convex Optimization", AISTATS 2019, Algorithm 2.

#include <bit>
#include <utility>

#include "base/require.h"
#include "keyhole/algorithms.h"
#include "keyhole/gradient_algorithms.h"
#include "learners/wrappers/wrapper.h"

namespace keyhole::algorithms {
namespace {

/// For algorithms of either kind: what they are told is passed on as it is.
template <class Kind>
class Anytime final : public Windowed<Wrapper<Kind, WithHorizon<Kind>>> {
 public:
  explicit Anytime(std::unique_ptr<WithHorizon<Kind>> inner)
      : Windowed<Wrapper<Kind, WithHorizon<Kind>>>(std::move(inner)) {
    this->inner().restart(1);
  }

  // The sum over the epochs so far, the last one whole: what the proof of Theorem 2 bounds by
  // beta / (1 - 2^(-4/5)) (t + 1)^(4/5) where each epoch's bound is at most beta T^(4/5).
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    RegretBound sum = this->inner().horizon_bound(1);
    // After the largest power of two comes 0.
    for (std::uint64_t T = 2; T != 0 && T <= rounds; T *= 2) {
      sum.value += this->inner().horizon_bound(T).value;
    }
    if (sum.holds) sum.note += ", summed over the epochs";
    return sum;
  }

  [[nodiscard]] std::string spec() const override {
    return "anytime(" + this->inner().family_spec() + ")";
  }

 private:
  // Epoch m runs the algorithm with horizon 2^m from round 2^m to round 2^(m+1) - 1.
  [[nodiscard]] std::uint64_t length() const noexcept override { return this->inner().horizon(); }
  [[nodiscard]] std::uint64_t windows_before() const noexcept override {
    return static_cast<std::uint64_t>(std::countr_zero(length()));
  }
  void begin_window() override { this->inner().restart(2 * length()); }
};

template <class Kind>
std::unique_ptr<Kind> around(std::unique_ptr<WithHorizon<Kind>> algorithm) {
  base::require(algorithm != nullptr, "anytime needs an algorithm that takes a horizon");
  require_plain("anytime", *algorithm);
  return std::make_unique<Anytime<Kind>>(std::move(algorithm));
}

}  // namespace

std::unique_ptr<Algorithm> anytime(std::unique_ptr<HorizonAlgorithm> algorithm) {
  return around(std::move(algorithm));
}

std::unique_ptr<GradientAlgorithm> anytime(std::unique_ptr<HorizonGradientAlgorithm> algorithm) {
  return around(std::move(algorithm));
}

}  // namespace keyhole::algorithms
