// The default learner. docs/parameter_free.md derives and measures every part of it; the constants
// in it were chosen there, and all are flat.

#include "keyhole/parameter_free.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "learners/change_test.h"
#include "learners/conditional_gradient.h"
#include "learners/level.h"
#include "learners/play_log.h"
#include "learners/predictor.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "sets/require.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

/// The kinds of plays: exploring; at the iterate; at the iterate, drawn towards the centre as far
/// as an exploring play is.
enum Kind : std::size_t { exploring, at_iterate, shrunk };

/// Moves a size towards a target, by no more than a factor.
double towards(double size, double target, double factor) {
  return std::clamp(target, size / factor, size * factor);
}

class ParameterFree final : public ParameterFreeAlgorithm {
 public:
  ParameterFree(SetPtr set, const ParameterFreeOptions& options)
      : ParameterFreeAlgorithm(std::move(set)),
        options_(options),
        nu_(options.explore_at == ExploreAt::inscribed_sphere ? inscribed_sphere(this->set())
                                                              : this->set().exploration()),
        x_(this->set().geometry().centre),
        z_(x_),
        g_(x_.size()),
        S_(x_.size()),
        S_since_(x_.size()),
        X_(x_.size()),
        linear_(x_.size()),
        gradient_(x_.size()),
        v_(x_.size()),
        words_((2 + nu_->needs().words + 1) / 2 * 2),
        normals_(nu_->needs().normals) {
    set_first_sizes();
  }

  void play(PlayId t, Directions& u, std::span<double> y) override {
    log_.note(t, sizes_);
    const double s = sizes_.reach;
    const Kind kind = kind_of(t, sizes_, u);
    if (kind == exploring) nu_->draw(bits(), v_);
    const std::span<const double> end =
        kind == exploring ? std::span<const double>(v_) : nu_->mean();
    const double weight = kind == at_iterate ? 0 : s;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = (1 - weight) * x_[i] + weight * end[i];
  }

  bool absorb(PlayId t, double loss, Directions& u) override {
    const PlayLog::Sizes* const sizes = log_.of(t);
    if (sizes == nullptr) return false;
    const Kind kind = kind_of(t, *sizes, u);
    ++k_;
    ++received_;
    // The baseline is known before the loss, so subtracting it leaves the mean of the estimate as
    // it is; the first loss has none, and says nothing.
    const bool first = k_ == 1;
    const double baseline = first                                    ? loss
                            : options_.baseline == Baseline::average ? predictor_.average()
                                                                     : predictor_.best();
    const double clip =
        options_.clipping ? 8 : std::numeric_limits<double>::infinity();  // standard deviations
    const double w = levels_[kind].take(loss - baseline, clip);
    predictor_.take(baseline + w);
    if (kind == exploring && !first) {
      // g += w / (s rho) Sigma^-1 (v - p)
      nu_->score(bits(), v_);
      math::add(g_, w / (sizes->reach * sizes->exploring), v_);
    }
    return true;
  }

  void advance() override {
    if (received_ >= m_) end_block();
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  [[nodiscard]] ParameterFreeStatus status() const override {
    return {m_ - 1,           restarts_,        sizes_.reach,
            sizes_.exploring, certificate_.gap, certificate_.tolerance};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound with a number: it would need M and G; see docs/theory.md"};
  }

  [[nodiscard]] std::string spec() const override {
    std::string text;
    const auto add = [&](bool differs, const char* setting) {
      if (differs) text += (text.empty() ? "" : ", ") + std::string(setting);
    };
    add(options_.explore_at == ExploreAt::inscribed_sphere, "explore_at=inscribed_sphere");
    add(options_.schedule == ExplorationSchedule::fixed, "schedule=fixed");
    add(options_.baseline == Baseline::average, "baseline=average");
    add(!options_.shrinkage, "shrinkage=false");
    add(!options_.curvature, "curvature=false");
    add(!options_.averaging, "averaging=false");
    add(!options_.restarts, "restarts=false");
    add(!options_.clipping, "clipping=false");
    return "parameter_free(" + text + ")";
  }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    for (std::uint64_t* count : {&k_, &received_, &m_, &m_0_, &m_since_, &restarts_}) {
      archive.field(*count);
    }
    for (double* number : {&q_, &q_since_, &X_count_, &sizes_.reach, &sizes_.exploring,
                           &sizes_.at_iterate, &certificate_.gap, &certificate_.tolerance}) {
      archive.field(*number);
    }
    for (Vector* vector : {&x_, &z_, &g_, &S_, &S_since_, &X_}) archive.field(*vector);
    for (Level& level : levels_) level.state(archive);
    predictor_.state(archive);
    change_test_.state(archive);
    log_.state(archive);
    latest_ = 0;
  }

 private:
  void end_block() {
    const auto length = static_cast<double>(received_);
    const double of_g = squared_dual_norm(g_);
    ++m_;
    math::add(S_, 1, g_);
    q_ += of_g;
    for (std::size_t i = 0; i < X_.size(); ++i) X_[i] += length * (x_[i] - p()[i]);
    X_count_ += length;
    if (options_.restarts) look_for_change(of_g, length);
    std::fill(g_.begin(), g_.end(), 0.0);
    received_ = 0;

    find_leader();
    const double share = std::min(1.0, std::max(0.1, 4 / static_cast<double>(m_ - m_0_)));
    const double step = options_.averaging ? share : 1;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += step * (z_[i] - x_[i]);
    choose_sizes();
  }

  /// The sums start anew where the gradients began to point from the iterate back to the centre.
  void look_for_change(double of_g, double length) {
    const double back =
        math::reduce(x_.size(), [&](std::size_t i) { return g_[i] * (x_[i] - p()[i]); });
    const ChangeTest::Verdict verdict = change_test_.take(back, length);
    if (verdict == ChangeTest::Verdict::nothing) {
      std::fill(S_since_.begin(), S_since_.end(), 0.0);
      q_since_ = 0;
      m_since_ = m_;
      return;
    }
    math::add(S_since_, 1, g_);
    q_since_ += of_g;
    if (verdict == ChangeTest::Verdict::suspicion) return;
    S_ = S_since_;
    q_ = q_since_;
    m_0_ = m_since_;
    std::fill(X_.begin(), X_.end(), 0.0);
    X_count_ = 0;
    ++restarts_;
  }

  /// z ~ argmin over K of eta (S - kappa H X) . z + (1 + eta kappa k / 2) ||z - p||^2, which is
  /// eta sum over the rounds of (g . z + kappa / 2 ||z - x||^2) + ||z - p||^2 but for a constant.
  void find_leader() {
    const double kappa = options_.curvature ? curvature() : 0;
    for (std::size_t i = 0; i < S_.size(); ++i) linear_[i] = S_[i] - kappa * X_[i] / variance()[i];
    const double squares = squared_dual_norm(linear_);
    const auto blocks = static_cast<double>(m_ - m_0_);
    double theta = 1;
    if (options_.shrinkage) {
      theta = squares > 0 ? std::max(0.0, 1 - (1 + 2 / std::sqrt(blocks)) * q_ / squares) : 0;
    }
    const double R = std::sqrt(nu_->squared_radius());
    const double eta = q_ > 0 ? 6 * R * theta / std::sqrt(q_) : 0;
    for (double& coordinate : linear_) coordinate *= eta;
    const double weight = 1 + eta * kappa * X_count_ / 2;
    certificate_ = conditional_gradient(
        {linear_, weight, p(), variance()},
        weight * nu_->squared_extent() / std::sqrt(static_cast<double>(k_)), most_calls,
        [this](std::span<const double> d) -> const Vertex& { return minimise(d); }, z_, gradient_,
        v_);
  }

  /// What exploring costs beyond shrinking is 1/2 kappa s^2 E||v - p||^2 = 1/2 kappa s^2 n: half of
  /// that kappa, less a standard error.
  [[nodiscard]] double curvature() const {
    if (!measured()) return 0;
    const double s = sizes_.reach;
    const double error =
        std::sqrt(levels_[exploring].squared_error() + levels_[shrunk].squared_error());
    return std::max(0.0, price_of_exploring() - error) / (s * s * n());
  }

  void choose_sizes() {
    if (options_.schedule == ExplorationSchedule::fixed) {
      set_fixed_sizes();
    } else if (measured()) {
      set_measured_sizes();
    } else {
      set_first_sizes();
    }
  }

  void set_first_sizes() { sizes_ = {std::min(0.15, root_rate()), 0.9, 0.5}; }

  void set_fixed_sizes() { sizes_ = {std::min(k_ < 1024 ? 0.15 : 0.3, root_rate()), 0.97, 1}; }

  /// Exploring with probability rho as far as s tells u = rho s^2 per round and costs u P; what is
  /// known after k rounds errs by n sqrt(V / (u k)): u balances the two. For a given u far and rare
  /// is cheaper by the linear price A, near and often truer by the curvature C: s balances these.
  void set_measured_sizes() {
    double s = sizes_.reach;
    double u = sizes_.exploring * s * s;
    const double A = levels_[shrunk].mean() - levels_[at_iterate].mean();
    const double C = price_of_exploring();
    const double P = (std::max(A, 0.0) + std::max(C, 0.0)) / (s * s);
    const double root_k = std::sqrt(static_cast<double>(k_));
    const double noise = 0.1 * n() * std::sqrt(levels_[exploring].variance()) / root_k;
    const double best_u = P > 0 ? math::pow(noise / P, 2.0 / 3) : most;
    u = std::clamp(towards(u, best_u, 1.15), 0.2 / root_k, 6 / root_k);
    const double best_s = !(A > 0) ? 0 : C > 0 ? math::pow(u * A * s / (4 * C), 1.0 / 3) : most;
    s = std::max(towards(s, best_s, 1.2), std::sqrt(u / 0.9));
    s = std::min({s, k_ < 1024 ? 0.15 : 0.3, 3 * root_rate()});
    const double rho = std::min(0.9, u / (s * s));
    // Of the other plays nearly all go where the losses are less, if that is clear.
    const double error =
        std::sqrt(levels_[at_iterate].squared_error() + levels_[shrunk].squared_error());
    const double rare = 0.1 * rho;
    sizes_ = {s, rho, A > error ? 1 - rare : A < -error ? rare : 0.5};
  }

  /// Whether each kind of play has been seen often enough to compare them.
  [[nodiscard]] bool measured() const {
    return k_ >= 32 && levels_[exploring].count() >= 8 && levels_[at_iterate].count() >= 4 &&
           levels_[shrunk].count() >= 4;
  }
  [[nodiscard]] double price_of_exploring() const {
    return levels_[exploring].mean() - levels_[shrunk].mean();
  }
  /// k^(-1/4)
  [[nodiscard]] double root_rate() const {
    return 1 / std::sqrt(std::sqrt(static_cast<double>(std::max<std::uint64_t>(k_, 1))));
  }

  /// The kind of play t, from two random words of its own. Leaves the rest of its random numbers
  /// in words_ and normals_.
  Kind kind_of(PlayId t, const PlayLog::Sizes& sizes, const Directions& u) {
    if (t != latest_) {
      u.words(t, words_);
      u.normals(t, normals_);
      latest_ = t;
    }
    const RandomBits all{words_, normals_};
    if (all.uniform(0) < sizes.exploring) return exploring;
    return all.uniform(1) < sizes.at_iterate ? at_iterate : shrunk;
  }
  [[nodiscard]] RandomBits bits() const { return {std::span(words_).subspan(2), normals_}; }

  [[nodiscard]] std::span<const double> p() const { return set().geometry().centre; }
  [[nodiscard]] std::span<const double> variance() const { return nu_->variance(); }
  [[nodiscard]] double n() const { return static_cast<double>(set().hull_dimension()); }
  /// ||g||_*^2
  [[nodiscard]] double squared_dual_norm(const Vector& g) const {
    return math::reduce(g.size(), [&](std::size_t i) { return variance()[i] * g[i] * g[i]; });
  }

  static constexpr int most_calls = 50;
  static constexpr double most = std::numeric_limits<double>::max();

  ParameterFreeOptions options_;
  std::unique_ptr<Exploration> nu_;
  // State.
  std::uint64_t k_ = 0;         // losses learned from
  std::uint64_t received_ = 0;  // of them in this block
  std::uint64_t m_ = 1;         // the number of this block, and its length
  std::uint64_t m_0_ = 0;       // the block before the first of the sums
  std::uint64_t m_since_ = 0;   // the same for the sums since the last time nothing was suspected
  std::uint64_t restarts_ = 0;
  double q_ = 0;
  double q_since_ = 0;
  double X_count_ = 0;
  PlayLog::Sizes sizes_;
  Certificate certificate_{};
  Vector x_;                     // the iterate
  Vector z_;                     // the leader
  Vector g_;                     // the sum of this block's estimates
  Vector S_;                     // the sum of all
  Vector S_since_;               // the sum since the last time no change was suspected
  Vector X_;                     // the sum of x - p over the losses
  std::array<Level, 3> levels_;  // the losses of each kind of play, over the baseline
  Predictor predictor_;
  ChangeTest change_test_;
  PlayLog log_;
  // Workspace.
  Vector linear_;
  Vector gradient_;
  Vector v_;
  PlayId latest_ = 0;  // the play that words_ and normals_ are of
  std::vector<std::uint64_t> words_;
  Vector normals_;
};

}  // namespace

std::unique_ptr<ParameterFreeAlgorithm> parameter_free(SetPtr set,
                                                       const ParameterFreeOptions& options) {
  require(set != nullptr, "parameter_free needs a set to play on");
  return std::make_unique<ParameterFree>(std::move(set), options);
}

}  // namespace keyhole
