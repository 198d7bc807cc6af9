// Polytopes whose matrix is too large to be dense: the oracle by sparse linear programs, no
// projection.

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.h"
#include "math/programs/sparse_program.h"
#include "sets/polytopes/first_facet.h"
#include "sets/polytopes/polytope.h"

namespace keyhole::sets {
namespace {

class LargePolytopeOracle final : public Oracle {
 public:
  LargePolytopeOracle(const LargePolytopeBody& body, math::SparseProgram program,
                      std::span<const double> centre, double slack)
      : body_(body),
        program_(std::move(program)),
        centre_(centre),
        slack_(slack),
        first_facet_(body.shape, centre, body.slacks(centre)),
        ray_(centre.size()),
        products_(body.constraints->inequalities) {
    vertex_.dense = program_.x();
  }

  const Vertex& minimise(std::span<const double> direction) override {
    if (program_.minimise(direction) != math::LinearResult::optimal) {
      throw Error(
          "rounding errors keep the polytope's oracle from an answer: its constraints are too "
          "nearly dependent");
    }
    return vertex_;
  }

  /// One product with the sparse matrix.
  double gauge(std::span<const double> w, std::span<double> subgradient) override {
    const math::SparseConstraints& k = *body_.constraints;
    for (std::size_t j = 0; j < ray_.size(); ++j) ray_[j] = w[j] - centre_[j];
    for (std::size_t i = 0; i < products_.size(); ++i) products_[i] = k.row(i).dot(ray_);
    const FirstFacet::Found facet = first_facet_(ray_, products_);
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    if (!(facet.gamma > 0)) return 0;
    if (facet.index < k.inequalities) {
      k.row(facet.index).add_to(subgradient, 1 / facet.slack);
    } else {
      subgradient[facet.index - k.inequalities] = 1 / facet.slack;
    }
    body_.normals.flatten(subgradient);
    return facet.gamma;
  }

  void settle(std::span<double> point) override { settle_bounds(point, body_.shape, slack_); }

 private:
  const LargePolytopeBody& body_;
  math::SparseProgram program_;
  std::span<const double> centre_;
  double slack_;
  FirstFacet first_facet_;
  std::vector<double> ray_;
  std::vector<double> products_;
  Vertex vertex_;
};

class LargePolytope final : public Set {
 public:
  LargePolytope(LargePolytopeBody body, std::string spec)
      : Set(body.constraints->columns, body.constraints->columns - body.normals.right.size(),
            body.geometry_about(body.centre)),
        body_(std::move(body)),
        program_(body_.constraints, body_.length()),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<LargePolytopeOracle>(body_, program_, centre(),
                                                 settling_slack(body_.shape, geometry()));
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const math::SparseConstraints& k = *body_.constraints;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (!(k.lower[j] <= x[j] && x[j] <= k.upper[j]) || !std::isfinite(x[j])) return false;
    }
    const double tolerance = membership_tolerance * outer_radius();
    for (std::size_t i = 0; i < k.inequalities; ++i) {
      if (!(k.row(i).dot(x) - k.right[i] <= tolerance * body_.norms[i])) return false;
    }
    return body_.normals.contain(x, tolerance);
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { body_.normals.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  LargePolytopeBody body_;
  math::SparseProgram program_;
  std::string spec_;
};

}  // namespace

SetPtr large_polytope(const PolytopeConstraints& given) {
  return std::make_shared<LargePolytope>(make_large_polytope_body(given), polytope_spec(given));
}

}  // namespace keyhole::sets
