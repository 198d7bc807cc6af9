// Sets of which some coordinates are the same in all points, for no point has a choice there: an
// edge that no path has, a state that no policy comes to.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/polytope.h"
#include "keyhole/set.h"
#include "keyhole/sets.h"

namespace keyhole::sets {

/// A set of the coordinates that are free, and the values of all others, which are not negative.
struct FreeCoordinates {
  std::vector<bool> fixed;
  std::vector<double> values;     // of the fixed coordinates; the others do not matter
  std::vector<std::size_t> free;  // the coordinates that are not fixed, ascending
  SetPtr inner;

  FreeCoordinates(std::vector<bool> which, std::vector<double> at, SetPtr of_free);

  /// The free coordinates of a point.
  void gather(std::span<const double> x, std::span<double> of_free) const;
  void scatter(std::span<const double> of_free, std::span<double> x) const;
  /// Of a point of the inner set.
  [[nodiscard]] std::vector<double> whole(std::span<const double> of_free) const;
  /// The same geometry with all coordinates of its centre.
  [[nodiscard]] Geometry whole(Geometry of_free) const;
  /// The geometry of the inner set about the free coordinates of a point.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const;
};

/// Asks the oracle of the inner set. A set with a method of its own overrides do_minimise().
class FreeOracle : public Oracle {
 public:
  explicit FreeOracle(const FreeCoordinates& body);

  void settle(std::span<double> point) override;

 protected:
  const Vertex& do_minimise(std::span<const double> direction) override;

 private:
  bool do_project(std::span<const double> point, std::span<double> nearest) override;
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override;

  const FreeCoordinates& body_;
  std::unique_ptr<Oracle> inner_;
  std::vector<double> direction_;
  std::vector<double> answer_;
  std::vector<double> point_;
  Vertex vertex_;
};

/// The set of these coordinates. It explores vertices that random directions find.
class FreeSet : public Set {
 public:
  FreeSet(FreeCoordinates body, std::string spec);

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override;
  /// The fixed ones are at their values to the slack of the inner set, and not negative.
  [[nodiscard]] bool contains(std::span<const double> x) const override;
  [[nodiscard]] bool can_gauge() const noexcept override { return body_.inner->can_gauge(); }
  [[nodiscard]] bool can_project() const noexcept override { return body_.inner->can_project(); }
  void flatten(std::span<double> direction) const override;
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override;
  [[nodiscard]] std::string spec() const override { return spec_; }

 protected:
  /// Where more is known of the geometry than the inner set tells.
  FreeSet(FreeCoordinates body, Geometry geometry, std::string spec);

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override;
  [[nodiscard]] const FreeCoordinates& body() const { return body_; }

 private:
  FreeCoordinates body_;
  std::string spec_;
};

/// Edges that no point of a set uses have the coordinate 0: make() gives the set of the others, in
/// their order, or a null pointer if there is none.
[[nodiscard]] SetPtr with_unused_edges(std::span<const Edge> edges, const std::vector<bool>& unused,
                                       std::string spec,
                                       const std::function<SetPtr(std::span<const Edge>)>& make);

/// Which edges lead from a node to itself.
[[nodiscard]] std::vector<bool> are_loops(std::span<const Edge> edges);

/// polytope(), whose refusals begin with what it is of: "the flows of these commodities are
/// refused: ...".
[[nodiscard]] SetPtr polytope_of(const std::string& what, const PolytopeConstraints& rows);

}  // namespace keyhole::sets
