#include "sets/polytopes/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/require.h"
#include "math/programs/bounded_simplex.h"
#include "math/programs/dual_active_set.h"
#include "math/programs/dual_newton.h"
#include "math/programs/sparse_program.h"
#include "math/sums.h"
#include "sets/polytopes/first_facet.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"
#include "sets/spread_directions.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// By linear programs over either matrix; no projection.
template <class Constraints, class Program>
class PolytopeOracle : public Oracle {
 public:
  PolytopeOracle(const Set& set, const PolytopeBody<Constraints>& body, Program program)
      : set_(set),
        body_(body),
        program_(std::move(program)),
        slack_(set.slack() + 8 * std::numeric_limits<double>::epsilon() * body.shape.length()),
        first_facet_(body.shape, set.centre(), body.slacks(set.centre())),
        ray_(set.dimension()),
        products_(body.constraints->inequalities) {
    vertex_.dense = program_.x();
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    if (program_.minimise(direction) != math::LinearResult::optimal) {
      // Of a large polytope the direction would fill pages.
      constexpr bool tell = std::is_same_v<Constraints, math::LinearConstraints>;
      throw Error("rounding errors keep the polytope's oracle from an answer" +
                  (tell ? " for the direction " + base::list_text(direction, false) : "") +
                  ": its constraints are too nearly dependent");
    }
    return vertex_;
  }

  /// One matrix-vector product.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const Constraints& k = *body_.constraints;
    for (std::size_t j = 0; j < ray_.size(); ++j) ray_[j] = w[j] - set_.centre()[j];
    multiply(k, ray_, products_);
    const FirstFacet::Found facet = first_facet_(ray_, products_);
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    if (!(facet.gamma > 0)) return 0;
    if (facet.index < k.inequalities) {
      row_of(k, facet.index).add_to(subgradient, 1 / facet.slack);
    } else {
      subgradient[facet.index - k.inequalities] = 1 / facet.slack;
    }
    body_.normals.flatten(subgradient);
    return facet.gamma;
  }

  void settle(std::span<double> point) override {
    settle_between(point, body_.shape.lower, body_.shape.upper, slack_);
  }

 protected:
  [[nodiscard]] const Set& set() const { return set_; }

 private:
  const Set& set_;
  const PolytopeBody<Constraints>& body_;
  Program program_;
  double slack_;
  FirstFacet first_facet_;
  Vector ray_;
  Vector products_;
  Vertex vertex_;
};

/// Over either matrix.
template <class Constraints, class Program>
class Polytope : public Set {
 public:
  Polytope(PolytopeBody<Constraints> body, Program program, std::string spec)
      : Set(body.constraints->columns, body.constraints->columns - body.normals.right.size(),
            body.geometry_about(body.centre)),
        body_(std::move(body)),
        program_(std::move(program)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<PolytopeOracle<Constraints, Program>>(*this, body_, program_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return body_.contains(x, slack());
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { body_.normals.flatten(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return body_.geometry_about(centre);
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 protected:
  [[nodiscard]] const PolytopeBody<Constraints>& body() const { return body_; }
  [[nodiscard]] const Program& program() const { return program_; }

 private:
  PolytopeBody<Constraints> body_;
  Program program_;
  std::string spec_;
};

using LargePolytope = Polytope<math::SparseConstraints, math::SparseProgram>;

/// With a projection.
class DenseOracle final : public PolytopeOracle<math::LinearConstraints, math::BoundedSimplex> {
 public:
  DenseOracle(const Set& set, const DenseBody& body, const math::BoundedSimplex& simplex)
      : PolytopeOracle(set, body, simplex),
        newton_(*body.constraints, body.shape.low, body.shape.high, set.outer_radius()),
        active_set_(*body.constraints, body.shape.low, body.shape.high, set.outer_radius()) {}

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    // Newton's method is the faster one near K, where learners project from; from afar it finds no
    // slope to go by.
    const Vector& p = set().centre();
    const auto square = [&](std::size_t j) { return (point[j] - p[j]) * (point[j] - p[j]); };
    const bool near = std::sqrt(math::reduce(p.size(), square)) <= set().outer_radius();
    return (near && newton_.solve(point, nearest)) || active_set_.solve(point, nearest);
  }

 private:
  math::DualNewton newton_;
  math::DualActiveSet active_set_;
};

/// How many vertices take about a third of a second, by the steps that a few of them take; none
/// told if all of random_directions() take at most about one.
std::optional<std::size_t> affordable_vertices(const Set& set, math::BoundedSimplex program) {
  constexpr double second = 3e9;  // numbers of the tableau, of all steps
  constexpr int tried = 4;
  const std::size_t n = set.dimension();
  SpreadDirections directions(n);
  Vector d(n);
  double steps = 0;
  for (int k = 0; k < tried; ++k) {
    directions.next(d);
    (void)program.minimise(d);
    steps += static_cast<double>(program.iterations()) / tried;
  }
  const double numbers = steps * static_cast<double>(n * program.constraints().right.size());
  if (static_cast<double>(random_directions(n)) * numbers <= second) return std::nullopt;
  return static_cast<std::size_t>(second / 3 / numbers);
}

class DensePolytope final : public Polytope<math::LinearConstraints, math::BoundedSimplex> {
 public:
  DensePolytope(const DenseBody& body, const PolytopeConstraints& given)
      : Polytope(body, math::BoundedSimplex(*body.constraints), polytope_spec(given)),
        given_(given) {
    given_.source.clear();
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<DenseOracle>(*this, body(), program());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (dimension() <= few_coordinates || dimension() > most_sampled_coordinates) {
      return explore_vertices(*this);
    }
    return KeptExploration::of(
        *this, [this] { return sampled_vertices(*this, affordable_vertices(*this, program())); });
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  /// As it was given.
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override {
    return given_;
  }

 private:
  PolytopeConstraints given_;
};

/// Above it a dense matrix is too large for comfort.
constexpr std::size_t most_dense_numbers = 250000;

}  // namespace

SetPtr dense_polytope(const PolytopeConstraints& given) {
  return std::make_shared<DensePolytope>(make_polytope_body(given), given);
}

SetPtr large_polytope(const PolytopeConstraints& given) {
  SparseBody body = make_large_polytope_body(given);
  math::SparseProgram program(body.constraints, body.shape.length());
  return std::make_shared<LargePolytope>(std::move(body), std::move(program), polytope_spec(given));
}

SetPtr polytope(const PolytopeConstraints& constraints) {
  const std::size_t rows =
      std::max(constraints.inequalities.right.size(), constraints.equalities.right.size());
  const bool is_dense = constraints.n == 0 || rows <= most_dense_numbers / constraints.n;
  if (!is_dense) return large_polytope(constraints);
  try {
    return dense_polytope(constraints);
  } catch (const HiddenByRounding&) {  // the other method scales what it solves
    if (!math::has_sparse_programs()) throw;
  }
  return large_polytope(constraints);
}

}  // namespace keyhole::sets
