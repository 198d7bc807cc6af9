#include "keyhole/space.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/require.h"
#include "keyhole/learner.h"
#include "keyhole/randomness.h"
#include "spaces/domains.h"
#include "spaces/space_set.h"
#include "spaces/values.h"
#include "spaces/whole_rules.h"

namespace keyhole {
namespace {

/// What a point stands for.
Values values_at(const Space& space, std::span<const double> point, const spaces::Decide& decide) {
  const std::size_t n = space.set()->dimension();
  base::require(point.size() == n, "the point has " + std::to_string(point.size()) +
                                       " coordinates, and the space " + std::to_string(n));
  Values values;
  for (const SpaceParameter& parameter : space.parameters()) {
    const std::size_t width = spaces::width(parameter);
    values.emplace_back(parameter.name, spaces::value_at(parameter, point.first(width), decide));
    point = point.subspan(width);
  }
  return values;
}

/// Which parameters of a constraint have no value, and where they are then.
std::string left_out(const std::vector<SpaceParameter>& parameters,
                     const spaces::Constraint& constraint, const Values& values) {
  std::vector<std::string> names;
  std::size_t first = 0;
  for (const SpaceParameter& parameter : parameters) {
    const std::size_t behind = first + spaces::width(parameter);
    const bool is_in =
        std::any_of(constraint.terms.begin(), constraint.terms.end(),
                    [&](const auto& term) { return term.first >= first && term.first < behind; });
    const bool given = std::any_of(values.begin(), values.end(),
                                   [&](const auto& pair) { return pair.first == parameter.name; });
    if (is_in && !given) names.push_back("'" + parameter.name + "'");
    first = behind;
  }
  if (names.empty()) return "";
  return "; " + base::joined(names, " and ") +
         (names.size() == 1 ? " has no value, and is at its centre"
                            : " have no values, and are at their centres");
}

void require_once(std::vector<std::string> names, const std::string& what) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) throw InvalidArgument("two " + what + " are called '" + *twice + "'");
}

/// The names of contexts or limits that make sense and are unlike each other.
template <class Named>
std::vector<std::string> checked_names(const std::vector<Named>& all, const std::string& what) {
  std::vector<std::string> names;
  for (const Named& each : all) {
    spaces::check(each);
    names.push_back(each.name);
  }
  require_once(names, what);
  return names;
}

void require_other(const std::vector<std::string>& names, const std::string& what,
                   const std::vector<std::string>& others, const std::string& other) {
  for (const std::string& name : names) {
    base::require(std::find(others.begin(), others.end(), name) == others.end(),
                  "the " + what + " '" + name + "' has the name of a " + other +
                      ": give one of them another name");
  }
}

/// From 0 to 1.
double share_of(std::uint64_t word) { return std::ldexp(static_cast<double>(word >> 11U), -53); }

}  // namespace

Values spaces::drawn_one_by_one(const Space& space, std::span<const double> point,
                                std::uint64_t seed, std::uint64_t play, std::uint64_t stream) {
  std::vector<std::uint64_t> words((space.parameters().size() + 1) / 2 * 2);
  Randomness random(space.set(), seed, stream);
  random.sub_stream("values").words(play, words);
  std::size_t used = 0;
  return values_at(space, point, [&] { return std::optional(share_of(words[used++])); });
}

Values spaces::likeliest_one_by_one(const Space& space, std::span<const double> point) {
  return values_at(space, point, [] { return std::optional<double>(); });
}

std::vector<double> spaces::rounded(const Space& space, std::span<const double> point,
                                    const Values& values) {
  std::vector<double> x(point.begin(), point.end());
  std::size_t first = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const SpaceParameter& parameter = space.parameters()[i];
    const auto at = std::span(x).subspan(first, width(parameter));
    if (ladder_of(parameter)) write_value(parameter, values[i].second, at);
    first += at.size();
  }
  return x;
}

const Value& Values::at(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [key, value] : *this) {
    if (key == name) return value;
    names.push_back(key);
  }
  throw InvalidArgument("there is no value of '" + std::string(name) + "'" +
                        base::suggestion(name, names));
}

Space::Space(std::vector<SpaceParameter> parameters, std::vector<std::string> constraints,
             std::vector<SpaceContext> contexts, std::vector<SpaceLimit> limits)
    : parameters_(std::move(parameters)),
      constraints_(std::move(constraints)),
      contexts_(std::move(contexts)),
      limits_(std::move(limits)) {
  base::require(!parameters_.empty(), "a space needs at least one parameter");
  for (const SpaceParameter& parameter : parameters_) spaces::check(parameter);
  base::require(std::any_of(parameters_.begin(), parameters_.end(),
                            [](const auto& each) { return spaces::width(each) > 0; }),
                "all parameters are fixed: nothing is left to choose");
  const std::vector<std::string> names = spaces::names_of(parameters_);
  require_once(names, "parameters");
  const std::vector<std::string> contexts_names = checked_names(contexts_, "contexts");
  const std::vector<std::string> limits_names = checked_names(limits_, "limits");
  require_other(contexts_names, "context", names, "parameter");
  require_other(limits_names, "limit", names, "parameter");
  require_other(limits_names, "limit", contexts_names, "context");
  set_ = spaces::set_of(parameters_, constraints_);
  if (constraints_.empty()) return;
  const spaces::WholeRules rules(parameters_, spaces::rows_of(parameters_, constraints_),
                                 set_->centre());
  if (rules.any()) rules_ = std::make_shared<const spaces::WholeRules>(rules);
}

Values Space::values(const Play& play, const LearnerBase& learner) const {
  return values(play.point, learner.seed(), play.id, learner.stream());
}

Values Space::values(std::span<const double> point, std::uint64_t seed, std::uint64_t play,
                     std::uint64_t stream) const {
  if (rules_ == nullptr) return spaces::drawn_one_by_one(*this, point, seed, play, stream);
  std::vector<double> obeys =
      spaces::rounded(*this, point, spaces::drawn_one_by_one(*this, point, seed, play, stream));
  std::vector<std::uint64_t> words(2);
  Randomness(set_, seed, stream).sub_stream("rules").words(play, words);
  rules_->obey(point, obeys, share_of(words[0]));
  return spaces::drawn_one_by_one(*this, obeys, seed, play, stream);
}

Values Space::likeliest(std::span<const double> point) const {
  if (rules_ == nullptr) return spaces::likeliest_one_by_one(*this, point);
  std::vector<double> obeys =
      spaces::rounded(*this, point, spaces::likeliest_one_by_one(*this, point));
  rules_->obey(point, obeys, {});
  return spaces::likeliest_one_by_one(*this, obeys);
}

std::vector<double> Space::nearest_point(const Values& values) const {
  spaces::require_each_once(values, "parameter");
  std::vector<double> x = set_->centre();
  for (const auto& [name, value] : values) {
    const auto [parameter, first] = spaces::find(parameters_, name);
    spaces::write_nearest(*parameter, value,
                          std::span(x).subspan(first, spaces::width(*parameter)));
  }
  const auto oracle = set_->oracle();
  oracle->settle(x);
  if (!set_->contains(x)) oracle->project(x, x);
  return x;
}

std::vector<double> Space::point(const Values& values) const {
  spaces::require_each_once(values, "parameter");
  std::vector<double> x = set_->centre();
  for (const auto& [name, value] : values) {
    const auto [parameter, first] = spaces::find(parameters_, name);
    spaces::write_value(*parameter, value, std::span(x).subspan(first, spaces::width(*parameter)));
  }
  set_->oracle()->settle(x);
  if (set_->contains(x)) return x;
  for (const std::string& text : constraints_) {
    const spaces::Constraint constraint = spaces::constraint_of(parameters_, text);
    double excess = -constraint.right;
    double size = std::abs(constraint.right);
    for (const auto& [column, coefficient] : constraint.terms) {
      excess += coefficient * x[column];
      size += std::abs(coefficient * x[column]);
    }
    const bool broken = (constraint.equality ? std::abs(excess) : excess) > 1e-9 * size;
    if (broken) {
      throw InvalidArgument("the values break the constraint '" + text + "'" +
                            left_out(parameters_, constraint, values));
    }
  }
  throw InvalidArgument("the values are no point of the space");
}

}  // namespace keyhole
