// Agrawal, Goyal: "Thompson sampling for contextual bandits with linear payoffs", ICML 2013,
// Algorithm 1, with the measured noise for v.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "keyhole/algorithms.h"
#include "keyhole/exploration.h"
#include "learners/level.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/sample_log.h"
#include "learners/regression.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

SetPtr with_few_dimensions(SetPtr set) {
  constexpr std::size_t most = 512;
  base::require(set == nullptr || set->hull_dimension() <= most,
                "linear_thompson plays in up to 512 dimensions, and this set has more: use "
                "parameter_free");
  return set;
}

class LinearThompson final : public Algorithm {
 public:
  LinearThompson(SetPtr set, const LinearThompsonOptions& options)
      : Algorithm(with_few_dimensions(std::move(set))),
        options_(checked("linear_thompson", options)),
        x_1_(start_point(this->set(), options_.start)),
        nu_(this->set().exploration()),
        frame_(shared_set(), *nu_, x_1_),
        m_(frame_.size()),
        best_(x_1_.begin(), x_1_.end()),
        model_(m_ + 1),
        log_(m_),
        words_((nu_->needs().words + 1) / 2 * 2),
        normals_(nu_->needs().normals),
        phi_(m_ + 1),
        theta_(m_ + 1),
        direction_(best_.size()) {
    // The prior: that slopes are about as large as the noise, and the level is anything.
    std::fill(phi_.begin(), phi_.end(), 1.0);
    phi_[0] = 1e-3;
    model_.begin(phi_);
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    // Where losses come so late that the log has no room for a point of every play.
    if (!log_.empty() && static_cast<double>(log_.latest().plays) < log_.least_run()) {
      play_again(t, y);
      return;
    }
    if (explores()) {
      random.words(t, words_);
      random.normals(t, normals_);
      nu_->draw({words_, normals_}, y);
    } else {
      follow_best();
      // theta ~ N(mean, noise^2 A^-1)
      random.normals(t, phi_);
      for (double& xi : phi_) xi *= noise();
      model_.sample(phi_, theta_);
      best_vertex(theta_).write_to(y);
    }
    log_.add(t, {});
    log_.latest().plays = log_.latest().waiting = 1;
    frame_.coordinates(y, log_.latest_point());
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    return absorb_counted(s, loss, 1, random);
  }

  bool absorb_counted(PlayId s, double loss, double count, Randomness& /*random*/) override {
    SampleLog::Entry* const made = log_.of(s);
    if (made == nullptr) return false;
    --made->waiting;
    const std::span<const double> z = log_.point_of(*made);
    std::copy(z.begin(), z.end(), phi_.begin() + 1);
    learn(loss, count);
    return true;
  }

  [[nodiscard]] bool can_learn() const noexcept override { return true; }

  void learn(std::span<const double> point, double loss, double count) override {
    frame_.coordinates(point, std::span(phi_).subspan(1));
    learn(loss, count);
    if (!explores()) follow_best();
  }

  [[nodiscard]] bool is_late(PlayId s) const override { return !log_.knows(s); }

  void advance() override {}

  void recommend(std::span<double> x) const override {
    std::copy(best_.begin(), best_.end(), x.begin());
  }
  [[nodiscard]] Activity activity() const override {
    return explores() ? Activity{1, 1} : Activity{0, 0};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: the samples are narrower than those of the theorem"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("linear_thompson", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    archive.field(losses_);
    archive.field(next_);
    archive.field(level_);
    archive.field(best_);
    errors_.state(archive);
    model_.state(archive);
    log_.state(archive);
  }

 private:
  [[nodiscard]] bool explores() const { return losses_ < std::max<std::size_t>(16, m_ + 2); }
  [[nodiscard]] double noise() const { return std::sqrt(errors_.variance()); }

  /// The latest point once more.
  void play_again(PlayId t, std::span<double> y) {
    SampleLog::Entry& run = log_.latest();
    run.plays = t - run.first + 1;
    ++run.waiting;
    frame_.point(log_.latest_point(), y);
    oracle().settle(y);
  }

  /// Learns a loss at the point whose coordinates are in phi, after the first. Its noise has
  /// 1/count of the variance.
  void learn(double loss, double count) {
    phi_[0] = 1;
    if (losses_ == 0) level_ = loss;
    const double error = loss - level_ - math::dot(model_.mean(), phi_);
    // Of a prediction: noise and what is not known of the coefficients.
    if (losses_ > 0) errors_.take(error / std::sqrt(1 / count + model_.variance(phi_)));
    model_.learn(phi_, count, error);
    ++losses_;
  }

  /// Looks for the vertex that is best by the mean, if there are a tenth more losses.
  void follow_best() {
    if (losses_ < next_) return;
    best_vertex(model_.mean()).write_to(best_);
    next_ = losses_ + losses_ / 10;
  }

  /// The vertex that is best for these coefficients.
  const Vertex& best_vertex(std::span<const double> theta) {
    frame_.direction(theta.subspan(1), direction_);
    return minimise(direction_);
  }

  LinearThompsonOptions options_;
  std::span<const double> x_1_;  // the start, or the centre
  std::unique_ptr<Exploration> nu_;
  Frame frame_;
  std::size_t m_;
  // State.
  std::uint64_t losses_ = 0;  // learned from
  std::uint64_t next_ = 0;    // how many there are when the best vertex is looked for again
  double level_ = 0;          // the first loss; the model is of what is above it
  std::vector<double> best_;
  Level errors_;
  Regression model_;
  SampleLog log_;  // an entry a play
  // Workspace.
  std::vector<std::uint64_t> words_;
  std::vector<double> normals_;
  std::vector<double> phi_;
  std::vector<double> theta_;
  std::vector<double> direction_;
};

}  // namespace

std::unique_ptr<Algorithm> linear_thompson(SetPtr set, const LinearThompsonOptions& options) {
  return std::make_unique<LinearThompson>(std::move(set), options);
}

}  // namespace keyhole::algorithms
