// The hull of the bases or of the independent sets of a matroid: its shape, worked out once.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sets/matroids/graphic_matroid.h"
#include "sets/matroids/laminar_matroid.h"
#include "sets/matroids/matroid_structure.h"

namespace keyhole::sets {

/// x(S) <= limit.
struct MatroidRow {
  MatroidElements elements;
  double limit = 0;
  /// The length of the indicator vector of S within the hull's directions; 0 if x(S) is constant.
  double norm = 0;
};

class MatroidBody {
 public:
  /// Throws InvalidArgument where matroid_bases() or independent_sets() refuse.
  MatroidBody(MatroidPtr matroid, bool bases);

  [[nodiscard]] const Matroid& matroid() const { return *matroid_; }
  [[nodiscard]] const MatroidPtr& shared_matroid() const { return matroid_; }
  /// Null unless it is uniform, partition or laminar.
  [[nodiscard]] const LaminarMatroid* laminar() const { return laminar_; }
  /// Null unless it is that of a graph.
  [[nodiscard]] const GraphicMatroid* graphic() const { return graphic_; }
  /// Whether it is too large for what takes the square of its size.
  [[nodiscard]] bool is_large() const;
  [[nodiscard]] bool bases() const { return bases_; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] std::size_t hull_dimension() const;
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }

  /// Whether all inequalities are listed: 0 <= x <= 1 and rows().
  [[nodiscard]] bool has_rows() const { return has_rows_; }
  [[nodiscard]] const std::vector<MatroidRow>& rows() const { return rows_; }

  void flatten(std::span<double> direction) const;
  /// Moves a point to the nearest one of the hull of the bases, also where all independent sets
  /// count.
  void move_to_bases(std::span<double> point) const;
  /// Whether what is constant on the hull has its value, to the slack.
  [[nodiscard]] bool on_hull(std::span<const double> x, double slack) const;
  /// r, R and D; only where has_rows().
  [[nodiscard]] Geometry geometry_about(std::span<const double> p) const;
  /// The r of it alone.
  [[nodiscard]] double inner_radius(std::span<const double> p) const;
  /// The gauge about p, only where has_rows(): the largest of <a, w - p> / (b - <a, p>) over the
  /// inequalities <a, x> <= b that are not constant. The subgradient is that of the first of them:
  /// -x_i <= 0 and x_i <= 1 for each i, then the sets. It is not flattened.
  double gauge(std::span<const double> p, std::span<const double> w,
               std::span<double> subgradient) const;
  /// The largest of sum_i weights_i over the vertices.
  [[nodiscard]] double most(std::span<const double> weights) const;

 private:
  void list_rows();
  [[nodiscard]] double norm_within(const MatroidElements& elements) const;
  [[nodiscard]] double outer_radius(std::span<const double> p) const;
  void set_diameter(Geometry& geometry) const;
  /// The centre, and r if rows are not listed.
  [[nodiscard]] std::optional<double> place_centre(std::vector<double>& p) const;
  void place_in_laminar(std::vector<double>& p) const;
  [[nodiscard]] double place_by_bases(std::vector<double>& p) const;
  [[nodiscard]] bool is_loop(std::size_t e, IndependenceTest& test) const;

  MatroidPtr matroid_;
  const LaminarMatroid* laminar_;
  const GraphicMatroid* graphic_;
  bool bases_;
  std::size_t rank_;
  std::vector<MatroidElements> components_;  // of more than one element
  std::vector<double> component_ranks_;
  std::vector<std::size_t> component_of_;  // components_.size() if alone
  bool connected_ = false;                 // the only component is all elements, in order
  std::vector<double> alone_value_;        // of elements alone in bases: in all of them or in none
  bool has_rows_ = false;
  std::vector<MatroidRow> rows_;
  std::vector<double> axis_norms_;  // of e_i within the hull's directions; 0 if x_i is constant
  std::vector<std::vector<double>> means_;  // of the bases of components with a table
  std::vector<double> densities_;
  Geometry geometry_;
};

}  // namespace keyhole::sets
