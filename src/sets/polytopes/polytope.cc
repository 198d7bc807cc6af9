#include "sets/polytopes/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/programs/bounded_simplex.h"
#include "math/programs/dual_active_set.h"
#include "math/programs/dual_newton.h"
#include "math/rows.h"
#include "math/sums.h"
#include "sets/polytopes/first_facet.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class PolytopeOracle final : public Oracle {
 public:
  PolytopeOracle(const Set& set, const PolytopeBody& body, math::BoundedSimplex simplex)
      : body_(body),
        simplex_(std::move(simplex)),
        newton_(body.constraints, body.shape.low, body.shape.high, set.outer_radius()),
        active_set_(body.constraints, body.shape.low, body.shape.high, set.outer_radius()),
        set_(set),
        slack_(settling_slack(body.shape, set.geometry())),
        first_facet_(body.shape, set.centre(), body.slacks(set.centre())),
        ray_(set.dimension()),
        products_(body.constraints.inequalities) {
    vertex_.dense = simplex_.x();
  }

  const Vertex& minimise(std::span<const double> direction) override {
    if (simplex_.minimise(direction) != math::LinearResult::optimal) {
      throw Error("rounding errors keep the polytope's oracle from an answer for the direction " +
                  base::list_text(direction, false) + ": its constraints are too nearly dependent");
    }
    return vertex_;
  }

  void project(std::span<const double> point, std::span<double> nearest) override {
    // Newton's method is the faster one near K, where learners project from; from afar it finds no
    // slope to go by.
    const Vector& p = set_.centre();
    const auto square = [&](std::size_t j) { return (point[j] - p[j]) * (point[j] - p[j]); };
    const bool near = std::sqrt(math::reduce(p.size(), square)) <= set_.outer_radius();
    if (near && newton_.solve(point, nearest)) return;
    if (active_set_.solve(point, nearest)) return;
    throw Error("rounding errors keep the polytope from projecting the point " +
                base::list_text(point, false) + ": its constraints are too nearly dependent");
  }

  /// One matrix-vector product.
  double gauge(std::span<const double> w, std::span<double> subgradient) override {
    const math::LinearConstraints& k = body_.constraints;
    for (std::size_t j = 0; j < ray_.size(); ++j) ray_[j] = w[j] - set_.centre()[j];
    math::multiply(std::span(k.rows).first(k.inequalities * k.columns), ray_, products_);
    const FirstFacet::Found facet = first_facet_(ray_, products_);
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    if (!(facet.gamma > 0)) return 0;
    if (facet.index < k.inequalities) {
      math::add(subgradient, 1 / facet.slack, k.row(facet.index));
    } else {
      subgradient[facet.index - k.inequalities] = 1 / facet.slack;
    }
    body_.normals.flatten(subgradient);
    return facet.gamma;
  }

  void settle(std::span<double> point) override { settle_bounds(point, body_.shape, slack_); }

 private:
  const PolytopeBody& body_;
  math::BoundedSimplex simplex_;
  math::DualNewton newton_;
  math::DualActiveSet active_set_;
  const Set& set_;
  double slack_;
  FirstFacet first_facet_;
  Vector ray_;
  Vector products_;
  Vertex vertex_;
};

class Polytope final : public Set {
 public:
  Polytope(PolytopeBody body, const PolytopeConstraints& given)
      : Set(body.constraints.columns, body.constraints.columns - body.normals.right.size(),
            body.geometry_about(body.centre)),
        body_(std::move(body)),
        simplex_(body_.constraints),
        given_(given),
        spec_(polytope_spec(given)) {
    given_.source.clear();
  }

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<PolytopeOracle>(*this, body_, simplex_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
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
    return body_.normals.contain(x, tolerance());
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { body_.normals.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  /// As it was given.
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    return given_;
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  [[nodiscard]] double tolerance() const { return membership_tolerance * outer_radius(); }

  PolytopeBody body_;
  math::BoundedSimplex simplex_;
  PolytopeConstraints given_;
  std::string spec_;
};

/// Above it a dense matrix is too large for comfort.
constexpr std::size_t most_dense_numbers = 250000;

}  // namespace

SetPtr dense_polytope(const PolytopeConstraints& given) {
  return std::make_shared<Polytope>(make_polytope_body(given), given);
}

SetPtr polytope(const PolytopeConstraints& constraints) {
  const std::size_t rows =
      std::max(constraints.inequalities.right.size(), constraints.equalities.right.size());
  const bool is_dense = constraints.n == 0 || rows <= most_dense_numbers / constraints.n;
  return is_dense ? dense_polytope(constraints) : large_polytope(constraints);
}

}  // namespace keyhole::sets
