// Chen, Zhang, Karbasi: "Projection-Free Bandit Convex Optimization", AISTATS 2019, Algorithm 1.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "learners/for_horizon.h"
#include "learners/leader_step.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/power_sequence.h"
#include "learners/theorem_1.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

class ProjectionFree final : public ForHorizon<HorizonAlgorithm> {
 public:
  ProjectionFree(const char* name, SetPtr set, const ProjectionFreeOptions& options,
                 bool regularized)
      : ForHorizon(std::move(set)),
        name_(name),
        regularized_(regularized),
        options_(checked(name, options)),
        start_(start_point(this->set(), options_.start)),
        c_(options.c.value_or(r() / 2)),
        S_(start_.size()),
        x_(start_.size()),
        gradient_(start_.size()) {
    first_start(options.horizon);
  }

  // Line 1: the constants, and x_1 in (1 - alpha) K.
  void begin(std::uint64_t horizon) override {
    const double T = static_cast<double>(horizon);
    const double delta = c_ * math::pow(T, -0.2);
    alpha_ = shrinkage(delta, r(), horizon);
    delta_ = delta;
    // An erratum: the proof needs the factor c, a length, which is printed as 1.
    const double factor = as_published() ? 1 : c_;
    eta_ = options_.eta.value_or(factor * D() / (std::sqrt(2.0) * n() * M()) * math::pow(T, -0.8));
    t_ = 1;
    std::fill(S_.begin(), S_.end(), 0.0);
    shrink_towards(p(), alpha_, start_, x_);
    x_1_.clear();
    if (start_.data() != p().data()) x_1_ = x_;
  }

  // Line 3: y_t = x_t + delta u_t.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    perturb(x_, delta_, random.direction(t), y);
  }

  // Line 5: g_s = n / delta f_s(y_s) u_s, which joins the sum of F from the next step on.
  bool absorb(PlayId s, double loss, Randomness& random) override {
    add_one_point_estimate(n(), delta_, loss, 1, random.direction(s), S_);
    return true;
  }

  void advance() override {
    // Line 6: grad F_t(x_t) = eta (g_1 + ... + g_{t-1}) + 2 (x_t - x_1).
    // Line 8 but for v_t: x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t, sigma_t = t^(-2/5).
    const LeaderStep step{eta_, regularized_ ? 2.0 : 0.0, sigma_(t_), alpha_};
    step.before_vertex(S_, x_1_.empty() ? p() : x_1_, p(), gradient_, x_);
    // Line 7: v_t = argmin over (1 - alpha) K, which is alpha p + (1 - alpha) argmin over K.
    minimise(gradient_).add_to(x_, step.of_vertex());
    ++t_;
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] Activity activity() const override { return {1, delta_ / R()}; }

  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    if (!regularized_) return {.note = "no bound: no theorem covers the unregularized variant"};
    if (options_.eta) return {.note = "no bound: eta was overridden, and the theorem sets it"};
    if (!options_.gradient_bound) return {.note = no_gradient_bound};
    const Theorem1 theorem{n(), M(), *options_.gradient_bound, r(), R(), D(), c_};
    return as_published() ? theorem.as_published(horizon) : theorem.corrected(horizon);
  }

  [[nodiscard]] double loss_bound() const noexcept override { return M(); }

  [[nodiscard]] std::string family_spec() const override {
    ProjectionFreeOptions shown = options_;
    shown.gradient_bound = {};  // it shapes no play
    shown.c = c_;
    return spec_of(name_, shown);
  }

 private:
  void fields(Archive& archive) override {
    archive.field(t_);
    archive.field(S_);
    archive.field(x_);
  }

  [[nodiscard]] bool as_published() const { return options_.constants == Constants::as_published; }
  [[nodiscard]] double M() const noexcept { return *options_.loss_bound; }

  std::string name_;
  bool regularized_;
  ProjectionFreeOptions options_;
  std::span<const double> start_;
  double c_;
  // Constants of the horizon.
  double delta_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  // State, with the horizon.
  std::uint64_t t_ = 1;
  std::vector<double> S_;    // g_1 + ... of the losses absorbed
  std::vector<double> x_1_;  // empty for p, which is one vector less to read
  std::vector<double> x_;
  // Workspace.
  PowerSequence sigma_{-0.4};
  std::vector<double> gradient_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> projection_free(SetPtr set,
                                                  const ProjectionFreeOptions& options) {
  return std::make_unique<ProjectionFree>("projection_free", std::move(set), options, true);
}

std::unique_ptr<HorizonAlgorithm> unregularized(SetPtr set, const ProjectionFreeOptions& options) {
  return std::make_unique<ProjectionFree>("unregularized", std::move(set), options, false);
}

}  // namespace keyhole::algorithms
