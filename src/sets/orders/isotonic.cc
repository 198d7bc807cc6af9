#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// l <= x_1 <= ... <= x_n <= u: a simplex, with the vertices v_0, ..., v_n, the first k coordinates
/// of v_k being l and the others u.
class IsotonicOracle final : public Oracle {
 public:
  IsotonicOracle(const Set& set, double low, double high, double slack)
      : p_(set.centre()),
        low_(low),
        high_(high),
        slack_(slack),
        point_(p_.size()),
        means_(p_.size()),
        ends_(p_.size()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    double sum = 0;
    double least = 0;
    std::size_t first = direction.size();  // of those at u
    for (std::size_t i = direction.size(); i-- > 0;) {
      sum += direction[i];
      if (!(sum < least)) continue;
      least = sum;
      first = i;
    }
    const auto split = point_.begin() + static_cast<std::ptrdiff_t>(first);
    std::fill(point_.begin(), split, low_);
    std::fill(split, point_.end(), high_);
    return vertex_;
  }

  /// Neighbours that descend are pooled (Ayer, Brunk, Ewing, Reid, Silverman 1955); the bounds are
  /// met by clamping what that gives.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    std::size_t pools = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      means_[pools] = point[i];
      ends_[pools++] = i + 1;
      while (pools > 1 && means_[pools - 2] >= means_[pools - 1]) {
        const std::size_t begin = pools > 2 ? ends_[pools - 3] : 0;
        const auto left = static_cast<double>(ends_[pools - 2] - begin);
        const auto right = static_cast<double>(ends_[pools - 1] - ends_[pools - 2]);
        means_[pools - 2] += (means_[pools - 1] - means_[pools - 2]) * (right / (left + right));
        ends_[pools - 2] = ends_[pools - 1];
        --pools;
      }
    }
    std::size_t i = 0;
    for (std::size_t pool = 0; pool < pools; ++pool) {
      const double value = std::clamp(means_[pool], low_, high_);
      for (; i < ends_[pool]; ++i) nearest[i] = value;
    }
    return true;
  }

  /// The largest of <c, w - p> / (b - <c, p>) over x_1 >= l, x_{i+1} >= x_i, x_n <= u, the first.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const std::size_t n = w.size();
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    double gamma = 0;
    double width = 0;
    std::size_t facet = n + 1;
    for (std::size_t k = 0; k <= n; ++k) {
      const double room = step(p_, k);
      const double missing = (k > 0 ? w[k - 1] - p_[k - 1] : 0) - (k < n ? w[k] - p_[k] : 0);
      if (!(missing > gamma * room)) continue;
      gamma = missing / room;
      width = room;
      facet = k;
    }
    if (facet > n) return 0;
    if (facet > 0) subgradient[facet - 1] = 1 / width;
    if (facet < n) subgradient[facet] = -1 / width;
    return gamma;
  }

  /// A coordinate that is below the one before it goes up to that one.
  void settle(std::span<double> point) override {
    double least = low_;
    for (double& x : point) {
      const double settled = std::clamp(x, least, std::max(least, high_));
      if (std::abs(settled - x) <= slack_) x = settled;
      least = std::max(least, x);
    }
  }

 private:
  /// x_{k+1} - x_k, with l before the first and u after the last.
  [[nodiscard]] double step(std::span<const double> x, std::size_t k) const {
    return (k < x.size() ? x[k] : high_) - (k > 0 ? x[k - 1] : low_);
  }

  const Vector& p_;
  double low_;
  double high_;
  double slack_;
  Vector point_;
  Vector means_;
  std::vector<std::size_t> ends_;
  Vertex vertex_;
};

/// Uniform on the n + 1 vertices of the simplex: Sigma^-1 (v_k - p) is n + 1 times the slope of
/// what x has of v_k, (x_{k+1} - x_k) / (u - l).
class IsotonicVertices final : public Exploration {
 public:
  IsotonicVertices(std::size_t n, double low, double high)
      : Exploration(middle(n, low, high), variances(n, high - low), squared_radius_of(n),
                    {.words = 1, .normals = 0}),
        low_(low),
        high_(high) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    const std::size_t k = bits.below(0, v.size() + 1);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = i < k ? low_ : high_;
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    const std::size_t k = bits.below(0, w.size() + 1);
    const double slope = static_cast<double>(w.size() + 1) / (high_ - low_);
    std::fill(w.begin(), w.end(), 0.0);
    if (k > 0) w[k - 1] = -slope;
    if (k < w.size()) w[k] = slope;
  }

 private:
  static Vector middle(std::size_t n, double low, double high) {
    Vector p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = low + (high - low) * share(n, i);
    return p;
  }
  static Vector variances(std::size_t n, double width) {
    Vector result(n);
    for (std::size_t i = 0; i < n; ++i) {
      result[i] = width * share(n, i) * (width * share(n, n - 1 - i));
    }
    return result;
  }
  /// Of the vertices v_0 and v_n, which are as far away as each other, and farthest.
  static double squared_radius_of(std::size_t n) {
    return math::reduce(n, [n](std::size_t i) { return share(n, i) / share(n, n - 1 - i); }) *
           (1 + 1e-12);
  }
  /// How likely coordinate i is u.
  static double share(std::size_t n, std::size_t i) {
    return static_cast<double>(i + 1) / static_cast<double>(n + 1);
  }

  double low_;
  double high_;
};

/// r from the facets, R from the vertices: ||v_k - p||^2, from one to the next by one coordinate.
Geometry isotonic_geometry(double low, double high, std::span<const double> p) {
  const std::size_t n = p.size();
  double r = std::min(p[0] - low, high - p[n - 1]);
  for (std::size_t i = 1; i < n; ++i) r = std::min(r, (p[i] - p[i - 1]) / std::sqrt(2.0));
  const auto square = [](double x) { return x * x; };
  double squared = math::reduce(n, [&](std::size_t i) { return square(high - p[i]); });
  double farthest = squared;
  for (std::size_t i = 0; i < n; ++i) {
    squared += (square(p[i] - low) - square(high - p[i]));
    farthest = std::max(farthest, squared);
  }
  const double roundings = 1 + 1e-15 * static_cast<double>(n);
  return {{p.begin(), p.end()},
          r,
          std::sqrt(farthest) * roundings,
          (high - low) * std::sqrt(static_cast<double>(n))};
}

/// l + r (1 + (i - 1) sqrt 2), r = (u - l) / (2 + (n - 1) sqrt 2).
Vector isotonic_incentre(std::size_t n, double low, double high) {
  const double root = std::sqrt(2.0);
  const double r = (high - low) / (2 + static_cast<double>(n - 1) * root);
  Vector p(n);
  for (std::size_t i = 0; i < n; ++i) p[i] = low + r * (1 + static_cast<double>(i) * root);
  return p;
}

class Isotonic final : public Set {
 public:
  Isotonic(std::size_t n, double low, double high)
      : Set(n, n, isotonic_geometry(low, high, isotonic_incentre(n, low, high))),
        low_(low),
        high_(high) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    // Far from the origin the roundings of a coordinate can exceed the tolerance.
    const double roundings =
        8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low_), std::abs(high_));
    return std::make_unique<IsotonicOracle>(*this, low_, high_, slack() + roundings);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<IsotonicVertices>(dimension(), low_, high_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    double least = low_;
    for (const double coordinate : x) {
      if (!(least <= coordinate)) return false;
      least = coordinate;
    }
    return least <= high_;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return isotonic_geometry(low_, high_, centre);
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    PolytopeConstraints result{
        .n = dimension(), .lower = Vector(dimension(), low_), .upper = Vector(dimension(), high_)};
    result.inequalities.right.assign(dimension() - 1, 0.0);
    for (std::size_t i = 0; i + 1 < dimension(); ++i) {
      result.inequalities.sparse.push_back({i, i, 1});
      result.inequalities.sparse.push_back({i, i + 1, -1});
    }
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return "isotonic(" + std::to_string(dimension()) +
           (low_ == 0 ? "" : ", lower=" + base::number_text(low_)) +
           (high_ == 1 ? "" : ", upper=" + base::number_text(high_)) + ")";
  }

 private:
  double low_;
  double high_;
};

}  // namespace

SetPtr isotonic(std::size_t n, double lower, double upper) {
  base::require(n >= 1, "isotonic vectors need at least one coordinate");
  const std::string bounds =
      "the bounds [" + base::number_text(lower) + ", " + base::number_text(upper) + "]";
  base::require(base::is_moderate(lower) && base::is_moderate(upper),
                bounds + " of isotonic vectors must be numbers of magnitude up to 1e50");
  base::require(lower < upper, bounds +
                                   " of isotonic vectors leave nothing to choose: the lower "
                                   "must be below the upper");
  return std::make_shared<Isotonic>(n, lower, upper);
}

}  // namespace keyhole::sets
