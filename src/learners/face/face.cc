// Thompson sampling in the hull of the start and of k points of the set, for many dimensions.
// keyhole/algorithms.h has the formulas, docs/posterior.md the reasons and measurements.
//
// MacKay: "Bayesian interpolation", 1992 (evidence). Journel, Huijbregts: "Mining geostatistics",
// 1978 (Matheron's rule). Bayati, Hamidi, Johari, Khosravi: "Unreasonable effectiveness of greedy
// algorithms in multi-armed bandit with many arms", 2020 (why k grows like sqrt t).

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "keyhole/exploration.h"
#include "learners/face/hull.h"
#include "learners/face/mix.h"
#include "learners/face/noise_by_distance.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/parameter_free/first_losses.h"
#include "learners/parameter_free/first_reach.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/sample_log.h"
#include "learners/regression.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;
/// What posterior does as well has its numbers.
using Shared = PosteriorConstants;

/// The numbers that were chosen for this learner. docs/posterior.md says what was tried.
struct FaceConstants {
  /// k at least.
  static constexpr std::size_t first = 16;
  /// k at most: a fit takes its cube.
  static constexpr std::size_t most = 400;
  /// So many for a dimension more than the first: the others lie in their span.
  static constexpr std::size_t a_dimension = 4;
  /// By which factor k grows at most from fit to fit.
  static constexpr double growth = 1.5;
  /// The share of new points that a sample leads to; the others are drawn from the exploration.
  static constexpr double led = 0.9;
  /// The slopes that are not known are drawn with this times tau.
  static constexpr double perturbed = 0.4;
  /// A point is dropped if it is worse by so many standard deviations...
  static constexpr double drop = 3;
  /// ...and this share of it lies outside of the span of the others.
  static constexpr double own = 0.5;
  /// Samples that the trace of the covariance is taken from.
  static constexpr int traced = 8;
};
using Chosen = FaceConstants;

class Face final : public Algorithm {
 public:
  Face(SetPtr set, const FaceOptions& options)
      : Algorithm(std::move(set)),
        options_(checked("face", options)),
        x_1_(start_point(this->set(), options_.start)),
        nu_(this->set().exploration()),
        hull_(x_1_, nu_->variance(),
              std::min(Chosen::most,
                       Chosen::first + Chosen::a_dimension * this->set().hull_dimension())),
        model_(coefficients(0)),
        log_(hull_.most() + 1),
        mix_(hull_.most()),
        best_x_(x_1_.begin(), x_1_.end()),
        move_(x_1_.size()),
        v_(x_1_.size()),
        slope_(x_1_.size()),
        words_((nu_->needs().words + 1) / 2 * 2),
        normals_(nu_->needs().normals),
        G_(coefficients(hull_.most()) * (coefficients(hull_.most()) + 1) / 2) {
    const std::size_t most = coefficients(hull_.most());
    model_.reserve(most);
    for (Vector* vector : {&ridge_, &sums_, &best_, &pool_.phi, &phi_, &theta_, &l_, &b_, &w_}) {
      vector->reserve(most);
    }
    kept_.reserve(hull_.most());
    resize();
  }

  void prepare(Randomness& random) override {
    points_ = &random.sub_stream("points");
    samples_ = &random.sub_stream("samples");
    slopes_ = &random.sub_stream("slopes");
    evidence_ = &random.sub_stream("evidence");
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (drawn_ == 0) begin_hull();
    if (!knows_unit()) {
      explore(t);
    } else if (hold_ == 0) {
      draw_sample(t);
    }
    if (hold_ > 0) --hold_;
    SampleLog::Entry& run = log_.latest();
    run.plays = t - run.first + 1;  // what wraps it may have made some of them
    ++run.waiting;
    const double share = share_of(t, run.sizes, random);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x_1_[i] + share * move_[i];
    oracle().settle(y);
  }

  bool absorb(PlayId t, double loss, Randomness& random) override {
    SampleLog::Entry* const run = log_.of(t);
    if (run == nullptr) return false;
    --run->waiting;
    const double share = share_of(t, run->sizes, random);
    ++count_;
    if (run->sizes.exploring == 1) {
      const std::size_t j = explored(t);
      write_single(j);
      if (!knows_unit()) {
        take_first(t, j, share, loss);
        return true;
      }
      learn_loss(*run, w_, hull_.row(j)[j], share, loss);
    } else {
      const std::span<const double> point = log_.point_of(*run);
      learn_loss(*run, point.first(hull_.size()), point[hull_.most()], share, loss);
    }
    return true;
  }

  [[nodiscard]] bool is_late(PlayId t) const override { return !log_.knows(t); }

  void advance() override {}

  void recommend(std::span<double> x) const override {
    std::copy(best_x_.begin(), best_x_.end(), x.begin());
  }

  [[nodiscard]] Activity activity() const override {
    if (!knows_unit() || log_.empty()) return {1, first_reach_.get()};
    const SampleLog::Sizes& sizes = log_.latest().sizes;
    return {std::min(1.0, sizes.at_start + sizes.on_the_way),
            reach_,
            0,
            {.noise = unit_ * std::sqrt(noise_.mean()),
             .gain = unit_ * (gain_ > 0 ? gain_ + width_ : 0),
             .gain_error = unit_ * width_,
             .curvature = unit_ * model_.mean()[curvature]}};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound with a number: it would need the noise and the model to be right"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("face", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    for (std::uint64_t* count : {&count_, &hold_, &drawn_, &first_points_}) archive.field(*count);
    for (double* number :
         {&next_, &target_, &level_, &unit_, &tau_, &reliable_, &reach_, &gain_, &width_,
          &spent_before_, &pool_.run, &pool_.count, &pool_.sum, &pool_.variance}) {
      archive.field(*number);
    }
    hull_.state(archive);
    if (archive.reading()) {
      if (first_points_ == 0 && drawn_ > 0) throw StateError("the state lacks its first points");
      model_.resize(coefficients(k()));
      resize();
    }
    first_reach_.state(archive);
    first_losses_.state(archive);
    for (double& share : first_shares_) archive.field(share);
    noise_.state(archive);
    model_.state(archive);
    for (Vector* vector : {&ridge_, &sums_, &best_, &pool_.phi}) archive.field(*vector);
    log_.state(archive);
    if (!archive.reading()) return;
    write_best();
    if (!log_.empty()) hull_.write_move(latest_weights(), move_);
  }

 private:
  // The order of the coefficients: the curvature is the first, so that it can wander.
  static constexpr std::size_t curvature = 0;
  static constexpr std::size_t level = 1;
  static constexpr std::size_t common = 2;
  static constexpr std::size_t slopes = 3;
  static constexpr std::size_t coefficients(std::size_t k) { return slopes + k; }

  /// Losses of the same play, to be learned as one.
  struct Pool {
    double run = 0;  // its number
    double count = 0;
    double sum = 0;
    double variance = 0;  // what the model said of it
    Vector phi;
  };

  [[nodiscard]] bool knows_unit() const noexcept { return unit_ > 0; }
  [[nodiscard]] std::size_t k() const noexcept { return hull_.size(); }

  // Playing.

  /// Which of the first points play t goes to.
  [[nodiscard]] std::size_t explored(PlayId t) const {
    return static_cast<std::size_t>(t % first_points_);
  }

  /// The first points of the hull.
  void begin_hull() {
    while (k() < Chosen::first && add_random()) {
    }
    first_points_ = k();
    model_.resize(coefficients(k()));
    resize();
  }

  /// Adds a draw of the exploration that is new; false if none was found.
  bool add_random() {
    for (int tries = 0; tries < 50; ++tries) {
      ++drawn_;
      points_->words(drawn_, words_);
      points_->normals(drawn_, normals_);
      nu_->draw({words_, normals_}, v_);
      if (hull_.add(v_)) return true;
    }
    return false;
  }

  /// Weight 1 on point j.
  void write_single(std::size_t j) {
    w_.assign(k(), 0.0);
    w_[j] = 1;
  }

  void explore(PlayId t) {
    const double s = first_reach_.get();
    if (log_.empty() || log_.latest().sizes.reach != s) {
      log_.add(t, {.reach = s, .exploring = 1});
    }
    write_single(explored(t));
    hull_.write_move(w_, move_);
  }

  /// How far play t goes towards its sample.
  [[nodiscard]] static double share_of(PlayId t, const SampleLog::Sizes& sizes,
                                       const Randomness& random) {
    std::array<std::uint64_t, 4> words{};
    random.words(t, words);
    const RandomBits bits{words, {}};
    if (bits.uniform(0) < sizes.at_start) return 0;
    return sizes.reach * (bits.uniform(1) < sizes.on_the_way ? bits.uniform(2) : 1);
  }

  [[nodiscard]] std::span<double> latest_weights() { return log_.latest_point().first(k()); }

  void draw_sample(PlayId t) {
    learn_pool();
    samples_->normals(t, phi_);
    model_.sample(phi_, theta_);
    std::array<std::uint64_t, 2> words{};
    samples_->words(t, words);
    log_.add(t, {});
    if (RandomBits{words, {}}.uniform(0) < share_followed()) follow(t);
    const double c = split(theta_);
    const std::span<double> w = latest_weights();
    double q = 0;
    mix_.find(hull_, l_, c, w, q);
    log_.latest_point()[hull_.most()] = q;
    hull_.write_move(w, move_);
    write_features(1, w, q);
    const double root = std::sqrt(static_cast<double>(count_));
    const double variance = model_.variance(phi_);
    // What the mean calls worse than the start is played once.
    const bool better = math::dot(model_.mean(), phi_) <= model_.mean()[level];
    const double until_known = noise_.at(q) / std::max(variance, 1e-300);
    const double wanted = better ? std::min(Shared::serves * root, until_known) : 1;
    hold_ = static_cast<std::uint64_t>(std::max({1.0, wanted, log_.least_run()}));
    const double way = reach_ < 1 ? Shared::on_the_way : Shared::later_on_the_way / root;
    log_.latest().sizes = {.at_start = std::min(Shared::most_at_start, Shared::at_start / root),
                           .on_the_way = std::min(Shared::on_the_way, way),
                           .reach = std::min(reach_, affordable())};
  }

  /// How often a sample leads to a new point: so that those wanted come one by one until the next
  /// fit, and not all at once, which would look like a change.
  [[nodiscard]] double share_followed() const {
    const double wanted = target_ - static_cast<double>(k());
    const auto count = static_cast<double>(count_);
    const double samples =
        std::max(1.0, next_ - count) / std::max(1.0, Shared::serves * std::sqrt(count));
    return Chosen::led * std::clamp(wanted / samples, 0.0, 1.0);
  }

  /// A sample of the slopes in all directions that agrees with that of the points: drawn from the
  /// prior, and corrected in their span. The vertex that is best for it becomes a point.
  void follow(PlayId t) {
    static_cast<void>(split(theta_));
    slopes_->normals(t, slope_);
    for (std::size_t i = 0; i < slope_.size(); ++i) {
      slope_[i] *= Chosen::perturbed * tau_ * std::sqrt(hull_.weight(i));
    }
    w_.resize(k());
    hull_.write_products(slope_, w_);
    for (std::size_t j = 0; j < k(); ++j) w_[j] = l_[j] - w_[j];
    hull_.solve(w_);
    hull_.add_weighted(w_, slope_);
    minimise(slope_).write_to(v_);
    if (!hull_.add(v_)) return;
    resize_with_model();
    const double of_new = math::dot(slope_, v_) - math::dot(slope_, x_1_) - theta_[common];
    theta_.back() = of_new;
    latest_weights().back() = 0;
  }

  /// The slopes of the points by these coefficients, in l. Returns the curvature, made positive.
  double split(std::span<const double> theta) {
    l_.resize(k());
    for (std::size_t j = 0; j < k(); ++j) l_[j] = theta[slopes + j] + theta[common];
    const double size = std::sqrt(math::squared_norm(l_) / static_cast<double>(k()));
    return std::max(theta[curvature], Shared::least_curvature * size + 1e-12);
  }

  /// The largest share, up to 1, of the way to the point with features phi that is within the
  /// budget: a s + b s^2 at most, a little pessimistic.
  [[nodiscard]] double affordable() {
    const std::span<const double> mean = model_.mean();
    double a = math::dot(mean.subspan(common), std::span(phi_).subspan(common));
    if (a < 0) a *= reliable_;
    const double q = phi_[curvature];
    const double b = std::max(0.0, mean[curvature] * q) + q * std::sqrt(variance_of(curvature));
    const double most = std::max(slack() / static_cast<double>(hold_), a_round());
    if (!(a + b > most)) return 1;
    return b > 0 ? (std::sqrt(a * a + 4 * b * most) - a) / (2 * b) : most / a;
  }

  // The budget, as that of posterior.

  [[nodiscard]] double a_round() const {
    return options_.caution * std::sqrt(static_cast<double>(k() + 2) * noise_.mean());
  }
  /// What is left of it.
  [[nodiscard]] double slack() const {
    const std::span<const double> mean = model_.mean();
    double spent = math::dot(mean.subspan(common), std::span(sums_).subspan(common));
    if (spent < 0) spent *= reliable_;
    spent += mean[curvature] * sums_[curvature] + spent_before_;
    return sums_[level] * (Shared::spending * gain_ + a_round()) - spent;
  }

  // Learning.

  void write_features(double share, std::span<const double> w, double q) {
    phi_.resize(coefficients(k()));
    phi_[curvature] = share * share * q;
    phi_[level] = 1;
    for (std::size_t j = 0; j < k(); ++j) phi_[slopes + j] = share * w[j];
    phi_[common] = math::sum(std::span(phi_).subspan(slopes));
  }

  /// The variance of one coefficient.
  [[nodiscard]] double variance_of(std::size_t i) {
    theta_.assign(coefficients(k()), 0.0);
    theta_[i] = 1;
    return model_.variance_from(i, theta_);
  }

  /// A loss while nothing is known of their spread.
  void take_first(PlayId t, std::size_t j, double share, double loss) {
    first_reach_.take(share * share * hull_.row(j)[j], loss);
    first_shares_[count_ - 1] = share;
    first_losses_.take(t, loss);
    if (count_ < Shared::first_losses) return;
    const auto told = first_losses_.judged();
    const auto n = static_cast<double>(told.size());
    level_ = math::reduce(told.size(), [&](std::size_t i) { return told[i].loss; }) / n;
    const double variance = math::reduce(told.size(),
                                         [&](std::size_t i) {
                                           const double above = told[i].loss - level_;
                                           return above * above;
                                         }) /
                            (n - 1);
    if (!(variance > 0)) {  // they say nothing: wait for others
      count_ = 0;
      first_losses_ = {};
      return;
    }
    unit_ = std::sqrt(variance);
    reach_ = *std::max_element(first_shares_.begin(), first_shares_.end());
    tau_ = 1 / reach_;
    noise_.begin(1, 0.25 * tau_ * tau_);
    fill_ridge();
    model_.begin(ridge_);
    for (std::size_t i = 0; i < told.size(); ++i) {
      const std::size_t point = explored(told[i].play);
      write_single(point);
      write_features(first_shares_[i], w_, hull_.row(point)[point]);
      model_.learn(phi_, 1, value_of(told[i].loss) - math::dot(model_.mean(), phi_));
      math::add(sums_, 1, phi_);
    }
    next_ = 1.5 * n;
    target_ = static_cast<double>(Chosen::first);
  }

  [[nodiscard]] double value_of(double loss) const { return (loss - level_) / unit_; }

  /// Learns the loss of a play of that run, `share` of the way to the mix w.
  void learn_loss(const SampleLog::Entry& run, std::span<const double> w, double q_whole,
                  double share, double loss) {
    // A late loss of a near play says nothing of what is far.
    const bool recent = &run == &log_.latest() || 2 * run.sizes.reach >= reach_;
    if (recent && slack() > -a_round()) reach_ = std::min(1.0, 2 * reach_);
    const bool whole = run.sizes.exploring == 0 && share == run.sizes.reach;
    const auto number = static_cast<double>(run.number);
    if (pool_.count > 0 && !(whole && pool_.run == number)) learn_pool();
    write_features(share, w, q_whole);
    const double q = phi_[curvature];
    const double variance = pool_.count > 0 ? pool_.variance : model_.variance(phi_);
    const double expected = math::dot(model_.mean(), phi_);
    const double residual = value_of(loss) - expected;
    const double sd = std::sqrt(noise_.at(q) + variance);
    const auto count = static_cast<double>(count_);
    const double precision = noise_.precision(q);
    noise_.take(q, residual, variance, count);
    const double clipped = std::clamp(residual, -Shared::clip * sd, Shared::clip * sd);
    math::add(sums_, 1, phi_);
    if (whole) {
      if (pool_.count == 0) std::copy(phi_.begin(), phi_.end(), pool_.phi.begin());
      pool_.run = number;
      pool_.count += 1;
      pool_.sum += expected + clipped;
      pool_.variance = variance;
    } else {
      model_.learn_latest(phi_, precision, clipped);
    }
    if (count_ % std::max<std::uint64_t>(4, count_ / 50) == 0) noise_.fit();
    if (count >= next_) fit();
  }

  /// Learns what is in the pool.
  void learn_pool() {
    if (pool_.count == 0) return;
    const double precision = pool_.count * noise_.precision(pool_.phi[curvature]);
    const double error = pool_.sum / pool_.count - math::dot(model_.mean(), pool_.phi);
    model_.learn(pool_.phi, precision, error);
    pool_.count = pool_.sum = 0;
  }

  void fill_ridge() {
    ridge_.assign(coefficients(k()), std::max(1 / (tau_ * tau_), 1e-9));
    ridge_[level] = Shared::level_ridge / noise_.mean();
    ridge_[common] = ridge_[curvature] = Shared::curvature_ridge / noise_.mean();
  }

  /// Fits the prior, looks for the best mix, and drops points or adds some.
  void fit() {
    learn_pool();
    const auto count = static_cast<double>(count_);
    next_ = std::max(Shared::refit * count,
                     count + std::max(2.0, Shared::refit_spacing * static_cast<double>(k())));
    fit_prior();
    const std::span<double> w = std::span(best_).first(k());
    std::fill(w.begin(), w.end(), 0.0);
    const double c = split(model_.mean());
    double q = 0;
    const double value = mix_.find(hull_, l_, c, w, q);
    write_features(1, w, q);
    phi_[level] = 0;
    width_ = std::sqrt(model_.variance(phi_));
    gain_ = std::max(0.0, -value - width_);
    drop_worse(w);
    const double pays = gain_ * std::sqrt(count / noise_.mean());
    const auto first = static_cast<double>(Chosen::first);
    target_ = std::min(std::clamp(pays, first, static_cast<double>(hull_.most())),
                       std::max(Chosen::growth * target_, first));
    const double room = std::max(0.0, target_ - static_cast<double>(k()));
    auto wanted = static_cast<std::size_t>((1 - Chosen::led) * room);
    for (; wanted > 0 && add_random(); --wanted) resize_with_model();
    write_best();
  }

  /// tau by the evidence, and what follows of it.
  void fit_prior() {
    const std::size_t points = k();
    const std::span<const double> mean = model_.mean().subspan(slopes);
    double trace = 0;
    for (int s = 0; s < Chosen::traced; ++s) {
      evidence_->normals(Chosen::traced * count_ + static_cast<std::uint64_t>(s), phi_);
      model_.sample(phi_, theta_);
      trace += math::reduce(points,
                            [&](std::size_t j) {
                              const double away = theta_[slopes + j] - mean[j];
                              return away * away;
                            }) /
               Chosen::traced;
    }
    const double squares = math::squared_norm(mean);
    const auto many = static_cast<double>(points);
    const double before = tau_ * tau_;
    const double determined = std::clamp(many - trace / before, 0.02 * many, many);
    const double change = Shared::ridge_change;
    const double square = std::clamp(squares / determined, before / change, before * change);
    tau_ = std::sqrt(std::max(square, noise_.mean() / std::sqrt(static_cast<double>(count_))));
    noise_.guess(0.25 * tau_ * tau_);
    reliable_ = squares > 0 ? std::clamp(1 - trace / squares, 0.0, 1.0) : 0;
    const std::size_t d = coefficients(points);
    model_.open(ridge_, std::span(G_).first(d * (d + 1) / 2), b_);
    fill_ridge();
    model_.close(ridge_, G_, b_);
  }

  /// Drops points that are worse than the best mix w: they are marginalised, so that what they have
  /// taught of the others is kept.
  void drop_worse(std::span<const double> w) {
    const std::span<const double> gradient = mix_.gradient();
    double low = 0;
    for (std::size_t j = 0; j < k(); ++j) {
      if (w[j] > 0) low = std::min(low, gradient[j]);
    }
    kept_.clear();
    for (std::size_t j = 0; j < k(); ++j) {
      if (w[j] > 0 || !is_worse(j, gradient[j] - low)) kept_.push_back(j);
    }
    if (kept_.empty()) kept_.push_back(0);
    if (kept_.size() == k()) return;
    marginalise();
    log_.for_each(
        [this](SampleLog::Entry& run, std::span<double> point) { keep_weights(run, point); });
    for (std::size_t j = 0; j < kept_.size(); ++j) best_[j] = best_[kept_[j]];
    hull_.keep(kept_);
    model_.resize(coefficients(k()));
    resize();
    fill_ridge();
    model_.close(ridge_, G_, b_);
    hold_ = 0;  // the latest sample may have been one of them
  }

  [[nodiscard]] bool is_worse(std::size_t j, double by) {
    if (!(by > 0)) return false;
    theta_.assign(coefficients(k()), 0.0);
    theta_[common] = theta_[slopes + j] = 1;
    const double variance = model_.variance_from(common, theta_);
    return by * by > Chosen::drop * Chosen::drop * variance && hull_.own_share(j) > Chosen::own;
  }

  /// G and b of the coefficients that are kept, G - g g' / g_j for every other, g its column, and
  /// the sums of the features.
  void marginalise() {
    const std::size_t d = coefficients(k());
    const auto at = [this](std::size_t i, std::size_t j) -> double& {
      return G_[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
    };
    std::size_t next = 0;  // of those kept
    for (std::size_t j = 0; j < k(); ++j) {
      if (next < kept_.size() && kept_[next] == j) {
        ++next;
        continue;
      }
      const std::size_t gone = slopes + j;
      const double pivot = at(gone, gone) + ridge_[gone];
      spent_before_ += model_.mean()[gone] * sums_[gone];
      for (std::size_t i = 0; i < d; ++i) phi_[i] = i == gone ? 0 : at(i, gone);
      for (std::size_t i = 0; i < d; ++i) {
        if (phi_[i] == 0) continue;
        const double share = phi_[i] / pivot;
        b_[i] -= share * b_[gone];
        for (std::size_t h = 0; h <= i; ++h) at(i, h) -= share * phi_[h];
      }
    }
    const auto from = [this](std::size_t i) { return i < slopes ? i : slopes + kept_[i - slopes]; };
    for (std::size_t i = 0; i < coefficients(kept_.size()); ++i) {
      b_[i] = b_[from(i)];
      sums_[i] = sums_[from(i)];
      for (std::size_t h = 0; h <= i; ++h) at(i, h) = at(from(i), from(h));
    }
  }

  /// The weights of a run for the points that are kept; a loss of one with another comes too late.
  void keep_weights(SampleLog::Entry& run, std::span<double> point) const {
    double before = 0;
    double after = 0;
    for (std::size_t j = 0; j < k(); ++j) before += point[j] != 0 ? 1 : 0;
    for (std::size_t j = 0; j < kept_.size(); ++j) {
      point[j] = point[kept_[j]];
      after += point[j] != 0 ? 1 : 0;
    }
    std::fill(point.begin() + static_cast<std::ptrdiff_t>(kept_.size()),
              point.begin() + static_cast<std::ptrdiff_t>(k()), 0.0);
    if (after < before || run.sizes.exploring == 1) run.plays = run.waiting = 0;
  }

  /// The vectors that have a number for each coefficient.
  void resize() {
    const std::size_t d = coefficients(k());
    for (Vector* vector : {&ridge_, &sums_, &pool_.phi, &phi_, &theta_, &b_})
      vector->resize(d, 0.0);
    best_.resize(k());
  }

  /// Those and the model, for a point that was added: its slope follows from those of the others as
  /// far as it lies in their span, which is a value 0 of b_new - <beta, b>.
  void resize_with_model() {
    const std::size_t j = k() - 1;
    const double precision = 1 / (tau_ * tau_);
    model_.append(std::max(precision, 1e-9));
    resize();
    ridge_.back() = std::max(precision, 1e-9);
    const double share = hull_.new_share(j);
    if (share > 0.95) return;
    const std::span<double> beta = std::span(phi_).subspan(slopes, j);
    hull_.write_nearest(j, beta);
    for (double& number : beta) number = -number;
    phi_[curvature] = phi_[level] = 0;
    phi_[slopes + j] = 1;
    phi_[common] = 1 + math::sum(beta);
    model_.learn(phi_, precision / share, -math::dot(model_.mean(), phi_));
  }

  /// What is recommended: the start until there is a gain.
  void write_best() {
    std::copy(x_1_.begin(), x_1_.end(), best_x_.begin());
    if (!(gain_ > 0)) return;
    hull_.write_move(best_, v_);
    math::add(best_x_, 1, v_);
    oracle().settle(best_x_);
  }

  FaceOptions options_;
  std::span<const double> x_1_;  // the start, or the centre
  std::unique_ptr<Exploration> nu_;
  Randomness* points_ = nullptr;
  Randomness* samples_ = nullptr;
  Randomness* slopes_ = nullptr;
  Randomness* evidence_ = nullptr;
  // State.
  std::uint64_t count_ = 0;         // losses learned from
  std::uint64_t hold_ = 0;          // how many plays the latest sample will still serve
  std::uint64_t drawn_ = 0;         // draws of the exploration
  std::uint64_t first_points_ = 0;  // of the hull
  double next_ = 0;                 // how many losses there are when it is fitted again
  double target_ = 0;               // k wanted
  double level_ = 0;                // the mean of the first losses...
  double unit_ = 0;                 // ...and their deviation, in which losses count; 0 before
  double tau_ = 1;
  double reliable_ = 0;      // the share of the slopes that noise does not explain
  double reach_ = 0;         // how far plays go
  double gain_ = 0;          // of the best mix, less a standard deviation...
  double width_ = 0;         // ...which is this
  double spent_before_ = 0;  // on points that were dropped
  Hull hull_;
  FirstReach first_reach_;
  FirstLosses first_losses_;
  std::array<double, Shared::first_losses> first_shares_{};
  NoiseByDistance noise_;
  Regression model_;
  Vector ridge_;
  Vector sums_;  // of the features of the plays
  Vector best_;  // the weights of the best mix
  Pool pool_;
  SampleLog log_;  // weights, and their square in Q
  // Workspace.
  Mix mix_;
  Vector best_x_;
  Vector move_;  // of the latest sample from the start
  Vector v_;
  Vector slope_;
  std::vector<std::uint64_t> words_;
  Vector normals_;
  Vector G_;
  Vector b_;
  Vector phi_;
  Vector theta_;
  Vector l_;
  Vector w_;
  std::vector<std::size_t> kept_;
};

}  // namespace

std::unique_ptr<Algorithm> face(SetPtr set, const FaceOptions& options) {
  return std::make_unique<Face>(std::move(set), options);
}

}  // namespace keyhole::algorithms
