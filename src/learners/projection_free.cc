// Chen, Zhang, Karbasi: "Projection-Free Bandit Convex Optimization", AISTATS 2019, Algorithm 1.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "keyhole/learners.h"
#include "learners/one_point.h"
#include "learners/power_sequence.h"
#include "learners/published.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

class ProjectionFree final : public HorizonAlgorithm {
 public:
  ProjectionFree(const char* name, SetPtr set, const ProjectionFreeOptions& options,
                 bool regularized, const PublishedSetting& setting)
      : HorizonAlgorithm(std::move(set)),
        name_(name),
        regularized_(regularized),
        options_(options),
        setting_(setting),
        start_(start_point(this->set(), options_.start)),
        c_(options.c.value_or(r() / 2)),
        S_(this->set().dimension()),
        x_(this->set().dimension()),
        gradient_(this->set().dimension()) {
    require_loss_bound(name, options.loss_bound);
    require_optional_positive("gradient_bound (G)", options.gradient_bound);
    require_optional_positive("c", options.c);
    require_optional_positive("eta", options.eta);
    restart(options.horizon);
  }

  void restart(std::uint64_t horizon) override {
    require_horizon(horizon);
    const double T = static_cast<double>(horizon);
    const double delta = c_ * math::pow(T, -0.2);
    if (!setting_.unsafe_no_shrink) require_inside(delta, r(), horizon);
    horizon_ = horizon;
    delta_ = delta;
    alpha_ = setting_.unsafe_no_shrink ? 0 : delta_ / r();
    eta_ = options_.eta.value_or(eta_factor() * D() / (std::sqrt(2.0) * n() * M()) *
                                 math::pow(T, -0.8));
    t_ = 1;
    std::fill(S_.begin(), S_.end(), 0.0);
    shrink_towards(p(), alpha_, start_, x_);
    x_1_.clear();
    if (start_.data() != p().data()) x_1_ = x_;
  }

  // Line 3: y_t = x_t + delta u_t.
  void play(PlayId t, Directions& u, std::span<double> y) override { perturb(x_, delta_, u(t), y); }

  // Line 5: g_s = n / delta f_s(y_s) u_s, which joins the sum of F from the next step on.
  bool absorb(PlayId s, double loss, Directions& u) override {
    add_one_point_estimate(n(), delta_, loss, 1, u(s), S_);
    return true;
  }

  void advance() override {
    // Line 6: grad F_t(x_t) = eta (g_1 + ... + g_{t-1}) + 2 (x_t - x_1).
    // Line 8: x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t, sigma_t = t^(-2/5), of which only v_t has
    // to wait.
    const double sigma = sigma_(t_);
    step({.eta = eta_,
          .pull = regularized_ ? 2.0 : 0.0,
          .keep = 1 - sigma,
          .to_centre = sigma * alpha_});
    // Line 7: v_t = argmin over (1 - alpha) K, which is alpha p + (1 - alpha) argmin over K.
    minimise(gradient_).add_to(x_, sigma * (1 - alpha_));
    ++t_;
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  // Theorem 1; docs/paper.md derives the corrected terms.
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    if (const std::string why = setting_.why_no_bound(); !why.empty()) return {.note = why};
    if (!regularized_) return {.note = "no bound: no theorem covers the unregularized variant"};
    if (options_.eta) return {.note = "no bound: eta was overridden, and the theorem sets it"};
    if (!options_.gradient_bound) return {.note = no_gradient_bound};
    const double G = *options_.gradient_bound;
    const double T_3_5 = math::pow(static_cast<double>(horizon), 0.6);
    const double T_4_5 = math::pow(static_cast<double>(horizon), 0.8);
    const double nMD = n() * M() * D();
    const double of_smoothing = 3 * c_ * G + c_ * R() * G / r();
    if (options_.constants == Constants::as_published) {
      const double value =
          std::sqrt(2.0) * nMD / (c_ * c_) * T_3_5 +
          (std::sqrt(2.0) * nMD + 5 * std::sqrt(2.0) / 4 * D() * G + of_smoothing) * T_4_5;
      return {value, false,
              c_ < 1
                  ? "Theorem 1 as printed does not hold for c < 1"
                  : "Theorem 1 as printed: its proof takes F_t for 1-smooth, and it is 2-smooth"};
    }
    const double value =
        nMD / (std::sqrt(2.0) * c_) * T_3_5 +
        (std::sqrt(2.0) * nMD / c_ + 5 * std::sqrt(3.0) / 4 * D() * G + of_smoothing) * T_4_5;
    return {value, true, "Theorem 1, errata mended"};
  }

  [[nodiscard]] double loss_bound() const noexcept override { return M(); }
  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }

  [[nodiscard]] std::string family_spec() const override {
    std::string text =
        name_ + "(loss_bound=" + base::number_text(M()) + ", c=" + base::number_text(c_);
    if (options_.eta) text += ", eta=" + base::number_text(*options_.eta);
    if (options_.constants == Constants::as_published) text += ", constants=as_published";
    if (!options_.start.empty()) text += ", start=" + base::list_text(start_, false);
    return text + setting_.spec() + ")";
  }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    archive.field(horizon_);
    if (archive.reading()) restart(horizon_);  // delta, alpha, eta and x_1 follow from T
    archive.field(t_);
    archive.field(S_);
    archive.field(x_);
  }

 private:
  struct Step {
    double eta;
    double pull;
    double keep;
    double to_centre;
  };

  /// gradient = eta S + pull (x - x_1), then x = keep x + to_centre p, in one pass. The vectors do
  /// not overlap, which the compiler cannot know.
  void step(Step by) {
    double* __restrict gradient = gradient_.data();
    double* __restrict x = x_.data();
    const double* __restrict S = S_.data();
    const double* centre = p().data();
    const double* x_1 = x_1_.empty() ? centre : x_1_.data();  // one vector less to read
    const std::size_t size = x_.size();
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = by.eta * S[i] + by.pull * (x[i] - x_1[i]);
      x[i] = by.keep * x[i] + by.to_centre * centre[i];
    }
  }

  [[nodiscard]] double n() const {
    return static_cast<double>(setting_.estimator_dimension.value_or(set().hull_dimension()));
  }
  [[nodiscard]] double M() const noexcept { return options_.loss_bound; }
  /// The erratum of eta: the proof needs the factor c, a length, which is printed as 1.
  [[nodiscard]] double eta_factor() const {
    return options_.constants == Constants::corrected ? c_ : 1;
  }

  std::string name_;
  bool regularized_;
  ProjectionFreeOptions options_;
  PublishedSetting setting_;
  std::span<const double> start_;
  double c_;
  // Constants of the horizon.
  std::uint64_t horizon_ = 0;
  double delta_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  // State, with the horizon.
  std::uint64_t t_ = 1;
  std::vector<double> S_;    // g_1 + ... of the losses absorbed
  std::vector<double> x_1_;  // empty for p, where the set holds it
  std::vector<double> x_;
  // Workspace.
  PowerSequence sigma_{-0.4};
  std::vector<double> gradient_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> projection_free(SetPtr set, const ProjectionFreeOptions& options,
                                                  const PublishedSetting& setting) {
  return std::make_unique<ProjectionFree>("projection_free", std::move(set), options, true,
                                          setting);
}

std::unique_ptr<HorizonAlgorithm> unregularized(SetPtr set, const ProjectionFreeOptions& options,
                                                const PublishedSetting& setting) {
  return std::make_unique<ProjectionFree>("unregularized", std::move(set), options, false, setting);
}

std::unique_ptr<HorizonAlgorithm> projection_free(SetPtr set,
                                                  const ProjectionFreeOptions& options) {
  return projection_free(std::move(set), options, {});
}

std::unique_ptr<HorizonAlgorithm> unregularized(SetPtr set, const ProjectionFreeOptions& options) {
  return unregularized(std::move(set), options, {});
}

}  // namespace keyhole::algorithms
