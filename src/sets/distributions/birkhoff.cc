#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/combinatorial/assignment.h"
#include "math/sums.h"
#include "sets/distributions/marginal_set.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class BirkhoffOracle final : public MarginalOracle {
 public:
  BirkhoffOracle(const MarginalSet& set, std::size_t n)
      : MarginalOracle(set), assignment_(n, n), indices_(n), ones_(n, 1.0) {
    vertex_ = {{}, indices_, ones_};
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const std::size_t> columns = assignment_.minimise(direction);
    for (std::size_t i = 0; i < columns.size(); ++i) indices_[i] = i * columns.size() + columns[i];
    return vertex_;
  }

 private:
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

class Birkhoff final : public MarginalSet {
 public:
  explicit Birkhoff(std::size_t n)
      : MarginalSet({Vector(n, 1.0), Vector(n, 1.0)},
                    {Vector(n * n, 1 / static_cast<double>(n)), 1 / static_cast<double>(n - 1),
                     std::sqrt(static_cast<double>(n - 1)), std::sqrt(2 * static_cast<double>(n))}),
        n_(n) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<BirkhoffOracle>(*this, n_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<RandomPermutations>(n_);
  }

  /// ||X - p||^2 = ||p||^2 + n - 2 <p, X> is largest for an assignment of least cost.
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const override {
    math::Assignment assignment(n_, n_);
    const std::span<const std::size_t> columns = assignment.minimise(p);
    const double nearest = math::reduce(n_, [&](std::size_t i) { return p[i * n_ + columns[i]]; });
    const double R = std::sqrt(math::squared_norm(p) + static_cast<double>(n_) - 2 * nearest);
    return {{p.begin(), p.end()}, marginals().inner_radius(p), R, diameter()};
  }

  [[nodiscard]] std::string spec() const override { return "birkhoff(" + std::to_string(n_) + ")"; }

 private:
  std::size_t n_;
};

}  // namespace

SetPtr birkhoff(std::size_t n) {
  base::require(n >= 2 && n <= 10'000,
                "doubly stochastic matrices need 2 to 10000 rows, not " + std::to_string(n));
  return std::make_shared<Birkhoff>(n);
}

}  // namespace keyhole::sets
