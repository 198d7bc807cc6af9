#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "keyhole/algorithm.h"
#include "keyhole/limit.h"
#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {
class LearnerBase;
struct Play;
namespace spaces {
class [[gnu::visibility("hidden")]] WholeRules;
}  // namespace spaces

/// How the way from one end of a range to the other is measured.
enum class Scale : std::uint8_t {
  /// By differences.
  linear,
  /// By ratios: 5 to 50 is as far as 50 to 500.
  log,
};

/// Any number of a range.
struct Number {
  /// The least value.
  double from = 0;
  /// The largest value.
  double to = 1;
  /// By ratios, the learner sees the logarithm; the range must then be positive.
  Scale scale = Scale::linear;
  /// What the number counts, for people: "ms".
  std::string unit = {};

  /// The same members.
  bool operator==(const Number&) const = default;
};

/// A whole number of a range. The learner sees any number of it; a play rounds it up or down at
/// random, so that its mean is the number that the learner sees.
struct Integer {
  /// The least value.
  std::int64_t from = 0;
  /// The largest value.
  std::int64_t to = 1;
  /// By ratios, for what goes over decades: the learner sees the logarithm, whose mean rounding
  /// keeps. The range must then be from 1 to 2^46.
  Scale scale = Scale::linear;
  /// Only every so many: `from`, `from` + `step` and so on up to `to`.
  std::int64_t step = 1;
  /// What the number counts, for people.
  std::string unit = {};

  /// The same members.
  bool operator==(const Integer&) const = default;
};

/// The value of a parameter: a number, a whole number, a name, the shares in the order of their
/// names, or true or false.
struct Value : std::variant<double, std::int64_t, std::string, std::vector<double>, bool> {
  /// The alternatives.
  using Alternatives = variant;
  using variant::variant;
  /// The copies of a variant in GCC 12 end the program if there is no memory for one.
  Value(const Value& other)
      : variant(std::visit([](auto copy) { return Alternatives(std::move(copy)); },
                           static_cast<const Alternatives&>(other))) {}
  /// Moves.
  Value(Value&& other) noexcept = default;
  /// Copies; if there is no memory for it, it stays as it is.
  Value& operator=(const Value& other) { return *this = Value(other); }
  /// Moves.
  Value& operator=(Value&& other) noexcept = default;
  ~Value() = default;
};

/// One of several names. The learner sees a probability for each; a play draws one. The default
/// learner gives all probability to one name, and finds what is best for the other parameters with
/// each: see Space::choice_words().
struct Choice {
  /// At least two, all different.
  std::vector<std::string> names = {};
  /// What a play gets of each, where that is not its name: see of().
  std::vector<Value> values = {};

  /// One of several names, numbers, whole numbers, and true and false, each under its text:
  /// Choice::of({8, 64}).
  [[nodiscard]] static Choice of(std::vector<Value> values);

  /// The same members.
  bool operator==(const Choice&) const = default;
};

/// One of several levels that have an order: 64, 128, 256. The learner sees the place among them,
/// from 0 on, as a whole number.
struct Levels {
  /// At least two, all different: numbers that rise, or names.
  std::vector<Value> levels = {};
  /// What the numbers count, for people.
  std::string unit = {};

  /// The same members.
  bool operator==(const Levels&) const = default;
};

/// What every play gets as it is, and the learner does not see.
struct Fixed {
  /// A number, a whole number, a name, or true or false.
  Value value = 0.0;

  /// The same members.
  bool operator==(const Fixed&) const = default;
};

/// A total that is divided among several names.
struct Shares {
  /// At least two, all different.
  std::vector<std::string> names = {};
  /// What the shares sum to.
  double total = 1;
  /// The least share: one number for all, or one each; none for 0.
  std::vector<double> least = {};
  /// The largest share, likewise; none for the total.
  std::vector<double> most = {};

  /// The same members.
  bool operator==(const Shares&) const = default;
};

/// A parameter by name, and what values it takes.
struct SpaceParameter {
  /// Letters, digits and underscores; the first is no digit.
  std::string name;
  /// What values it takes.
  std::variant<Number, Integer, Choice, Shares, Levels, Fixed> domain;

  /// The same members.
  bool operator==(const SpaceParameter&) const = default;
};

/// A number that goes round: the hour of a day is as near to 23 at 0 as at 22.
struct Cyclic {
  /// After how much it is the same again: 24.
  double period = 1;
  /// What the number counts, for people: "h".
  std::string unit = {};

  /// The same members.
  bool operator==(const Cyclic&) const = default;
};

/// The time, which a study looks at when it is asked, in UTC.
struct Clock {
  /// After which it is the same again.
  enum class Every : std::uint8_t {
    /// The hours since midnight, from 0 to 24.
    day,
    /// The days since Monday at midnight, from 0 to 7.
    week,
  };
  /// What goes round.
  Every every = Every::day;

  /// The same members.
  bool operator==(const Clock&) const = default;
};

/// What is known when a play is asked for, by name: the load, the hour, the customer's segment.
struct SpaceContext {
  /// A name as parameters have, and of none of them.
  std::string name;
  /// What values it takes. A number may be outside its range, which says where it mostly is; a name
  /// may be none of those of a choice.
  std::variant<Number, Cyclic, Choice, Clock> domain;

  /// The same members.
  bool operator==(const SpaceContext&) const = default;
};

/// A metric, a number that is measured of a play besides its loss, and its limit: the latency, the
/// share of errors, what was spent.
struct SpaceLimit {
  /// A name as parameters have, and of no parameter and no context; not loss, count or error, which
  /// mean something else where a loss is told.
  std::string name;
  /// The bound.
  Limit limit;
  /// What the number counts, for people: "ms".
  std::string unit = {};

  /// The same members.
  bool operator==(const SpaceLimit&) const = default;
};

/// Values by name, in the order of the parameters.
struct Values : std::vector<std::pair<std::string, Value>> {
  using std::vector<std::pair<std::string, Value>>::vector;
  using std::vector<std::pair<std::string, Value>>::at;

  /// The value of a parameter. Throws InvalidArgument if there is none of that name.
  [[nodiscard]] const Value& at(std::string_view name) const;
};

/// Named parameters as a convex set, and the points of the set as values.
///
///   parameter                coordinates             value of a play
///   Number                   one: x                  x
///   Number, Scale::log       one: log x              x
///   Integer                  one, from `from`        one of the two whole numbers next to it, at
///                            to `to`                 random, so that the mean is the coordinate
///   Integer, Scale::log      one: log n              the same, so that the mean of the logarithm
///                                                    is the coordinate
///   Levels                   one: the place, from 0  a level next to it, at random, likewise
///   Choice                   one a name, sum 1       a name, drawn with these probabilities
///   Shares                   one a name, their sum   the shares
///                            is the total
///   Fixed                    none                    its value
///
/// So the expected loss is the loss itself for numbers and shares, its linear interpolation between
/// whole numbers, and linear in the probabilities of a choice. What is drawn for a play is a pure
/// function of (seed, stream, play): asking twice gives the same values.
///
/// Constraints are linear in the values: "cpu + 2*memory <= 10", with <=, >= or =. A share or the
/// probability of a choice is written "pool.a". They hold for the point, and for the values of
/// every play and recommendation. Whole numbers with a constraint between them are rounded
/// together: the mean is the point wherever a mixture of the allowed whole numbers next to it has
/// that mean, as for a sum that is at most a whole number; else the play is the allowed one nearest
/// to what rounding one by one gives, and numbers of the same constraints may move with it.
/// What is on a log scale cannot be constrained: the constraint would not be linear in the
/// logarithm. Nor can levels, which the learner sees by their places, and what is fixed.
class Space {
 public:
  /// Throws InvalidArgument, and names the parameter, the constraint, the context or the limit, for
  /// an empty range, a name that is used twice, a constraint that cannot be read, or constraints
  /// that leave nothing, or no whole numbers; and if all is fixed.
  explicit Space(std::vector<SpaceParameter> parameters, std::vector<std::string> constraints = {},
                 std::vector<SpaceContext> contexts = {}, std::vector<SpaceLimit> limits = {});

  /// The parameters, in order.
  [[nodiscard]] const std::vector<SpaceParameter>& parameters() const noexcept {
    return parameters_;
  }
  /// The constraints, as they were given.
  [[nodiscard]] const std::vector<std::string>& constraints() const noexcept {
    return constraints_;
  }
  /// What is known when a play is asked for, in order.
  [[nodiscard]] const std::vector<SpaceContext>& contexts() const noexcept { return contexts_; }
  /// What is measured besides the loss, and how far it may go, in order.
  [[nodiscard]] const std::vector<SpaceLimit>& limits() const noexcept { return limits_; }
  /// The set of the points: a box, a simplex, a product of such, or with constraints a polytope.
  [[nodiscard]] const SetPtr& set() const noexcept { return set_; }
  /// Whether there are constraints between whole numbers, which are then rounded together.
  [[nodiscard]] bool rounds_together() const noexcept { return rules_ != nullptr; }

  /// The values of a play of a learner on this space.
  [[nodiscard]] Values values(const Play& play, const LearnerBase& learner) const;
  /// The values of a play at a point, of a learner with that seed and stream. A pure function of
  /// its arguments.
  [[nodiscard]] Values values(std::span<const double> point, std::uint64_t seed, std::uint64_t play,
                              std::uint64_t stream = 0) const;
  /// What a point stands for, with nothing drawn: a whole number is the nearest one that the
  /// constraints allow, a choice is its likeliest name.
  [[nodiscard]] Values likeliest(std::span<const double> point) const;

  /// The point that stands for the values. A parameter without a value is at its centre, and a
  /// choice has all probability on its name. Throws InvalidArgument, and names the parameter, for
  /// one that does not exist or a value that it does not take, or if the constraints exclude it.
  [[nodiscard]] std::vector<double> point(const Values& values) const;

  /// The same for values that may be out of range: numbers and shares are brought to the nearest
  /// that the parameter takes, and the whole to the nearest point that obeys the constraints.
  /// Throws InvalidArgument for a name that does not exist, or if the set cannot project.
  [[nodiscard]] std::vector<double> nearest_point(const Values& values) const;

  /// The kinds of the contexts, as PosteriorOptions::contexts has them.
  [[nodiscard]] std::vector<std::string> context_words() const;
  /// What a learner with these kinds is asked with, a number for each context:
  ///
  ///   Number         (c - middle) sqrt 12 / width on its scale, from -3 to 3: of unit variance if
  ///                  all of its range is as likely
  ///   Cyclic, Clock  c / period, without whole turns
  ///   Choice         the place of the name, from 0 on; behind the last for any other name
  ///
  /// It is NaN, for not known, without a value, for a number that is NaN, and for an empty name.
  /// Throws InvalidArgument, and names the context, for one that does not exist, for a text in
  /// place of a number and the reverse, and for a number beyond 1e50.
  [[nodiscard]] Context context(const Values& values) const;
  /// How many numbers are so far outside their ranges that context() takes them for nearer ones,
  /// beyond -3 or 3, and how many names were never listed.
  [[nodiscard]] std::size_t clipped(const Values& values) const;

  /// The choices that may decide what is best for the other parameters, as
  /// PosteriorOptions::choices has them: those in order with up to 32 combinations of names and up
  /// to 256 coefficients. None with constraints, and none where a choice is all there is.
  [[nodiscard]] std::vector<std::string> choice_words() const;

  /// The limits without their names, as PosteriorOptions::limits has them.
  [[nodiscard]] std::vector<Limit> bounds() const;
  /// What a learner with these limits is told, a number for each; NaN, for not measured, without a
  /// value and for a number that is NaN. Throws InvalidArgument, and names the metric, for one that
  /// does not exist or is there twice, for a text in place of a number, and for a number beyond
  /// 1e50.
  [[nodiscard]] Metrics metrics(const Values& values) const;

  /// The same parameters, constraints, contexts and limits.
  bool operator==(const Space& other) const {
    return parameters_ == other.parameters_ && constraints_ == other.constraints_ &&
           contexts_ == other.contexts_ && limits_ == other.limits_;
  }

 private:
  std::vector<SpaceParameter> parameters_;
  std::vector<std::string> constraints_;
  std::vector<SpaceContext> contexts_;
  std::vector<SpaceLimit> limits_;
  SetPtr set_;
  std::shared_ptr<const spaces::WholeRules> rules_;  // none without constraints of whole numbers
};

}  // namespace keyhole
#pragma GCC visibility pop
