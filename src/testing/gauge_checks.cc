#include <algorithm>
#include <array>
#include <cmath>

#include "keyhole/error.h"
#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

struct Value {
  double gamma;
  Vector s;
};

Value gauge(const SetUnderTest& k, Oracle& oracle, const Vector& w) {
  Vector s(k.n());
  const double gamma = oracle.gauge(w, s);
  return {gamma, std::move(s)};
}
Value gauge(const SetUnderTest& k, const Vector& w) { return gauge(k, k.oracle(), w); }

/// Some of the units, spread over all kinds.
std::vector<Vector> some_units(const SetUnderTest& k, std::size_t most) {
  std::vector<Vector> some;
  const std::size_t count = std::min(most, k.units().size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(k.units()[i * k.units().size() / count]);
  return some;
}

/// Points of the hull: near p, about the boundary and far away.
std::vector<Vector> points_of_hull(const SetUnderTest& k, std::size_t most) {
  constexpr std::array<double, 5> lengths = {0.5, 1e-3, 2, 1, 1e6};
  std::vector<Vector> points;
  for (const Vector& u : some_units(k, most)) {
    points.push_back(plus(k.p(), lengths[points.size() % lengths.size()] * k.R(), u));
  }
  points.push_back(k.p());
  return points;
}

/// How much gauges may be off that should be as large as gamma: the length that others may be off,
/// over r, which is how steep the gauge can be; in proportion from afar.
double allowed(const SetUnderTest& k, double gamma) {
  return k.tolerance() / k.r() * std::max(1.0, gamma);
}

}  // namespace

Complaint gauge_matches_membership(const SetUnderTest& k) {
  for (const Vector& u : k.units()) {
    const double length = distance(k.last_inside(u), k.p());
    const double gamma = gauge(k, plus(k.p(), k.R(), u)).gamma;
    // Rows may be missed by the tolerance, which the ray meets at an angle: r / R at the least.
    if (!(std::abs(k.R() / gamma - length) <= 2 * k.tolerance() * k.R() / k.r())) {
      return say("the ray from p along ", u, " leaves the set at ", length,
                 " by its membership, and at ", k.R() / gamma, " by its gauge");
    }
  }
  return {};
}

Complaint gauge_is_one_at_vertices(const SetUnderTest& k) {
  for (const Vector& u : k.units()) {
    const Vector v = k.maximise(u);
    const double at_vertex = gauge(k, v).gamma;
    if (!(std::abs(at_vertex - 1) <= allowed(k, 1))) {
      return say("the gauge of the vertex ", v, " is ", at_vertex, ", not 1");
    }
    const double on_ball = gauge(k, plus(k.p(), k.r(), u)).gamma;
    if (!(on_ball <= 1 + allowed(k, 1))) {
      return say("the gauge of p + r u is ", on_ball, ", more than 1, for u = ", u);
    }
  }
  const double at_centre = gauge(k, k.p()).gamma;
  return std::abs(at_centre) <= allowed(k, 0)
             ? ""
             : say("the gauge of the centre is ", at_centre, ", not 0");
}

Complaint gauge_is_positively_homogeneous(const SetUnderTest& k) {
  for (const Vector& w : points_of_hull(k, 200)) {
    const double gamma = gauge(k, w).gamma;
    for (const double factor : {0.25, 3.0, 1000.0}) {
      const double scaled = gauge(k, plus(k.p(), factor, minus(w, k.p()))).gamma;
      if (!(std::abs(scaled - factor * gamma) <=
            allowed(k, std::max(scaled, factor * gamma)) * std::max(1.0, factor))) {
        return say("the gauge of ", w, " is ", gamma, ", and ", scaled, " at ", factor,
                   " times its distance from p");
      }
    }
  }
  return {};
}

Complaint gauge_has_subgradients(const SetUnderTest& k) {
  constexpr std::size_t most = 60;
  std::vector<Vector> points = points_of_hull(k, most);
  for (const Vector& u : some_units(k, most)) points.push_back(k.maximise(u));
  std::vector<Value> values;
  for (const Vector& w : points) values.push_back(gauge(k, w));
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      const auto& [gamma, s] = values[i];
      const double below = gamma + dot(s, minus(points[j], points[i]));
      const double rounding = allowed(k, std::max(gamma, values[j].gamma));
      if (!(values[j].gamma >= below - 2 * rounding)) {
        return say("the subgradient ", s, " of the gauge at ", points[i], ", which is ", gamma,
                   ", says that it is at least ", below, " at ", points[j], ", where it is ",
                   values[j].gamma);
      }
    }
  }
  return {};
}

Complaint subgradients_stay_in_the_hull(const SetUnderTest& k) {
  for (const Vector& w : points_of_hull(k, 200)) {
    const Vector s = gauge(k, w).s;
    const double off = distance(k.flattened(s), s);
    if (!(off <= 1e-9 * norm(s))) {
      return say("the subgradient ", s, " of the gauge at ", w, " leaves the hull by ", off);
    }
  }
  return {};
}

Complaint gauge_is_pure(const SetUnderTest& k) {
  const auto another = k.set().oracle();
  for (const Vector& w : points_of_hull(k, 200)) {
    const Value one = gauge(k, w);
    const Value other = gauge(k, *another, w);
    if (!same_bits({&one.gamma, 1}, {&other.gamma, 1}) || !same_bits(one.s, other.s)) {
      return say("the gauge of ", w, " is ", one.gamma, " with the subgradient ", one.s,
                 ", of another oracle ", other.gamma, " with ", other.s);
    }
  }
  return {};
}

Complaint gauge_is_refused(const SetUnderTest& k) {
  Vector s(k.n());
  try {
    static_cast<void>(k.oracle().gauge(k.p(), s));
  } catch (const InvalidArgument&) {
    return {};
  }
  return "can_gauge() is false, and gauge() does not throw InvalidArgument";
}

}  // namespace keyhole::testing
