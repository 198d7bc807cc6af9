// Hulls of 0-1 vectors of which nothing is listed but which is cheapest.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sets/estimated_shape.h"

namespace keyhole::sets {

/// The hull of 0-1 vectors that all have as many ones, such as trees or perfect matchings of a
/// graph. Its affine hull, p, r and where it explores are those that the minimisers of linear
/// functions show (sets/estimated_shape.h); R is exact, since ||v - p||^2 = ||p||^2 + the sum of
/// 1 - 2 p_e over the ones of v.
class ZeroOneHull : public Set {
 public:
  /// In more dimensions the hull takes too long to find.
  static constexpr std::size_t most_edges = 1500;

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override;
  void flatten(std::span<double> direction) const override;
  [[nodiscard]] std::string spec() const override { return spec_; }

 protected:
  /// `oracle` writes minimisers, and is not kept. Throws InvalidArgument if there is a single
  /// vertex, which is called `what`.
  ZeroOneHull(std::size_t edges, Oracle& oracle, const std::string& what, std::string spec);

 private:
  ZeroOneHull(EstimatedShape shape, Oracle& oracle, std::string spec);

  EstimatedShape shape_;
  std::string spec_;
};

}  // namespace keyhole::sets
