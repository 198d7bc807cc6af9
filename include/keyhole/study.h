#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "keyhole/catalogue.h"
#include "keyhole/contents.h"
#include "keyhole/learner.h"
#include "keyhole/space.h"

namespace keyhole::studies {
class Inside;
}

#pragma GCC visibility push(default)
namespace keyhole {

/// A study that cannot be made, opened or gone on with: the message names it and says what to do.
class StudyError : public Error {
 public:
  using Error::Error;
};

/// A study that was deleted, replaced or cut while it was open. Nothing was stored. Open it again.
class ReplacedStudy : public StudyError {
 public:
  /// With a message.
  explicit ReplacedStudy(const std::string& message) : StudyError(message, ErrorCode::replaced) {}
};

/// The database of a study has failed.
class DatabaseError : public StudyError {
 public:
  /// With PostgreSQL's own code for it ("40P01"; empty if there was no answer).
  DatabaseError(const std::string& message, bool maybe_stored, std::string state = {},
                ErrorCode code = ErrorCode::database)
      : StudyError(message, code), maybe_stored_(maybe_stored), state_(std::move(state)) {}

  /// Whether it was lost during the call, which may have been stored then, or not. A step by the
  /// name of a worker, or without asks, may be made again. Else nothing was stored.
  [[nodiscard]] bool maybe_stored() const noexcept { return maybe_stored_; }
  /// PostgreSQL's code.
  [[nodiscard]] const std::string& state() const noexcept { return state_; }

 private:
  bool maybe_stored_;
  std::string state_;
};

/// A tell of a step that cannot be learned from; nothing of the step was done.
class TellError : public FeedbackError {
 public:
  /// That of `error`, about the tell at that place, from 0 on.
  TellError(const FeedbackError& error, std::size_t index) : FeedbackError(error), index_(index) {}

  /// Its place among the tells of the step.
  [[nodiscard]] std::size_t index() const noexcept { return index_; }

 private:
  std::size_t index_;
};

/// A loss of the past that cannot be learned from; nothing of the call was done.
class PastError : public InvalidArgument {
 public:
  /// That of `error`, about the loss at that place, from 0 on.
  PastError(const Error& error, std::size_t index)
      : InvalidArgument(error.what(), error.code()), index_(index) {}

  /// Its place among the losses of the call.
  [[nodiscard]] std::size_t index() const noexcept { return index_; }

 private:
  std::size_t index_;
};

/// What the log of a study keeps of each point that was played. Either lets a version that would
/// play other points notice it.
enum class Facts : std::uint8_t {
  /// The point, 8 bytes a coordinate: what was played can be looked up, exported and learned from
  /// without playing the log again. Points of more than 64 coordinates have a witness all the same.
  points,
  /// 32 bits of a hash of it.
  witness,
};

/// What a study is made of. It never changes.
struct StudyDescription {
  /// What is played on: a space, or the spec of a set.
  std::variant<Space, std::string> on;
  /// The spec of the algorithm; "default" is that of Learner(set).
  std::string learner = "default";
  /// Seed, window, maximize and so on.
  LearnerOptions options = {};
  /// What you run today, by name, for a study on a space. The algorithm must take a `start`.
  Values start = {};
  /// What the log keeps of each point.
  Facts facts = Facts::points;
  /// The arrays that the spec of the set names. The study keeps them next to its log, and only a
  /// description that makes a study needs them.
  Contents contents = {};
};

/// A play of a study.
struct StudyPlay {
  /// The number by which to tell its loss.
  PlayId id = 0;
  /// The point, in the set.
  std::vector<double> point = {};
  /// What to run, by name; empty for a study on a set.
  Values values = {};
  /// Whether it was asked for while exploring was off: it is what is recommended, and its loss is
  /// counted but not learned from.
  bool recommended = false;
  /// For learners that play in pairs: the first play of its pair, as Play::pair says. Else 0.
  PlayId pair = 0;
  /// What was known when it was asked for, by name: the contexts of the space that had a value.
  Values context = {};

  /// The same members.
  bool operator==(const StudyPlay&) const = default;
};

/// What is told of a play: its loss, or metrics, or both.
struct StudyTell {
  /// Its number.
  PlayId id = 0;
  /// What it cost. None if only metrics are told, before the loss, after it or in its place.
  std::optional<double> loss = {};
  /// How often it counts, as Learner::tell() has it.
  double count = 1;
  /// What was measured besides: numbers of the limits of the space, by name, as Space::metrics()
  /// takes them.
  Values metrics = {};
  /// Whether numbers of other names are kept in the log, as notes that nothing is learned from.
  /// Otherwise they are refused.
  bool extra = false;
};

/// A loss of a point that was not asked for: what was measured before, or elsewhere.
struct StudyPast {
  /// All values by name, for a study on a space; or else...
  Values values = {};
  /// ...the point of the set.
  std::vector<double> point = {};
  /// What it cost; NaN if only metrics were measured.
  double loss = 0;
  /// How often it counts, as Learner::learn() has it.
  double count = 1;
  /// What was known then: values of the contexts of the space. Those that are left out are not
  /// known; no clock is looked at.
  Values context = {};
  /// What was measured besides, by the names of the limits of the space.
  Values metrics = {};
};

/// What is done with losses of the past whose point is outside the set.
enum class Outside : std::uint8_t {
  /// Nothing is learned: the call throws.
  refuse,
  /// They are learned as those of the nearest point. Only where the set has projections
  /// (Set::can_project()).
  project,
  /// They are left out.
  skip,
};

/// What became of losses of the past.
struct PastReceipt {
  /// How many were learned.
  std::uint64_t learned = 0;
  /// How many of these at the nearest point.
  std::uint64_t projected = 0;
  /// How many were left out.
  std::uint64_t skipped = 0;
};

/// Where a study was changed (Store::change()), and what became of its losses so far.
struct StudyChange {
  /// The latest play before.
  PlayId after = 0;
  /// How many losses the new learner was taught.
  std::uint64_t learned = 0;
  /// How many the new space had no room for.
  std::uint64_t dropped = 0;

  /// The same members.
  bool operator==(const StudyChange&) const = default;
};

/// What a step gave.
struct StudyStep {
  /// How each tell was taken: its loss, or if it has none its metrics, fresh or expired.
  std::vector<Receipt> receipts = {};
  /// The plays asked for.
  std::vector<StudyPlay> plays = {};
};

/// What became of a play.
enum class PlayFate : std::uint8_t {
  /// It has not been told, and still can be.
  pending,
  /// It was told in time.
  told,
  /// It is so old that nothing is known of it any more, or was not told in time.
  expired,
};

/// What a study knows of a play.
struct StudyPlayRecord {
  /// What became of it.
  PlayFate fate = PlayFate::pending;
  /// What was told, if it was.
  std::optional<double> loss = {};
  /// Who has asked for it, if it is the latest play of a worker.
  std::string worker = {};
  /// Its number; the point and the values of the latest play of a worker as long as it is pending.
  StudyPlay play = {};
};

/// A step of a log: what it said, and what it gave. The points of a study that needs renewal are
/// not known.
struct StudyRecord {
  /// The losses that were told, the metrics and, behind these, the notes.
  std::vector<StudyTell> tells = {};
  /// Who asked; empty for nobody in particular.
  std::string worker = {};
  /// The receipts, and the plays with their points.
  StudyStep gave = {};
  /// Whether the study was renewed here; then the rest is empty.
  bool renewed = false;
  /// How the study was changed here, if it was; then the rest is empty.
  std::optional<StudyChange> changed = {};
  /// Whether exploring was switched on or off here; then the rest is empty.
  std::optional<bool> explores = {};
  /// The share of the plays at the start from here on, where a coin began; then the rest is empty.
  std::optional<double> proves = {};
  /// Losses of the past that were learned here, with their points and values; then the rest is
  /// empty.
  std::vector<StudyPast> past = {};
  /// The learner after the step; null where the points are not known. It is for whoever is handed
  /// the record, and goes on after that.
  const Learner* learner = nullptr;
};

/// What a log was found to be.
struct StudyLog {
  /// Its frames, the description included.
  std::uint64_t frames = 0;
  /// Their bytes.
  std::uint64_t bytes = 0;
  /// The bytes behind them of a step whose writing was cut short. The next step replaces them.
  std::uint64_t torn = 0;
  /// State::hash() of what it leads to; 0 if the study needs renewal.
  std::uint64_t state_hash = 0;
};

/// How far a log reaches.
struct StudyPosition {
  /// Its bytes.
  std::uint64_t bytes = 0;
  /// How many of them are known to be on the disk; 0 before the first step of this process.
  std::uint64_t durable = 0;
};

/// A learner that lives in a store: asked and told by any number of threads and processes, killed
/// at any moment, continued bit for bit. Its description and its log of asks and tells are all that
/// there is; what it has learned is computed from them.
///
/// An ask is in the log before it is answered, and a tell before it is acknowledged. What throws is
/// not in the log and changes nothing.
class Study {
 public:
  /// Moves; what is moved from may only be assigned to or destroyed.
  Study(Study&&) noexcept;
  /// Moves, likewise.
  Study& operator=(Study&&) noexcept;
  ~Study();

  /// The next play. A worker that gives its name gets the play again that it has not told yet, so
  /// it may ask again after a crash. Throws as Learner::ask().
  ///
  /// The context has values of the contexts of the space, as Space::context() takes them. Those
  /// that are left out are not known, but for a Clock, which is read. The log keeps them. A worker
  /// that gets its play again gets it with the context that it was made for.
  [[nodiscard]] StudyPlay ask(const std::string& worker = "", const Values& context = {});
  /// That many plays, as one unit.
  [[nodiscard]] std::vector<StudyPlay> ask_many(std::size_t count, const Values& context = {});
  /// Tells the loss of a play. Throws as Learner::tell().
  Receipt tell(PlayId id, double loss, double count = 1);
  /// The same with what was measured besides, for a space with limits. A metric that is left out is
  /// not learned from. Throws FeedbackError too for values that Space::metrics() does not take, and
  /// for a second, different number.
  Receipt tell(PlayId id, double loss, const Values& metrics, double count = 1);
  /// Tells metrics of a play without its loss, as Learner::measure() does.
  void measure(PlayId id, const Values& metrics);
  /// Tells and asks as one unit: all of it is in the log, or nothing. A worker whose play is not
  /// among the tells gets that play again.
  StudyStep step(const std::vector<StudyTell>& tells, std::size_t asks = 1,
                 const std::string& worker = "", const Values& context = {});

  /// Learns losses of the past as one unit: all of them are in the log, or none. What is learned
  /// twice counts twice, unless it has an id. With one the call may be made again, as after a
  /// database was lost: what was learned by the same id is not learned again, and what became of it
  /// then is returned. The latest 1,000 ids are known. Throws PastError for values or a loss that
  /// cannot be taken, FeedbackError if the id had others in this space, and InvalidArgument if
  /// the algorithm cannot be taught (Learner::can_learn()).
  PastReceipt learn(const std::vector<StudyPast>& past, Outside outside = Outside::refuse,
                    const std::string& id = "");
  /// One loss of all values by name, for a study on a space.
  void learn(const Values& values, double loss, double count = 1);
  /// One loss of a point of the set.
  void learn(const std::vector<double>& point, double loss, double count = 1);
  /// How many losses of the past it has learned.
  [[nodiscard]] std::uint64_t past();
  /// Where it was last changed (Store::change()), if it was.
  [[nodiscard]] std::optional<StudyChange> changed();

  /// Switches exploring off or on for all who ask, as Learner::explore() does; the log keeps it.
  /// While it is off, plays are what is recommended, and what they cost is not learned from.
  void explore(bool on);
  /// Whether exploring is on.
  [[nodiscard]] bool explores();
  /// Has a coin make that share of the plays at the start, for all who ask, as Learner::prove()
  /// does; the log keeps it. status() says what it has shown. The start is what the description
  /// says, or where its algorithm starts. A share that is so already changes nothing, and with 0
  /// there is no coin. Throws InvalidArgument as Learner::prove().
  void prove(double share);

  /// What is known of a play. Throws FeedbackError if there is none of that number.
  [[nodiscard]] StudyPlayRecord play(PlayId id);

  /// The point to deploy, in a context: what is left out of it is not known, clocks too. Of a study
  /// that needs renewal, that of its latest snapshot; throws StudyError if it has none.
  [[nodiscard]] std::vector<double> recommend(const Values& context = {});
  /// What to deploy, by name; empty for a study on a set.
  [[nodiscard]] Values recommend_values(const Values& context = {});
  /// How many numbers of contexts were so far outside their ranges that nearer ones were taken, and
  /// how many names were never listed (Space::clipped()).
  [[nodiscard]] std::uint64_t clipped();
  /// Counts and the average loss, since the latest renewal that could not keep what was learned.
  [[nodiscard]] Summary summary();
  /// What the learner is doing now; `recent` as Learner::status().
  [[nodiscard]] Status status(std::uint64_t recent = 1000);
  /// What can be had of the metric of a limit, by name (of the only one by ""), and what it costs:
  /// Learner::front(). Throws InvalidArgument, with the nearest name, for one that does not exist.
  [[nodiscard]] std::vector<FrontPoint> front(const std::string& metric);
  /// What points are believed to cost, in a context or on the average: Learner::estimate(). What is
  /// left out of a context is not known, clocks too.
  [[nodiscard]] std::vector<Estimate> estimate(const std::vector<std::vector<double>>& points,
                                               const Values& context = {});
  /// The theorem's bound on the expected regret so far, where there is one.
  [[nodiscard]] RegretBound regret_bound();
  /// How far its log reaches, and how much of it is on the disk.
  [[nodiscard]] StudyPosition position();
  /// The state of the learner.
  [[nodiscard]] State state();
  /// Whether another version made it, whose plays this one would not repeat to the bit. Then it
  /// cannot be asked or told; see Store::renew().
  [[nodiscard]] bool needs_renewal();
  /// The set that is played on.
  [[nodiscard]] const Set& set() const;
  /// What it is made of.
  [[nodiscard]] const StudyDescription& description() const;

  /// Its own.
  class [[gnu::visibility("hidden")]] Live;

 private:
  friend class Store;
  friend class studies::Inside;

  explicit Study(std::unique_ptr<Live> live);

  std::unique_ptr<Live> live_;
};

}  // namespace keyhole
#pragma GCC visibility pop
