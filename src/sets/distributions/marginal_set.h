// What the sets of matrices {X >= 0, row sums a, column sums b} have in common.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/polytope.h"
#include "keyhole/set.h"
#include "sets/flow_projection.h"

namespace keyhole::sets {

/// The sums of rows and columns.
struct Marginals {
  std::vector<double> of_rows;
  std::vector<double> of_columns;

  [[nodiscard]] std::size_t rows() const { return of_rows.size(); }
  [[nodiscard]] std::size_t columns() const { return of_columns.size(); }

  /// r = min p_ij / ||P e_ij||, ||P e_ij||^2 = (1 - 1/m) (1 - 1/n), from the facets x_ij = 0.
  [[nodiscard]] double inner_radius(std::span<const double> p) const;
};

class MarginalSet : public Set {
 public:
  [[nodiscard]] bool contains(std::span<const double> x) const override;
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }
  [[nodiscard]] bool can_project() const noexcept override {
    return dimension() <= FlowProjection::most_coordinates;
  }
  /// P: rows and columns, one after the other, lose their means.
  void flatten(std::span<double> direction) const override;
  [[nodiscard]] std::optional<PolytopeConstraints> linear_description() const override;

  [[nodiscard]] const Marginals& marginals() const { return marginals_; }

 protected:
  MarginalSet(Marginals marginals, Geometry geometry);

 private:
  Marginals marginals_;
};

class MarginalOracle : public Oracle {
 public:
  explicit MarginalOracle(const MarginalSet& set);

  /// As flows from rows to columns.
  bool do_project(std::span<const double> point, std::span<double> nearest) override;
  /// gamma(w) = max_ij (p_ij - w_ij) / p_ij, of the first; -P e_ij / p_ij is a subgradient.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override;
  void settle(std::span<double> point) override;

 private:
  [[nodiscard]] std::unique_ptr<FlowProjection> make_projection() const;

  const MarginalSet& set_;
  std::unique_ptr<FlowProjection> projection_;
};

}  // namespace keyhole::sets
