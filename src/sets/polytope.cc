#include "sets/polytope.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "math/dual_active_set.h"
#include "math/dual_newton.h"
#include "math/hash.h"
#include "math/sums.h"
#include "sets/require.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

class PolytopeOracle final : public Oracle {
 public:
  PolytopeOracle(const PolytopeBody& body, math::BoundedSimplex simplex, const Geometry& geometry,
                 double slack)
      : body_(body),
        simplex_(std::move(simplex)),
        newton_(body.constraints, body.low, body.high, geometry.outer_radius),
        active_set_(body.constraints, body.low, body.high, geometry.outer_radius),
        geometry_(geometry),
        slack_(slack) {
    vertex_.dense = simplex_.x();
  }

  const Vertex& minimise(std::span<const double> direction) override {
    if (simplex_.minimise(direction) != math::LinearResult::optimal) {
      throw Error("rounding errors keep the polytope's oracle from an answer for the direction " +
                  list_text(direction, false) + ": its constraints are too nearly dependent");
    }
    return vertex_;
  }

  void project(std::span<const double> point, std::span<double> nearest) override {
    // Newton's method is the faster one near K, where learners project from; from afar it finds no
    // slope to go by.
    const Vector& p = geometry_.centre;
    const auto square = [&](std::size_t j) { return (point[j] - p[j]) * (point[j] - p[j]); };
    const bool near = std::sqrt(math::reduce(p.size(), square)) <= geometry_.outer_radius;
    if (near && newton_.solve(point, nearest)) return;
    if (active_set_.solve(point, nearest)) return;
    throw Error("rounding errors keep the polytope from projecting the point " +
                list_text(point, false) + ": its constraints are too nearly dependent");
  }

  void settle(std::span<double> point) override {
    const Vector& lower = body_.constraints.lower;
    const Vector& upper = body_.constraints.upper;
    for (std::size_t j = 0; j < point.size(); ++j) {
      const double nearest = std::clamp(point[j], lower[j], upper[j]);
      if (std::abs(point[j] - nearest) <= slack_) point[j] = nearest;
    }
  }

 private:
  const PolytopeBody& body_;
  math::BoundedSimplex simplex_;
  math::DualNewton newton_;
  math::DualActiveSet active_set_;
  const Geometry& geometry_;
  double slack_;
  Vertex vertex_;
};

class Polytope final : public Set {
 public:
  Polytope(PolytopeBody body, std::string spec)
      : Set(body.constraints.columns, body.constraints.columns - body.normals.right.size(),
            body.geometry_about(body.centre)),
        body_(std::move(body)),
        simplex_(body_.constraints),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    const double roundings =
        8 * std::numeric_limits<double>::epsilon() *
        std::max(math::largest_magnitude(body_.low), math::largest_magnitude(body_.high));
    return std::make_unique<PolytopeOracle>(body_, simplex_, geometry(), tolerance() + roundings);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const math::LinearConstraints& k = body_.constraints;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (!(k.lower[j] <= x[j] && x[j] <= k.upper[j]) || !std::isfinite(x[j])) return false;
    }
    for (std::size_t i = 0; i < k.inequalities; ++i) {
      if (!(math::dot(k.row(i), x) - k.right[i] <= tolerance() * body_.norms[i])) return false;
    }
    for (std::size_t i = 0; i < body_.normals.right.size(); ++i) {
      const double off = math::dot(body_.normals.row(i), x) - body_.normals.right[i];
      if (!(std::abs(off) <= tolerance())) return false;
    }
    return true;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { body_.normals.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  [[nodiscard]] double tolerance() const { return membership_tolerance * geometry().outer_radius; }

  PolytopeBody body_;
  math::BoundedSimplex simplex_;
  std::string spec_;
};

std::string matrix_text(const Vector& dense, std::size_t n) {
  std::string text = "[";
  for (std::size_t i = 0; i < dense.size(); i += n) {
    text += (i > 0 ? ", " : "") + list_text(std::span(dense).subspan(i, n), false);
  }
  return text + "]";
}

/// A digest of all numbers, zeros of matrices left out; the bytes of each in a fixed order.
class Digest {
 public:
  void number(std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
    }
  }
  void list(const Vector& values) {
    number(values.size());
    for (const double value : values) number(std::bit_cast<std::uint64_t>(value + 0.0));
  }
  void matrix(const Vector& dense) {
    for (std::size_t i = 0; i < dense.size(); ++i) {
      if (dense[i] == 0) continue;
      number(i);
      number(std::bit_cast<std::uint64_t>(dense[i]));
    }
  }
  [[nodiscard]] std::string text() const {
    std::uint64_t hash = math::fnv1a(bytes_);
    std::string hex(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4) hex[i] = "0123456789abcdef"[hash & 0xf];
    return hex;
  }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

std::string polytope_spec(const PolytopeConstraints& given) {
  constexpr std::size_t small = 100;
  const Vector A = dense_rows(given.inequalities, given.n);
  const Vector C = dense_rows(given.equalities, given.n);
  std::string text = "polytope(" + std::to_string(given.n);
  if (A.size() + C.size() + 2 * given.n <= small) {
    if (!given.lower.empty()) text += ", lower=" + list_text(given.lower, true);
    if (!given.upper.empty()) text += ", upper=" + list_text(given.upper, true);
    if (!A.empty()) {
      text +=
          ", A=" + matrix_text(A, given.n) + ", b=" + list_text(given.inequalities.right, false);
    }
    if (!C.empty()) {
      text += ", C=" + matrix_text(C, given.n) + ", d=" + list_text(given.equalities.right, false);
    }
    return text + ")";
  }
  Digest digest;
  digest.list(given.lower);
  digest.list(given.upper);
  digest.list(given.inequalities.right);
  digest.matrix(A);
  digest.list(given.equalities.right);
  digest.matrix(C);
  return text + ", inequalities=" + std::to_string(given.inequalities.right.size()) +
         ", equalities=" + std::to_string(given.equalities.right.size()) +
         ", digest=" + digest.text() + ")";
}

SetPtr polytope(const PolytopeConstraints& constraints) {
  PolytopeBody body = make_polytope_body(constraints);
  return std::make_shared<Polytope>(std::move(body), polytope_spec(constraints));
}

}  // namespace keyhole
