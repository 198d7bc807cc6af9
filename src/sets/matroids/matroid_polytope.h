// The hulls of the bases and of the independent sets of a matroid (Edmonds 1970, 1971).

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sets/free_coordinates.h"
#include "sets/matroids/matroid_body.h"

namespace keyhole::sets {

class MatroidPolytope final : public Set {
 public:
  MatroidPolytope(MatroidBody body, std::string spec);

  [[nodiscard]] const MatroidBody& body() const { return body_; }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override;
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override;
  [[nodiscard]] bool contains(std::span<const double> x) const override;
  [[nodiscard]] bool can_project() const noexcept override { return !body_.is_large(); }
  [[nodiscard]] bool can_gauge() const noexcept override { return body_.has_rows(); }
  void flatten(std::span<double> direction) const override { body_.flatten(direction); }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override;
  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  MatroidBody body_;
  std::string spec_;
};

/// The hull of the independent sets of a matroid with elements that are dependent alone, and so 0.
class IndependentSetsWithLoops final : public FreeSet {
 public:
  IndependentSetsWithLoops(MatroidPtr matroid, const std::vector<bool>& loops);

  [[nodiscard]] const MatroidPtr& matroid() const { return matroid_; }

 private:
  MatroidPtr matroid_;
};

}  // namespace keyhole::sets
