#include "keyhole/space.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/nearest.h"
#include "base/require.h"
#include "keyhole/randomness.h"
#include "spaces/domains.h"
#include "spaces/space_set.h"
#include "spaces/values.h"

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

}  // namespace

const Value& Values::at(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [key, value] : *this) {
    if (key == name) return value;
    names.push_back(key);
  }
  throw InvalidArgument("there is no value of '" + std::string(name) + "'" +
                        base::suggestion(name, names));
}

Space::Space(std::vector<SpaceParameter> parameters, std::vector<std::string> constraints)
    : parameters_(std::move(parameters)), constraints_(std::move(constraints)) {
  base::require(!parameters_.empty(), "a space needs at least one parameter");
  for (const SpaceParameter& parameter : parameters_) spaces::check(parameter);
  std::vector<std::string> names = spaces::names_of(parameters_);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) throw InvalidArgument("two parameters are called '" + *twice + "'");
  set_ = spaces::set_of(parameters_, constraints_);
}

Values Space::values(std::span<const double> point, std::uint64_t seed, std::uint64_t play,
                     std::uint64_t stream) const {
  std::vector<std::uint64_t> words((parameters_.size() + 1) / 2 * 2);
  Randomness random(set_, seed, stream);
  random.sub_stream("values").words(play, words);
  std::size_t used = 0;
  return values_at(*this, point, [&] {
    return std::optional(std::ldexp(static_cast<double>(words[used++] >> 11U), -53));
  });
}

Values Space::likeliest(std::span<const double> point) const {
  return values_at(*this, point, [] { return std::optional<double>(); });
}

std::vector<double> Space::nearest_point(const Values& values) const {
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
    base::require(!broken, "the values break the constraint '" + text + "'");
  }
  throw InvalidArgument("the values are no point of the space");
}

}  // namespace keyhole
