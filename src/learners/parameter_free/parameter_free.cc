// The default learner. docs/parameter_free.md derives and measures every part of it; the constants
// in it were chosen there, and all are flat.

#include "keyhole/parameter_free.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "learners/parameter_free/change_test.h"
#include "learners/parameter_free/corrective_gradient.h"
#include "learners/parameter_free/exploration_sizes.h"
#include "learners/parameter_free/first_losses.h"
#include "learners/parameter_free/lateness.h"
#include "learners/parameter_free/predictor.h"
#include "learners/play_log.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;

class ParameterFree final : public ParameterFreeAlgorithm {
 public:
  ParameterFree(SetPtr set, const ParameterFreeOptions& options)
      : ParameterFreeAlgorithm(std::move(set)),
        options_(options),
        nu_(options.explore_at == ExploreAt::inscribed_sphere ? inscribed_sphere(this->set())
                                                              : this->set().exploration()),
        x_(p()),
        x_then_(x_),
        z_(x_),
        g_(x_.size()),
        S_(x_.size()),
        S_since_(x_.size()),
        X_(x_.size()),
        linear_(x_.size()),
        gradient_(x_.size()),
        v_(x_.size()),
        corrective_gradient_(x_.size()),
        words_((2 + nu_->needs().words + 1) / 2 * 2),
        normals_(nu_->needs().normals) {}

  void play(PlayId t, Directions& u, std::span<double> y) override {
    log_.note(t, sizes_);
    lateness_.play(t);
    const double s = sizes_.reach;
    const PlayKind kind = kind_of(t, sizes_, u);
    if (kind == PlayKind::exploring) nu_->draw(bits(), v_);
    const std::span<const double> end =
        kind == PlayKind::exploring ? std::span<const double>(v_) : nu_->mean();
    mix(kind == PlayKind::at_iterate ? 0 : s, end, y);
  }

  bool absorb(PlayId t, double loss, Directions& u) override {
    const PlayLog::Sizes* const sizes = log_.of(t);
    if (sizes == nullptr) return false;
    if (options_.lateness) lateness_.take(t);
    learn(t, *sizes, loss, u);
    if (first_losses_.take(t, loss) && options_.clipping) {
      // One of the first losses was absurd, which could not be seen when it came.
      begin();
      for (const auto& [s, clipped] : first_losses_.clipped()) {
        if (const PlayLog::Sizes* const its_sizes = log_.of(s)) learn(s, *its_sizes, clipped, u);
      }
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
    add(!options_.lateness, "lateness=false");
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
    for (Vector* vector : {&x_, &z_, &g_, &S_, &S_since_, &X_, &x_then_}) archive.field(*vector);
    costs_.state(archive);
    predictor_.state(archive);
    change_test_.state(archive);
    log_.state(archive);
    first_losses_.state(archive);
    lateness_.state(archive);
    latest_ = 0;
  }

 private:
  /// Forgets everything but the sizes that plays were made with.
  void begin() {
    for (std::uint64_t* count : {&k_, &received_, &m_0_, &m_since_, &restarts_}) *count = 0;
    for (double* sum : {&q_, &q_since_, &X_count_}) *sum = 0;
    for (Vector* sum : {&g_, &S_, &S_since_, &X_}) std::fill(sum->begin(), sum->end(), 0.0);
    for (Vector* point : {&x_, &x_then_, &z_}) std::copy(p().begin(), p().end(), point->begin());
    m_ = 1;
    sizes_ = first_sizes(0);
    certificate_ = {};
    costs_ = {};
    predictor_ = {};
    change_test_ = {};
  }

  void learn(PlayId t, const PlayLog::Sizes& sizes, double loss, Directions& u) {
    const PlayKind kind = kind_of(t, sizes, u);
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
    const double w = costs_.take(kind, loss - baseline, clip);
    predictor_.take(baseline + w);
    if (kind == PlayKind::exploring && !first) {
      // g += w / (s rho) Sigma^-1 (v - e), e the mean of nu
      nu_->score(bits(), v_);
      math::add(g_, w / (sizes.reach * sizes.exploring), v_);
    }
  }

  void end_block() {
    const auto length = static_cast<double>(received_);
    const double of_g = squared_dual_norm(g_);
    ++m_;
    math::add(S_, 1, g_);
    q_ += of_g;
    lateness_.end_block();
    const double earlier = lateness_.share_of_earlier_blocks();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_then_[i] = x_[i] + earlier * (x_then_[i] - x_[i]);
      X_[i] += length * (x_then_[i] - p()[i]);
    }
    X_count_ += length;
    if (options_.restarts) look_for_change(of_g, length);
    std::fill(g_.begin(), g_.end(), 0.0);
    received_ = 0;

    find_leader();
    const double share = std::min(1.0, std::max(0.1, 4 / static_cast<double>(m_ - m_0_)));
    const double step = options_.averaging ? share : 1;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += step * (z_[i] - x_[i]);
    sizes_ = options_.schedule == ExplorationSchedule::fixed ? fixed_sizes(k_)
             : costs_.known(k_) ? sizes_by_cost(sizes_, costs_, k_, n())
                                : first_sizes(k_);
  }

  /// The sums start anew where the gradients began to point from the iterate back to the centre.
  void look_for_change(double of_g, double length) {
    const double back =
        math::reduce(x_.size(), [&](std::size_t i) { return g_[i] * (x_then_[i] - p()[i]); });
    // Until the losses of a move have come in, the gradients are those of the place before it.
    const ChangeTest::Verdict verdict =
        change_test_.take(back, length, 1 + lateness_.in_blocks() / 5);
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
    // Half of the curvature if losses are prompt, all of it if they are late: the gradients do not
    // know of the latest moves then, and nothing else keeps the leader from going too far.
    const double late = lateness_.in_blocks();
    const double kappa = options_.curvature && costs_.known(k_)
                             ? costs_.curvature(sizes_.reach, n()) * (1 + late / (1 + late))
                             : 0;
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
    certificate_ = corrective_gradient_.find(
        {linear_, weight, p(), variance()},
        2 * weight * nu_->squared_extent() / std::sqrt(static_cast<double>(k_)), most_calls,
        [this](std::span<const double> d) -> const Vertex& { return minimise(d); }, z_, gradient_,
        v_);
  }

  /// y = (1 - weight) x + weight end. The vectors do not overlap, which the compiler cannot know.
  void mix(double weight, std::span<const double> end, std::span<double> y) const {
    const double keep = 1 - weight;
    const double* __restrict from = x_.data();
    const double* __restrict to = end.data();
    double* __restrict result = y.data();
    const std::size_t size = y.size();
    for (std::size_t i = 0; i < size; ++i) result[i] = keep * from[i] + weight * to[i];
  }

  /// The kind of play t, from two random words of its own. Leaves the rest of its random numbers
  /// in words_ and, if it explores, in normals_.
  PlayKind kind_of(PlayId t, const PlayLog::Sizes& sizes, const Directions& u) {
    const bool fresh = t != latest_;
    if (fresh) u.words(t, words_);
    latest_ = t;
    const RandomBits all{words_, {}};
    if (all.uniform(0) < sizes.exploring) {
      if (fresh) u.normals(t, normals_);
      return PlayKind::exploring;
    }
    return all.uniform(1) < sizes.at_iterate ? PlayKind::at_iterate : PlayKind::shrunk;
  }
  [[nodiscard]] RandomBits bits() const { return {std::span(words_).subspan(2), normals_}; }

  [[nodiscard]] std::span<const double> variance() const { return nu_->variance(); }
  /// ||g||_*^2
  [[nodiscard]] double squared_dual_norm(const Vector& g) const {
    return math::reduce(g.size(), [&](std::size_t i) { return variance()[i] * g[i] * g[i]; });
  }

  static constexpr int most_calls = 50;

  ParameterFreeOptions options_;
  std::unique_ptr<Exploration> nu_;
  // State.
  std::uint64_t k_ = 0;         // losses learned from
  std::uint64_t received_ = 0;  // of them in this block
  std::uint64_t m_ = 1;         // the number of this block, and its length
  std::uint64_t m_0_ = 0;  // the number of blocks is counted from here: 0, then the latest restart
  std::uint64_t m_since_ = 0;  // where a restart would count from: when last nothing was suspected
  std::uint64_t restarts_ = 0;
  double q_ = 0;
  double q_since_ = 0;
  double X_count_ = 0;
  PlayLog::Sizes sizes_ = first_sizes(0);
  Certificate certificate_{};
  Vector x_;        // the iterate
  Vector x_then_;   // what it was when the plays were made whose losses come in now, about
  Vector z_;        // the leader
  Vector g_;        // the sum of this block's estimates
  Vector S_;        // the sum of all
  Vector S_since_;  // the sum since the last time no change was suspected
  Vector X_;        // the sum of x_then - p over the losses
  Costs costs_;     // of each kind of play, over the baseline
  Predictor predictor_;
  ChangeTest change_test_;
  PlayLog log_;
  FirstLosses first_losses_;
  Lateness lateness_;
  // Workspace.
  Vector linear_;
  Vector gradient_;
  Vector v_;
  CorrectiveGradient corrective_gradient_;
  PlayId latest_ = 0;  // the play that words_ and normals_ are of
  std::vector<std::uint64_t> words_;
  Vector normals_;
};

}  // namespace

std::unique_ptr<ParameterFreeAlgorithm> parameter_free(SetPtr set,
                                                       const ParameterFreeOptions& options) {
  base::require(set != nullptr, "parameter_free needs a set to play on");
  return std::make_unique<ParameterFree>(std::move(set), options);
}

}  // namespace keyhole::algorithms
