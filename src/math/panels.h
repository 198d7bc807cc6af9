// Products of a large dense matrix with vectors, which is what Lanczos's method spends its time on.
//
// The matrix is cut into panels of four rows, in each of which the entries of a few columns stand
// together as a vector unit takes them, in the order in which they are needed: the memory is read
// once, from the first to the last. A second copy in single precision, made when first asked for,
// halves that memory and doubles what a vector unit does at once; its products are rough.
//
// The order of all sums is a function of the size alone: not of the processor, the compiler or the
// number of threads. Objects are workspaces, one a learner; after construction nothing allocates.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "math/panel_kernels.h"
#include "math/team.h"

namespace keyhole::math {

// A rough product is within this times ||A|| ||x|| of the exact one.
inline constexpr double rough_error = 1e-7;

// What symmetric and rectangular matrices share.
class Panels {
 protected:
  // `rows` and `columns` are the sizes without padding; triangular: panel b begins with column 4 b.
  Panels(std::size_t rows, std::size_t columns, bool is_triangular, unsigned threads);

  // Where panel b begins, and its first column.
  [[nodiscard]] std::size_t first_entry(std::size_t panel) const noexcept;
  [[nodiscard]] std::size_t first_column(std::size_t panel) const noexcept {
    return is_triangular_ ? panel_height * panel : 0;
  }
  // Calls work(part, slab) for all slabs, those of a part one after the other.
  template <class Work>
  void for_each_slab(const Work& work) noexcept;
  [[nodiscard]] std::size_t first_panel(std::size_t slab) const noexcept;

  // Divides by a power of two, unless `largest` is of a size that needs none, and returns it; 0 if
  // there is nothing to scale, or nothing finite.
  double normalise(double largest) noexcept;
  // y = the sum over slabs of what add_slab(slab, y) adds to a vector of T.
  template <class T, class AddSlab>
  void sum_slabs(std::span<double> y, const AddSlab& add_slab) noexcept;
  // x with zeros behind, as T.
  template <class T>
  const T* padded(std::span<const double> x) noexcept;
  template <class T>
  const T* entries() noexcept;
  void make_singles() noexcept;

  std::size_t rows_;
  std::size_t columns_;
  std::size_t width_;  // columns with padding, a multiple of 8
  bool is_triangular_;
  std::size_t panels_;
  std::size_t slabs_;
  std::size_t parts_;  // sums of their own: as many threads can help
  std::vector<double> doubles_;
  std::vector<float> singles_;
  bool has_singles_ = false;
  double single_factor_ = 1;  // a power of two: what the entries in single precision are times
  std::vector<double> x_;
  std::vector<float> x_single_;
  std::vector<double> sums_;        // parts x width
  std::vector<float> sums_single_;  // parts x width: of a slab
  std::vector<double> largest_;     // of each slab
  std::unique_ptr<Team> team_;
};

// A symmetric matrix of order n: what is right of the diagonal serves both its row and its column.
class SymmetricPanels : private Panels {
 public:
  SymmetricPanels(std::size_t n, unsigned threads);

  // Takes (A + A') / 2 divided by a power of two, which is returned; 0 if there are only zeros, or
  // if not all is finite.
  double load(std::span<const double> a) noexcept;
  // y = A x for the matrix loaded, which is A divided by the power of two.
  void multiply(std::span<const double> x, std::span<double> y) noexcept;
  void multiply_roughly(std::span<const double> x, std::span<double> y) noexcept;
  // The matrix loaded, row by row.
  void copy_to(std::span<double> a) const noexcept;

 private:
  template <class T>
  void product(std::span<const double> x, std::span<double> y) noexcept;
};

// The product -B'B of a matrix with `rows` rows of size `columns`, which is read once.
class GramPanels : private Panels {
 public:
  GramPanels(std::size_t rows, std::size_t columns, unsigned threads);

  // Takes B = A, or B = A' for an A of `columns` rows if transposed, divided by a power of two,
  // which is returned; 0 as above.
  double load(std::span<const double> a, bool is_transposed) noexcept;
  // y = -B'B x.
  void multiply(std::span<const double> x, std::span<double> y) noexcept;
  void multiply_roughly(std::span<const double> x, std::span<double> y) noexcept;
  // y = B x.
  void apply(std::span<const double> x, std::span<double> y) noexcept;

 private:
  template <class T>
  void product(std::span<const double> x, std::span<double> y) noexcept;
};

// A growing list of vectors of size n, at most `capacity` of them.
class BasisPanels {
 public:
  BasisPanels(std::size_t capacity, std::size_t n);

  // Vector k; those behind it are dropped.
  void set(std::size_t k, std::span<const double> q) noexcept;
  // w <- w - Q'Q w for the vectors Q set, in order.
  void remove_from(std::span<double> w) noexcept;
  // v = sum_k z_k q_k over all set.
  void combine(std::span<const double> z, std::span<double> v) noexcept;

 private:
  std::size_t n_;
  std::size_t width_;
  std::size_t panels_ = 0;
  std::vector<double> entries_;
  std::vector<double> x_;
  std::vector<double> y_;
};

}  // namespace keyhole::math
