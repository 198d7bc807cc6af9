#include <algorithm>
#include <cmath>

#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

/// How far the value of a vertex may be above that of another point, for directions of length 1:
/// both are in K to the membership tolerance only.
double optimality_tolerance(const SetUnderTest& k) {
  return 10 * membership_tolerance * k.R() + k.rounding();
}

/// The direction with length 1, or zero.
Vector normalised(const Vector& direction) {
  const double length = norm(direction);
  return length > 0 ? times(1 / length, direction) : direction;
}

/// A point of the list whose product with the direction is below that of v by more than allowed.
const Vector* better_point(const SetUnderTest& k, const Vector& v, const Vector& direction,
                           const std::vector<Vector>& points) {
  const double limit = dot(direction, minus(v, k.p())) - optimality_tolerance(k);
  const double of_centre = dot(direction, k.p());
  const auto better = std::find_if(points.begin(), points.end(), [&](const Vector& x) {
    // Most points are no rivals even if the product is off by the rounding of a large centre.
    return dot(direction, x) - of_centre < limit + k.rounding() &&
           dot(direction, minus(x, k.p())) < limit;
  });
  return better == points.end() ? nullptr : &*better;
}

/// Points of K that would be better than v if v were not on the boundary or not on the right side:
/// on the ray through v, and on the one against the direction.
std::vector<Vector> rivals(const SetUnderTest& k, const Vector& v, const Vector& direction) {
  std::vector<Vector> points;
  for (const Vector& along : {minus(v, k.p()), times(-1, direction)}) {
    const Vector u = k.unit(along);
    if (!u.empty()) points.push_back(k.safely_inside(k.last_inside(u)));
  }
  return points;
}

}  // namespace

Complaint spec_is_stable(const SetUnderTest& k) {
  const std::string spec = k.set().spec();
  if (spec.empty()) return "spec() is empty";
  if (spec.find('\n') != std::string::npos) return "spec() has more than one line: " + spec;
  if (k.set().spec() != spec) return "spec() was " + spec + " and then " + k.set().spec();
  if (k.set().fingerprint() != k.set().fingerprint()) return "fingerprint() changes";
  return {};
}

Complaint oracle_stays_inside(const SetUnderTest& k) {
  for (const Vector& direction : k.directions()) {
    const Vector v = k.minimise(direction);
    const bool finite = std::all_of(v.begin(), v.end(), [](double c) { return std::isfinite(c); });
    if (!finite || !k.contains(v)) {
      return say("for the direction ", direction, " the oracle answers ", v,
                 finite ? ", which is not in the set" : ", which is not finite");
    }
  }
  return {};
}

Complaint oracle_is_optimal(const SetUnderTest& k) {
  std::vector<Vector> points = {k.p()};
  points.insert(points.end(), k.vertices().begin(), k.vertices().end());
  for (const Vector& x : k.boundary()) points.push_back(k.safely_inside(x));
  for (const Vector& direction : k.directions()) {
    const Vector v = k.minimise(direction);
    const Vector d = normalised(direction);
    const std::vector<Vector> on_rays = rivals(k, v, d);
    const Vector* x = better_point(k, v, d, points);
    if (x == nullptr) x = better_point(k, v, d, on_rays);
    if (x != nullptr) {
      return say("for the direction ", direction, " the oracle answers ", v, ", but ", *x,
                 ", which is in the set, is lower by ", dot(d, minus(v, *x)),
                 " (direction of length 1, outer radius ", k.R(), ")");
    }
  }
  return {};
}

Complaint oracle_matches_slow_minimum(const SetUnderTest& k) {
  for (const Vector& direction : k.directions()) {
    const Vector d = normalised(direction);
    const double fast = dot(d, k.minimise(direction));
    const double slow = k.options().slow_minimum(d);
    if (!(std::abs(fast - slow) <= optimality_tolerance(k))) {
      return say("for the direction ", d, " the oracle finds ", fast, ", the slow minimum is ",
                 slow);
    }
  }
  return {};
}

Complaint oracle_is_pure(const SetUnderTest& k) {
  const std::vector<Vector>& directions = k.directions();
  std::vector<Vector> first;
  first.reserve(directions.size());
  for (const Vector& direction : directions) first.push_back(k.minimise(direction));
  const auto another = k.set().oracle();
  for (std::size_t i = directions.size(); i-- > 0;) {
    const Vector again = k.minimise(directions[i]);
    if (!same_bits(again, first[i])) {
      return say("for the direction ", directions[i], " the oracle answers ", first[i], " and, ",
                 "after other calls, ", again);
    }
    const Vector elsewhere = k.minimise(*another, directions[i]);
    if (!same_bits(elsewhere, first[i])) {
      return say("for the direction ", directions[i], " the oracle answers ", first[i],
                 ", another oracle of the same set ", elsewhere);
    }
    another->settle(first[i]);  // its buffers must not mix with those of minimise
  }
  return {};
}

Complaint oracle_ignores_powers_of_two(const SetUnderTest& k) {
  for (const Vector& direction : k.directions()) {
    const Vector v = k.minimise(direction);
    for (const double factor : {0x1p10, 0x1p-10}) {
      const Vector of_multiple = k.minimise(times(factor, direction));
      if (!same_bits(v, of_multiple)) {
        return say("for the direction ", direction, " the oracle answers ", v, ", for ", factor,
                   " times it ", of_multiple);
      }
    }
  }
  return {};
}

Complaint oracle_ignores_what_leaves_the_hull(const SetUnderTest& k) {
  for (const Vector& direction : k.directions()) {
    const Vector d = normalised(direction);
    const Vector flat = k.flattened(d);
    const double gap = dot(flat, minus(k.minimise(d), k.minimise(flat)));
    if (!(std::abs(gap) <= optimality_tolerance(k))) {
      return say("the vertices of the direction ", d, " and of the same, flattened, ", flat,
                 " differ in value by ", gap);
    }
  }
  return {};
}

Complaint oracle_answers_are_vertices(const SetUnderTest& k) {
  constexpr std::size_t neighbours = 4;
  constexpr double nearby = 1e-6;
  constexpr double step = 0.01;
  std::size_t next = 0;
  for (const Vector& direction : k.directions()) {
    const Vector v = k.minimise(direction);
    const Vector d = normalised(direction);
    for (std::size_t i = 0; i < neighbours; ++i) {
      const Vector w = k.minimise(plus(d, nearby, normalised(k.gaussian(next++))));
      const Vector beyond = plus(v, -step, minus(w, v));
      if (distance(v, w) > 0.05 * k.R() && k.contains(beyond)) {
        return say("for the direction ", direction, " the oracle answers ", v,
                   ", which is no vertex: it is between ", w, " and ", beyond, ", both in the set");
      }
    }
  }
  return {};
}

Complaint vertex_parts_agree(const SetUnderTest& k) {
  for (const Vector& direction : k.directions()) {
    const Vector d = normalised(direction);
    const Vector written = k.minimise(direction);  // checks the form of the answer
    const Vertex& vertex = k.oracle().minimise(direction);
    Vector added = k.p();
    vertex.add_to(added, 2);
    const Vector expected = plus(k.p(), 2, written);
    if (!(distance(added, expected) <= 4 * k.rounding())) {
      return say("add_to gives ", added, " where write_to gives ", expected);
    }
    const double product = dot(d, written);
    if (!(std::abs(vertex.dot(d) - product) <= 4 * k.rounding())) {
      return say("the vertex ", written, " has the product ", product, " with ", d,
                 ", its dot() says ", vertex.dot(d));
    }
  }
  return {};
}

}  // namespace keyhole::testing
