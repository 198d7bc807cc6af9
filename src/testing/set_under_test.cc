#include "testing/set_under_test.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"
#include "testing/report.h"

namespace keyhole::testing {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

Vector axis(std::size_t n, std::size_t i, double value) {
  Vector e(n, 0.0);
  e[i] = value;
  return e;
}

void require_well_formed(const Vertex& vertex, std::size_t n) {
  if (!vertex.dense.empty() && vertex.dense.size() != n) {
    throw std::runtime_error(say("a vertex has a dense part of ", vertex.dense.size(),
                                 " coordinates, in dimension ", n));
  }
  if (vertex.indices.size() != vertex.values.size()) {
    throw std::runtime_error(say("a vertex has ", vertex.indices.size(), " indices and ",
                                 vertex.values.size(), " values"));
  }
  for (const std::size_t index : vertex.indices) {
    if (index >= n) {
      throw std::runtime_error(say("a vertex has an entry ", index, " in dimension ", n));
    }
  }
  const bool no_outer = vertex.left.empty() && vertex.right.empty();
  if (!no_outer && vertex.left.size() * vertex.right.size() != n) {
    throw std::runtime_error(say("a vertex has a rank-one part of ", vertex.left.size(), " times ",
                                 vertex.right.size(), " entries, in dimension ", n));
  }
}

}  // namespace

double dot(std::span<const double> x, std::span<const double> y) { return math::dot(x, y); }

double norm(std::span<const double> x) { return math::norm(x); }

Vector plus(std::span<const double> x, double weight, std::span<const double> y) {
  Vector sum(x.begin(), x.end());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * y[i];
  return sum;
}

Vector minus(std::span<const double> x, std::span<const double> y) { return plus(x, -1, y); }

Vector times(double factor, std::span<const double> x) {
  Vector product(x.begin(), x.end());
  for (double& coordinate : product) coordinate *= factor;
  return product;
}

double distance(std::span<const double> x, std::span<const double> y) { return norm(minus(x, y)); }

bool same_bits(std::span<const double> x, std::span<const double> y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  });
}

SetUnderTest::SetUnderTest(SetPtr set, SetCheckOptions options)
    : set_(std::move(set)),
      options_(std::move(options)),
      oracle_(set_->oracle()),
      rounding_(16 * eps * (R() + norm(p()))) {
  if (oracle_ == nullptr) throw std::runtime_error("oracle() gave none");
  options_.directions = std::max<std::size_t>(options_.directions, 1);
}

double SetUnderTest::nudge() const { return std::max(1e-6 * R(), 16 * rounding_); }

Vector SetUnderTest::minimise(Oracle& oracle, std::span<const double> direction) const {
  const Vertex& vertex = oracle.minimise(direction);
  require_well_formed(vertex, n());
  Vector point(n());
  vertex.write_to(point);
  return point;
}

Vector SetUnderTest::maximise(std::span<const double> direction) const {
  return minimise(times(-1, direction));
}

Vector SetUnderTest::settled(Vector x) const {
  oracle_->settle(x);
  return x;
}

Vector SetUnderTest::projected(std::span<const double> point) const {
  Vector nearest(n());
  oracle_->project(point, nearest);
  return nearest;
}

Vector SetUnderTest::flattened(Vector direction) const {
  set_->flatten(direction);
  return direction;
}

Vector SetUnderTest::unit(const Vector& direction) const {
  constexpr double only_rounding = 1e-6;
  const double length = norm(direction);
  if (!(length > 0)) return {};
  const Vector flat = flattened(times(1 / length, direction));
  const double left = norm(flat);
  if (!(left > only_rounding)) return {};
  return times(1 / left, flat);
}

Vector SetUnderTest::gaussian(std::size_t k) const {
  constexpr std::uint64_t stream = 0x5e7;
  Vector z(n());
  math::gaussians(math::Ars(options_.seed, stream), k, 0, z);
  return z;
}

const std::vector<Vector>& SetUnderTest::directions() const {
  if (!directions_.empty()) return directions_;
  std::vector<Vector> all = {Vector(n(), 0.0), Vector(n(), 1.0), Vector(n(), -1.0)};
  const std::size_t axes = std::min(n(), options_.directions);
  for (std::size_t k = 0; k < axes; ++k) {
    const std::size_t i = k * n() / axes;
    all.push_back(axis(n(), i, 1));
    all.push_back(axis(n(), i, -1));
  }
  for (std::size_t k = 0; k < options_.directions; ++k) {
    Vector z = gaussian(k);
    if (k % 10 == 0) {  // the other kinds are made of every tenth
      Vector tied = z;
      for (double& coordinate : tied) coordinate = std::round(coordinate);
      Vector positive = z;
      for (double& coordinate : positive) coordinate = std::abs(coordinate);
      const Vector negative = times(-1, positive);
      for (const Vector& kind : {z, tied, positive, negative}) {
        all.push_back(times(1e-30, kind));
        all.push_back(times(1e30, kind));
      }
      all.insert(all.end(), {std::move(tied), std::move(positive), negative});
    }
    all.push_back(std::move(z));
  }
  directions_ = std::move(all);
  return directions_;
}

const std::vector<Vector>& SetUnderTest::units() const {
  if (!units_.empty()) return units_;
  std::vector<Vector> candidates = directions();
  const std::size_t most = std::min(vertices().size(), options_.directions);
  for (std::size_t k = 1; k < most; ++k) {
    candidates.push_back(minus(vertices()[k], vertices()[k - 1]));
  }
  for (const Vector& candidate : candidates) {
    Vector u = unit(candidate);
    if (!u.empty()) units_.push_back(std::move(u));
  }
  return units_;
}

const std::vector<Vector>& SetUnderTest::vertices() const {
  if (!vertices_.empty()) return vertices_;
  for (const Vector& direction : directions()) {
    Vector v = minimise(direction);
    if (contains(v)) vertices_.push_back(std::move(v));
  }
  return vertices_;
}

const std::vector<Vector>& SetUnderTest::boundary() const {
  if (!boundary_.empty()) return boundary_;
  for (std::size_t k = 0; k < (options_.directions + 1) / 2; ++k) {
    const Vector u = unit(gaussian(k));
    if (!u.empty()) boundary_.push_back(last_inside(u));
  }
  return boundary_;
}

Vector SetUnderTest::last_inside(std::span<const double> u) const {
  double inside = 0;
  double outside = 2 * D();
  for (int k = 0; k < 50; ++k) {
    const double middle = (inside + outside) / 2;
    (contains(plus(p(), middle, u)) ? inside : outside) = middle;
  }
  return plus(p(), inside, u);
}

Vector SetUnderTest::safely_inside(std::span<const double> x) const {
  const double tolerance = membership_tolerance * R();
  return plus(p(), r() / (r() + tolerance), minus(x, p()));
}

std::vector<Vector> SetUnderTest::mixtures() const {
  // Points found by bisection use up the tolerance of contains(); pulled in, they leave roundings
  // room as well.
  constexpr double pulled_in = 1 - 1e-6;
  std::vector<Vector> from = vertices();
  for (const Vector& x : boundary()) {
    from.push_back(plus(p(), pulled_in, minus(safely_inside(x), p())));
  }
  std::vector<Vector> mixed;
  constexpr std::size_t parts = 4;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Vector z = gaussian(k);
    Vector sum(n(), 0.0);
    double left = 1;
    for (std::size_t part = 0; part < parts; ++part) {
      const bool last = part + 1 == parts;
      const double weight = last ? left : left * std::min(1.0, std::abs(z[part % n()]));
      sum = plus(sum, weight, from[(k + part * part * 7) % from.size()]);
      left -= weight;
    }
    mixed.push_back(settled(plus(p(), 0.5, minus(sum, p()))));
    mixed.push_back(settled(std::move(sum)));
  }
  return mixed;
}

}  // namespace keyhole::testing
