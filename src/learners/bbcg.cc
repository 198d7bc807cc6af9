// Garber, Kretzu: "Improved Regret Bounds for Projection-free Bandit Convex Optimization", AISTATS
// 2020, Algorithms 1 and 2. With strong convexity: Kretzu, Garber: "Revisiting Projection-free
// Online Learning: the Strongly Convex Case", AISTATS 2021, Algorithms 2 and 3.

#include <algorithm>
#include <utility>

#include "keyhole/algorithms.h"
#include "learners/bbcg_constants.h"
#include "learners/conditional_gradient.h"
#include "learners/for_horizon.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;

BbcgOptions usable(const BbcgOptions& options) {
  base::require(!(options.eta && options.strong_convexity),
                "bbcg has no eta with strong_convexity: leave one of them out");
  return checked("bbcg", options);
}

class Bbcg final : public ForHorizon<BbcgAlgorithm> {
 public:
  Bbcg(SetPtr set, const BbcgOptions& options)
      : ForHorizon(std::move(set)),
        options_(usable(options)),
        start_(start_point(this->set(), options_.start)),
        constants_(this->set(), options, options.horizon.value_or(1)),
        S_(start_.size()),
        X_(start_.size()),
        x_1_(start_.size()),
        x_(start_.size()),
        leader_(start_.size()),
        linear_(start_.size()),
        gradient_(start_.size()),
        v_(start_.size()),
        ones_(start_.size(), 1.0) {
    first_start(options.horizon);
  }

  // y_t = x_{m-1} + delta u_t.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    perturb(x_, constants_.delta(), random.direction(t), y);
  }

  // n / delta f_s(y_s) u_s joins the sum of the g_i, from the next leader on.
  bool absorb(PlayId s, double loss, Randomness& random) override {
    add_one_point_estimate(n(), constants_.delta(), loss, 1, random.direction(s), S_);
    return true;
  }

  // Block m is the plays (m - 1) L + 1, ..., m L. When the first of them has been made, the losses
  // of all blocks before have been absorbed and no other.
  void advance() override {
    const std::uint64_t L = constants_.L();
    const std::uint64_t m = played_ / L + 1;
    ++played_;
    if (m > 1 && played_ % L == 1 % L) find_leader(m);
    if (played_ % L == 0) {
      for (std::size_t i = 0; i < X_.size(); ++i) X_[i] += x_[i] - x_1_[i];
      x_ = leader_;
    }
  }

  void recommend(std::span<double> x) const override {
    std::copy(leader_.begin(), leader_.end(), x.begin());
  }
  [[nodiscard]] Activity activity() const override { return {1, constants_.delta() / R()}; }

  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    if (!options_.gradient_bound) return {.note = no_gradient_bound};
    return {BbcgConstants(set(), options_, horizon).regret_bound(), true, theorem_of(options_)};
  }

  [[nodiscard]] double expected_oracle_calls(std::uint64_t horizon) const override {
    require_horizon(horizon);
    return BbcgConstants(set(), options_, horizon).expected_calls();
  }

  [[nodiscard]] double loss_bound() const noexcept override { return *options_.loss_bound; }

  [[nodiscard]] std::string family_spec() const override { return spec_of("bbcg", options_); }

 private:
  void begin(std::uint64_t horizon) override {
    const BbcgConstants constants(set(), options_, horizon);
    alpha_ = shrinkage(constants.delta(), r(), horizon);
    constants_ = constants;
    played_ = 0;
    std::fill(S_.begin(), S_.end(), 0.0);
    std::fill(X_.begin(), X_.end(), 0.0);
    shrink_towards(p(), alpha_, start_, x_1_);
    x_ = x_1_;
    leader_ = x_1_;
  }

  void fields(Archive& archive) override {
    archive.field(played_);
    for (Vector* vector : {&S_, &X_, &x_, &leader_}) archive.field(*vector);
  }

  // F_m(x) = eta S . x + sum_{i<m} L alpha / 2 ||x - x_{i-1}||^2 + T_0 alpha / 2 ||x - x_1||^2 (for
  // alpha = 0: ||x - x_1||^2) is (eta S - L alpha X) . x + w_m ||x - x_1||^2 but for a constant.
  void find_leader(std::uint64_t m) {
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      linear_[i] = constants_.eta() * S_[i] - constants_.block_curvature() * X_[i];
    }
    conditional_gradient(
        {linear_, constants_.weight(m), x_1_, ones_}, constants_.epsilon(m),
        constants_.most_calls(m),
        [this](std::span<const double> d) {
          return ShrunkVertex{minimise(d), p(), alpha_};
        },
        leader_, gradient_, v_);
  }

  BbcgOptions options_;
  std::span<const double> start_;
  // Constants of the horizon.
  BbcgConstants constants_;
  double alpha_ = 0;  // delta / r
  // State, with the horizon.
  std::uint64_t played_ = 0;  // rounds that advance() has followed
  Vector S_;                  // the sum of the estimates absorbed
  Vector X_;                  // the sum over the blocks before of x_{i-1} - x_1
  Vector x_1_;
  Vector x_;       // x_{m-1}, played in block m
  Vector leader_;  // x_m, once it has been found; x_{m-1} before
  // Workspace.
  Vector linear_;
  Vector gradient_;
  Vector v_;
  Vector ones_;
};

}  // namespace

std::unique_ptr<BbcgAlgorithm> bbcg(SetPtr set, const BbcgOptions& options) {
  return std::make_unique<Bbcg>(std::move(set), options);
}

}  // namespace keyhole::algorithms
