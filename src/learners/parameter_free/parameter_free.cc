// Follows the leader of one-point estimates. docs/parameter_free.md derives and measures every part
// of it, and has the table of its constants, which are all flat.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/parameter_free/change_test.h"
#include "learners/parameter_free/constants.h"
#include "learners/parameter_free/corrective_gradient.h"
#include "learners/parameter_free/exploration_sizes.h"
#include "learners/parameter_free/first_losses.h"
#include "learners/parameter_free/first_reach.h"
#include "learners/parameter_free/gradient_sums.h"
#include "learners/parameter_free/lateness.h"
#include "learners/parameter_free/predictor.h"
#include "learners/parameter_free/random_play.h"
#include "learners/parameter_free/status.h"
#include "learners/play_log.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;
using Chosen = ParameterFreeConstants;

class ParameterFree final : public ParameterFreeAlgorithm {
 public:
  ParameterFree(SetPtr set, const ParameterFreeOptions& options)
      : ParameterFreeAlgorithm(std::move(set)),
        options_(checked("parameter_free", options)),
        random_(options.explore_at == ExploreAt::inscribed_sphere ? inscribed_sphere(this->set())
                                                                  : this->set().exploration()),
        x_1_(start_point(this->set(), options_.start)),
        x_(x_1_.size()),
        x_then_(x_),
        z_(x_),
        g_(x_.size()),
        sums_(x_.size()),
        linear_(x_.size()),
        gradient_(x_.size()),
        origin_(x_.size()),
        corrective_gradient_(x_.size()) {
    begin();
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    log_.note(t, sizes_);
    lateness_.play(t);
    random_.write(random_.go_to(t, sizes_, random), sizes_.reach, x_, y);
  }

  bool absorb(PlayId t, double loss, Randomness& random) override {
    const PlayLog::Sizes* const sizes = log_.of(t);
    if (sizes == nullptr) return false;
    if (options_.lateness) lateness_.take(t);
    take(t, *sizes, loss, random);
    if (options_.caution && !first_reach_.has(Chosen::first_losses)) {
      const bool exploring = random_.go_to(t, *sizes, random) == PlayKind::exploring;
      first_reach_.take(exploring ? sizes->reach * sizes->reach : 0, loss);
    }
    if (first_losses_.take(t, loss) && options_.clipping) {
      // One of the first losses was absurd, which could not be seen when it came.
      begin();
      for (const auto& [s, clipped] : first_losses_.clipped()) {
        if (const PlayLog::Sizes* const its_sizes = log_.of(s))
          take(s, *its_sizes, clipped, random);
      }
    }
    return true;
  }

  [[nodiscard]] bool is_late(PlayId t) const override { return log_.of(t) == nullptr; }

  void advance() override {
    if (received_ >= m_) end_block();
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  [[nodiscard]] Activity activity() const override {
    return {sizes_.exploring, sizes_.reach, sums_.restarts};
  }
  [[nodiscard]] ParameterFreeStatus status() const override {
    return {m_ - 1,           sums_.restarts,   sizes_.reach,
            sizes_.exploring, certificate_.gap, certificate_.tolerance};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound with a number: it would need M and G; see docs/theory.md"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("parameter_free", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    for (std::uint64_t* count :
         {&k_, &received_, &m_, &sums_.m_0, &sums_.m_since, &sums_.restarts}) {
      archive.field(*count);
    }
    for (double* number :
         {&sums_.q, &sums_.q_since, &sums_.losses, &sizes_.reach, &sizes_.exploring,
          &sizes_.at_iterate, &certificate_.gap, &certificate_.tolerance}) {
      archive.field(*number);
    }
    for (Vector* vector : {&x_, &z_, &g_, &sums_.S, &sums_.sum_since, &sums_.X, &x_then_}) {
      archive.field(*vector);
    }
    const auto list = [&](auto&... parts) { (parts.state(archive), ...); };
    list(costs_, predictor_, change_test_, log_, first_losses_, lateness_);
    if (options_.caution) {
      list(first_reach_, squared_reach_);
      archive.field(weight_);
    } else if (archive.reading()) {
      weight_ = static_cast<double>(received_);
    }
    if (archive.reading()) random_.forget();
  }

 private:
  /// Forgets everything but the sizes that plays were made with.
  void begin() {
    k_ = received_ = 0;
    weight_ = 0;
    std::fill(g_.begin(), g_.end(), 0.0);
    sums_.clear();
    for (Vector* point : {&x_, &x_then_, &z_}) std::copy(x_1_.begin(), x_1_.end(), point->begin());
    m_ = 1;
    costs_ = {};
    squared_reach_ = {};
    choose_sizes(0);
    certificate_ = {};
    predictor_ = {};
    change_test_ = {};
  }

  void take(PlayId t, const PlayLog::Sizes& sizes, double loss, Randomness& random) {
    const PlayKind kind = random_.go_to(t, sizes, random);
    ++k_;
    ++received_;
    // The baseline is known before the loss, so subtracting it leaves the mean of the estimate as
    // it is; the first loss has none, and says nothing.
    const bool first = k_ == 1;
    const double baseline = first                                    ? loss
                            : options_.baseline == Baseline::average ? predictor_.average()
                                                                     : predictor_.best();
    const double clip = options_.clipping ? Chosen::clip : std::numeric_limits<double>::infinity();
    const double w = costs_.take(kind, loss - baseline, clip);
    if (options_.caution && kind == PlayKind::exploring) {
      squared_reach_.take(sizes.reach * sizes.reach);
    }
    predictor_.take(baseline + w);
    const double weight = weight_of(sizes);
    weight_ += weight;
    if (kind == PlayKind::exploring && !first) {
      // g += w / (s rho) Sigma^-1 (v - e), e the mean of nu
      math::add(g_, weight * w / (sizes.reach * sizes.exploring), random_.score());
    }
  }

  void end_block() {
    const auto length = static_cast<double>(received_);
    const double of_g = squared_dual_norm(g_);
    ++m_;
    lateness_.end_block();
    const double earlier = lateness_.share_of_earlier_blocks();
    for (std::size_t i = 0; i < x_.size(); ++i) x_then_[i] = x_[i] + earlier * (x_then_[i] - x_[i]);
    sums_.add(g_, of_g, x_then_, x_1_, weight_);
    if (options_.restarts) sums_.judge(change_shown(length), g_, of_g, m_);
    std::fill(g_.begin(), g_.end(), 0.0);
    received_ = 0;
    weight_ = 0;

    const double gain = find_leader();
    const double share = std::max(Chosen::least_step, Chosen::first_steps / sums_.blocks(m_));
    double step = options_.averaging ? std::min(1.0, share) : 1;
    // Gradients tell nothing of curvature: with caution a step is no longer than a play goes.
    if (options_.caution) step = std::min(step, sizes_.reach);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += step * (z_[i] - x_[i]);
    choose_sizes(gain);
  }

  /// Sizes for a gain, of a round at the iterate over one at the start, that there is reason to
  /// expect.
  void choose_sizes(double gain) {
    if (options_.schedule == ExplorationSchedule::fixed && k_ > 0) {
      sizes_ = fixed_sizes(k_);
    } else if (costs_.known(k_)) {
      std::optional<Limits> limits;
      if (options_.caution) limits = {squared_reach(), most_price(gain)};
      sizes_ = sizes_by_cost(sizes_, costs_, k_, n(), limits);
    } else {
      sizes_ = first_sizes(k_);
      if (options_.caution) sizes_.reach = std::min(sizes_.reach, first_reach_.get());
    }
    sizes_.reach = std::min(sizes_.reach, options_.reach.value_or(1));
  }

  /// How much a play counts: with caution those that tell little, for what they tell has more
  /// noise.
  [[nodiscard]] double weight_of(const PlayLog::Sizes& sizes) const {
    if (!options_.caution) return 1;
    const double u = sizes.exploring * sizes.reach * sizes.reach;
    return std::min(1.0, u * std::sqrt(static_cast<double>(k_)) / Chosen::least_information);
  }

  /// The square of the s that the costs are of. With caution s may change fast.
  [[nodiscard]] double squared_reach() const {
    return options_.caution ? squared_reach_.mean() : sizes_.reach * sizes_.reach;
  }

  /// What exploring may cost a round, with caution.
  [[nodiscard]] double most_price(double gain) const {
    const double noise = std::sqrt(std::min(costs_.of(PlayKind::at_iterate).variance(),
                                            costs_.of(PlayKind::exploring).variance()));
    return *options_.caution * noise * std::sqrt(n()) + Chosen::spending * gain;
  }

  /// Whether the gradients have begun to point from the iterate back to the centre.
  ChangeTest::Verdict change_shown(double length) {
    const double back =
        math::reduce(x_.size(), [&](std::size_t i) { return g_[i] * (x_then_[i] - x_1_[i]); });
    // Until the losses of a move have come in, the gradients are those of the place before it.
    return change_test_.take(back, length, 1 + lateness_.in_blocks() / Chosen::late_blocks);
  }

  /// z ~ argmin over K of eta (S - kappa H X) . z + (1 + eta kappa k / 2) ||z - x_1||^2, which is
  /// eta sum over the rounds of (g . z + kappa / 2 ||z - x||^2) + ||z - x_1||^2 but for a constant.
  /// Returns what that sum says of the iterate: how much less than x_1 it costs a round, as far as
  /// the gradients stand out.
  double find_leader() {
    // Half of the curvature if losses are prompt, all of it if they are late: the gradients do not
    // know of the latest moves then, and nothing else keeps the leader from going too far.
    const double late = lateness_.in_blocks();
    const double kappa = options_.curvature && costs_.known(k_)
                             ? costs_.curvature(squared_reach(), n()) * (1 + late / (1 + late))
                             : 0;
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      linear_[i] = sums_.S[i] - kappa * sums_.X[i] / variance()[i];
    }
    const double squares = squared_dual_norm(linear_);
    const double theta = options_.shrinkage ? sums_.standing_out(squares, m_) : 1;
    const double radius = std::sqrt(nu().squared_radius());
    const double eta = sums_.q > 0 ? Chosen::eta * radius * theta / std::sqrt(sums_.q) : 0;
    const double gain = math::reduce(x_.size(), [&](std::size_t i) {
      const double moved = x_[i] - x_1_[i];
      return -(linear_[i] + kappa * sums_.losses * moved / (2 * variance()[i])) * moved;
    });
    for (double& coordinate : linear_) coordinate *= eta;
    const double weight = 1 + eta * kappa * sums_.losses / 2;
    certificate_ = corrective_gradient_.find(
        {linear_, weight, x_1_, variance()},
        Chosen::tolerance * weight * nu().squared_extent() / std::sqrt(static_cast<double>(k_)),
        Chosen::most_calls,
        [this](std::span<const double> d) -> const Vertex& { return minimise(d); }, z_, gradient_,
        origin_);
    return sums_.losses > 0 ? theta * std::max(0.0, gain) / sums_.losses : 0;
  }

  [[nodiscard]] const Exploration& nu() const { return random_.nu(); }
  [[nodiscard]] std::span<const double> variance() const { return nu().variance(); }
  /// ||g||_*^2
  [[nodiscard]] double squared_dual_norm(const Vector& g) const {
    return math::reduce(g.size(), [&](std::size_t i) { return variance()[i] * g[i] * g[i]; });
  }

  ParameterFreeOptions options_;
  RandomPlay random_;
  std::span<const double> x_1_;  // the start, or the centre
  // State.
  std::uint64_t k_ = 0;         // losses learned from
  std::uint64_t received_ = 0;  // of them in this block
  std::uint64_t m_ = 1;         // the number of this block, and its length
  PlayLog::Sizes sizes_;
  Certificate certificate_{};
  Vector x_;           // the iterate
  Vector x_then_;      // what it was when the plays were made whose losses come in now, about
  Vector z_;           // the leader
  Vector g_;           // the sum of this block's estimates
  GradientSums sums_;  // of the blocks before
  Costs costs_;        // of each kind of play, over the baseline
  Predictor predictor_;
  ChangeTest change_test_;
  // With caution: how far the first plays go, and s^2 of the exploring ones.
  FirstReach first_reach_;
  Level squared_reach_;
  double weight_ = 0;  // of this block
  PlayLog log_;
  FirstLosses first_losses_;
  Lateness lateness_;
  // Workspace.
  Vector linear_;
  Vector gradient_;
  Vector origin_;
  CorrectiveGradient corrective_gradient_;
};

}  // namespace

std::unique_ptr<Algorithm> parameter_free(SetPtr set, const ParameterFreeOptions& options) {
  return std::make_unique<ParameterFree>(std::move(set), options);
}

}  // namespace keyhole::algorithms
