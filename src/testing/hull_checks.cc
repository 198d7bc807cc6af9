#include <algorithm>
#include <cmath>

#include "keyhole/randomness.h"
#include "testing/set_checks.h"

namespace keyhole::testing {
namespace {

/// Of numbers that should agree, for vectors of length about 1 in dimension n.
double unit_rounding(const SetUnderTest& k) { return 1e-13 * static_cast<double>(k.n()); }

/// Sums of <a, u> and <a, u>^2 over draws of u, for one a of length 1.
struct Moments {
  Vector a;
  double sum = 0;
  double sum_of_squares = 0;
};

std::vector<Moments> probes(const SetUnderTest& k) {
  std::vector<Moments> all;
  const std::size_t axes = std::min<std::size_t>(k.n(), 50);
  for (std::size_t i = 0; i < axes; ++i) {
    Vector e(k.n(), 0.0);
    e[i * k.n() / axes] = 1;
    all.push_back({std::move(e)});
  }
  for (std::size_t i = 0; i < 20; ++i) {
    const Vector z = k.gaussian(i);
    all.push_back({times(1 / norm(z), z)});
  }
  return all;
}

/// For u uniform on the unit sphere of the hull, of dimension m, and s = ||flatten a||:
/// <a, u> has mean 0 and variance s^2 / m, <a, u>^2 has mean s^2 / m and variance
/// s^4 2 (m - 1) / (m^2 (m + 2)).
Complaint moments_are_off(const SetUnderTest& k, const Moments& probe, double draws) {
  constexpr double standard_errors = 5;
  const auto m = static_cast<double>(k.set().hull_dimension());
  const double s_2 = dot(probe.a, k.flattened(probe.a));
  const double mean = probe.sum / draws;
  const double error_of_mean = std::sqrt(std::max(s_2, 0.0) / m / draws);
  if (!(std::abs(mean) <= standard_errors * error_of_mean + unit_rounding(k))) {
    return say("<a, u> has the mean ", mean, " +- ", error_of_mean, " for a = ", probe.a,
               ", not 0");
  }
  const double square = probe.sum_of_squares / draws;
  const double error_of_square = s_2 / m * std::sqrt(2 * (m - 1) / (m + 2) / draws);
  if (!(std::abs(square - s_2 / m) <= standard_errors * error_of_square + unit_rounding(k))) {
    return say("<a, u>^2 has the mean ", square, " +- ", error_of_square, " for a = ", probe.a,
               ", not ", s_2 / m);
  }
  return {};
}

}  // namespace

Complaint flatten_is_an_orthogonal_projection(const SetUnderTest& k) {
  for (std::size_t i = 0; i < k.options().directions; ++i) {
    const Vector z = times(1 / norm(k.gaussian(i)), k.gaussian(i));
    const Vector y = times(1 / norm(k.gaussian(i + 1)), k.gaussian(i + 1));
    const Vector flat = k.flattened(z);
    if (!(distance(k.flattened(flat), flat) <= unit_rounding(k))) {
      return say("flattened once, ", z, " becomes ", flat, ", flattened twice ", k.flattened(flat));
    }
    const double asymmetry = dot(y, flat) - dot(k.flattened(y), z);
    if (!(std::abs(asymmetry) <= unit_rounding(k))) {
      return say("<y, flatten z> and <flatten y, z> differ by ", asymmetry, " for y = ", y,
                 " and z = ", z);
    }
  }
  return {};
}

Complaint flatten_keeps_the_set(const SetUnderTest& k) {
  for (const Vector& v : k.vertices()) {
    const Vector difference = minus(v, k.p());
    const double moved = distance(k.flattened(difference), difference);
    if (!(moved <= k.tolerance())) {
      return say("the direction ", difference, " from the centre to the vertex ", v,
                 " is changed by ", moved, " when flattened");
    }
  }
  return {};
}

Complaint flatten_has_the_hull_dimension(const SetUnderTest& k) {
  double trace = 0;
  for (std::size_t i = 0; i < k.n(); ++i) {
    Vector e(k.n(), 0.0);
    e[i] = 1;
    trace += k.flattened(e)[i];
  }
  const auto rank = static_cast<double>(k.set().hull_dimension());
  return std::abs(trace - rank) <= 0.01 ? ""
                                        : say("the trace of flatten is ", trace,
                                              ", the hull's dimension is said to be ", rank);
}

Complaint directions_are_units_of_the_hull(const SetUnderTest& k) {
  Randomness directions(k.shared_set(), k.options().seed, 0);
  for (std::size_t t = 1; t <= k.options().directions; ++t) {
    const auto drawn = directions.direction(t);
    const Vector u(drawn.begin(), drawn.end());
    if (!(std::abs(norm(u) - 1) <= unit_rounding(k))) {
      return say("the direction ", u, " has the length ", norm(u));
    }
    // Directions draws short ones again, so that flattening leaves 12 digits.
    if (!(distance(k.flattened(u), u) <= 1e-9)) {
      return say("the direction ", u, " leaves the hull: flattened it is ", k.flattened(u));
    }
  }
  return {};
}

Complaint directions_are_isotropic(const SetUnderTest& k) {
  const std::size_t draws = 20 * k.options().directions;
  Randomness directions(k.shared_set(), k.options().seed, 0);
  std::vector<Moments> all = probes(k);
  for (std::size_t t = 1; t <= draws; ++t) {
    const auto u = directions.direction(t);
    for (Moments& probe : all) {
      const double product = dot(probe.a, u);
      probe.sum += product;
      probe.sum_of_squares += product * product;
    }
  }
  for (const Moments& probe : all) {
    Complaint complaint = moments_are_off(k, probe, static_cast<double>(draws));
    if (!complaint.empty()) return complaint;
  }
  return {};
}

}  // namespace keyhole::testing
