#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "math/smallest.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

/// Oracle of both simplices: `solid` says whether 0 is a vertex too.
class SimplexOracle final : public Oracle {
 public:
  SimplexOracle(const Set& set, double total, bool solid)
      : total_(total),
        solid_(solid),
        slack_(set.slack()),
        centre_(set.centre().front()),
        active_(new double[set.dimension()]),
        value_{total} {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::size_t smallest = math::first_smallest(direction);
    if (solid_ && !(direction[smallest] < 0)) {
      vertex_ = {};
    } else {
      index_[0] = smallest;
      vertex_ = {{}, index_, value_};
    }
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const auto above_zero = [&](std::size_t i) { return std::max(point[i], 0.0); };
    double largest = 0;
    double theta = 0;
    if (!solid_ || math::reduce(point.size(), above_zero) > total_) {
      largest = *std::max_element(point.begin(), point.end());
      theta = threshold(point, largest);
    }
    for (std::size_t i = 0; i < point.size(); ++i) {
      nearest[i] = std::max((point[i] - largest) - theta, 0.0);
    }
    return true;
  }

  /// gamma(w) = max_i (p_i - w_i) / p_i, which is taken by the first of the smallest w_i, and for
  /// the solid simplex sum_i (w_i - p_i) / (total - sum p) if that is larger.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const auto n = static_cast<double>(w.size());
    const auto smallest =
        static_cast<std::size_t>(std::min_element(w.begin(), w.end()) - w.begin());
    const double of_sign = (centre_ - w[smallest]) / centre_;
    const double room = total_ - n * centre_;
    const double of_sum =
        solid_ ? math::reduce(w.size(), [&](std::size_t i) { return w[i] - centre_; }) / room : 0;
    if (!(of_sign > 0) && !(of_sum > 0)) {
      std::fill(subgradient.begin(), subgradient.end(), 0.0);
      return 0;
    }
    if (of_sum > of_sign) {
      std::fill(subgradient.begin(), subgradient.end(), 1 / room);
      return of_sum;
    }
    std::fill(subgradient.begin(), subgradient.end(), solid_ ? 0 : 1 / (n * centre_));
    subgradient[smallest] -= 1 / centre_;
    return of_sign;
  }

  void settle(std::span<double> point) override {
    // A look is quicker than writing, and mostly finds nothing to do.
    if (math::any_sign(point)) settle_signs(point, slack_);
  }

 private:
  /// Michelot's method: theta with sum_i max(z_i - theta, 0) = total for z_i = point_i - largest,
  /// by dropping the coordinates at or below the theta of those that are left until none drops.
  /// Relative to the largest, which the answer keeps, points far away lose no digits.
  double threshold(std::span<const double> point, double largest) {
    std::size_t count = 0;
    for (const double coordinate : point) {
      if (coordinate - largest > -total_) active_[count++] = coordinate - largest;
    }
    for (;;) {
      const std::span<double> active(active_.get(), count);
      const double theta = (math::sum(active) - total_) / static_cast<double>(count);
      const auto end =
          std::remove_if(active.begin(), active.end(), [&](double z) { return z <= theta; });
      const auto left = static_cast<std::size_t>(end - active.begin());
      if (left == count) return theta;
      count = left;
    }
  }

  double total_;
  bool solid_;
  double slack_;
  double centre_;                     // each coordinate of p
  std::unique_ptr<double[]> active_;  // of n numbers; no memory is taken unless it projects
  std::array<std::size_t, 1> index_{};
  std::array<double, 1> value_;
  Vertex vertex_;
};

Geometry solid_geometry(std::size_t n, double total) {
  const double root = std::sqrt(static_cast<double>(n));
  const double r = total / (static_cast<double>(n) + root);
  const double a = 1 / (static_cast<double>(n) + root);
  const double b = 1 / (1 + root);
  return {std::vector<double>(n, r), r, total * std::sqrt(1 - 2 * a + b * b),
          n == 1 ? total : total * std::sqrt(2.0)};
}

Geometry flat_geometry(std::size_t n, double total) {
  const auto size = static_cast<double>(n);
  return {std::vector<double>(n, total / size), total / std::sqrt(size * (size - 1)),
          total * std::sqrt((size - 1) / size), total * std::sqrt(2.0)};
}

/// Uniform on the vertices: total e_1, ..., total e_n, of the solid simplex 0 as well. With k of
/// them Sigma = total^2 / k (1 - 1 1'/k), and Sigma^-1 (v - p) is k / total (e_i - 1/n 1) in the
/// hull of the flat simplex; k / total e_i and, at 0, -k / total 1 for the solid one.
class Vertices final : public Exploration {
 public:
  Vertices(std::size_t n, double total, bool solid)
      : Vertices(n, total, solid, static_cast<double>(solid ? n + 1 : n)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    std::fill(v.begin(), v.end(), 0.0);
    const std::size_t i = bits.below(0, count());
    if (i < v.size()) v[i] = total_;
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    const std::size_t i = bits.below(0, count());
    const double factor = static_cast<double>(count()) / total_;
    if (i == w.size()) {
      std::fill(w.begin(), w.end(), -factor);
      return;
    }
    std::fill(w.begin(), w.end(), solid_ ? 0.0 : -factor / static_cast<double>(w.size()));
    w[i] += factor;
  }

 private:
  Vertices(std::size_t n, double total, bool solid, double k)
      : Exploration(std::vector<double>(n, total / k),
                    std::vector<double>(n, total * total * (k - 1) / (k * k)),
                    // From e_i: (1 - 1/k)^2 + (n - 1)/k^2, over (k - 1)/k^2; from 0: n/k^2.
                    (((k - 1) * (k - 1)) + static_cast<double>(n - 1)) / (k - 1),
                    {.words = 1, .normals = 0}),
        total_(total),
        solid_(solid) {}

  [[nodiscard]] std::size_t count() const { return mean().size() + (solid_ ? 1 : 0); }

  double total_;
  bool solid_;
};

/// Both simplices: {x >= 0, sum x <= total} and its face {x >= 0, sum x = total}.
class Simplex final : public Set {
 public:
  Simplex(std::size_t n, double total, bool solid)
      : Set(n, solid ? n : n - 1, solid ? solid_geometry(n, total) : flat_geometry(n, total)),
        total_(total),
        solid_(solid) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SimplexOracle>(*this, total_, solid_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<Vertices>(dimension(), total_, solid_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (const double coordinate : x) {
      if (!(coordinate >= 0)) return false;
    }
    const double sum = math::sum(x);
    return sum <= total_ + slack() && (solid_ || sum >= total_ - slack());
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override {
    if (solid_) return;
    math::subtract_mean(direction);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const auto n = static_cast<double>(dimension());
    const double smallest = *std::min_element(centre.begin(), centre.end());
    // To the facets x_i = 0: within the flat simplex their unit normals are flattened e_i, of
    // length sqrt((n - 1)/n). To the facet sum x = total of the solid one: 1 / sqrt n.
    const double r = solid_ ? std::min(smallest, (total_ - math::sum(centre)) / std::sqrt(n))
                            : smallest * std::sqrt(n / (n - 1));
    // ||p - total e_i||^2 = ||p||^2 - 2 total p_i + total^2 is largest for the smallest p_i; the
    // vertex 0 of the solid simplex is at ||p||.
    const double of_centre = math::squared_norm(centre);
    const double to_vertex = of_centre - 2 * total_ * smallest + total_ * total_;
    const double R = std::sqrt(solid_ ? std::max(to_vertex, of_centre) : to_vertex);
    return {{centre.begin(), centre.end()}, r, R, diameter()};
  }

  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    PolytopeConstraints result{.n = dimension(), .lower = std::vector<double>(dimension(), 0.0)};
    LinearRows& sum = solid_ ? result.inequalities : result.equalities;
    sum = {.dense = std::vector<double>(dimension(), 1.0), .right = {total_}};
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return (solid_ ? "solid_simplex(" : "simplex(") + std::to_string(dimension()) +
           (total_ == 1 ? "" : ", total=" + base::number_text(total_)) + ")";
  }

 private:
  double total_;
  bool solid_;
};

}  // namespace

SetPtr solid_simplex(std::size_t n, double total) {
  base::require(n >= 1, "a solid simplex needs at least one dimension");
  base::require_positive("the total of a solid simplex", total);
  return std::make_shared<Simplex>(n, total, true);
}

SetPtr simplex(std::size_t n, double total) {
  base::require(n >= 2, "a simplex of " + std::to_string(n) +
                            " dimensions is a single point or empty: at least 2 are needed");
  base::require_positive("the total of a simplex", total);
  return std::make_shared<Simplex>(n, total, false);
}

}  // namespace keyhole::sets
