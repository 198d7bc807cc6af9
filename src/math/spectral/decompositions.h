// Whole spectra of dense matrices, row by row, as projections and membership need them. The work is
// done by Eigen (header-only, seen by decompositions.cc alone); its digits are the same for the
// same build, not across processors. Decompositions allocate nothing after construction, but for
// those of matrices so large that Eigen's products take more than its 128 KiB of stack (order above
// 100).

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace keyhole::math {

// The eigenvalues of (A + A') / 2, in ascending order; no numbers if they cannot be found.
std::vector<double> eigenvalues(std::span<const double> a, std::size_t n);

// (A + A') / 2 = Q diag(values) Q' for matrices of order n.
class SymmetricDecomposition {
 public:
  explicit SymmetricDecomposition(std::size_t n);
  ~SymmetricDecomposition();

  // The eigenvalues of A, in ascending order; the caller may change them.
  std::span<double> decompose(std::span<const double> a);
  // The eigenvalues alone, at a third of the cost; there are no vectors then.
  std::span<double> values_of(std::span<const double> a);
  // Whether the last of these has come to its end.
  [[nodiscard]] bool is_proved() const noexcept;
  // The eigenvectors, that of values[i] from i n on.
  [[nodiscard]] std::span<const double> vectors() const;
  // a = Q diag(values) Q', symmetric to the last bit.
  void compose(std::span<double> a);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace keyhole::math
