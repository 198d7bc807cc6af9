// Thompson sampling on a regression of the losses. docs/posterior.md derives and measures every
// part of it, and has the table of its constants.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "keyhole/exploration.h"
#include "learners/contexts.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/posterior/choosing.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/contest.h"
#include "learners/posterior/drawn_play.h"
#include "learners/posterior/frame.h"
#include "learners/posterior/life.h"
#include "learners/posterior/limits.h"
#include "learners/posterior/many_dimensions.h"
#include "learners/posterior/minimiser.h"
#include "learners/posterior/names.h"
#include "learners/posterior/sample.h"
#include "learners/posterior/sample_log.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

using Vector = std::vector<double>;
using Chosen = PosteriorConstants;

class Posterior final : public PosteriorAlgorithm {
 public:
  Posterior(SetPtr set, const PosteriorOptions& options, const OwnNames& names)
      : PosteriorAlgorithm(std::move(set)),
        options_(with_sound_limits(checked("posterior", options))),
        contexts_(options_.contexts),
        names_(contexts_, names.choices, names.start),
        x_1_(start_point(this->set(), options_.start)),
        drawn_(this->set().exploration()),
        frame_(shared_set(), drawn_.nu(), x_1_),
        m_(require_few_coefficients(frame_.size())),
        lives_{Life(frame_, options_.caution, contexts_, options_.trials.value_or(0)),
               Life(frame_, options_.caution, contexts_, options_.trials.value_or(0))},
        contest_(now().coefficients()),
        recommended_(m_),
        log_((cap() < 1 ? 2 * m_ : m_) + l(), places_again() ? short_runs : most_runs),
        seen_(contexts_),
        limits_(frame_, contexts_, options_.limits,
                [this](const Model& model, std::span<const double> theta, std::span<double> z) {
                  minimise_model(model, theta, z);
                }),
        sample_(contexts_, m_, now().models.most_coefficients(), places_again()),
        minimiser_(frame_),
        x_(x_1_.begin(), x_1_.end()),
        best_x_(x_),
        around_x_(x_),
        turn_x_(x_),
        z_(m_),
        psi_(l()),
        best_psi_(l()),
        start_psi_(l()),
        named_psi_(l()),
        named_z_(names_.empty() ? 0 : m_),
        start_phi_(names_.empty() ? 0 : now().models.most_coefficients()),
        phi_(l() > 0 ? now().models.most_coefficients() : 0) {
    for (Life& one : lives_) one.begin(0, 1);
    names_.write(names_.start(), best_psi_);
  }

  void prepare(Randomness& random) override { samples_ = &random.sub_stream("samples"); }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    play_in(t, {}, random, y);
  }

  void play_in(PlayId t, std::span<const double> context, Randomness& random,
               std::span<double> point) override {
    const std::span<double> y = point.first(set().dimension());
    contexts_.write(context, psi_);
    if (now().best_due != 0) find_best(now());
    if (hold_ == 0 && contest_.on()) take_turns(t);
    Life& who = new_plays_ != 0 ? other() : now();
    if (who.best_due != 0) find_best(who);
    if (who.exploring_only() || limits_.exploring_only()) {
      names_.write(t % names_.combinations(), psi_);
      explore_from(t, who);
    } else if (hold_ == 0) {
      draw_sample(t, who);
    } else {
      names_.write(names_.in(latest_psi()), psi_);
      if (limits_.size() > 0 || !is_in_context()) place_sample(t, who);
    }
    write_names(psi_, point);
    if (hold_ > 0) --hold_;
    SampleLog::Entry& run = log_.latest();
    run.plays = t - run.first + 1;  // what wraps it may have made some of them
    run.waiting += 1 + limits_.size();
    drawn_.go_to(t, run.sizes, random);
    if (limits_.size() > 0) return play_within_limits(run, y);
    const SampleLog::Entry& turn = log_.turn(run, drawn_.turn());
    if (&turn == &run) {
      drawn_.write(x_1_, x_, y);
    } else {
      drawn_.reach(turn.sizes.reach);
      write_point(log_.point_of(turn).first(m_), turn_x_);
      drawn_.write(x_1_, turn_x_, y);
    }
    if (cap() < 1) draw_in(around_x_, y);
  }

  [[nodiscard]] std::size_t metrics() const noexcept override { return limits_.size(); }

  bool absorb_metric(PlayId t, std::size_t metric, double value, Randomness& /*random*/) override {
    SampleLog::Entry* const run = log_.of(t);
    if (run == nullptr) return false;
    --run->waiting;
    const std::span<const double> points = log_.point_of(*run);
    const bool fitted = limits_.learn(metric, points.first(m_), {t, Origin::play, 1, value, 1},
                                      seen_.filled(points.last(l())));
    if (fitted) now().best_due = 1;
    return true;
  }

  bool absorb(PlayId t, double loss, Randomness& random) override {
    return absorb_counted(t, loss, 1, random);
  }

  bool absorb_counted(PlayId t, double loss, double count, Randomness& random) override {
    SampleLog::Entry* const run = log_.of(t);
    if (run == nullptr || t < now().first) return false;
    --run->waiting;
    drawn_.go_to(t, run->sizes, random);
    const SampleLog::Entry& turn = log_.turn(*run, drawn_.turn());
    drawn_.reach(turn.sizes.reach);
    const std::span<const double> points = log_.point_of(turn);
    drawn_.write_coordinates(frame_, points.first(m_), z_);
    if (cap() < 1) draw_in(points.subspan(m_, m_), z_);
    const std::uint64_t sample = drawn_.near_start() ? 0 : turn.number + 1;
    const Origin origin = sample != 0 && sample == latest_told_ ? Origin::same_play : Origin::play;
    latest_told_ = sample;
    const double reach = run->sizes.exploring == 1 ? run->sizes.exploring_reach : turn.sizes.reach;
    learn({t, origin, reach, loss, count}, run->life, log_.point_of(*run).last(l()));
    return true;
  }

  [[nodiscard]] std::size_t contexts() const noexcept override {
    return contexts_.given() - names_.choices();
  }
  [[nodiscard]] bool can_learn() const noexcept override { return true; }

  void learn(std::span<const double> point, double loss, double count) override {
    learn_in({}, point, loss, count);
  }

  void learn_in(std::span<const double> context, std::span<const double> point, double loss,
                double count) override {
    take_taught(context, point);
    learn({Life::not_played, Origin::taught, 1, loss, count}, now().number, psi_);
    advance();
  }

  void learn_metric(std::span<const double> context, std::span<const double> point,
                    std::size_t metric, double value) override {
    take_taught(context, point);
    const Life::Told told{Life::not_played, Origin::taught, 1, value, 1};
    if (limits_.learn(metric, z_, told, seen_.filled(psi_))) now().best_due = 1;
    advance();
  }

  /// Long ago, or before a restart: most such losses are those of before the change.
  [[nodiscard]] bool is_late(PlayId t) const override { return t < now().first || !log_.knows(t); }

  void advance() override {
    if (now().best_due != 0) find_best(now());
  }

  void recommend(std::span<double> x) const override {
    std::copy(best_x_.begin(), best_x_.end(), x.begin());
    write_names(best_psi_, x);
  }

  void recommend_in(std::span<const double> context, std::span<double> x) const override {
    // Its buffers change, and its state does not.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    const_cast<Posterior*>(this)->write_recommended_in(context, x);
  }

  [[nodiscard]] std::vector<FrontPoint> front(std::size_t metric) const override {
    // Its buffers change, and its state does not.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    return const_cast<Posterior*>(this)->find_front(metric);
  }

  [[nodiscard]] std::vector<Estimate> estimates(std::span<const double> context,
                                                std::span<const double> points) const override {
    // Its buffers change, and its state does not.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    return const_cast<Posterior*>(this)->find_estimates(context, points);
  }

  [[nodiscard]] Activity activity() const override {
    if (now().exploring_only() || limits_.exploring_only() || log_.empty()) {
      return {1, cap() * now().first_reach.get(), restarts_, belief(), limits_.status()};
    }
    const SampleLog::Sizes& sizes = limits_.size() > 0 ? wanted_ : log_.latest().sizes;
    const double others = sizes.at_start + sizes.on_the_way + sizes.exploring;
    return {std::min(1.0, others), cap() * now().reach, restarts_, belief(), limits_.status()};
  }

  [[nodiscard]] PosteriorStatus status() const override {
    const Belief at = belief();
    return {.losses = now().since,
            .restarts = restarts_,
            .comparing = contest_.on(),
            .suspicion = now().alarm.suspicion(),
            .noise = at.noise,
            .gain = at.gain,
            .reliable = best().model.reliable_share(),
            .width = at.gain_error,
            .curvature = at.curvature,
            .tied = best().model.has_pairs(),
            .fit = at.fit,
            .reach = activity().reach,
            .budget = told(now().budget.slack())};
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound with a number: it would need the noise and the model to be right"};
  }

  [[nodiscard]] std::string spec() const override { return spec_of("posterior", options_); }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    if (archive.revision() < 7) {
      read_before_7(archive);
    } else {
      for (std::uint64_t* count :
           {&losses_, &hold_, &restarts_, &begun_, &at_, &new_plays_, &half_, &latest_told_}) {
        archive.field(*count);
      }
      if (at_ > 1) throw StateError("the state has no life " + std::to_string(at_));
      contest_.state(archive);
      now().state(archive);
      if (contest_.on()) other().state(archive);
      archive.field(recommended_);
    }
    log_.state(archive);
    if (l() > 0) seen_.state(archive);
    if (places_again()) sample_.state(archive);
    for (double& share : names_.room_in(best_psi_)) archive.field(share);
    if (limits_.size() > 0) {
      limits_.state(archive);
      for (double* size : {&wanted_.at_start, &wanted_.on_the_way, &wanted_.exploring}) {
        archive.field(*size);
      }
    }
    if (!archive.reading()) return;
    write_point(recommended_, best_x_);
    if (!log_.empty()) write_points();
  }

 private:
  /// What it was before there were strands and lives.
  void read_before_7(Archive& archive) {
    for (std::uint64_t* count : {&losses_, &now().since, &hold_, &restarts_, &now().first}) {
      archive.field(*count);
    }
    now().read_before_7(archive);
    recommended_ = now().least;
  }

  static constexpr std::size_t most_runs = 1024;
  /// A context that changes with each play begins a run with each, and so do limits.
  static constexpr std::size_t short_runs = 4096;
  static constexpr std::size_t most_coefficients = 2048;

  static PosteriorOptions with_sound_limits(PosteriorOptions options) {
    require_sound(options.limits);
    if (options.limits.empty() || !options.reach) return options;
    throw InvalidArgument("posterior takes limits or a reach, not both");
  }

  /// Returns m.
  [[nodiscard]] std::size_t require_few_coefficients(std::size_t m) const {
    const std::size_t all = (m + 1) * (contexts_.slopes() + 1);
    if (l() == 0 || all <= most_coefficients) return m;
    std::vector<std::size_t> numbers(contexts_.given());
    for (const std::size_t context : contexts_.variable()) ++numbers[context];
    const auto most = std::max_element(numbers.begin(), numbers.end());
    const std::size_t place = static_cast<std::size_t>(most - numbers.begin());
    throw InvalidArgument(
        "posterior has one coefficient for each of " + std::to_string(m + 1) +
        " numbers of a point and " + std::to_string(contexts_.slopes() + 1) +
        " of a context: " + std::to_string(all) + ", and " + std::to_string(most_coefficients) +
        " at most; leave out contexts, first context " + std::to_string(place + 1) + ", " +
        options_.contexts[place] + ", which has " + std::to_string(*most) + " of these numbers");
  }

  /// How many numbers a context has, as the model sees it.
  [[nodiscard]] std::size_t l() const noexcept { return contexts_.size(); }
  /// The life that is believed.
  [[nodiscard]] Life& now() { return lives_[at_]; }
  [[nodiscard]] const Life& now() const { return lives_[at_]; }
  /// The one that has begun after a surprise.
  [[nodiscard]] Life& other() { return lives_[1 - at_]; }

  /// A number in the unit of the losses told.
  [[nodiscard]] double told(double number) const {
    return now().knows_unit() ? number * now().unit : std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] Belief belief() const {
    if (!now().knows_unit()) return {};
    const Life::Gain gain = believed_gain();
    return {.noise = told(std::sqrt(now().models.noise())),
            .gain = told(gain.mean),
            .gain_error = told(gain.error),
            .curvature = told(best().model.price_of_reach()),
            .fit = 1 - now().models.noise() / now().spread.variance()};
  }

  /// By how much what is recommended is better. While that is the start, the error says what there
  /// may be to gain.
  [[nodiscard]] Life::Gain believed_gain() const {
    // Its buffers change, and its state does not.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    auto& self = const_cast<Posterior&>(*this);
    const bool is_start = recommends_start();
    const Life::Gain gain =
        self.now().believed_gain(self.best_context(), is_start ? now().least : recommended_);
    if (!is_start) return gain;
    return {0, std::sqrt(gain.mean * gain.mean + gain.error * gain.error)};
  }
  [[nodiscard]] bool recommends_start() const {
    return math::squared_norm(recommended_) == 0 && has_start_names(best_psi_);
  }

  /// Whether a sample is placed again before it has served: in another context, or within limits.
  [[nodiscard]] bool places_again() const { return l() > 0 || !options_.limits.empty(); }

  // Playing.

  /// Draws the play in so that it keeps clear of the limits. Its run has no other.
  void play_within_limits(SampleLog::Entry& run, std::span<double> y) {
    const std::span<double> z = log_.latest_point().first(m_);
    drawn_.write_coordinates(frame_, z, z_);
    limits_.keep_clear(seen_.filled(psi_).values, z_);
    std::copy(z_.begin(), z_.end(), z.begin());
    wanted_ = run.sizes;
    run.sizes = {.reach = 1};
    write_point(z_, y);
  }

  /// In a contest: each of two runs is of another life, and chance decides which comes first.
  void take_turns(PlayId t) {
    std::array<std::uint64_t, 2> words{};
    samples_->words(t, words);
    new_plays_ = half_ != 0 ? 1 - new_plays_ : RandomBits{words, {}}.uniform(1) < 0.5 ? 1 : 0;
    half_ = 1 - half_;
  }

  void explore_from(PlayId t, Life& who) {
    const double s = who.first_reach.get();
    hold_ = 0;
    if (!log_.empty()) {
      const SampleLog::Entry& run = log_.latest();
      if (run.life == who.number && run.sizes.exploring == 1 && run.sizes.exploring_reach == s &&
          is_around_recommended() && is_in_context()) {
        return;
      }
    }
    add_run(t, {.exploring = 1, .exploring_reach = s}, who);
    const std::span<double> z = log_.latest_point().first(m_);
    std::fill(z.begin(), z.end(), 0.0);
    note_recommended();
    write_points();
  }

  /// Begins a run of plays in this context.
  void add_run(PlayId t, const SampleLog::Sizes& sizes, const Life& who) {
    log_.add(t, sizes, who.number);
    std::copy(psi_.begin(), psi_.end(), log_.latest_point().last(l()).begin());
  }
  /// The context of the latest run.
  [[nodiscard]] std::span<const double> latest_psi() const { return log_.latest_point().last(l()); }
  /// Whether it is this one.
  [[nodiscard]] bool is_in_context() const {
    return std::equal(psi_.begin(), psi_.end(), latest_psi().begin());
  }
  /// Whether a context has the names of the start.
  [[nodiscard]] bool has_start_names(std::span<const double> psi) const {
    const std::span<const double> names = names_.in(psi);
    return std::equal(names.begin(), names.end(), names_.start().begin());
  }
  /// The names of a context, behind the numbers of the set.
  void write_names(std::span<const double> psi, std::span<double> point) const {
    const std::span<const double> names = names_.in(psi);
    std::copy(names.begin(), names.end(), point.last(names.size()).begin());
  }

  void draw_sample(PlayId t, Life& who) {
    std::array<std::uint64_t, 2> words{};
    samples_->words(t, words);
    Candidate& drawn = who.models.to_sample(RandomBits{words, {}}.uniform(0));
    samples_->normals(t, drawn.phi);
    if (who.is_early() && !who.is_bold() && !drawn.model.has_pairs()) {
      for (std::size_t i = drawn.model.first_curvature(); i < drawn.phi.size(); ++i) {
        drawn.phi[i] = Chosen::pessimism * std::abs(drawn.phi[i]);
      }
    }
    drawn.posterior().sample(drawn.phi, sample_.begin(drawn.model));
    place_sample(t, who);
  }

  /// Minimises the sample in this context; for how many plays a new one serves.
  void place_sample(PlayId t, Life& who) {
    Candidate& drawn = who.models.with_pairs(sample_.has_pairs());
    if (!names_.empty()) choose_names(drawn);
    const SampleLog::Entry before = log_.latest();
    const bool same_context = is_in_context();
    add_run(t, {}, who);
    const std::span<double> z = log_.latest_point().first(m_);
    const std::span<const double> psi = seen_.filled(psi_).values;
    if (!sample_.recall(psi_, z)) {
      find_within(drawn.model, drawn.model.at(sample_.theta(drawn.model), psi, drawn.room), psi, z);
      sample_.remember(psi_, z);
    }
    note_recommended();
    write_points();
    drawn.model.write_features(z, psi, drawn.phi);
    const double root = std::sqrt(who.remembered());
    // What the mean calls worse than the start is played about once.
    const bool leaves = limits_.start_was_over_all();
    const double at_start = leaves ? 0 : share_at_start(who, drawn.model, root);
    if (hold_ == 0) {
      const bool better = drawn.expected() <= drawn.mean_at(psi)[0];
      const double wanted = contest_.on() ? 1 : better ? Chosen::serves * root : 1 / (1 - at_start);
      hold_ = static_cast<std::uint64_t>(std::max({1.0, wanted, log_.least_run()}));
    }
    log_.latest().sizes = {
        .at_start = at_start,
        .on_the_way = who.reach < 1 ? Chosen::on_the_way
                                    : std::min(Chosen::on_the_way, Chosen::later_on_the_way / root),
        .reach = leaves ? 1 : std::min(who.reach, affordable(who, drawn)),
        .exploring = who.budget.slack() > 0 ? Chosen::exploring / root : 0,
        .exploring_reach = affordable_exploring(who, root),
        .turns = turns(who, before, same_context && limits_.size() == 0)};
  }

  /// What names are compared by: how far they are seen to be over the limits, and then the loss.
  struct Worth {
    double excess = std::numeric_limits<double>::infinity();
    double loss = std::numeric_limits<double>::infinity();
    [[nodiscard]] bool operator<(const Worth& other) const {
      return excess < other.excess || (excess == other.excess && loss < other.loss);
    }
  };

  /// Moves the context to the names that are best by the sample.
  void choose_names(Candidate& drawn) {
    const std::span<const double> theta = sample_.theta(drawn.model);
    Worth least;
    std::size_t best = 0;
    for (std::size_t i = 0; i < names_.combinations(); ++i) {
      names_.write(i, psi_);
      const std::span<const double> psi = seen_.filled(psi_).values;
      if (!sample_.recall(psi_, named_z_)) {
        std::copy_n(log_.latest_point().begin(), m_, named_z_.begin());
        find_within(drawn.model, drawn.model.at(theta, psi, drawn.room), psi, named_z_);
        sample_.remember(psi_, named_z_);
      }
      drawn.model.write_features(named_z_, psi, drawn.phi);
      const Worth worth = {limits_.excess(psi, named_z_), math::dot(theta, drawn.phi)};
      if (!(worth < least)) continue;
      least = worth;
      best = i;
    }
    names_.write(best, psi_);
  }

  /// How many samples before this one its plays take turns with: then neighbours in time are
  /// different points, and a level that moves is not taken for what a point costs.
  [[nodiscard]] double turns(const Life& who, const SampleLog::Entry& before,
                             bool same_context) const {
    // There may be none before; in another context its point is not the one to play.
    if (cap() < 1 || before.plays == 0 || !same_context) return 0;
    if (before.life != who.number || before.sizes.exploring == 1) return 0;
    const double served = std::floor(static_cast<double>(hold_) / 2);
    return std::max(0.0, std::min({Chosen::turns, before.sizes.turns + 2, served}) - 1);
  }

  /// How many plays are made at the start: few, but where nothing is to be gained nearly all.
  [[nodiscard]] static double share_at_start(const Life& who, const Model& model, double root) {
    const double few = std::min(Chosen::most_at_start, Chosen::at_start / root);
    if (model.reliable_share() > 0) return few;
    return std::max(few, 1 - Chosen::searching * std::sqrt(who.dimension()) / root);
  }

  /// z = argmin over the set of the model with those coefficients, made convex, from z.
  void minimise_model(const Model& model, std::span<const double> theta, std::span<double> z) {
    const double slopes = math::norm(theta.subspan(1, m_)) / std::sqrt(n());
    minimiser_.find(
        model, theta, Chosen::least_curvature * slopes,
        Chosen::tolerance * slopes * n() / std::sqrt(static_cast<double>(losses_ + 1)),
        [&](std::span<const double> d) -> const Vertex& {
          return counts_ ? minimise(d) : oracle().minimise(d);
        },
        z);
  }

  /// The same where the metrics are within their limits, in a context.
  void find_within(const Model& model, std::span<const double> theta, std::span<const double> psi,
                   std::span<double> z) {
    if (limits_.size() == 0) {
      minimise_model(model, theta, z);
    } else {
      limits_.find(model, theta, psi, z);
    }
  }

  /// The largest s, up to 1, for which the point s of the way to the sample, whose features it
  /// has in phi, is within the budget: a s + b s^2 at most, a little pessimistic.
  [[nodiscard]] double affordable(const Life& who, Candidate& drawn) const {
    auto [a, b, error] = drawn.way();
    if (a < 0) a *= drawn.model.reliable_share();
    b = std::max(b, 0.0) + error;
    const double most = who.budget.a_play(static_cast<double>(hold_));
    if (!(a + b > most)) return 1;
    return b > 0 ? (std::sqrt(a * a + 4 * b * most) - a) / (2 * b) : most / a;
  }

  /// How far a play that explores may go: so that sqrt t of them would spend what is left.
  [[nodiscard]] static double affordable_exploring(const Life& who, double root) {
    const double most = std::min(who.reach, Chosen::exploring_reach);
    const double price = who.best().model.price_of_reach();
    return price > 0 ? std::min(most, std::sqrt(who.budget.a_play(1) / (price * root))) : most;
  }

  // Learning.

  /// Writes z and psi of a point that is taught.
  void take_taught(std::span<const double> context, std::span<const double> point) {
    contexts_.write(context, psi_);
    names_.write(point.subspan(set().dimension()), psi_);
    frame_.coordinates(point.first(set().dimension()), z_);
  }

  /// Learns a loss at z_, in a context, of a play that a life has made.
  void learn(const Life::Told& told, std::uint64_t maker, std::span<const double> known_psi) {
    ++losses_;
    seen_.take(known_psi);
    const Psi psi = seen_.filled(known_psi);
    if (contest_.on()) {
      now().learn(z_, told, psi);
      compare(told, maker, psi);
    } else if (now().learn(z_, told, psi) && options_.restarts && contest_.may_begin(losses_)) {
      other().begin(++begun_, log_.latest().first + log_.latest().plays, restarts_ > 0);
      contest_.begin();
      hold_ = new_plays_ = half_ = 0;
    }
  }

  /// In a contest: teaches the new life, and lets the cheaper one go on once it is known. The new
  /// one begins as the first did, by its own plays.
  void compare(const Life::Told& told, std::uint64_t maker, const Psi& psi) {
    if (told.play < other().first) return;
    const bool its_own = maker == other().number;
    const bool explored = other().exploring_only();
    if (its_own || !explored) other().learn(z_, told, psi);
    const bool explores = other().exploring_only();
    if (explored && !explores) contest_.begin();
    // What the context explains of a loss is noise to them, but not the names that they choose.
    std::copy(psi.values.begin(), psi.values.end(), named_psi_.begin());
    names_.write(names_.start(), named_psi_);
    const double by_context = l() > 0 ? now().unit * best().model.level_of(named_psi_) : 0;
    const Contest::Verdict verdict =
        contest_.take(its_own ? Contest::Side::new_life : Contest::Side::old_life,
                      told.loss - by_context, explores);
    if (verdict == Contest::Verdict::open) return;
    contest_.end(verdict, losses_);
    if (verdict == Contest::Verdict::new_wins) {
      ++restarts_;
      at_ = 1 - at_;
    }
    now().alarm.begin(now().models.said().level);
    now().best_due = 1;
    write_best();
    hold_ = new_plays_ = half_ = 0;
  }

  /// Finds the least point by the mean: once an ask, however many losses have come in.
  void find_best(Life& who) {
    who.best_due = 0;
    if (who.exploring_only() || limits_.exploring_only()) return;
    Candidate& by = who.best();
    who.gain = find_least_names(by, seen_.means(), who.least);
    if (&who == &now()) names_.write(names_.in(named_psi_), best_psi_);
    limits_.note_prices(who.unit);
    if (contexts() > 0) who.gain = gain_of_recent(who);
    if (names_.empty()) by.model.clear_level(by.phi);
    who.width = std::sqrt(by.posterior().variance(by.phi));
    who.budget.expect(by.model.reliable_share() * who.gain);
    who.count_budget();
    if (&who != &now()) return;
    if (!names_.empty() && !(who.gain > who.width)) {
      static_cast<void>(best_context());
      who.gain = go_back_to_start_names(by, who.gain, best_psi_, who.least);
    }
    write_best();
  }

  /// Moves z to the least point in a context, by the mean, whose features are then in phi. Returns
  /// how much less it costs than the start; z is the start if it does not.
  double find_least(Candidate& by, std::span<const double> psi, std::span<double> z) {
    const std::span<const double> mean = by.mean_at(psi);
    find_within(by.model, mean, psi, z);
    limits_.keep_clear(psi, z);
    by.model.write_features(z, psi, by.phi);
    const double gain = mean[0] - by.expected();
    if (gain > 0 || limits_.start_is_over()) return std::max(0.0, gain);
    std::fill(z.begin(), z.end(), 0.0);
    by.model.write_features(z, psi, by.phi);
    return 0;
  }

  /// The same with the names that are then best, which named_psi_ has then; phi is that of the
  /// least point less that of the start.
  double find_least_names(Candidate& by, std::span<const double> psi, std::span<double> z) {
    if (names_.empty()) return find_least(by, psi, z);
    std::copy(psi.begin(), psi.end(), named_psi_.begin());
    Worth least;
    std::size_t best = 0;
    for (std::size_t i = 0; i < names_.combinations(); ++i) {
      names_.write(i, named_psi_);
      std::copy(z.begin(), z.end(), named_z_.begin());
      find_least(by, named_psi_, named_z_);
      const Worth worth = {limits_.excess(named_psi_, named_z_), by.expected()};
      if (!(worth < least)) continue;
      least = worth;
      best = i;
    }
    names_.write(names_.start(), named_psi_);
    std::fill(named_z_.begin(), named_z_.end(), 0.0);
    const std::span<double> at_start = std::span(start_phi_).first(by.phi.size());
    by.model.write_features(named_z_, named_psi_, at_start);
    names_.write(best, named_psi_);
    find_least(by, named_psi_, z);
    math::add(by.phi, -1, at_start);
    return std::max(0.0, -by.expected());
  }

  /// Moves z to the least point with the names of the start, which psi then has, in the context of
  /// named_psi_; but not if that is seen to be over a limit. Returns what is gained then.
  double go_back_to_start_names(Candidate& by, double gain, std::span<double> psi,
                                std::span<double> z) {
    names_.write(names_.start(), named_psi_);
    std::fill(named_z_.begin(), named_z_.end(), 0.0);
    const double at_start = find_least(by, named_psi_, named_z_);
    if (limits_.excess(named_psi_, named_z_) > 0) return gain;
    names_.write(names_.start(), psi);
    std::copy(named_z_.begin(), named_z_.end(), z.begin());
    return at_start;
  }

  [[nodiscard]] std::vector<FrontPoint> find_front(std::size_t j) {
    std::vector<FrontPoint> front;
    Metric& metric = limits_.metric(j);
    if (now().exploring_only() || !metric.is_modelled()) return front;
    const Uncounted uncounted(counts_);
    Candidate& loss = best();
    const std::span<const double> psi = best_context();
    limits_.for_each_of_front(
        j, loss.model, loss.mean_at(psi), psi, [&](std::span<const double> z) {
          FrontPoint& one = front.emplace_back();
          one.point.resize(set().dimension() + names_.size());
          write_point(z, std::span(one.point).first(set().dimension()));
          write_names(psi, one.point);
          const auto told = [&](Candidate& by, const Life& of, double& mean, double& error) {
            by.model.write_features(z, psi, by.phi);
            mean = of.unit * (by.expected() - of.in_unit(0));
            error = of.unit * std::sqrt(by.posterior().variance(by.phi));
          };
          told(loss, now(), one.loss, one.loss_error);
          told(metric.life.best(), metric.life, one.metric, one.metric_error);
          one.metric *= metric.sign;
        });
    return front;
  }

  [[nodiscard]] std::vector<Estimate> find_estimates(std::span<const double> context,
                                                     std::span<const double> points) {
    const std::size_t n = set().dimension() + names_.size();
    std::vector<Estimate> estimates(points.size() / n);
    if (now().exploring_only()) return estimates;
    const Uncounted uncounted(counts_);
    std::copy(recommended_.begin(), recommended_.end(), z_.begin());
    if (context.empty()) {
      const std::span<const double> average = best_context();
      std::copy(average.begin(), average.end(), psi_.begin());
    } else {
      contexts_.write(context, psi_);
      find_recommended(z_);
    }
    const Vector least = z_;
    const std::span<const double> known = seen_.filled(psi_).values;
    const Vector least_psi(known.begin(), known.end());
    const Life::Place best = {least, least_psi};
    const Life::Gain there = now().believed_cost(best, {});
    for (std::size_t k = 0; k < estimates.size(); ++k) {
      const std::span<const double> point = points.subspan(k * n, n);
      names_.write(point.subspan(set().dimension()), psi_);
      frame_.coordinates(point.first(set().dimension()), z_);
      const Life::Gain excess = now().believed_cost({z_, seen_.filled(psi_).values}, best);
      estimates[k] = {told(there.mean + excess.mean - now().in_unit(0)),
                      told(std::hypot(there.error, excess.error)), told(excess.mean),
                      told(excess.error)};
    }
    return estimates;
  }

  /// The gain in the latest contexts, on the average; phi is then that of their least points.
  double gain_of_recent(Life& who) {
    Candidate& by = who.best();
    const std::span<double> sum = std::span(phi_).first(by.phi.size());
    std::fill(sum.begin(), sum.end(), 0.0);
    std::copy(who.least.begin(), who.least.end(), z_.begin());
    double gain = 0;
    double contexts = 0;
    who.for_each_recent([&](std::span<const double> psi) {
      contexts += 1;
      gain += find_least_names(by, psi, z_);
      math::add(sum, 1, by.phi);
    });
    for (std::size_t i = 0; i < sum.size(); ++i) by.phi[i] = sum[i] / contexts;
    return gain / contexts;
  }

  /// While it lives, linear minimisations are not counted.
  class Uncounted {
   public:
    explicit Uncounted(bool& counts) : counts_(counts) { counts_ = false; }
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;
    ~Uncounted() { counts_ = true; }

   private:
    bool& counts_;
  };

  void write_recommended_in(std::span<const double> context, std::span<double> x) {
    contexts_.write(context, psi_);
    std::copy(recommended_.begin(), recommended_.end(), z_.begin());
    const Uncounted uncounted(counts_);
    find_recommended(z_);
    write_point(z_, x.first(set().dimension()));
    write_names(psi_, x);
  }

  /// Moves z from what is recommended at an average context to what is in this one.
  void find_recommended(std::span<double> z) {
    names_.write(names_.in(best_psi_), psi_);
    if (now().exploring_only() || limits_.exploring_only()) return;
    find_reliable(z);
    draw_back(seen_.filled(psi_).values, z);
  }

  /// Moves z to the point that is believed the least in a context, and that to its names.
  void find_reliable(std::span<double> z) {
    Candidate& by = best();
    const bool is_reliable = by.model.reliable_share() > 0;
    const std::span<const double> psi = seen_.filled(psi_).values;
    if (names_.empty()) {
      if (is_reliable) find_least(by, psi, z);
      return;
    }
    const double gain = find_least_names(by, psi, z);
    names_.write(names_.in(named_psi_), psi_);
    if (gain > std::sqrt(by.posterior().variance(by.phi))) return;
    go_back_to_start_names(by, gain, psi_, z);
    if (has_start_names(psi_) && !is_reliable && !limits_.start_was_over()) {
      std::fill(z.begin(), z.end(), 0.0);
    }
  }

  /// What is recommended: the start until a gain is reliable.
  void write_best() {
    const bool is_start = has_start_names(best_psi_) && !limits_.start_was_over();
    if (best().model.reliable_share() > 0 || !is_start) {
      std::copy(now().least.begin(), now().least.end(), recommended_.begin());
      draw_back(best_context(), recommended_);
    } else {
      std::fill(recommended_.begin(), recommended_.end(), 0.0);
    }
    std::copy(seen_.means().begin(), seen_.means().end(), start_psi_.begin());
    names_.write(names_.start(), start_psi_);
    limits_.note_best(best_context(), recommended_, start_psi_);
    write_point(recommended_, best_x_);
  }

  /// Early on draws a least point back towards the start until the gain is some of its standard
  /// deviations: to where the loss is least if the way there bends by as many more than believed.
  /// What is least by a few losses near the start may lie as far away as the set allows.
  void draw_back(std::span<const double> psi, std::span<double> z) {
    const bool is_sure = now().gain > Chosen::pessimism * now().width;
    if (is_sure || !now().is_early() || limits_.start_was_over()) return;
    Candidate& by = best();
    by.model.write_features(z, psi, by.phi);
    const auto [slope, bend, error] = by.way();
    const double most = bend + Chosen::pessimism * error;
    if (!(2 * most > -slope)) return;
    const double share = slope < 0 ? -slope / (2 * most) : 0;
    for (double& coordinate : z) coordinate *= share;
  }

  /// The average context, with the names that are recommended.
  [[nodiscard]] std::span<const double> best_context() {
    std::copy(seen_.means().begin(), seen_.means().end(), named_psi_.begin());
    names_.write(names_.in(best_psi_), named_psi_);
    return named_psi_;
  }

  /// Notes it with the latest sample, where a reach is to be kept to.
  void note_recommended() {
    if (cap() < 1) {
      const std::span<double> around = log_.latest_point().subspan(m_, m_);
      std::copy(recommended_.begin(), recommended_.end(), around.begin());
      if (l() > 0) find_recommended(around);
    }
  }
  /// Whether that is still recommended.
  [[nodiscard]] bool is_around_recommended() const {
    return !(cap() < 1) || (l() == 0 && std::equal(recommended_.begin(), recommended_.end(),
                                                   log_.latest_point().last(m_).begin()));
  }

  [[nodiscard]] double cap() const { return options_.reach.value_or(1); }
  /// Draws a point in, towards `around`, so that it stays within the cap.
  void draw_in(std::span<const double> around, std::span<double> point) const {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = around[i] + cap() * (point[i] - around[i]);
    }
  }
  /// The model that is believed.
  [[nodiscard]] Candidate& best() { return now().best(); }
  [[nodiscard]] const Candidate& best() const { return now().best(); }
  /// The points of the latest sample.
  void write_points() {
    const std::span<const double> points = log_.latest_point();
    write_point(points.first(m_), x_);
    if (cap() < 1) write_point(points.subspan(m_, m_), around_x_);
  }
  /// The point of the set with coordinates z.
  void write_point(std::span<const double> z, std::span<double> x) {
    frame_.point(z, x);
    oracle().settle(x);
  }

  PosteriorOptions options_;
  Contexts contexts_;
  Names names_;
  std::span<const double> x_1_;  // the start, or the centre
  DrawnPlay drawn_;
  Frame frame_;
  std::size_t m_;
  Randomness* samples_ = nullptr;
  // State.
  std::uint64_t losses_ = 0;  // learned from
  std::uint64_t hold_ = 0;    // how many plays the latest sample will still serve
  std::uint64_t restarts_ = 0;
  std::uint64_t begun_ = 0;        // lives, after the first
  std::uint64_t at_ = 0;           // the life that is believed
  std::uint64_t new_plays_ = 0;    // whether the other one makes the next plays
  std::uint64_t half_ = 0;         // whether one of two runs of a contest has been made
  std::uint64_t latest_told_ = 0;  // the sample of the latest loss, counted from 1; 0 if of none
  std::array<Life, 2> lives_;
  Contest contest_;
  Vector recommended_;
  SampleLog log_;  // the samples that plays were made from
  SeenContexts seen_;
  Limits limits_;
  SampleLog::Sizes wanted_;  // those of the latest play, before limits
  Sample sample_;
  // Workspace.
  Minimiser minimiser_;
  Vector x_;         // the point of the latest sample
  Vector best_x_;    // the recommended point
  Vector around_x_;  // what it was at the latest sample
  Vector turn_x_;    // the point of an earlier sample
  Vector z_;
  Vector psi_;          // of the play that is made
  Vector best_psi_;     // with the names that are recommended
  Vector start_psi_;    // with those of the start
  Vector named_psi_;    // with others
  Vector named_z_;      // the least point with them
  Vector start_phi_;    // the features of the start
  Vector phi_;          // a sum of features
  bool counts_ = true;  // linear minimisations
};

}  // namespace

std::unique_ptr<PosteriorAlgorithm> posterior_with_names(SetPtr set,
                                                         const PosteriorOptions& options,
                                                         const OwnNames& names) {
  return std::make_unique<Posterior>(std::move(set), options, names);
}

std::unique_ptr<Algorithm> posterior(SetPtr set, const PosteriorOptions& options) {
  if (!options.choices.empty()) return choosing(set, options);
  if (set != nullptr && set->hull_dimension() > most_modelled_dimensions) {
    return in_many_dimensions(set, options);
  }
  return posterior_with_names(std::move(set), options, {});
}

}  // namespace keyhole::algorithms
