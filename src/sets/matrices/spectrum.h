// Sets of matrices that only their spectrum decides: a set of singular values, or of eigenvalues,
// that does not care about their order, turned by every orthogonal matrix.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/extreme_pairs.h"
#include "sets/proof.h"

namespace keyhole::sets {

/// Projects matrices by their spectrum: the values go to the nearest point of their set, the
/// vectors stay (von Neumann's trace inequality). `Decomposition` is a SymmetricDecomposition or a
/// SingularDecomposition. One a thread.
template <class Decomposition>
class SpectrumProjection {
 public:
  /// For rows x columns matrices and the set of their values. The decomposition of large matrices
  /// is made when it is first needed.
  SpectrumProjection(std::size_t rows, std::size_t columns, const Set& of_values)
      : rows_(rows),
        columns_(columns),
        of_values_(of_values.oracle()),
        is_solid_(of_values.hull_dimension() == of_values.dimension()),
        before_(of_values.dimension()) {
    if (before_.size() <= math::largest_direct_order) (void)decomposition();
  }

  [[nodiscard]] Decomposition& decomposition() {
    if (decomposition_.has_value()) return *decomposition_;
    if constexpr (requires { Decomposition(rows_, columns_); }) {
      return decomposition_.emplace(rows_, columns_);
    } else {
      return decomposition_.emplace(rows_);
    }
  }

  /// The values of a matrix, which the caller may change.
  [[nodiscard]] std::span<double> decompose(std::span<const double> x) {
    const std::span<double> values = decomposition().decompose(x);
    require_end("the spectrum of a matrix from being found", decomposition_->is_proved());
    return values;
  }

  /// x becomes the matrix nearest to it. A matrix that is inside a solid set stays as it is, to the
  /// last bit. `complete` says that small values can stay where large ones shrink: then the errors
  /// of their vectors, which go with the large ones, are removed.
  void project(std::span<double> x, bool complete = false) {
    const std::span<double> values = decompose(x);
    std::copy(values.begin(), values.end(), before_.begin());
    of_values_->project(values, values);
    if (is_solid_ && std::equal(values.begin(), values.end(), before_.begin())) return;
    if constexpr (requires { decomposition_->complete(); }) {
      if (complete) decomposition_->complete();
    }
    decomposition_->compose(x);
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::unique_ptr<Oracle> of_values_;
  bool is_solid_;
  std::vector<double> before_;
  std::optional<Decomposition> decomposition_;
};

/// A set of symmetric matrices of order n. Its radii about a multiple of the identity, and to
/// planes <v v', X> = c and tr X = c about any centre, are those of the set of eigenvalues: a unit
/// direction of symmetric matrices has eigenvalues of length 1.
class SpectralSet : public Set {
 public:
  [[nodiscard]] bool can_project() const noexcept override { return true; }
  void flatten(std::span<double> direction) const override;
  /// For sets with no other planes, whose vertices are multiples of v v'.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override;

  [[nodiscard]] std::size_t order() const { return n_; }
  [[nodiscard]] const Set& eigenvalues() const { return *eigenvalues_; }
  /// The trace that all matrices have, if the set is flat.
  [[nodiscard]] std::optional<double> trace() const { return trace_; }

 protected:
  SpectralSet(std::size_t n, SetPtr eigenvalues, std::optional<double> trace = {});

  /// Whether x has n^2 numbers, up to the length `longest`, lies in the hull and has no negative
  /// eigenvalue, or `any_sign` is set. `scratch` holds n^2 numbers.
  [[nodiscard]] bool may_contain(std::span<const double> x, double longest, bool any_sign,
                                 std::span<double> scratch) const;

 private:
  std::size_t n_;
  SetPtr eigenvalues_;
  std::optional<double> trace_;
};

/// The projection of a SpectralSet.
class SpectralOracle : public Oracle {
 public:
  bool do_project(std::span<const double> point, std::span<double> nearest) override;

 protected:
  explicit SpectralOracle(const SpectralSet& set);

  [[nodiscard]] math::SymmetricDecomposition& decomposition() {
    return projection_.decomposition();
  }
  [[nodiscard]] std::span<double> decompose(std::span<const double> x) {
    return projection_.decompose(x);
  }

 private:
  std::size_t n_;
  std::optional<double> trace_;
  SpectrumProjection<math::SymmetricDecomposition> projection_;
};

}  // namespace keyhole::sets
