#include <algorithm>
#include <cmath>
#include <limits>

#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

/// Points of K from its boundary and its inside.
std::vector<Vector> members(const SetUnderTest& k) {
  std::vector<Vector> points = k.mixtures();
  points.push_back(k.p());
  points.insert(points.end(), k.vertices().begin(), k.vertices().end());
  return points;
}

/// v - length u: outside by that length, where v is the vertex of the unit direction u.
Vector nudged(const SetUnderTest& k, const Vector& u, double length) {
  return plus(k.minimise(u), -length, u);
}

/// A vector of length 1 and orthogonal to the hull; empty if rounding is all there is.
Vector unit_off_the_hull(const SetUnderTest& k, const Vector& z) {
  const Vector off = minus(z, k.flattened(z));
  const double length = norm(off);
  return length > 1e-6 * norm(z) ? times(1 / length, off) : Vector{};
}

}  // namespace

Complaint membership_accepts_the_centre(const SetUnderTest& k) {
  return k.contains(k.p()) ? "" : say("the centre ", k.p(), " is not in the set");
}

Complaint membership_accepts_mixtures(const SetUnderTest& k) {
  for (const Vector& x : k.mixtures()) {
    if (!k.contains(x)) return say("a convex combination of members is not in the set: ", x);
  }
  return {};
}

Complaint membership_rejects_outward_nudges(const SetUnderTest& k) {
  for (const Vector& u : k.units()) {
    for (const double length : {k.nudge(), 1e-3 * k.R(), k.R()}) {
      const Vector x = nudged(k, u, length);
      if (k.contains(x)) {
        return say("the point ", x, " is accepted, and is outside by ", length / k.R(),
                   " R in the direction ", times(-1, u));
      }
    }
  }
  return {};
}

Complaint membership_rejects_far_points(const SetUnderTest& k) {
  for (const Vector& direction : k.directions()) {
    const double length = norm(direction);
    if (!(length > 0)) continue;
    const Vector x = plus(k.p(), 2 * k.D() / length, direction);
    if (k.contains(x)) {
      return say("the point ", x, " is accepted, at two diameters (", k.D(), ") from the centre");
    }
  }
  return {};
}

Complaint membership_rejects_points_off_the_hull(const SetUnderTest& k) {
  for (std::size_t i = 0; i < k.options().directions; ++i) {
    const Vector off = unit_off_the_hull(k, k.gaussian(i));
    if (off.empty()) continue;
    for (const Vector& x : {k.p(), k.minimise(k.gaussian(i))}) {
      const Vector moved = plus(x, k.nudge(), off);
      if (k.contains(moved)) {
        return say("the point ", moved, " is accepted, and is off the hull by ", k.nudge() / k.R(),
                   " R");
      }
    }
  }
  return {};
}

Complaint membership_rejects_malformed_points(const SetUnderTest& k) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t coordinates = std::min(k.n(), k.options().directions);
  for (std::size_t i = 0; i < coordinates; ++i) {
    for (const double value : {std::nan(""), infinity, -infinity}) {
      Vector x = k.p();
      x[i * k.n() / coordinates] = value;
      if (k.contains(x)) return say("the point ", x, " with a coordinate ", value, " is accepted");
    }
  }
  Vector longer = k.p();
  longer.push_back(0);
  if (k.contains(longer)) return say("a point of ", longer.size(), " coordinates is accepted");
  const Vector shorter(k.p().begin(), k.p().end() - 1);
  if (k.contains(shorter)) return say("a point of ", shorter.size(), " coordinates is accepted");
  return {};
}

Complaint settle_keeps_members(const SetUnderTest& k) {
  for (const Vector& x : members(k)) {
    if (!k.contains(x)) continue;
    const Vector settled = k.settled(x);
    if (!(distance(settled, x) <= k.rounding())) {
      return say("settle() moves the member ", x, " by ", distance(settled, x), " to ", settled);
    }
    if (!k.contains(settled)) {
      return say("settle() moves the member ", x, " out of the set, to ", settled);
    }
  }
  return {};
}

Complaint settle_mends_rounding(const SetUnderTest& k) {
  const std::vector<Vector> points = members(k);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!k.contains(points[i])) continue;
    const Vector z = k.gaussian(i);
    const Vector off = plus(points[i], 1e-12 * k.R() / norm(z), z);
    if (!k.contains(k.settled(off))) {
      return say("the member ", points[i],
                 ", moved by 1e-12 R and settled, is not in the set: ", k.settled(off));
    }
  }
  return {};
}

Complaint settle_leaves_violations(const SetUnderTest& k) {
  for (const Vector& u : k.units()) {
    const Vector outside = nudged(k, u, k.nudge());
    if (!k.contains(outside) && k.contains(k.settled(outside))) {
      return say("settle() moves the point ", outside, ", which is outside by ", k.nudge() / k.R(),
                 " R, into the set");
    }
  }
  return {};
}

}  // namespace keyhole::testing
