#include <algorithm>

#include "keyhole/error.h"
#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

/// Points to project: near K and 2 R to 1e9 R from it, in all kinds of directions.
std::vector<Vector> points_outside(const SetUnderTest& k) {
  std::vector<Vector> points;
  for (const Vector& direction : k.directions()) {
    const double length = norm(direction);
    if (!(length > 0)) continue;
    const Vector v = k.minimise(direction);
    for (const double distance : {1e-9, 1e-3, 2.0, 1e3, 1e6, 1e9}) {
      points.push_back(plus(v, -distance * k.R() / length, direction));
      points.push_back(plus(k.p(), distance * k.R() / length, direction));
    }
  }
  return points;
}

}  // namespace

Complaint projection_lands_inside(const SetUnderTest& k) {
  for (const Vector& z : points_outside(k)) {
    const Vector x = k.projected(z);
    if (!k.contains(x)) return say("the point ", z, " is projected to ", x, ", outside the set");
    const Vector settled = k.settled(x);
    if (!k.contains(settled)) {
      return say("the point ", z, " is projected to ", x, " in the set, which is settled to ",
                 settled, ", outside the set");
    }
  }
  return {};
}

Complaint projection_is_nearest(const SetUnderTest& k) {
  for (const Vector& z : points_outside(k)) {
    const Vector x = k.projected(z);
    const Vector residual = minus(z, x);
    // x is nearest to z if and only if <z - x, v - x> <= 0 for every v in K.
    const double excess = dot(residual, minus(k.maximise(residual), x));
    const double length = norm(residual);
    const double allowed =
        membership_tolerance * k.R() * std::max(k.R(), length) + k.rounding() * length;
    if (!(excess <= allowed)) {
      return say("the point ", z, " is projected to ", x, ", but going towards ",
                 k.maximise(residual), " comes nearer: <z - x, v - x> = ", excess,
                 ", more than the ", allowed, " of rounding");
    }
  }
  return {};
}

Complaint projection_keeps_members(const SetUnderTest& k) {
  std::vector<Vector> points = k.mixtures();
  points.insert(points.end(), k.vertices().begin(), k.vertices().end());
  for (const Vector& z : points_outside(k)) points.push_back(k.projected(z));
  for (const Vector& x : points) {
    const Vector again = k.projected(x);
    if (!(distance(again, x) <= k.tolerance())) {
      return say("the member ", x, " is projected to ", again, ", at ", distance(again, x),
                 " from it");
    }
  }
  return {};
}

Complaint projection_is_pure(const SetUnderTest& k) {
  const auto another = k.set().oracle();
  for (const Vector& z : points_outside(k)) {
    const Vector x = k.projected(z);
    Vector in_place = z;
    another->project(in_place, in_place);
    if (!same_bits(x, in_place)) {
      return say("the point ", z, " is projected to ", x, ", in place by another oracle to ",
                 in_place);
    }
  }
  return {};
}

Complaint projection_is_refused(const SetUnderTest& k) {
  Vector x = k.p();
  try {
    k.oracle().project(k.p(), x);
  } catch (const InvalidArgument&) {
    return {};
  }
  return "can_project() is false, and project() does not throw InvalidArgument";
}

}  // namespace keyhole::testing
