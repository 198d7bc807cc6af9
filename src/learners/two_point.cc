// Agarwal, Dekel, Xiao: "Optimal algorithms for online convex optimization with multi-point bandit
// feedback", COLT 2010. Gradient descent: constants and bound of Zhao, Wang, Zhang, Zhou, "Bandit
// Convex Optimization in Non-stationary Environments", AISTATS 2020, Theorem 2. Conditional
// gradient: Hazan, "Introduction to Online Convex Optimization", 2nd ed., Algorithm 27 and Theorem
// 7.3.

#include "keyhole/two_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "learners/one_point.h"
#include "learners/pending_pairs.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;

std::uint64_t checked_pairs(std::uint64_t pairs) {
  base::require(pairs >= 1 && pairs <= std::uint64_t{1} << 24,
                "pending_pairs must be from 1 to 2^24, not " + std::to_string(pairs));
  return pairs;
}

class TwoPoint final : public HorizonAlgorithm {
 public:
  TwoPoint(SetPtr set, const TwoPointOptions& options)
      : HorizonAlgorithm(std::move(set)),
        options_(options),
        start_(start_point(this->set(), options_.start)),
        pending_(checked_pairs(options.pending_pairs)),
        S_(start_.size()),
        x_1_(start_.size()),
        x_(start_.size()),
        of_pair_(start_.size()),
        z_(start_.size()) {
    require_gradient_bound("two_point", options.gradient_bound);
    require_optional_positive("delta", options.delta);
    require_optional_positive("eta", options.eta);
    base::require(!descends() || this->set().can_project(),
                  "two_point with gradient_descent projects, and " + this->set().spec() +
                      " cannot: use conditional_gradient");
    restart(options.horizon);
  }

  void restart(std::uint64_t horizon) override {
    require_horizon(horizon);
    const auto [N, delta, eta] = constants(horizon);
    require_inside(delta, r(), horizon);
    horizon_ = horizon;
    delta_ = delta;
    eta_ = eta;
    alpha_ = delta / r();
    played_ = 0;
    pending_.clear();
    std::fill(S_.begin(), S_.end(), 0.0);
    shrink_towards(p(), alpha_, start_, x_1_);
    x_ = x_1_;
    of_pair_ = x_1_;
  }

  // y_{2k-1} = x_k + delta u_k, y_{2k} = x_k - delta u_k, u_k drawn for the first of the two.
  void play(PlayId t, Directions& u, std::span<double> y) override {
    const bool opens = played_ % 2 == 0;
    if (opens) {
      of_pair_ = x_;
      pending_.open(t);
    } else {
      pending_.close(t);
    }
    ++played_;
    perturb(of_pair_, opens ? delta_ : -delta_, u(pending_.latest()), y);
  }

  bool absorb(PlayId s, double loss, Directions& u) override {
    PlayId first = 0;
    PendingPairs::Losses f{};
    const auto receipt = pending_.take(s, loss, first, f);
    if (receipt == PendingPairs::Receipt::complete) learn(f, u(first));
    return receipt != PendingPairs::Receipt::late;
  }

  // Conditional gradient, after the second play of pair k; g_k joins the sum from the next step on.
  void advance() override {
    if (descends() || played_ % 2 == 1) return;
    for (std::size_t i = 0; i < x_.size(); ++i) z_[i] = eta_ * S_[i] + 2 * (x_[i] - x_1_[i]);
    // The argmin over (1 - alpha) K is alpha p + (1 - alpha) argmin over K.
    const Vertex& v = minimise(z_);
    const std::uint64_t k = played_ / 2;
    const double sigma = std::min(1.0, 2 / std::sqrt(static_cast<double>(k)));
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = (1 - sigma) * x_[i] + sigma * alpha_ * p()[i];
    }
    v.add_to(x_, sigma * (1 - alpha_));
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  // Twice the regret of the means of the pairs, which is that of x_k on the smoothed losses and
  // (3 + R/r) G delta a pair. From the centre ||x_1 - x||^2 / 2 is at most R^2 / 2, from another
  // start 2 R^2: Zhao et al. have 7/4 R^2.
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    const std::string condition = ", if both plays of a pair meet the same loss";
    const auto [N, delta, eta] = constants(horizon);
    const double nG = n() * G();
    const double of_smoothing = (3 + R() / r()) * G() * delta * N;
    if (descends()) {
      const double of_start = options_.start.empty() ? 1.75 : 2;
      const double value = of_start * R() * R() / eta + eta * nG * nG * N / 2 + of_smoothing;
      return {2 * value, true, "Zhao et al. 2020, Theorem 2" + condition};
    }
    if (options_.eta) return {.note = "no bound: eta was overridden, and the theorem sets it"};
    const double value = 8 * D() * nG * math::pow(N, 0.75) + of_smoothing;
    return {2 * value, true, "Hazan 2022, Theorem 7.3" + condition};
  }

  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }

  [[nodiscard]] std::string family_spec() const override {
    std::string text = "two_point(gradient_bound=" + base::number_text(G());
    if (descends()) text += ", step=gradient_descent";
    if (options_.delta) text += ", delta=" + base::number_text(*options_.delta);
    if (options_.eta) text += ", eta=" + base::number_text(*options_.eta);
    if (options_.pending_pairs != TwoPointOptions{}.pending_pairs) {
      text += ", pending_pairs=" + std::to_string(options_.pending_pairs);
    }
    if (!options_.start.empty()) text += ", start=" + base::list_text(start_, false);
    return text + ")";
  }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    archive.field(horizon_);
    if (archive.reading()) restart(horizon_);  // delta, alpha, eta and x_1 follow from T
    archive.field(played_);
    for (Vector* vector : {&S_, &x_, &of_pair_}) archive.field(*vector);
    pending_.state(archive);
  }

 private:
  struct Sizes {
    double pairs;
    double delta;
    double eta;
  };

  [[nodiscard]] Sizes constants(std::uint64_t horizon) const {
    const double N = std::ceil(static_cast<double>(horizon) / 2);
    const double delta = options_.delta.value_or(std::min(r() / 2, r() / std::sqrt(N)));
    const double eta = descends() ? std::sqrt(3.5) * R() / (n() * G() * std::sqrt(N))
                                  : D() / (2 * n() * G()) * math::pow(N, -0.75);
    return {N, delta, options_.eta.value_or(eta)};
  }

  // g = n / (2 delta) (f(x + delta u) - f(x - delta u)) u joins the sum, or makes its step.
  void learn(const PendingPairs::Losses& f, std::span<const double> u) {
    const double difference = (f.first - f.second) / 2;
    if (!descends()) {
      add_one_point_estimate(n(), delta_, difference, 1, u, S_);
      return;
    }
    if (alpha_ >= 1) return;  // (1 - alpha) K is the centre
    // x <- projection of z onto p + (1 - alpha) (K - p), as in fkm.
    add_one_point_estimate(n(), delta_, difference, -eta_, u, x_);
    for (std::size_t i = 0; i < x_.size(); ++i) z_[i] = p()[i] + (x_[i] - p()[i]) / (1 - alpha_);
    oracle().project(z_, z_);
    shrink_towards(p(), alpha_, z_, x_);
  }

  [[nodiscard]] bool descends() const { return options_.step == TwoPointStep::gradient_descent; }
  [[nodiscard]] double G() const noexcept { return options_.gradient_bound; }

  TwoPointOptions options_;
  std::span<const double> start_;
  // Constants of the horizon.
  std::uint64_t horizon_ = 0;
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
