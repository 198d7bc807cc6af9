#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/sums.h"
#include "sets/bounds.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// r = min_i min(p_i - l_i, u_i - p_i), R = the distance to the farthest corner.
Geometry box_geometry(const Vector& lower, const Vector& upper, std::span<const double> p) {
  const std::size_t n = lower.size();
  double r = upper[0] - lower[0];
  for (std::size_t i = 0; i < n; ++i) r = std::min({r, p[i] - lower[i], upper[i] - p[i]});
  Vector farthest(n);
  Vector widths(n);
  for (std::size_t i = 0; i < n; ++i) {
    farthest[i] = std::max(p[i] - lower[i], upper[i] - p[i]);
    widths[i] = upper[i] - lower[i];
  }
  return {{p.begin(), p.end()}, r, math::norm(farthest), math::norm(widths)};
}

Vector middle(const Vector& lower, const Vector& upper) {
  Vector p(lower.size());
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = lower[i] + (upper[i] - lower[i]) / 2;
  return p;
}

class BoxOracle final : public Oracle {
 public:
  BoxOracle(const Set& set, const Vector& lower, const Vector& upper, double slack)
      : lower_(lower), upper_(upper), centre_(set.centre()), slack_(slack), corner_(lower.size()) {
    vertex_.dense = corner_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    // Both are read, so that there is no branch, which random signs would make slow.
    for (std::size_t i = 0; i < corner_.size(); ++i) {
      const double low = lower_[i];
      const double high = upper_[i];
      corner_[i] = direction[i] < 0 ? high : low;
    }
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    for (std::size_t i = 0; i < point.size(); ++i) {
      nearest[i] = std::clamp(point[i], lower_[i], upper_[i]);
    }
    return true;
  }

  /// gamma(w) = max_i (w_i - p_i) / (u_i - p_i) or (p_i - w_i) / (p_i - l_i), the first of them.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    double gamma = 0;
    std::size_t farthest = 0;
    double slope = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double off = w[i] - centre_[i];
      const double width = off > 0 ? upper_[i] - centre_[i] : lower_[i] - centre_[i];
      if (!(off / width > gamma)) continue;
      gamma = off / width;
      farthest = i;
      slope = 1 / width;
    }
    subgradient[farthest] = slope;
    return gamma;
  }

  void settle(std::span<double> point) override { settle_between(point, lower_, upper_, slack_); }

 private:
  const Vector& lower_;
  const Vector& upper_;
  const Vector& centre_;
  double slack_;
  Vector corner_;
  Vertex vertex_;
};

/// Uniform on the corners: the coordinates are independent, each at either bound, with variance
/// (upper_i - lower_i)^2 / 4.
class Corners final : public Exploration {
 public:
  Corners(const Set& set, const Vector& lower, const Vector& upper)
      : Exploration(set, set.centre(), quarter_squares(lower, upper),
                    static_cast<double>(lower.size()),
                    {.words = (lower.size() + 63) / 64, .normals = 0}),
        lower_(lower),
        upper_(upper) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = at_upper(bits, i) ? upper_[i] : lower_[i];
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double slope = 2 / (upper_[i] - lower_[i]);
      w[i] = at_upper(bits, i) ? slope : -slope;
    }
  }

 private:
  static bool at_upper(const RandomBits& bits, std::size_t i) {
    return ((bits.words[i / 64] >> (i % 64)) & 1U) != 0;
  }
  static Vector quarter_squares(const Vector& lower, const Vector& upper) {
    Vector result(lower.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double half = (upper[i] - lower[i]) / 2;
      result[i] = half * half;
    }
    return result;
  }

  const Vector& lower_;
  const Vector& upper_;
};

class Box final : public Set {
 public:
  Box(Vector lower, Vector upper)
      : Set(lower.size(), lower.size(), box_geometry(lower, upper, middle(lower, upper))),
        lower_(std::move(lower)),
        upper_(std::move(upper)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    // Far from the origin the roundings of a coordinate can exceed the tolerance.
    const double roundings =
        8 * std::numeric_limits<double>::epsilon() *
        std::max(math::largest_magnitude(lower_), math::largest_magnitude(upper_));
    return std::make_unique<BoxOracle>(*this, lower_, upper_, slack() + roundings);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<Corners>(*this, lower_, upper_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(lower_[i] <= x[i] && x[i] <= upper_[i])) return false;
    }
    return true;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return box_geometry(lower_, upper_, centre);
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    return PolytopeConstraints{.n = dimension(), .lower = lower_, .upper = upper_};
  }

  [[nodiscard]] std::string spec() const override {
    return "box(" + bounds_text(lower_, upper_) + ")";
  }

 private:
  Vector lower_;
  Vector upper_;
};

}  // namespace

SetPtr box(List<double> lower, List<double> upper) {
  require_bounds("a box", lower, upper);
  return std::make_shared<Box>(Vector(lower.begin(), lower.end()),
                               Vector(upper.begin(), upper.end()));
}

SetPtr box(double lower, double upper, std::size_t n) {
  return box(Vector(n, lower), Vector(n, upper));
}

}  // namespace keyhole::sets
