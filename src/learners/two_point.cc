// Agarwal, Dekel, Xiao: "Optimal algorithms for online convex optimization with multi-point bandit
// feedback", COLT 2010. The steps of conditional gradient: Hazan, "Introduction to Online Convex
// Optimization", 2nd ed., Algorithm 27.

#include <algorithm>
#include <cmath>
#include <utility>

#include "keyhole/algorithms.h"
#include "learners/for_horizon.h"
#include "learners/leader_step.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/pending_pairs.h"
#include "learners/two_point_constants.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;

class TwoPoint final : public ForHorizon<HorizonAlgorithm> {
 public:
  TwoPoint(SetPtr set, const TwoPointOptions& options)
      : ForHorizon(std::move(set)),
        options_(checked("two_point", options)),
        start_(start_point(this->set(), options_.start)),
        pending_(options.pending_pairs),
        S_(start_.size()),
        x_1_(start_.size()),
        x_(start_.size()),
        of_pair_(start_.size()),
        z_(start_.size()) {
    base::require(!descends() || this->set().can_project(),
                  "two_point with gradient_descent projects, and " + this->set().spec() +
                      " cannot: use conditional_gradient");
    first_start(options.horizon);
  }

  // y_{2k-1} = x_k + delta u_k, y_{2k} = x_k - delta u_k, u_k drawn for the first of the two.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    const bool opens = played_ % 2 == 0;
    if (opens) {
      of_pair_ = x_;
      pending_.open(t);
    } else {
      pending_.close(t);
    }
    ++played_;
    perturb(of_pair_, opens ? delta_ : -delta_, random.direction(pending_.latest()), y);
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    PlayId first = 0;
    PendingPairs::Losses f{};
    const auto receipt = pending_.take(s, loss, first, f);
    if (receipt == PendingPairs::Receipt::complete) take(f, random.direction(first));
    return receipt != PendingPairs::Receipt::late;
  }

  [[nodiscard]] bool is_late(PlayId s) const override { return pending_.has_left(s); }
  [[nodiscard]] PlayId pair_of(PlayId t) const override { return pending_.first_of(t); }

  // Conditional gradient, after the second play of pair k; g_k joins the sum from the next step on.
  void advance() override {
    if (descends() || played_ % 2 == 1) return;
    const std::uint64_t k = played_ / 2;
    const double sigma = std::min(1.0, 2 / std::sqrt(static_cast<double>(k)));
    const LeaderStep step{.eta = eta_, .pull = 2, .sigma = sigma, .alpha = alpha_};
    step.before_vertex(S_, x_1_, p(), z_, x_);
    minimise(z_).add_to(x_, step.of_vertex());
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] Activity activity() const override { return {1, delta_ / R()}; }

  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    return TwoPointConstants(set(), options_, horizon).regret_bound(options_);
  }

  [[nodiscard]] std::string family_spec() const override { return spec_of("two_point", options_); }

 private:
  void begin(std::uint64_t horizon) override {
    const TwoPointConstants constants(set(), options_, horizon);
    alpha_ = shrinkage(constants.delta, r(), horizon);
    delta_ = constants.delta;
    eta_ = constants.eta;
    played_ = 0;
    pending_.clear();
    std::fill(S_.begin(), S_.end(), 0.0);
    shrink_towards(p(), alpha_, start_, x_1_);
    x_ = x_1_;
    of_pair_ = x_1_;
  }

  void fields(Archive& archive) override {
    archive.field(played_);
    for (Vector* vector : {&S_, &x_, &of_pair_}) archive.field(*vector);
    pending_.state(archive);
  }

  // g = n / (2 delta) (f(x + delta u) - f(x - delta u)) u joins the sum, or makes its step.
  void take(const PendingPairs::Losses& f, std::span<const double> u) {
    const double difference = (f.first - f.second) / 2;
    if (!descends()) {
      add_one_point_estimate(n(), delta_, difference, 1, u, S_);
      return;
    }
    if (alpha_ >= 1) return;  // (1 - alpha) K is the centre
    add_one_point_estimate(n(), delta_, difference, -eta_, u, x_);
    project_shrunk(oracle(), p(), alpha_, x_, z_);
  }

  [[nodiscard]] bool descends() const { return options_.step == TwoPointStep::gradient_descent; }

  TwoPointOptions options_;
  std::span<const double> start_;
  // Constants of the horizon.
  double delta_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  // State, with the horizon.
  std::uint64_t played_ = 0;
  PendingPairs pending_;
  Vector S_;  // g_1 + ... of the pairs learned from, for conditional gradients
  Vector x_1_;
  Vector x_;
  Vector of_pair_;  // x_k of the latest pair
  // Workspace.
  Vector z_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> two_point(SetPtr set, const TwoPointOptions& options) {
  return std::make_unique<TwoPoint>(std::move(set), options);
}

}  // namespace keyhole::algorithms
