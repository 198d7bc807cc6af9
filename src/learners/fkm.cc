// Flaxman, Kalai, McMahan: "Online convex optimization in the bandit setting: gradient descent
// without a gradient", SODA 2005. Constants and bound: Zhao, Wang, Zhang, Zhou, "Bandit Convex
// Optimization in Non-stationary Environments", AISTATS 2020, Theorem 1.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "learners/for_horizon.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

class Fkm final : public ForHorizon<HorizonAlgorithm> {
 public:
  Fkm(SetPtr set, const FkmOptions& options)
      : ForHorizon(std::move(set)),
        options_(checked("fkm", options)),
        start_(start_point(this->set(), options_.start)),
        x_(start_.size()),
        z_(start_.size()) {
    base::require(this->set().can_project(),
                  "fkm projects, and " + this->set().spec() + " cannot: use posterior or bbcg");
    base::require(
        options.gradient_bound || textbook() || (options.delta && options.eta),
        "fkm needs gradient_bound (G), the largest norm a gradient can have, for its constants; "
        "the constants `textbook` do without");
    first_start(options.horizon);
  }

  // y_t = x_t + delta u_t.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    perturb(x_, delta_, random.direction(t), y);
  }

  // x <- projection onto p + (1 - alpha) (K - p) of x - eta g_s.
  bool absorb(PlayId s, double loss, Randomness& random) override {
    if (alpha_ >= 1) return true;  // (1 - alpha) K is the centre
    add_one_point_estimate(n(), delta_, loss, -eta_, random.direction(s), x_);
    project_shrunk(oracle(), p(), alpha_, x_, z_);
    return true;
  }

  void advance() override {}  // the step is made when its loss is absorbed

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] Activity activity() const override { return {1, delta_ / R()}; }

  // 7 R^2 / (4 eta) + eta n^2 M^2 T / (2 delta^2) + (3 + R/r) G delta T, for every eta and delta.
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    if (!options_.gradient_bound) return {.note = no_gradient_bound};
    const auto [delta, eta] = constants(horizon);
    const double T = static_cast<double>(horizon);
    const double of_estimate = n() * M() / delta;
    const double value = 7 * R() * R() / (4 * eta) + eta * of_estimate * of_estimate * T / 2 +
                         (3 + R() / r()) * G() * delta * T;
    return {value, true, "Zhao et al. 2020, Theorem 1"};
  }

  [[nodiscard]] double loss_bound() const noexcept override { return M(); }

  [[nodiscard]] std::string family_spec() const override {
    FkmOptions shown = options_;
    shown.c = textbook() ? std::optional(c()) : std::nullopt;
    return spec_of("fkm", shown);
  }

 private:
  void begin(std::uint64_t horizon) override {
    const auto [delta, eta] = constants(horizon);
    alpha_ = shrinkage(delta, r(), horizon);
    delta_ = delta;
    eta_ = eta;
    shrink_towards(p(), alpha_, start_, x_);
  }

  void fields(Archive& archive) override { archive.field(x_); }

  struct Sizes {
    double delta;
    double eta;
  };

  [[nodiscard]] Sizes constants(std::uint64_t horizon) const {
    const double T = static_cast<double>(horizon);
    const double T_1_4 = math::pow(T, -0.25);
    const double root = std::sqrt(3.5);
    const auto default_delta = [&] {
      if (textbook()) return c() * T_1_4;
      return std::min(r() / 2, T_1_4 * std::sqrt(root * R() * n() * M() / (G() * (3 + R() / r()))));
    };
    const double delta = options_.delta ? *options_.delta : default_delta();
    const double length = textbook() ? D() : root * R();
    return {delta, options_.eta.value_or(length * delta / (n() * M() * std::sqrt(T)))};
  }

  [[nodiscard]] bool textbook() const { return options_.constants == FkmConstants::textbook; }
  [[nodiscard]] double M() const noexcept { return *options_.loss_bound; }
  [[nodiscard]] double G() const { return *options_.gradient_bound; }
  [[nodiscard]] double c() const { return options_.c.value_or(r() / 2); }

  FkmOptions options_;
  std::span<const double> start_;
  // Constants of the horizon.
  double delta_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  // State, with the horizon.
  std::vector<double> x_;
  // Workspace.
  std::vector<double> z_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> fkm(SetPtr set, const FkmOptions& options) {
  return std::make_unique<Fkm>(std::move(set), options);
}

}  // namespace keyhole::algorithms
