#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/state.h"
#include "keyhole/summary.h"

#pragma GCC visibility push(default)
namespace keyhole {
class Space;

/// What every learner can be told besides its algorithm.
struct LearnerOptions {
  /// Same seed, same digits. Every 64-bit value is a seed of its own, 0 included.
  std::uint64_t seed = 0;
  /// Another stream of the same seed: independent directions, for learners that share a seed.
  std::uint64_t stream = 0;
  /// How many of the latest plays can still be told; feedback for older ones is counted as expired
  /// and not learned from. At least 1. Costs 9 bytes a play.
  std::uint64_t window = 4096;
  /// How many of the latest plays are waited for: an older one that was not told counts as missing,
  /// and feedback for it as expired. From 1 to the window, which it is if not given; a shorter one
  /// keeps stale feedback out while the window still recognises what is told twice.
  std::optional<std::uint64_t> expiry = {};
  /// How far a play may be from the one before, in the Euclidean norm, where a change costs money.
  /// Plays on the straight line lead to what the algorithm wants; they count, but are not learned
  /// from, and know neither contexts nor limits of metrics: refused with these. None if not given.
  std::optional<double> max_step = {};
  /// The same for each coordinate by itself: one number each, or none. Both limits may be given.
  std::vector<double> max_steps = {};
  /// Whether the numbers told are gains rather than losses: their sign is flipped at the door.
  bool maximize = false;
};

/// Whether a restored learner must go on as the saved one would have.
enum class Digits : std::uint8_t {
  /// Bit for bit: states of another trace revision are refused.
  same,
  /// A state of an older trace revision is continued with the digits of this one: what was learned
  /// is kept, and the plays to come may be others.
  may_differ,
};

/// A point to play, and the number by which to tell its loss.
struct Play {
  /// Its number.
  PlayId id = 0;
  /// The point, in K.
  std::vector<double> point;
  /// For learners that play in pairs (two_point, spsa): the first play of its pair, which is this
  /// one or the one that the learner made before. Tell both values of the same loss. Else 0.
  PlayId pair = 0;
};

/// What is told of a play or a point, all at once.
struct Feedback {
  /// Its loss. Of a point that is taught it may be NaN, for one that was not measured.
  double loss = 0;
  /// What was measured besides.
  Metrics metrics = {};
  /// How often the loss counts.
  double count = 1;
};

/// What learners have in common, whatever they are told: points to play, the point to deploy, the
/// account of the plays, states. Learners in different threads may share a set.
///
/// Nothing is half-done. After an exception from any call the learner is as it was before, or it
/// refuses to go on: if the set's oracle or the algorithm throws while a play is made, ask(),
/// tell(), recommend(), summary() and state() throw StateError until restore() has succeeded.
///
/// Const members may be called from several threads at once while nothing changes the learner. The
/// exceptions are recommend(), status(), front() and estimate(), which work in buffers of the
/// algorithm: one thread at a time may call one of them.
class LearnerBase {
 public:
  LearnerBase(const LearnerBase&) = delete;
  LearnerBase& operator=(const LearnerBase&) = delete;
  virtual ~LearnerBase();

  /// Writes the next point to play and returns its number. Throws InvalidArgument if the span has
  /// another size than the set's dimension, or if the algorithm's horizon is used up.
  PlayId ask(std::span<double> point);
  /// The same with a point of its own.
  [[nodiscard]] Play ask();
  /// The same for a context: what is known at the time, as the algorithm's option `contexts` says.
  /// Without one nothing of it is known. Throws InvalidArgument for a context of another size than
  /// contexts(), and for numbers that are neither NaN nor of magnitude up to largest_number.
  PlayId ask(const Context& context, std::span<double> point);
  /// The same with a point of its own.
  [[nodiscard]] Play ask(const Context& context);
  /// k plays at once: k asks in a row.
  [[nodiscard]] std::vector<Play> ask(std::size_t k);

  /// The first play of the pair of a play, as Play::pair says; 0 if the play is in no pair, or in
  /// one that the learner does not wait for any more. Throws FeedbackError for a number that was
  /// never asked.
  [[nodiscard]] PlayId pair_of(PlayId id) const;

  /// Writes the point to deploy: the current iterate, without exploration. It works in the
  /// learner's own buffers, so one thread at a time may call it.
  void recommend(std::span<double> point) const;
  /// The same as a point of its own.
  [[nodiscard]] std::vector<double> recommend() const;
  /// The point to deploy in a context, as ask() takes it.
  void recommend(const Context& context, std::span<double> point) const;
  /// The same as a point of its own.
  [[nodiscard]] std::vector<double> recommend(const Context& context) const;
  /// How many numbers a context has; 0 if the algorithm takes none.
  [[nodiscard]] std::size_t contexts() const noexcept { return algorithm_->contexts(); }

  /// The set that is played on.
  [[nodiscard]] const Set& set() const noexcept { return algorithm_->set(); }
  /// The canonical one-line description of algorithm and options; make_learner() of keyhole/spec.h
  /// reads it back.
  [[nodiscard]] std::string spec() const;
  /// The seed, by which a Space draws values too.
  [[nodiscard]] std::uint64_t seed() const noexcept { return options_.seed; }
  /// The stream of that seed.
  [[nodiscard]] std::uint64_t stream() const noexcept { return options_.stream; }
  /// How many plays have been asked for.
  [[nodiscard]] std::uint64_t asked() const noexcept;
  /// How many plays the algorithm's horizon leaves; the largest integer if any number. With
  /// max_step the plays that lead to the algorithm's own come on top.
  [[nodiscard]] std::uint64_t asks_left() const noexcept;
  /// Counts and the average loss. Looks at the whole window.
  [[nodiscard]] Summary summary() const;
  /// What the learner is doing now: the mean loss of the latest `recent` plays (at most the
  /// window), how much and how far it explores.
  [[nodiscard]] Status status(std::uint64_t recent = 1000) const;

  /// Switches exploring off and on again, from the next ask on; it is on at first, and states keep
  /// it. While it is off, plays are made at the point to deploy, with the steps of max_step. What
  /// they cost counts in the averages but is not learned from, and when exploring is switched on
  /// again the algorithm goes on as if these plays had not been. After the first switch plays take
  /// 8 more bytes of the window each.
  void explore(bool on);
  /// Whether exploring is on.
  [[nodiscard]] bool explores() const noexcept;

  /// The theorem's bound on the expected regret after the rounds asked so far.
  [[nodiscard]] RegretBound regret_bound() const { return regret_bound(asked()); }
  /// The theorem's bound on the expected regret after that many rounds; none with max_step.
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const;

  /// Everything that shapes what follows, as one value: compare, hash, store it.
  [[nodiscard]] State state() const;
  /// Goes on from a state of a learner with the same set, algorithm and options, bit for bit.
  /// Throws StateError, and changes nothing, for any other state. A learner that has failed goes
  /// on from it too.
  void restore(const State& state, Digits digits = Digits::same);

 private:
  friend class Learner;
  friend class GradientLearner;

  /// What is told of a play.
  enum class Tells { losses, gradients };

  /// Takes an algorithm of the kind that is told so.
  LearnerBase(std::unique_ptr<AlgorithmBase> algorithm, const LearnerOptions& options, Tells tells);
  /// Moves; what is moved from may only be assigned to or destroyed.
  LearnerBase(LearnerBase&&) noexcept;
  /// Moves, likewise.
  LearnerBase& operator=(LearnerBase&&) noexcept;

  /// The algorithm inside.
  [[nodiscard]] AlgorithmBase& algorithm() const noexcept { return *algorithm_; }
  /// The options.
  [[nodiscard]] const LearnerOptions& options() const noexcept { return options_; }
  /// Throws StateError if a call has failed half-way and nothing was restored since.
  void require_whole() const;
  /// Throws InvalidArgument unless the algorithm takes such a context.
  void require_context(const Context& context) const;
  /// How a tell of these numbers would be taken; nothing if it contradicts an earlier one.
  [[nodiscard]] std::optional<Receipt> judge(PlayId id, std::span<const double> told,
                                             double count = 1) const;
  /// The plays so far; of the library's own.
  struct Plays;
  /// The plays so far.
  [[nodiscard]] Plays& plays() noexcept { return *plays_; }
  /// The plays so far.
  [[nodiscard]] const Plays& plays() const noexcept { return *plays_; }

  /// Writes the point of the algorithm's play t, for a context; an empty one stands for nothing.
  virtual void play(PlayId t, std::span<const double> context, std::span<double> y) = 0;
  /// Learns what was told of the algorithm's play s. Returns false if it came too late to be
  /// learned from.
  virtual bool absorb(PlayId s, std::span<const double> told, double count) = 0;
  /// Counts what was told of any play, in order of their numbers.
  virtual void account(std::span<const double> /*told*/) {}
  /// The mean of the losses told; NaN if no losses are told.
  [[nodiscard]] virtual double average() const { return std::numeric_limits<double>::quiet_NaN(); }
  /// The mean of the losses told of the latest plays, and their number; NaN if no losses are told.
  [[nodiscard]] virtual std::pair<double, std::uint64_t> recent_mean(
      std::uint64_t /*recent*/) const {
    return {std::numeric_limits<double>::quiet_NaN(), 0};
  }
  /// Learns what else was told since the ask before.
  virtual void absorb_others() {}
  /// Whether a coin of that share has play t made at the start.
  [[nodiscard]] virtual bool toss(PlayId /*t*/, double /*share*/) { return false; }
  /// Fields of the state besides those of the plays and the algorithm's.
  virtual void own_fields(Archive& /*archive*/) {}
  void fields(Archive& archive);
  PlayId ask_in(std::span<const double> context, std::span<double> point);
  void recommend_in(std::span<const double> context, std::span<double> point) const;
  void write_recommended(std::span<const double> context, std::span<double> point) const;

  std::unique_ptr<AlgorithmBase> algorithm_;
  LearnerOptions options_;
  Tells tells_;
  std::unique_ptr<Plays> plays_;
};

/// The count of a loss whose standard error is known: 1 / error^2. Use it for all losses of a
/// learner or for none: one that is told without a count has the count 1. Throws FeedbackError for
/// an error that is not from 1e-6 to 1e6.
[[nodiscard]] double count_of_error(double error);

/// The count of a loss that is so old, if each half-life halves what old ones count: 2^(-age /
/// half_life), but not less than 1e-12. Throws InvalidArgument for a half-life that is not positive
/// or an age that is negative.
[[nodiscard]] double count_of_age(double age, double half_life);

/// Plays and learns: ask for a point, play it, tell what it cost.
///
/// The order of events. Ask number t first makes the step that is due and then learns from what was
/// told since the ask before, in order of the plays' numbers: any order of those tells gives the
/// same bytes. k asks in a row step k times with what is known. Tells may come late, in any order,
/// twice or never. A tell that repeats one is ignored; one that contradicts it is an error, and
/// changes nothing; one whose play has expired is counted.
///
/// Every point written is in the set. ask() and tell() of closed-form sets allocate nothing.
class Learner final : public LearnerBase {
 public:
  /// Takes an algorithm, such as anytime(projection_free(set, {.loss_bound = 1})).
  explicit Learner(std::unique_ptr<Algorithm> algorithm, const LearnerOptions& options = {});
  /// The default: posterior(set), which needs to know nothing but the set.
  explicit Learner(SetPtr set, const LearnerOptions& options = {});
  /// The default on a space, with its contexts and limits, as make_learner("default", space) makes
  /// it. Space::values() turns its plays into values.
  explicit Learner(const Space& space, const LearnerOptions& options = {});

  /// Tells the loss of a play (its gain, with maximize), and says how it was taken. A loss that is
  /// the mean of `count` measurements counts that often; a learner that can_learn() takes counts
  /// other than 1. Counts may be fractions, and only their ratios matter. Averages of losses do not
  /// use them. Throws FeedbackError for a number that was never asked, a loss that is not finite or
  /// beyond largest_number, a count that is not from 1e-12 to 1e12 or that the learner cannot use,
  /// and for a second, different loss or count. After the first count plays take 8 more bytes of
  /// the window each.
  Receipt tell(PlayId id, double loss, double count = 1);
  /// Throws as tell() would, or says how it would be taken; changes nothing.
  Receipt check(PlayId id, double loss, double count = 1) const;
  /// The same with what was measured besides, for an algorithm with limits: see metrics(). Throws
  /// FeedbackError for as many numbers as it does not take, for one that is neither NaN nor of
  /// magnitude up to largest_number, and for a second, different one.
  Receipt tell(PlayId id, const Feedback& feedback);
  /// Tells metrics of a play without its loss: before it, after it, or in its place. Those of a
  /// play that has expired are not learned from.
  void measure(PlayId id, const Metrics& metrics);
  /// Throws as measure() would; changes nothing.
  void check_metrics(PlayId id, const Metrics& metrics) const;
  /// How many metrics it takes besides losses.
  [[nodiscard]] std::size_t metrics() const noexcept { return algorithm().metrics(); }
  /// What can be had of a metric, and what it costs: see FrontPoint and Algorithm::front(). The
  /// metrics count from 0. Throws InvalidArgument for one that it does not take.
  [[nodiscard]] std::vector<FrontPoint> front(std::size_t metric) const;
  /// What points are believed to cost in a context, or on the average: see Estimate. NaN with
  /// algorithms that have no model of the losses, and before they know enough. The model is good
  /// where plays were made, which is near what is recommended. Throws InvalidArgument for a point
  /// of another size or outside the set, and for a context as ask() does.
  [[nodiscard]] std::vector<Estimate> estimate(const std::vector<std::vector<double>>& points,
                                               const Context& context = {}) const;
  /// The loss that was told of a play; nothing if none was, or if the play has left the window.
  /// Throws FeedbackError for a number that was never asked.
  [[nodiscard]] std::optional<double> told(PlayId id) const;

  /// Whether learn() takes points, and losses may have counts: with posterior and linear_thompson,
  /// in up to 512 dimensions, and with watchful() around one of these.
  [[nodiscard]] bool can_learn() const noexcept { return algorithm().can_learn(); }
  /// Teaches the loss (the gain, with maximize) of a point that was not asked for: what was
  /// measured before the learner began, or elsewhere. At any time; it is learned at once, before
  /// what was told since the ask before. It is no play: of the summary only oracle_calls may count
  /// it, and it takes nothing from what exploring may cost. The count is that of tell(): half for
  /// what is half as sure to hold today. Throws InvalidArgument if the learner cannot learn so, and
  /// for a point of another size or outside the set; FeedbackError for a loss that is not finite or
  /// beyond largest_number, and for a count that is none. Allocates what Set::contains() does.
  void learn(std::span<const double> point, double loss, double count = 1);
  /// The same for a loss of that context.
  void learn(const Context& context, std::span<const double> point, double loss, double count = 1);
  /// The same with what was measured besides, as tell() has it.
  void learn(std::span<const double> point, const Feedback& feedback);
  /// The same in a context.
  void learn(const Context& context, std::span<const double> point, const Feedback& feedback);
  /// Throws as learn() would; changes nothing.
  void check(std::span<const double> point, double loss, double count = 1) const;
  /// The same for what was measured besides.
  void check(std::span<const double> point, const Feedback& feedback) const;

  /// From the next ask on a coin has that share of the plays made at the start, and Status::proof
  /// says how much better the others are: without any model of the losses, and whenever you look.
  /// The start is the point that it recommends now, if none is given. What its plays cost counts in
  /// the averages and is not learned from. A coin begins to count anew; with 0 there is none. While
  /// exploring is off it is not tossed. States keep it. Throws InvalidArgument for a share above
  /// 0.5, a point that is not in the set, and for learners with a max_step.
  void prove(double share, std::span<const double> start = {});

 private:
  void play(PlayId t, std::span<const double> context, std::span<double> y) override;
  bool absorb(PlayId s, std::span<const double> told, double count) override;
  void account(std::span<const double> told) override;
  [[nodiscard]] double average() const override;
  [[nodiscard]] std::pair<double, std::uint64_t> recent_mean(std::uint64_t recent) const override;
  [[nodiscard]] bool toss(PlayId t, double share) override;
  void absorb_others() override;
  void own_fields(Archive& archive) override;
  void learn_in(std::span<const double> context, std::span<const double> point,
                const Feedback& feedback);
  void check_numbers(const std::string& of, const Metrics& metrics) const;
  [[nodiscard]] double cost_of(double loss) const noexcept {
    return (options().maximize ? -loss : loss) + 0.0;  // + 0.0: no negative zero
  }
  [[nodiscard]] Algorithm& algorithm() const noexcept {
    return static_cast<Algorithm&>(LearnerBase::algorithm());  // it was given as one
  }

  Randomness random_;
  // State, with that of the plays and the algorithm's own.
  double loss_sum_ = 0;  // of the losses absorbed
};

}  // namespace keyhole
#pragma GCC visibility pop
