#include "keyhole/exploration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/dense.h"
#include "math/sums.h"
#include "sets/require.h"

namespace keyhole {

using Vector = std::vector<double>;

Exploration::Exploration(Vector mean, Vector variance, double squared_radius, RandomNeeds needs)
    : mean_(std::move(mean)),
      variance_(std::move(variance)),
      squared_radius_(squared_radius),
      needs_(needs) {}

std::unique_ptr<Exploration> Set::exploration() const { return inscribed_sphere(*this); }

namespace {

class InscribedSphere final : public Exploration {
 public:
  explicit InscribedSphere(const Set& set)
      : Exploration(set.geometry().centre,
                    Vector(set.dimension(), set.geometry().inner_radius *
                                                set.geometry().inner_radius / hull_dimension(set)),
                    hull_dimension(set), {.words = 0, .normals = set.dimension()}),
        set_(set) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    direction(bits, v);
    const double r = set_.geometry().inner_radius;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = mean()[i] + r * v[i];
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    direction(bits, w);
    const double factor = hull_dimension(set_) / set_.geometry().inner_radius;
    for (double& coordinate : w) coordinate *= factor;
  }

 private:
  static double hull_dimension(const Set& set) { return static_cast<double>(set.hull_dimension()); }

  /// u uniform on the unit sphere of the hull's directions: a normal vector, flattened, over its
  /// length. It is flattened twice, since a short one has lost digits.
  void direction(const RandomBits& bits, std::span<double> u) const {
    std::copy(bits.normals.begin(), bits.normals.end(), u.begin());
    for (int pass = 0; pass < 2; ++pass) {
      set_.flatten(u);
      const double length = math::norm(u);
      for (double& coordinate : u) coordinate /= length;
    }
  }

  const Set& set_;
};

/// What a list of points comes to.
struct ListMoments {
  Vector mean;
  Vector variance;
  double squared_radius = 0;
  Vector points;  // row by row
  Vector scores;  // row by row
};

/// Sigma + c (1 - P) with P the projection onto the hull's directions: invertible if the points
/// span the hull, and its inverse agrees with that of Sigma there.
Vector covariance(const Set& set, const ListMoments& of, double across) {
  const std::size_t n = set.dimension();
  const std::size_t count = of.points.size() / n;
  Vector sigma(n * n, 0.0);
  Vector away(n);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < n; ++i) away[i] = of.points[k * n + i] - of.mean[i];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) sigma[i * n + j] += away[i] * away[j];
    }
  }
  for (double& entry : sigma) entry /= static_cast<double>(count);
  if (set.hull_dimension() == n) return sigma;
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(away.begin(), away.end(), 0.0);
    away[j] = 1;
    set.flatten(away);
    for (std::size_t i = j; i < n; ++i) {
      sigma[i * n + j] += across * ((i == j ? 1.0 : 0.0) - away[i]);
    }
  }
  return sigma;
}

ListMoments moments(const Set& set, const std::vector<Vector>& list) {
  const std::size_t n = set.dimension();
  const auto count = static_cast<double>(list.size());
  require(list.size() > set.hull_dimension(),
          "a list of " + std::to_string(list.size()) + " points cannot span the hull of " +
              set.spec() + ", of dimension " + std::to_string(set.hull_dimension()));
  ListMoments result{
      .mean = Vector(n, 0.0), .variance = Vector(n, 0.0), .points = {}, .scores = {}};
  for (const Vector& point : list) {
    require(point.size() == n && set.contains(point),
            "a point to explore is not in the set " + set.spec());
    result.points.insert(result.points.end(), point.begin(), point.end());
    math::add(result.mean, 1 / count, point);
  }
  for (const Vector& point : list) {
    for (std::size_t i = 0; i < n; ++i) {
      const double away = point[i] - result.mean[i];
      result.variance[i] += away * away / count;
    }
  }
  const double largest = math::largest_magnitude(result.variance);
  const double across = math::sum(result.variance) / static_cast<double>(n);
  for (double& variance : result.variance) variance = std::max(variance, 1e-12 * largest);

  Vector factor = covariance(set, result, across);
  // In units of the coordinates' own deviations, so that thin sets do not look degenerate.
  Vector deviation(n);
  for (std::size_t i = 0; i < n; ++i) deviation[i] = std::sqrt(factor[i * n + i]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) factor[i * n + j] /= deviation[i] * deviation[j];
  }
  bool spans = math::cholesky(factor, n);
  for (std::size_t i = 0; i < n; ++i) spans = spans && factor[i * n + i] > 1e-6;
  require(spans, "the points to explore do not span the hull of " + set.spec());

  result.scores = result.points;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::span<double> w = std::span(result.scores).subspan(k * n, n);
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      w[i] -= result.mean[i];
      squares += w[i] * w[i] / result.variance[i];
    }
    result.squared_radius = std::max(result.squared_radius, squares);
    set.flatten(w);
    for (std::size_t i = 0; i < n; ++i) w[i] /= deviation[i];
    math::cholesky_solve(factor, n, w);
    for (std::size_t i = 0; i < n; ++i) w[i] /= deviation[i];
    set.flatten(w);
  }
  return result;
}

class PointList final : public Exploration {
 public:
  explicit PointList(ListMoments of)
      : Exploration(std::move(of.mean), std::move(of.variance), of.squared_radius,
                    {.words = 1, .normals = 0}),
        points_(std::move(of.points)),
        scores_(std::move(of.scores)) {}

  void draw(const RandomBits& bits, std::span<double> v) override { copy_row(points_, bits, v); }
  void score(const RandomBits& bits, std::span<double> w) override { copy_row(scores_, bits, w); }

 private:
  void copy_row(const Vector& rows, const RandomBits& bits, std::span<double> to) const {
    const std::size_t n = mean().size();
    const std::size_t k = bits.below(0, rows.size() / n);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(k * n), n, to.begin());
  }

  Vector points_;
  Vector scores_;
};

}  // namespace

std::unique_ptr<Exploration> inscribed_sphere(const Set& set) {
  return std::make_unique<InscribedSphere>(set);
}

std::unique_ptr<Exploration> point_list(const Set& set, const std::vector<Vector>& list) {
  return std::make_unique<PointList>(moments(set, list));
}

}  // namespace keyhole
