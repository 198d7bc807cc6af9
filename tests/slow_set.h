#pragma once

// The sets once more, slowly and by another route: vertices by enumeration, radii from facets and
// vertices, projections by bisection. An oracle for the library's own sets.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "keyhole/sets.h"
#include "random.h"

namespace keyhole::tests {

using Vector = std::vector<double>;

inline double inner(std::span<const double> a, std::span<const double> b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

inline Vector combine(double a, std::span<const double> x, double b, std::span<const double> y) {
  Vector z(x.size());
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = a * x[i] + b * y[i];
  return z;
}

inline double distance(std::span<const double> x, std::span<const double> y) {
  const Vector z = combine(1, x, -1, y);
  return std::sqrt(inner(z, z));
}

/// scale K + shift for a ball, box or simplex K.
struct SlowSet {
  enum class Kind { ball, box, solid_simplex, simplex };

  Kind kind;
  std::size_t n;
  double size = 1;  // radius or total
  Vector lower = {};
  Vector upper = {};
  double scale = 1;
  Vector shift = Vector(n, 0.0);

  [[nodiscard]] Vector mapped(const Vector& x) const { return combine(scale, x, 1, shift); }
  [[nodiscard]] Vector unmapped(std::span<const double> y) const {
    return combine(1 / scale, y, -1 / scale, shift);
  }

  /// All vertices (not of a ball). A box has 2^n.
  [[nodiscard]] std::vector<Vector> vertices() const {
    std::vector<Vector> all;
    if (kind == Kind::box) {
      for (std::size_t corner = 0; corner < (std::size_t{1} << n); ++corner) {
        Vector v = lower;
        for (std::size_t i = 0; i < n; ++i) {
          if ((corner >> i & 1) != 0) v[i] = upper[i];
        }
        all.push_back(mapped(v));
      }
    } else {
      if (kind == Kind::solid_simplex) all.push_back(mapped(Vector(n, 0.0)));
      for (std::size_t i = 0; i < n; ++i) {
        Vector v(n, 0.0);
        v[i] = size;
        all.push_back(mapped(v));
      }
    }
    return all;
  }

  /// min over K of <d, x>, by enumeration (a ball: by Cauchy and Schwarz).
  [[nodiscard]] double minimum(std::span<const double> d) const {
    if (kind == Kind::ball) {
      return inner(d, shift) - std::abs(scale) * size * std::sqrt(inner(d, d));
    }
    double least = std::numeric_limits<double>::infinity();
    for (const Vector& v : vertices()) least = std::min(least, inner(d, v));
    return least;
  }

  /// The vertex that the documented rule names, ties included.
  [[nodiscard]] Vector minimiser(std::span<const double> direction) const {
    const double sign = scale > 0 ? 1 : -1;
    Vector v(n, 0.0);
    if (kind == Kind::ball) {
      const double length = std::sqrt(inner(direction, direction));
      for (std::size_t i = 0; i < n; ++i) v[i] = -sign * size * direction[i] / length;
      if (length == 0) {
        v.assign(n, 0.0);
        v[0] = -size;
      }
    } else if (kind == Kind::box) {
      for (std::size_t i = 0; i < n; ++i) v[i] = sign * direction[i] < 0 ? upper[i] : lower[i];
    } else {
      std::size_t best = 0;
      for (std::size_t i = 1; i < n; ++i) {
        if (sign * direction[i] < sign * direction[best]) best = i;
      }
      if (kind == Kind::simplex || sign * direction[best] < 0) v[best] = size;
    }
    return mapped(v);
  }

  /// argmin over K of ||x - y||: simplices by bisection on the threshold.
  [[nodiscard]] Vector projected(std::span<const double> y) const {
    Vector x = unmapped(y);
    if (kind == Kind::ball) {
      const double length = std::sqrt(inner(x, x));
      for (double& c : x) c = length > size ? c * size / length : c;
    } else if (kind == Kind::box) {
      for (std::size_t i = 0; i < n; ++i) x[i] = std::min(std::max(x[i], lower[i]), upper[i]);
    } else {
      const auto sum_above = [&](double theta) {
        double sum = 0;
        for (const double c : x) sum += std::max(c - theta, 0.0);
        return sum;
      };
      double theta = 0;
      if (kind == Kind::simplex || sum_above(0) > size) {
        double low = *std::min_element(x.begin(), x.end()) - size;
        double high = *std::max_element(x.begin(), x.end());
        for (int k = 0; k < 200; ++k) {
          theta = (low + high) / 2;
          (sum_above(theta) > size ? low : high) = theta;
        }
      }
      for (double& c : x) c = std::max(c - theta, 0.0);
    }
    return mapped(x);
  }

  /// The distance within the affine hull from p to the nearest facet, or to the sphere.
  [[nodiscard]] double inner_radius(std::span<const double> p) const {
    const Vector x = unmapped(p);
    double r = std::numeric_limits<double>::infinity();
    if (kind == Kind::ball) r = size - std::sqrt(inner(x, x));
    const auto to_facet = [&](const Vector& normal, double bound) {  // normal . x <= bound
      r = std::min(r, (bound - inner(normal, x)) / std::sqrt(inner(normal, normal)));
    };
    for (std::size_t i = 0; i < n; ++i) {
      Vector e(n, 0.0);
      e[i] = 1;
      if (kind == Kind::box) {
        to_facet(e, upper[i]);
        e[i] = -1;
        to_facet(e, -lower[i]);
      } else if (kind != Kind::ball) {
        // -x_i <= 0; in the flat simplex with the part of -e_i along the hull, which on the hull is
        // -x_i + size / n.
        const double along = kind == Kind::simplex ? 1 / static_cast<double>(n) : 0;
        Vector normal(n, along);
        normal[i] -= 1;
        to_facet(normal, along * size);
      }
    }
    if (kind == Kind::solid_simplex) to_facet(Vector(n, 1.0), size);
    return std::abs(scale) * r;
  }

  [[nodiscard]] double outer_radius(std::span<const double> p) const {
    if (kind == Kind::ball) return std::abs(scale) * size + distance(p, shift);
    double farthest = 0;
    for (const Vector& v : vertices()) farthest = std::max(farthest, distance(v, p));
    return farthest;
  }

  [[nodiscard]] double diameter() const {
    if (kind == Kind::ball) return 2 * std::abs(scale) * size;
    double farthest = 0;
    const std::vector<Vector> all = vertices();
    for (const Vector& v : all) {
      for (const Vector& w : all) farthest = std::max(farthest, distance(v, w));
    }
    return farthest;
  }
};

/// A set of the library and its slow twin.
struct Twins {
  SetPtr set;
  SlowSet slow;
};

inline Twins draw_twins(SlowSet::Kind kind, std::size_t n, Random& random) {
  using Kind = SlowSet::Kind;
  SlowSet slow{.kind = kind, .n = n, .size = std::exp(random.normal())};
  switch (kind) {
    case Kind::ball:
      return {ball(n, slow.size), slow};
    case Kind::solid_simplex:
      return {solid_simplex(n, slow.size), slow};
    case Kind::simplex:
      return {simplex(n, slow.size), slow};
    case Kind::box:
      for (std::size_t i = 0; i < n; ++i) {
        slow.lower.push_back(random.uniform(-3, 3));
        slow.upper.push_back(slow.lower.back() + random.uniform(0.05, 2));
      }
      break;
  }
  return {box(slow.lower, slow.upper), slow};
}

/// The image of both under a random scale, negative half of the time, and shift.
inline Twins image_of(const Twins& twins, Random& random) {
  SlowSet slow = twins.slow;
  slow.scale = (random.uniform() < 0.5 ? -1 : 1) * std::exp(random.normal());
  slow.shift = random.normals(slow.n);
  return {image(twins.set, slow.scale, slow.shift), slow};
}

inline std::string kind_name(SlowSet::Kind kind) {
  switch (kind) {
    case SlowSet::Kind::ball:
      return "ball";
    case SlowSet::Kind::box:
      return "box";
    case SlowSet::Kind::solid_simplex:
      return "solid_simplex";
    case SlowSet::Kind::simplex:
      return "simplex";
  }
  return "";
}

inline constexpr SlowSet::Kind all_kinds[] = {SlowSet::Kind::ball, SlowSet::Kind::box,
                                              SlowSet::Kind::solid_simplex, SlowSet::Kind::simplex};

}  // namespace keyhole::tests
