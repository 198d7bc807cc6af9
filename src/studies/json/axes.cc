#include "studies/json/axes.h"

#include <algorithm>
#include <cmath>

#include "spaces/domains.h"

namespace keyhole::studies {
namespace {

std::string unit_of(const SpaceParameter& parameter) {
  if (const auto* const number = std::get_if<Number>(&parameter.domain)) return number->unit;
  if (const auto* const integer = std::get_if<Integer>(&parameter.domain)) return integer->unit;
  if (const auto* const levels = std::get_if<Levels>(&parameter.domain)) return levels->unit;
  return "";
}

std::vector<std::string> levels_of(const SpaceParameter& parameter) {
  const auto* const levels = std::get_if<Levels>(&parameter.domain);
  return levels == nullptr ? std::vector<std::string>() : Choice::of(levels->levels).names;
}

std::vector<Axis> axes_of_space(const Space& space) {
  std::vector<Axis> axes;
  for (const SpaceParameter& parameter : space.parameters()) {
    const std::vector<std::string> names = spaces::names_of(parameter);
    const std::vector<double> lower = spaces::lower_bounds(parameter);
    const std::vector<double> upper = spaces::upper_bounds(parameter);
    for (std::size_t i = 0; i < spaces::width(parameter); ++i) {
      axes.push_back({.name = parameter.name + (names.empty() ? "" : "." + names[i]),
                      .unit = unit_of(parameter),
                      .from = lower[i],
                      .to = upper[i],
                      .log = spaces::is_log(parameter),
                      .whole = spaces::ladder_of(parameter).has_value(),
                      .alone = names.empty() && space.constraints().empty(),
                      .levels = levels_of(parameter)});
    }
  }
  return axes;
}

/// How far a coordinate goes, up if the sign is 1, down if it is -1.
double end_of(Oracle& oracle, std::vector<double>& direction, std::size_t i, double sign) {
  direction[i] = -sign;
  const double end = -sign * oracle.minimise(direction).dot(direction);
  direction[i] = 0;
  return end;
}

}  // namespace

double Axis::value(double x) const {
  const double any = log ? std::exp(x) : x;
  if (!whole) return any;
  const double below = std::floor(any + 1e-9);
  // On a log scale the middle of two numbers is the root of their product.
  const double middle = log ? std::sqrt(below * (below + 1)) : below + 0.5;
  return any < middle ? below : below + 1;
}

double Axis::place(double x) const {
  return to > from ? std::clamp((x - from) / (to - from), 0.0, 1.0) : 0;
}

std::vector<Axis> axes_of(const Study& study, const std::vector<std::size_t>& which) {
  std::vector<Axis> axes;
  if (const auto* const space = std::get_if<Space>(&study.description().on)) {
    const std::vector<Axis> all = axes_of_space(*space);
    for (const std::size_t i : which) axes.push_back(all[i]);
    return axes;
  }
  const auto oracle = study.set().oracle();
  std::vector<double> direction(study.set().dimension());
  for (const std::size_t i : which) {
    axes.push_back({.name = "x" + std::to_string(i + 1),
                    .from = end_of(*oracle, direction, i, -1),
                    .to = end_of(*oracle, direction, i, 1)});
  }
  return axes;
}

}  // namespace keyhole::studies
