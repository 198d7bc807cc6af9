#include "math/combinatorial/transportation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/sums.h"
#include "sets/distributions/marginal_set.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class TransportationOracle final : public MarginalOracle {
 public:
  explicit TransportationOracle(const MarginalSet& set)
      : MarginalOracle(set),
        program_(set.marginals().of_rows, set.marginals().of_columns),
        indices_(program_.cells().size()),
        values_(program_.cells().size()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    if (!program_.minimise(direction)) throw Error("a transportation problem was not solved");
    std::size_t count = 0;
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      if (!(program_.flows()[k] > 0)) continue;
      indices_[count] = program_.cells()[k];
      values_[count++] = program_.flows()[k];
    }
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

 private:
  math::Transportation program_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

/// a b' / sum a.
Vector independent(const Marginals& marginals) {
  const double total = math::sum(marginals.of_rows);
  Vector p;
  for (const double a : marginals.of_rows) {
    for (const double b : marginals.of_columns) p.push_back(a * (b / total));
  }
  return p;
}

/// With u_ij = min(a_i, b_j) no x_ij exceeds u_ij, so x_ij^2 <= u_ij x_ij, and
///
///   ||X - p||^2 <= ||p||^2 + max over K of <u - 2 p, X>,  ||X - Y||^2 <= 2 max over K of <u, X>.
Geometry transportation_geometry(const Marginals& marginals, std::span<const double> p) {
  math::Transportation program(marginals.of_rows, marginals.of_columns);
  Vector costs(p.size());
  const auto largest = [&](double of_p) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      const std::size_t n = marginals.columns();
      costs[k] = of_p * p[k] - std::min(marginals.of_rows[k / n], marginals.of_columns[k % n]);
    }
    base::require(program.minimise(costs), "a transportation problem was not solved");
    return -math::reduce(program.cells().size(), [&](std::size_t k) {
      return program.flows()[k] * costs[program.cells()[k]];
    });
  };
  // The roundings of the sums must not make a bound too small.
  const double R = std::sqrt(math::squared_norm(p) + largest(2)) * (1 + 1e-11);
  const double D = std::sqrt(2 * largest(0)) * (1 + 1e-11);
  return {
      {p.begin(), p.end()}, marginals.inner_radius(p), R, std::clamp(D, R, 2 * R), false, false};
}

class TransportationPolytope final : public MarginalSet {
 public:
  explicit TransportationPolytope(const Marginals& marginals)
      : MarginalSet(marginals, transportation_geometry(marginals, independent(marginals))) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<TransportationOracle>(*this);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return transportation_geometry(marginals(), centre);
  }

  [[nodiscard]] std::string spec() const override {
    return "transportation(" + base::list_text(marginals().of_rows, false) + ", " +
           base::list_text(marginals().of_columns, false) + ")";
  }
};

}  // namespace

SetPtr transportation(List<double> supply, List<double> demand) {
  base::require(supply.size() >= 2 && demand.size() >= 2,
                "a transportation polytope of " + std::to_string(supply.size()) + " supplies and " +
                    std::to_string(demand.size()) +
                    " demands leaves nothing to choose: at least two of each are needed");
  for (std::size_t i = 0; i < supply.size(); ++i) {
    base::require_positive("supply " + std::to_string(i) + " of a transportation polytope",
                           supply[i]);
  }
  for (std::size_t j = 0; j < demand.size(); ++j) {
    base::require_positive("demand " + std::to_string(j) + " of a transportation polytope",
                           demand[j]);
  }
  const double supplied = math::sum(supply);
  const double demanded = math::sum(demand);
  base::require(std::abs(supplied - demanded) <= 1e-12 * supplied,
                "the supplies of a transportation polytope sum to " + base::number_text(supplied) +
                    " and the demands to " + base::number_text(demanded) +
                    ": they must be the same; add a row or a column for what is left over");
  return std::make_shared<TransportationPolytope>(
      Marginals{Vector(supply.begin(), supply.end()), Vector(demand.begin(), demand.end())});
}

}  // namespace keyhole::sets
