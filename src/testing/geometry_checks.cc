#include <algorithm>
#include <limits>
#include <utility>

#include "keyhole/error.h"
#include "keyhole/sets.h"
#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

struct Support {
  double value;
  Vector u;
};

/// Looks for the least h(u) = max over K of <u, x - p> over the unit u of the hull, which is the
/// inscribed radius about p: subgradient steps u <- u - step (v - p) / ||v - p|| on the sphere,
/// for the v that attains h(u).
Support least_support(const SetUnderTest& k, Vector u) {
  constexpr int steps = 40;
  Support least{std::numeric_limits<double>::infinity(), {}};
  for (int step = 1; step <= steps && !u.empty(); ++step) {
    const Vector to_vertex = minus(k.maximise(u), k.p());
    const double value = dot(u, to_vertex);
    if (!(value >= least.value)) least = {value, u};
    u = k.unit(plus(u, -1.0 / (step * norm(to_vertex)), to_vertex));
  }
  return least;
}

/// On curved sets a climb approaches its end in ever smaller steps.
constexpr int most_steps = 100;

/// Climbs from a vertex to ones farther from p: v <- argmax over K of <v - p, x>.
Vector farthest_from_centre(const SetUnderTest& k, Vector v) {
  for (int step = 0; step < most_steps; ++step) {
    Vector next = k.maximise(minus(v, k.p()));
    if (!(distance(next, k.p()) > distance(v, k.p()) * (1 + 1e-12))) break;
    v = std::move(next);
  }
  return v;
}

struct Pair {
  Vector v;
  Vector w;
  [[nodiscard]] double length() const { return distance(v, w); }
};

/// Climbs from two points to ones farther apart: the ends of K along v - w.
Pair farthest_apart(const SetUnderTest& k, Pair pair) {
  for (int step = 0; step < most_steps; ++step) {
    const Vector along = minus(pair.v, pair.w);
    Pair next{k.maximise(along), k.minimise(along)};
    if (!(next.length() > pair.length() * (1 + 1e-12))) break;
    pair = std::move(next);
  }
  return pair;
}

/// A point in the relative interior of K: halfway between p and the mean of some vertices.
Vector another_centre(const SetUnderTest& k) {
  const std::size_t count = std::min<std::size_t>(k.vertices().size(), 5);
  Vector q = times(0.5, k.p());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t which = i * k.vertices().size() / count;
    q = plus(q, 0.5 / static_cast<double>(count), k.vertices()[which]);
  }
  return k.settled(q);
}

}  // namespace

Complaint inner_ball_is_inside(const SetUnderTest& k) {
  for (const Vector& u : k.units()) {
    const Vector x = k.settled(plus(k.p(), k.r(), u));
    if (!k.contains(x)) {
      return say("the point p + r u = ", x, " is not in the set, for r = ", k.r(), " and u = ", u);
    }
  }
  return {};
}

Complaint inner_radius_is_not_too_large(const SetUnderTest& k) {
  // Descents are long: starts at most four times the number of random directions.
  const std::size_t starts = std::min(k.units().size(), 4 * k.options().directions);
  for (std::size_t i = 0; i < starts; ++i) {
    const Support least = least_support(k, k.units()[i * k.units().size() / starts]);
    if (!(least.value >= k.r() - k.tolerance())) {
      return say("the set reaches only ", least.value, " from the centre in the direction ",
                 least.u, ", and the inner radius is said to be ", k.r());
    }
  }
  return {};
}

Complaint outer_radius_is_not_too_small(const SetUnderTest& k) {
  for (const Vector& start : k.vertices()) {
    const Vector v = farthest_from_centre(k, start);
    const double length = distance(v, k.p());
    if (!(length <= k.R() + k.tolerance())) {
      return say("the point ", v, " is at ", length,
                 " from the centre, and the outer radius is said to be ", k.R());
    }
  }
  return {};
}

Complaint diameter_is_not_too_small(const SetUnderTest& k) {
  std::vector<Pair> starts;
  for (const Vector& u : k.units()) starts.push_back({k.maximise(u), k.minimise(u)});
  constexpr std::size_t most = 40;
  const std::size_t some = std::min(k.vertices().size(), most);
  for (std::size_t i = 0; i < some; ++i) {
    for (std::size_t j = 0; j < i; ++j) starts.push_back({k.vertices()[i], k.vertices()[j]});
  }
  for (const Pair& start : starts) {
    const Pair pair = farthest_apart(k, start);
    if (!(pair.length() <= k.D() + k.tolerance())) {
      return say("the points ", pair.v, " and ", pair.w, " are ", pair.length(),
                 " apart, and the diameter is said to be ", k.D());
    }
  }
  return {};
}

Complaint geometry_about_another_centre(const SetUnderTest& k) {
  SetPtr about;
  try {
    about = recentred(k.shared_set(), another_centre(k));
  } catch (const InvalidArgument&) {
    return {};  // a set need not know
  }
  const SetUnderTest again(about, k.options());
  for (const auto check : {inner_ball_is_inside, inner_radius_is_not_too_large,
                           outer_radius_is_not_too_small, diameter_is_not_too_small}) {
    const Complaint complaint = check(again);
    if (!complaint.empty()) return say("about the centre ", again.p(), ": ", complaint);
  }
  return {};
}

}  // namespace keyhole::testing
