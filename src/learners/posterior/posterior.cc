// Thompson sampling on a regression of the losses. docs/posterior.md derives and measures every
// part of it, and has the table of its constants.

#include "keyhole/posterior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "learners/level.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/parameter_free/first_losses.h"
#include "learners/parameter_free/first_reach.h"
#include "learners/posterior/budget.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/drawn_play.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/many_dimensions.h"
#include "learners/posterior/minimiser.h"
#include "learners/posterior/models.h"
#include "learners/posterior/residuals.h"
#include "learners/posterior/sample_log.h"
#include "learners/posterior/worth.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;
using Chosen = PosteriorConstants;

class Posterior final : public PosteriorAlgorithm {
 public:
  Posterior(SetPtr set, const PosteriorOptions& options)
      : PosteriorAlgorithm(std::move(set)),
        options_(checked("posterior", options)),
        x_1_(start_point(this->set(), options_.start)),
        drawn_(this->set().exploration()),
        frame_(shared_set(), drawn_.nu(), x_1_),
        m_(frame_.size()),
        models_(frame_),
        first_z_(m_ * Chosen::first_losses),
        budget_(options_.caution, m_),
        worth_(dimension()),
        log_(cap() < 1 ? 2 * m_ : m_),
        best_(m_),
        here_(m_),
        minimiser_(frame_),
        x_(x_1_.begin(), x_1_.end()),
        best_x_(x_),
        around_x_(x_),
        z_(m_) {
    begin();
  }

  void prepare(Randomness& random) override { samples_ = &random.sub_stream("samples"); }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (best_due_ != 0) find_best();
    if (exploring_only()) {
      explore_from(t);
    } else if (hold_ == 0) {
      draw_sample(t);
    }
    if (hold_ > 0) --hold_;
    SampleLog::Entry& run = log_.latest();
    run.plays = t - run.first + 1;  // what wraps it may have made some of them
    ++run.waiting;
    drawn_.go_to(t, run.sizes, random);
    drawn_.write(x_1_, x_, y);
    if (cap() < 1) draw_in(around_x_, y);
  }

  bool absorb(PlayId t, double loss, Randomness& random) override {
    SampleLog::Entry* const run = log_.of(t);
    if (run == nullptr || t < first_) return false;
    --run->waiting;
    drawn_.go_to(t, run->sizes, random);
    const std::span<const double> points = log_.point_of(*run);
    drawn_.write_coordinates(frame_, points.first(m_), z_);
    if (cap() < 1) draw_in(points.last(m_), z_);
    worth_.take(drawn_.near_start(), loss - residuals_.swing() * unit_);
    learn(t, loss);
    return true;
  }

  [[nodiscard]] bool can_learn() const noexcept override { return true; }

  void learn(std::span<const double> point, double loss) override {
    frame_.coordinates(point, z_);
    learn(not_played, loss);
    if (best_due_ != 0) find_best();
  }

  /// Long ago, or before a restart: most such losses are those of before the change.
  [[nodiscard]] bool is_late(PlayId t) const override { return t < first_ || !log_.knows(t); }

  void advance() override {
    if (best_due_ != 0) find_best();
  }

  void recommend(std::span<double> x) const override {
    std::copy(best_x_.begin(), best_x_.end(), x.begin());
  }

  [[nodiscard]] Activity activity() const override {
    if (exploring_only() || log_.empty()) {
      return {1, cap() * first_reach_.get(), restarts_, belief()};
    }
    const SampleLog::Sizes& sizes = log_.latest().sizes;
    const double others = sizes.compared + sizes.at_start + sizes.on_the_way + sizes.exploring;
    return {std::min(1.0, others), cap() * reach_, restarts_, belief()};
  }

  [[nodiscard]] PosteriorStatus status() const override {
    const Belief now = belief();
    return {.losses = since_,
            .restarts = restarts_,
            .retreated = worth_.retreated(),
            .suspicion = residuals_.suspicion(),
            .noise = now.noise,
            .gain = now.gain,
            .reliable = best().model.reliable_share(),
            .width = now.gain_error,
            .curvature = now.curvature,
            .tied = best().model.has_pairs(),
            .fit = now.fit,
            .reach = activity().reach,
            .budget = told(budget_.slack())};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound with a number: it would need the noise and the model to be right"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("posterior", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    for (std::uint64_t* count : {&losses_, &since_, &hold_, &restarts_, &first_})
      archive.field(*count);
    archive.field(best_due_);
    for (double* number : {&level_, &unit_, &next_, &reach_, &gain_, &width_}) {
      archive.field(*number);
    }
    for (Vector* vector : {&best_, &here_, &first_z_}) archive.field(*vector);
    const auto list = [&](auto&... parts) { (parts.state(archive), ...); };
    list(models_, first_reach_, first_losses_, residuals_, spread_, budget_, worth_, log_);
    if (!archive.reading()) return;
    write_point(best_, best_x_);
    if (!log_.empty()) write_points();
  }

 private:
  /// Whether the unit of the losses is known.
  [[nodiscard]] bool knows_unit() const { return since_ >= Chosen::first_losses; }
  /// A number in the unit of the losses told.
  [[nodiscard]] double told(double number) const {
    return knows_unit() ? number * unit_ : std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] Belief belief() const {
    if (!knows_unit()) return {};
    return {.noise = told(std::sqrt(residuals_.noise())),
            .gain = told(gain_),
            .gain_error = told(width_),
            .curvature = told(best().model.price_of_reach()),
            .fit = 1 - residuals_.noise() / spread_.variance()};
  }

  // Playing.

  /// Whether so little is known that all plays explore near the start.
  [[nodiscard]] bool exploring_only() const {
    return since_ <= Chosen::first_losses || since_ < m_ + 2;
  }

  void explore_from(PlayId t) {
    const double s = first_reach_.get();
    if (!log_.empty()) {
      const SampleLog::Sizes& sizes = log_.latest().sizes;
      if (sizes.exploring == 1 && sizes.exploring_reach == s) return;
    }
    log_.add(t, {.exploring = 1, .exploring_reach = s});
    std::fill(log_.latest_point().begin(), log_.latest_point().end(), 0.0);
    write_points();
    hold_ = 0;
  }

  void draw_sample(PlayId t) {
    std::array<std::uint64_t, 2> words{};
    samples_->words(t, words);
    Candidate& drawn = models_.to_sample(RandomBits{words, {}}.uniform(0));
    samples_->normals(t, drawn.phi);
    const bool early = static_cast<double>(since_) < Chosen::early * dimension();
    if (early && !drawn.model.has_pairs()) {
      for (std::size_t i = drawn.model.first_curvature(); i < drawn.phi.size(); ++i) {
        drawn.phi[i] = Chosen::pessimism * std::abs(drawn.phi[i]);
      }
    }
    drawn.posterior().sample(drawn.phi, drawn.theta);
    log_.add(t, {});
    const std::span<double> z = log_.latest_point().first(m_);
    minimise_model(drawn.model, drawn.theta, z);
    if (cap() < 1) std::copy(best_.begin(), best_.end(), log_.latest_point().last(m_).begin());
    write_points();
    drawn.model.write_features(z, drawn.phi);
    const double root = std::sqrt(static_cast<double>(since_));
    // What the mean calls worse than the start is played about once.
    const double at_start = share_at_start(drawn.model, root);
    const bool better = drawn.expected() <= drawn.mean()[0];
    hold_ = static_cast<std::uint64_t>(better ? std::max(1.0, Chosen::serves * root)
                                              : 1 / (1 - at_start));
    log_.latest().sizes = {
        .compared = worth_.compared(),
        .at_start = at_start,
        .on_the_way = reach_ < 1 ? Chosen::on_the_way
                                 : std::min(Chosen::on_the_way, Chosen::later_on_the_way / root),
        .reach = std::min(reach_, affordable(drawn)),
        .exploring = budget_.slack() > 0 ? Chosen::exploring / root : 0,
        .exploring_reach = affordable_exploring(root)};
  }

  /// How many plays are made at the start: few, but where nothing is to be gained nearly all.
  [[nodiscard]] double share_at_start(const Model& model, double root) const {
    const double few = std::min(Chosen::most_at_start, Chosen::at_start / root);
    if (model.reliable_share() > 0) return few;
    return std::max(few, 1 - Chosen::searching * std::sqrt(dimension()) / root);
  }

  /// z = argmin over the set of the model with those coefficients, made convex, from z.
  void minimise_model(const Model& model, std::span<const double> theta, std::span<double> z) {
    const double slopes = math::norm(theta.subspan(1, m_)) / std::sqrt(n());
    minimiser_.find(
        model, theta, Chosen::least_curvature * slopes,
        Chosen::tolerance * slopes * n() / std::sqrt(static_cast<double>(losses_ + 1)),
        [this](std::span<const double> d) -> const Vertex& { return minimise(d); }, z);
  }

  /// The largest s, up to 1, for which the point s of the way to the sample, whose features it
  /// has in phi, is within the budget: a s + b s^2 at most, a little pessimistic.
  [[nodiscard]] double affordable(Candidate& drawn) {
    const std::size_t curved = drawn.model.first_curvature();
    const std::span<const double> phi = drawn.phi;
    double a = math::dot(drawn.mean().subspan(1, m_), phi.subspan(1, m_));
    if (a < 0) a *= drawn.model.reliable_share();
    double b = math::dot(drawn.mean().subspan(curved), phi.subspan(curved));
    b = std::max(b, 0.0) + std::sqrt(drawn.posterior().variance_from(curved, phi));
    const double most = budget_.a_play(static_cast<double>(hold_));
    if (!(a + b > most)) return 1;
    return b > 0 ? (std::sqrt(a * a + 4 * b * most) - a) / (2 * b) : most / a;
  }

  /// How far a play that explores may go: so that sqrt t of them would spend what is left.
  [[nodiscard]] double affordable_exploring(double root) const {
    const double most = std::min(reach_, Chosen::exploring_reach);
    const double price = best().model.price_of_reach();
    return price > 0 ? std::min(most, std::sqrt(budget_.a_play(1) / (price * root))) : most;
  }

  // Learning.

  /// Stands for a play where a loss is not of one.
  static constexpr PlayId not_played = 0;
  [[nodiscard]] static Origin origin(PlayId t) {
    return t == not_played ? Origin::taught : Origin::play;
  }

  /// Learns the loss of play t, or of a point that was not played, whose coordinates are z_.
  void learn(PlayId t, double loss) {
    ++losses_;
    ++since_;
    const auto count = static_cast<double>(since_);
    const double rate = 1 / std::min(count, 20 + 0.1 * count);
    for (std::size_t k = 0; k < m_; ++k) here_[k] += rate * (z_[k] - here_[k]);
    if (exploring_only() && origin(t) == Origin::play) {
      first_reach_.take(math::squared_norm(z_) / n(), loss);
      reach_ = first_reach_.get();
    }
    if (since_ <= Chosen::first_losses) {
      std::copy(z_.begin(), z_.end(), first_z(since_ - 1).begin());
      first_losses_.take(t, loss);
      if (since_ == Chosen::first_losses) begin_model();
      return;
    }
    if (!exploring_only() && budget_.allows_more()) reach_ = std::min(1.0, 2 * reach_);
    const Candidate* const before = &best();
    spread_.take(models_.learn(z_, (loss - level_) / unit_, here_, residuals_, origin(t)));
    if (&best() != before) best_due_ = 1;
    if (count >= next_) refit();
    budget_.count(best().model, residuals_.noise());
    if (options_.restarts && residuals_.changed()) {
      ++restarts_;
      first_ = log_.latest().first + log_.latest().plays;
      worth_.changed(count);
      begin();
    }
  }

  /// The first losses are there: their spread is the unit of all that follow.
  void begin_model() {
    const auto first = first_losses_.judged();
    const auto count = static_cast<double>(first.size());
    level_ = math::reduce(first.size(), [&](std::size_t i) { return first[i].loss; }) / count;
    const double variance = math::reduce(first.size(),
                                         [&](std::size_t i) {
                                           const double above = first[i].loss - level_;
                                           return above * above;
                                         }) /
                            (count - 1);
    if (!(variance > 0)) {  // they say nothing: wait for others
      since_ = 0;
      first_losses_ = {};
      return;
    }
    unit_ = std::ldexp(1.0, std::ilogb(std::sqrt(variance)));
    const double noise = variance / (unit_ * unit_);
    double largest = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      largest = std::max(largest, math::squared_norm(first_z(i)) / n());
    }
    models_.begin(noise, std::sqrt(largest));
    residuals_.begin(since_, noise, m_ + 2 + Chosen::first_losses);
    for (std::size_t i = 0; i < first.size(); ++i) {
      const double value = (first[i].loss - level_) / unit_;
      spread_.take(value);
      models_.learn_first(first_z(i), value, noise, origin(first[i].play));
    }
  }

  void refit() {
    const double more = std::max(1.0, Chosen::refit_spacing * dimension());
    const double next = std::max(next_ + more, Chosen::refit * next_);
    const bool local = static_cast<double>(since_) >= Chosen::early * dimension();
    models_.refit(residuals_.noise(), since_, local ? next / next_ - 1 : 0, here_);
    next_ = next;
    best_due_ = 1;
  }

  /// Finds the least point by the mean: once an ask, however many losses have come in.
  void find_best() {
    best_due_ = 0;
    if (exploring_only()) return;
    Candidate& by = best();
    minimise_model(by.model, by.mean(), best_);
    by.model.write_features(best_, by.phi);
    gain_ = by.mean()[0] - by.expected();
    if (!(gain_ > 0)) {
      gain_ = 0;
      std::fill(best_.begin(), best_.end(), 0.0);
      by.model.write_features(best_, by.phi);
    }
    by.phi[0] = 0;
    width_ = std::sqrt(by.posterior().variance(by.phi));
    budget_.expect(by.model.reliable_share() * gain_);
    budget_.count(by.model, residuals_.noise());
    write_point(best_, best_x_);
  }

  /// Forgets everything but how plays were made.
  void begin() {
    since_ = hold_ = 0;
    best_due_ = 0;
    first_reach_ = {};
    first_losses_ = {};
    level_ = gain_ = width_ = 0;
    unit_ = 1;
    next_ = static_cast<double>(Chosen::first_losses);
    reach_ = first_reach_.get();
    std::fill(best_.begin(), best_.end(), 0.0);
    std::fill(here_.begin(), here_.end(), 0.0);
    std::copy(x_1_.begin(), x_1_.end(), best_x_.begin());
    models_.begin(1, 1);
    residuals_ = {};
    spread_ = {};
    budget_.begin();
  }

  [[nodiscard]] double dimension() const { return static_cast<double>(m_ + 2); }
  [[nodiscard]] double cap() const { return options_.reach.value_or(1); }
  /// Draws a point in, towards `around`, so that it stays within the cap.
  void draw_in(std::span<const double> around, std::span<double> point) const {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = around[i] + cap() * (point[i] - around[i]);
    }
  }
  /// The model that is believed.
  [[nodiscard]] Candidate& best() { return models_.better(); }
  [[nodiscard]] const Candidate& best() const { return models_.better(); }
  [[nodiscard]] std::span<double> first_z(std::size_t i) {
    return std::span(first_z_).subspan(i * m_, m_);
  }
  /// The points of the latest sample.
  void write_points() {
    const std::span<const double> points = log_.latest_point();
    write_point(points.first(m_), x_);
    if (cap() < 1) write_point(points.last(m_), around_x_);
  }
  /// The point of the set with coordinates z.
  void write_point(std::span<const double> z, std::span<double> x) {
    frame_.point(z, x);
    oracle().settle(x);
  }

  PosteriorOptions options_;
  std::span<const double> x_1_;  // the start, or the centre
  DrawnPlay drawn_;
  Frame frame_;
  std::size_t m_;
  Randomness* samples_ = nullptr;
  // State.
  std::uint64_t losses_ = 0;  // learned from
  std::uint64_t since_ = 0;   // of them since the latest restart
  std::uint64_t hold_ = 0;    // how many plays the latest sample will still serve
  std::uint64_t restarts_ = 0;
  PlayId first_ = 1;           // the first play since the latest restart
  std::uint8_t best_due_ = 0;  // whether the best point is to be found again
  double level_ = 0;           // the model is of (loss - level) / unit
  double unit_ = 1;
  double next_ = 0;  // how many losses there will be at the next refit
  double reach_ = 0;
  double gain_ = 0;   // of the best point over the start, by the mean
  double width_ = 0;  // its standard deviation
  Models models_;
  FirstReach first_reach_;
  Vector first_z_;            // coordinates of the first plays
  FirstLosses first_losses_;  // and their losses
  Residuals residuals_;
  Level spread_;  // of the losses
  Budget budget_;
  Worth worth_;
  SampleLog log_;  // the samples that plays were made from
  Vector best_;    // the least point by the mean, at the latest refit
  Vector here_;    // the mean of the latest plays
  // Workspace.
  Minimiser minimiser_;
  Vector x_;         // the point of the latest sample
  Vector best_x_;    // that of best_
  Vector around_x_;  // what it was at the latest sample
  Vector z_;
};

}  // namespace

std::unique_ptr<PosteriorAlgorithm> posterior(SetPtr set, const PosteriorOptions& options) {
  if (set != nullptr && set->hull_dimension() > most_modelled_dimensions) {
    return in_many_dimensions(std::move(set), options);
  }
  return std::make_unique<Posterior>(std::move(set), options);
}

}  // namespace keyhole::algorithms
