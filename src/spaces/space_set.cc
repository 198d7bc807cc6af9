#include "spaces/space_set.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "spaces/domains.h"

namespace keyhole::spaces {
namespace {

using Vector = std::vector<double>;

/// The coordinate that a constraint names: "cpu", or "pool.a".
std::size_t coordinate_of(const Parameters& parameters, std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto [parameter, first] = find(parameters, text.substr(0, dot));
  base::require(!is_log(*parameter),
                "'" + parameter->name + "' is on a log scale, where a constraint is not linear");
  base::require(!std::holds_alternative<Levels>(parameter->domain),
                "'" + parameter->name + "' has levels, and the learner sees their places alone");
  base::require(!std::holds_alternative<Fixed>(parameter->domain),
                "'" + parameter->name + "' is fixed: write its value");
  const std::vector<std::string> names = names_of(*parameter);
  if (names.empty()) {
    base::require(dot == std::string_view::npos,
                  "'" + parameter->name + "' is one number and has no '" + std::string(text) + "'");
    return first;
  }
  base::require(dot != std::string_view::npos, "'" + parameter->name +
                                                   "' has several numbers: write '" +
                                                   parameter->name + "." + names[0] + "'");
  const std::string_view member = text.substr(dot + 1);
  const auto found = std::find(names.begin(), names.end(), member);
  base::require(found != names.end(), "'" + parameter->name + "' has no '" + std::string(member) +
                                          "'" + base::suggestion(member, names));
  return first + static_cast<std::size_t>(found - names.begin());
}

void append(Vector& list, const Vector& more) { list.insert(list.end(), more.begin(), more.end()); }

SetPtr set_without_constraints(const Parameters& parameters) {
  std::vector<SetPtr> parts;
  Vector lower;
  Vector upper;
  const auto end_box = [&] {
    if (!lower.empty()) parts.push_back(box(lower, upper));
    lower.clear();
    upper.clear();
  };
  for (const SpaceParameter& parameter : parameters) {
    if (names_of(parameter).empty()) {
      append(lower, lower_bounds(parameter));
      append(upper, upper_bounds(parameter));
      continue;
    }
    end_box();
    const auto* const shares = std::get_if<Shares>(&parameter.domain);
    if (shares == nullptr || (shares->least.empty() && shares->most.empty())) {
      parts.push_back(simplex(width(parameter), total(parameter)));
    } else {
      parts.push_back(
          capped_simplex(lower_bounds(parameter), upper_bounds(parameter), total(parameter)));
    }
  }
  end_box();
  return parts.size() == 1 ? parts[0] : product(parts);
}

void add_to(LinearRows& rows, const Constraint& constraint) {
  for (const auto& [column, coefficient] : constraint.terms) {
    rows.sparse.push_back({rows.right.size(), column, coefficient});
  }
  rows.right.push_back(constraint.right);
  rows.names.push_back(constraint.name);
}

/// What is said of a polytope, by the names of the parameters.
std::string by_names(std::string message, const Parameters& parameters) {
  std::vector<std::string> names;
  for (const SpaceParameter& parameter : parameters) {
    const std::vector<std::string> parts = names_of(parameter);
    if (parts.empty() && width(parameter) == 1) names.push_back(parameter.name);
    for (const std::string& part : parts) names.push_back(parameter.name + "." + part);
  }
  for (std::size_t i = names.size(); i-- > 0;) {  // 12 before 1
    const std::string unnamed = "the bounds of coordinate " + std::to_string(i);
    for (std::size_t at = 0; (at = message.find(unnamed)) != std::string::npos;) {
      message.replace(at, unnamed.size(), "the range of '" + names[i] + "'");
    }
  }
  const std::string empty = "the polytope is empty: ";
  return message.starts_with(empty) ? message.substr(empty.size()) : message;
}

SetPtr set_with_constraints(const Parameters& parameters,
                            const std::vector<std::string>& constraints) {
  PolytopeConstraints rows;
  for (const SpaceParameter& parameter : parameters) {
    append(rows.lower, lower_bounds(parameter));
    append(rows.upper, upper_bounds(parameter));
  }
  rows.n = rows.lower.size();
  for (const Constraint& constraint : rows_of(parameters, constraints)) {
    add_to(constraint.equality ? rows.equalities : rows.inequalities, constraint);
  }
  try {
    return polytope(rows);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(std::string("the constraints do not leave a set to play on: ") +
                          by_names(error.what(), parameters));
  }
}

}  // namespace

std::vector<std::string> names_of(const Parameters& parameters) {
  std::vector<std::string> names;
  for (const SpaceParameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

std::pair<const SpaceParameter*, std::size_t> find(const Parameters& parameters,
                                                   std::string_view name) {
  std::size_t first = 0;
  for (const SpaceParameter& parameter : parameters) {
    if (parameter.name == name) return {&parameter, first};
    first += width(parameter);
  }
  throw InvalidArgument("there is no parameter '" + std::string(name) + "'" +
                        base::suggestion(name, names_of(parameters)));
}

Constraint constraint_of(const Parameters& parameters, const std::string& text) {
  Constraint constraint =
      read_constraint(text, [&](std::string_view name) { return coordinate_of(parameters, name); });
  constraint.name = text;
  return constraint;
}

std::vector<Constraint> rows_of(const Parameters& parameters,
                                const std::vector<std::string>& constraints) {
  std::vector<Constraint> rows;
  std::size_t first = 0;
  for (const SpaceParameter& parameter : parameters) {
    const std::size_t behind = first + width(parameter);
    if (!names_of(parameter).empty()) {
      rows.push_back(
          {.right = total(parameter), .equality = true, .name = "the sum of " + parameter.name});
      for (std::size_t i = first; i < behind; ++i) rows.back().terms.emplace_back(i, 1);
    }
    first = behind;
  }
  for (const std::string& text : constraints) rows.push_back(constraint_of(parameters, text));
  return rows;
}

SetPtr set_of(const Parameters& parameters, const std::vector<std::string>& constraints) {
  return constraints.empty() ? set_without_constraints(parameters)
                             : set_with_constraints(parameters, constraints);
}

}  // namespace keyhole::spaces
