#include "math/spectral/symmetric.h"

#include <algorithm>

#include "math/lanes.h"
#include "math/largest.h"

namespace keyhole::math {
namespace {

struct RowPair {
  Numbers first;
  Numbers second;
};

[[gnu::always_inline]] inline RowPair transposed(RowPair rows) noexcept {
  return {Numbers{rows.first[0], rows.second[0]}, Numbers{rows.first[1], rows.second[1]}};
}

// The zeros behind the rows.
void pad(std::size_t n, double* to, std::size_t stride) noexcept {
  if (stride == n) return;
  for (std::size_t i = 0; i < n; ++i) to[i * stride + n] = 0;
}

// Four entries of a row of B, or of -B'B.
struct Four {
  Numbers left = {};
  Numbers right = {};

  [[gnu::always_inline]] static Four at(const double* from) noexcept {
    return {load_lanes<Numbers>(from), load_lanes<Numbers>(from + 2)};
  }
  [[gnu::always_inline]] void put(double* to) const noexcept {
    store_lanes(to, left);
    store_lanes(to + 2, right);
  }
};

// Four by four entries of -B'B, in registers: the rows of B go by.
class Tile {
 public:
  // The entries of rows i to i + 3 and columns j to j + 3.
  Tile(std::span<const double> b, std::size_t k, std::size_t i, std::size_t j) noexcept {
    const std::size_t rows = b.size() / k;
    const double* x = b.data() + i;
    const double* y = b.data() + j;
    for (std::size_t r = 0; r < rows / 4; ++r, x += 4 * k, y += 4 * k) {
      const Four y_0 = Four::at(y);
      const Four y_1 = Four::at(y + k);
      const Four y_2 = Four::at(y + 2 * k);
      const Four y_3 = Four::at(y + 3 * k);
      const auto meet = [&](Four & row, std::size_t a) __attribute__((always_inline)) {
        const double x_0 = x[a];
        const double x_1 = x[k + a];
        const double x_2 = x[2 * k + a];
        const double x_3 = x[3 * k + a];
        row.left =
            (row.left - (x_0 * y_0.left + x_1 * y_1.left)) - (x_2 * y_2.left + x_3 * y_3.left);
        row.right =
            (row.right - (x_0 * y_0.right + x_1 * y_1.right)) - (x_2 * y_2.right + x_3 * y_3.right);
      };
      meet(row_0_, 0);
      meet(row_1_, 1);
      meet(row_2_, 2);
      meet(row_3_, 3);
    }
    for (std::size_t r = 0; r < rows % 4; ++r, x += k, y += k) {
      const Four last = Four::at(y);
      const auto meet = [&](Four& row, double factor) {
        row.left -= factor * last.left;
        row.right -= factor * last.right;
      };
      meet(row_0_, x[0]);
      meet(row_1_, x[1]);
      meet(row_2_, x[2]);
      meet(row_3_, x[3]);
    }
  }

  void put(double* to, std::size_t stride) const noexcept {
    row_0_.put(to);
    row_1_.put(to + stride);
    row_2_.put(to + 2 * stride);
    row_3_.put(to + 3 * stride);
  }
  void put_transposed(double* to, std::size_t stride) const noexcept {
    const auto put_columns = [&](RowPair upper, RowPair lower, double* at) {
      const RowPair first = transposed(upper);
      const RowPair second = transposed(lower);
      Four{first.first, second.first}.put(at);
      Four{first.second, second.second}.put(at + stride);
    };
    put_columns({row_0_.left, row_1_.left}, {row_2_.left, row_3_.left}, to);
    put_columns({row_0_.right, row_1_.right}, {row_2_.right, row_3_.right}, to + 2 * stride);
  }

 private:
  Four row_0_, row_1_, row_2_, row_3_;
};

// One entry of -B'B, x and y being where its columns of B begin.
double negated_product(const double* x, const double* y, std::size_t k, std::size_t rows) noexcept {
  double sum = 0;
  std::size_t r = 0;
  for (; r + 3 < rows; r += 4, x += 4 * k, y += 4 * k) {
    sum = (sum - (x[0] * y[0] + x[k] * y[k])) - (x[2 * k] * y[2 * k] + x[3 * k] * y[3 * k]);
  }
  for (; r < rows; ++r, x += k, y += k) sum -= *x * *y;
  return sum;
}

}  // namespace

double symmetric_part(std::span<const double> a, std::size_t n, std::span<double> to,
                      std::size_t stride) noexcept {
  Largest largest;
  std::size_t i = 0;
  for (; i + 1 < n; i += 2) {
    for (std::size_t j = 0; j <= i; j += 2) {
      const double* const row = a.data() + i * n + j;
      const double* const column = a.data() + j * n + i;
      const RowPair mirrored =
          transposed({load_lanes<Numbers>(column), load_lanes<Numbers>(column + n)});
      const RowPair both = {0.5 * (load_lanes<Numbers>(row) + mirrored.first),
                            0.5 * (load_lanes<Numbers>(row + n) + mirrored.second)};
      largest.meet(both.first);
      largest.meet(both.second);
      store_lanes(&to[i * stride + j], both.first);
      store_lanes(&to[(i + 1) * stride + j], both.second);
      const RowPair above = transposed(both);
      store_lanes(&to[j * stride + i], above.first);
      store_lanes(&to[(j + 1) * stride + i], above.second);
    }
  }
  if (i < n) {
    for (std::size_t j = 0; j < n; ++j) {
      const double entry = 0.5 * (a[i * n + j] + a[j * n + i]);
      to[i * stride + j] = to[j * stride + i] = entry;
      largest.meet(Numbers{entry, 0});
    }
  }
  pad(n, to.data(), stride);
  return largest.magnitude();
}

double negated_gram(std::span<const double> b, std::size_t k, std::span<double> to,
                    std::size_t stride) noexcept {
  if (k < 4) {
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        to[i * stride + j] = negated_product(&b[i], &b[j], k, b.size() / k);
      }
    }
  } else {
    // The last tiles reach back over what others have computed, with the same digits.
    const std::size_t last = k - 4;
    for (std::size_t block = 0; block < k; block += 4) {
      const std::size_t i = std::min(block, last);
      for (std::size_t next = block; next < k; next += 4) {
        const std::size_t j = std::min(next, last);
        const Tile tile(b, k, i, j);
        tile.put(&to[i * stride + j], stride);
        tile.put_transposed(&to[j * stride + i], stride);
      }
    }
  }
  pad(k, to.data(), stride);
  Largest largest;
  for (std::size_t i = 0; i < k; ++i) largest.meet(Numbers{to[i * stride + i], 0});
  return largest.magnitude();
}

}  // namespace keyhole::math
