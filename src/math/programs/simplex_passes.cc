// The passes over the rows of a SimplexBasis that are kept.

#include <algorithm>
#include <cstddef>
#include <span>

#include "math/programs/multiples.h"
#include "math/programs/simplex_basis.h"

namespace keyhole::math {

/// terms_ = the p < count whose weight is not zero, weights_ these weights. Returns how many.
template <class Weight>
std::size_t SimplexBasis::collect_terms(std::size_t count, Weight weight) noexcept {
  std::size_t size = 0;
  for (std::size_t p = 0; p < count; ++p) {
    const double of_p = weight(p);
    terms_[size] = p;
    weights_[size] = of_p;
    size += of_p != 0 ? 1 : 0;
  }
  return size;
}

void SimplexBasis::slacks(std::span<const double> x, std::span<double> of_x) noexcept {
  const std::size_t terms = collect_terms(columns_, [&](std::size_t j) { return x[j]; });
  const std::size_t* const term = terms_.data();
  const std::span<const double> weights(weights_.data(), terms);
  const std::size_t stride = first_coordinate_;
  const double* const a = transposed_->data();
  const double* const right = right_->data();
  for_blocks(stride, [&]<std::size_t Size>(std::size_t i, Block<Size> block) {
    block = load_block<Size>(right + i);
    subtract_multiples(block, weights, [&](std::size_t p) { return a + term[p] * stride + i; });
    store_block(of_x.data() + i, block);
  });
}

void SimplexBasis::price(std::span<const double> c) noexcept { combine_rows(c, 1, row(0)); }

/// to_j = scale (a_j - sum_p a_{basic p} t_pj) for the coordinates; a_j = 0 for slacks.
void SimplexBasis::combine_rows(std::span<const double> a, double scale, double* to) noexcept {
  const std::size_t terms = collect_terms(free_.size(), [&](std::size_t p) { return a[free_[p]]; });
  const std::size_t* const term = terms_.data();
  const std::span<const double> weights(weights_.data(), terms);
  const double* const first = row(first_row);
  const std::size_t stride = stride_;
  const double* const of_coordinates = a.data();
  const double* const own = own_.data();
  const std::size_t* const coordinate = coordinate_.data();
  for_blocks(stride, [&]<std::size_t Size>(std::size_t i, Block<Size> block) {
    for (std::size_t l = 0; l < Size; ++l) {
      const std::size_t j = i + 2 * l;
      block[l] = Numbers{of_coordinates[coordinate[j]], of_coordinates[coordinate[j + 1]]} *
                 load_lanes<Numbers>(own + j);
    }
    subtract_multiples(block, weights, [&](std::size_t p) { return first + term[p] * stride + i; });
    for (Numbers& lanes : block) lanes *= scale;
    store_block(to + i, block);
  });
}

void SimplexBasis::gather_column(std::size_t column) noexcept {
  const std::size_t k = free_.size();
  double* const of_coordinates = column_.data() + first_coordinate_;
  for (std::size_t p = 0; p < k; ++p) of_coordinates[p] = row(first_row + p)[column];
  std::fill(of_coordinates + k, of_coordinates + padded(k), 0.0);
  // That of the slacks: that of rows dx.
  const std::size_t variable = nonbasic_[column];
  const std::size_t stride = first_coordinate_;
  const double* const a = transposed_->data();
  const double* const own = variable < columns_ ? a + variable * stride : nullptr;
  const double* const loose = loose_.data();
  const std::size_t terms = collect_terms(k, [&](std::size_t p) { return of_coordinates[p]; });
  for (std::size_t p = 0; p < terms; ++p) terms_[p] = free_[terms_[p]];
  const std::size_t* const term = terms_.data();
  const std::span<const double> weights(weights_.data(), terms);
  double* const to = column_.data();
  for_blocks(stride, [&]<std::size_t Size>(std::size_t i, Block<Size> block) {
    if (own != nullptr) block = load_block<Size>(own + i);
    subtract_multiples(block, weights, [&](std::size_t p) { return a + term[p] * stride + i; });
    for (std::size_t l = 0; l < Size; ++l) block[l] *= load_lanes<Numbers>(loose + i + 2 * l);
    store_block(to + i, block);
  });
}

/// row i -= factor i times the row behind them, for the rows kept, and the lengths of the columns
/// again.
void SimplexBasis::subtract_pivot_row(std::span<const double> factors, bool appended) noexcept {
  double* const rows = row(0);
  const double* const pivot_row = row(factors.size());
  const double* const own = own_.data();
  double* const lengths = lengths_.data();
  const std::size_t stride = stride_;
  const bool has_zeros = std::find(factors.begin() + 1, factors.end(), 0.0) != factors.end();
  for_blocks(stride, [&]<std::size_t Size>(std::size_t j, Block<Size> v) {
    v = load_block<Size>(pivot_row + j);
    double* t = rows + j;
    for (std::size_t l = 0; l < Size; ++l) {
      store_lanes(t + 2 * l, load_lanes<Numbers>(t + 2 * l) - factors[0] * v[l]);
    }
    auto sum = load_block<Size>(own + j);
    for (std::size_t i = 1; i < factors.size(); ++i) {
      t += stride;
      if (has_zeros && factors[i] == 0) {
        for (std::size_t l = 0; l < Size; ++l) {
          const auto same = load_lanes<Numbers>(t + 2 * l);
          sum[l] += same * same;
        }
        continue;
      }
      for (std::size_t l = 0; l < Size; ++l) {
        const Numbers changed = load_lanes<Numbers>(t + 2 * l) - factors[i] * v[l];
        store_lanes(t + 2 * l, changed);
        sum[l] += changed * changed;
      }
    }
    for (std::size_t l = 0; l < Size && appended; ++l) sum[l] += v[l] * v[l];
    store_block(lengths + j, sum);
  });
}

}  // namespace keyhole::math
