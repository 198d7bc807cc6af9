#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/assignment.h"
#include "math/sums.h"
#include "sets/require.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

class BirkhoffOracle final : public Oracle {
 public:
  BirkhoffOracle(std::size_t n, double slack)
      : n_(n), slack_(slack), assignment_(n, n), indices_(n), ones_(n, 1.0) {
    vertex_ = {{}, indices_, ones_};
  }

  const Vertex& minimise(std::span<const double> direction) override {
    const std::span<const std::size_t> columns = assignment_.minimise(direction);
    for (std::size_t i = 0; i < n_; ++i) indices_[i] = i * n_ + columns[i];
    return vertex_;
  }

  /// gamma(w) = max_ij (1/n - w_ij) / (1/n), of the first of the smallest entries.
  double gauge(std::span<const double> w, std::span<double> subgradient) override {
    const auto size = static_cast<double>(n_);
    const auto smallest =
        static_cast<std::size_t>(std::min_element(w.begin(), w.end()) - w.begin());
    const double gamma = 1 - size * w[smallest];
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    if (!(gamma > 0)) return 0;
    // -n e_ij less its means over the row and the column, and its mean again.
    const std::size_t row = smallest / n_;
    const std::size_t column = smallest % n_;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        subgradient[i * n_ + j] = -1 / size + (i == row ? 1.0 : 0.0) + (j == column ? 1.0 : 0.0);
      }
    }
    subgradient[smallest] -= size;
    return gamma;
  }

  void settle(std::span<double> point) override {
    for (double& coordinate : point) {
      if (coordinate < 0 && coordinate >= -slack_) coordinate = 0;
    }
  }

 private:
  std::size_t n_;
  double slack_;
  math::Assignment assignment_;
  std::vector<std::size_t> indices_;
  Vector ones_;
  Vertex vertex_;
};

/// Uniform on the permutation matrices (Fisher and Yates): with P the projection onto the hull's
/// directions Sigma = P / (n - 1), since the squared distance from p is n - 1 for all of them, the
/// dimension is (n - 1)^2, and by symmetry no direction is different.
class RandomPermutations final : public Exploration {
 public:
  explicit RandomPermutations(std::size_t n) : RandomPermutations(n, static_cast<double>(n)) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, 0, 1); }
  void score(const RandomBits& bits, std::span<double> w) override {
    const auto n = static_cast<double>(order_.size());
    write(bits, w, -(n - 1) / n, n - 1);
  }

 private:
  RandomPermutations(std::size_t n, double size)
      : Exploration(Vector(n * n, 1 / size), Vector(n * n, (size - 1) / (size * size)),
                    size * size * (1 + 1e-12), {.words = n - 1, .normals = 0}),
        order_(n) {}

  void write(const RandomBits& bits, std::span<double> x, double base, double value) {
    const std::size_t n = order_.size();
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::fill(x.begin(), x.end(), base);
    for (std::size_t i = n - 1; i > 0; --i) {
      std::swap(order_[i], order_[bits.below(i - 1, i + 1)]);
    }
    for (std::size_t i = 0; i < n; ++i) x[i * n + order_[i]] += value;
  }

  std::vector<std::size_t> order_;
};

/// r from the facets x_ij = 0, whose normals are (n - 1)/n long within the hull. ||X - p||^2 =
/// ||p||^2 + n - 2 <p, X> is largest for an assignment of least cost.
Geometry birkhoff_geometry(std::size_t n, std::span<const double> p) {
  const auto size = static_cast<double>(n);
  const double smallest = *std::min_element(p.begin(), p.end());
  math::Assignment assignment(n, n);
  const std::span<const std::size_t> columns = assignment.minimise(p);
  const double nearest = math::reduce(n, [&](std::size_t i) { return p[i * n + columns[i]]; });
  return {{p.begin(), p.end()},
          smallest * size / (size - 1),
          std::sqrt(math::squared_norm(p) + size - 2 * nearest),
          std::sqrt(2 * size)};
}

class Birkhoff final : public Set {
 public:
  explicit Birkhoff(std::size_t n)
      : Set(n * n, (n - 1) * (n - 1),
            {Vector(n * n, 1 / static_cast<double>(n)), 1 / static_cast<double>(n - 1),
             std::sqrt(static_cast<double>(n - 1)), std::sqrt(2 * static_cast<double>(n))}),
        n_(n) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<BirkhoffOracle>(n_, slack());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<RandomPermutations>(n_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (const double coordinate : x) {
      if (!(coordinate >= 0)) return false;
    }
    const double tolerance = slack() * std::sqrt(static_cast<double>(n_));
    for (std::size_t i = 0; i < n_; ++i) {
      const double of_row = math::sum(x.subspan(i * n_, n_));
      const double of_column = math::reduce(n_, [&](std::size_t k) { return x[k * n_ + i]; });
      if (!(std::abs(of_row - 1) <= tolerance && std::abs(of_column - 1) <= tolerance)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  /// Rows and columns, one after the other, lose their means.
  void flatten(std::span<double> direction) const override {
    const auto size = static_cast<double>(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double mean = math::sum(direction.subspan(i * n_, n_)) / size;
      for (std::size_t j = 0; j < n_; ++j) direction[i * n_ + j] -= mean;
    }
    for (std::size_t j = 0; j < n_; ++j) {
      const double mean =
          math::reduce(n_, [&](std::size_t i) { return direction[i * n_ + j]; }) / size;
      for (std::size_t i = 0; i < n_; ++i) direction[i * n_ + j] -= mean;
    }
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return birkhoff_geometry(n_, centre);
  }

  [[nodiscard]] std::string spec() const override { return "birkhoff(" + std::to_string(n_) + ")"; }

 private:
  [[nodiscard]] double slack() const { return membership_tolerance * geometry().outer_radius; }

  std::size_t n_;
};

}  // namespace

SetPtr birkhoff(std::size_t n) {
  require(n >= 2 && n <= 10'000,
          "doubly stochastic matrices need 2 to 10000 rows, not " + std::to_string(n));
  return std::make_shared<Birkhoff>(n);
}

}  // namespace keyhole
