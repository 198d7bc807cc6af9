#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/sums.h"
#include "sets/magnitude_projection.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// sum |x_i|.
double l1_norm(std::span<const double> x) {
  return math::reduce(x.size(), [&](std::size_t i) { return std::abs(x[i]); });
}

class L1Oracle final : public Oracle {
 public:
  L1Oracle(std::size_t n, double radius) : radius_(radius), magnitudes_(solid_simplex(n, radius)) {
    vertex_ = {{}, index_, value_};
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < direction.size(); ++i) {
      if (std::abs(direction[i]) > std::abs(direction[largest])) largest = i;
    }
    index_[0] = largest;
    value_[0] = direction[largest] < 0 ? radius_ : -radius_;
    return vertex_;
  }

  /// The magnitudes are projected onto {x >= 0, sum x <= radius}, the signs stay.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    magnitudes_.project(point, nearest);
    return true;
  }

  /// gamma(w) = sum |w_i| / radius.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    for (std::size_t i = 0; i < w.size(); ++i) {
      subgradient[i] = w[i] == 0 ? 0 : std::copysign(1 / radius_, w[i]);
    }
    return l1_norm(w) / radius_;
  }

 private:
  double radius_;
  MagnitudeProjection magnitudes_;
  std::array<std::size_t, 1> index_{};
  std::array<double, 1> value_{};
  Vertex vertex_;
};

/// Uniform on the vertices +-radius e_i: Sigma = radius^2 / n, and Sigma^-1 v = +-n / radius e_i.
class SignedAxes final : public Exploration {
 public:
  SignedAxes(std::size_t n, double radius)
      : Exploration(Vector(n, 0.0), Vector(n, radius * radius / static_cast<double>(n)),
                    static_cast<double>(n), {.words = 1, .normals = 0}),
        radius_(radius) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, radius_); }
  void score(const RandomBits& bits, std::span<double> w) override {
    write(bits, w, static_cast<double>(w.size()) / radius_);
  }

 private:
  static void write(const RandomBits& bits, std::span<double> x, double value) {
    std::fill(x.begin(), x.end(), 0.0);
    const std::size_t k = bits.below(0, 2 * x.size());
    x[k / 2] = k % 2 == 0 ? value : -value;
  }

  double radius_;
};

class L1Ball final : public Set {
 public:
  L1Ball(std::size_t n, double radius)
      : Set(n, n, {Vector(n, 0.0), radius / std::sqrt(static_cast<double>(n)), radius, 2 * radius}),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<L1Oracle>(dimension(), radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<SignedAxes>(dimension(), radius_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == dimension() && l1_norm(x) <= radius_ * (1 + membership_tolerance);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  /// The facets are <s, x> = radius for the signs s, of length sqrt n; the farthest vertex is
  /// opposite the largest coordinate.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const double root = std::sqrt(static_cast<double>(dimension()));
    const double largest = math::largest_magnitude(centre);
    return {{centre.begin(), centre.end()},
            (radius_ - l1_norm(centre)) / root,
            std::sqrt(math::squared_norm(centre) + 2 * radius_ * largest + radius_ * radius_),
            2 * radius_};
  }

  /// All 2^n sums with signs, of which there are soon too many.
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    constexpr std::size_t most_coordinates = 6;
    const std::size_t n = dimension();
    if (n > most_coordinates) return std::nullopt;
    PolytopeConstraints result{.n = n};
    for (std::size_t signs = 0; signs < std::size_t{1} << n; ++signs) {
      for (std::size_t j = 0; j < n; ++j) {
        result.inequalities.dense.push_back((signs >> j & 1U) != 0 ? -1 : 1);
      }
      result.inequalities.right.push_back(radius_);
    }
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return "l1_ball(" + std::to_string(dimension()) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  double radius_;
};

}  // namespace

SetPtr l1_ball(std::size_t n, double radius) {
  base::require(n >= 1, "an l1 ball needs at least one dimension");
  base::require_positive("the radius of an l1 ball", radius);
  return std::make_shared<L1Ball>(n, radius);
}

}  // namespace keyhole::sets
