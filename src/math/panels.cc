#include "math/panels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "math/lanes.h"
#include "math/panel_kernels.h"
#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr std::size_t height = panel_height;
// Panels whose rough products are added up in single precision, before the sum is taken to double.
constexpr std::size_t slab_height = 16;
// A largest magnitude from 2^-64 to 2^64 is left as it is.
constexpr int most_exponent = 64;
// From this width on sums are split into parts, so that threads can share them.
constexpr std::size_t least_divided = 512;
constexpr std::size_t most_parts = 8;

template <class T>
using Four = std::array<T, height>;
// Columns that stand side by side.
template <class T>
constexpr std::size_t lanes = 16 / sizeof(T);

// y -= B'B x for some panels of B: the rows of one are combined while those of the next are
// multiplied.
template <class T>
void subtract_gram(const T* b, std::size_t panels, const T* x, T* y, std::size_t width) noexcept {
  const PanelKernels<T>& kernels = panel_kernels<T>();
  Four<T> dots;
  kernels.dots(b, x, width, dots.data());
  for (std::size_t k = 1; k < panels; ++k, b += height * width) {
    const Four<T> weights = dots;
    kernels.dots_and_subtract(b + height * width, x, b, weights.data(), y, width, dots.data());
  }
  kernels.subtract(b, dots.data(), y, width);
}

// Where the entry of row r and column j (from the panel's first) stands.
template <class T>
constexpr std::size_t place(std::size_t r, std::size_t j) noexcept {
  return (j / lanes<T> * height + r) * lanes<T> + j % lanes<T>;
}

// The largest magnitude met, by its bits: what is not a number is greatest.
class Largest {
 public:
  [[gnu::always_inline]] void meet(Numbers entries) noexcept {
    Truths bits;
    std::memcpy(&bits, &entries, sizeof bits);
    bits &= ~(std::int64_t{1} << 63);
    largest_ = bits > largest_ ? bits : largest_;
  }
  [[nodiscard]] double magnitude() const noexcept {
    return std::bit_cast<double>(std::max(largest_[0], largest_[1]));
  }

 private:
  Truths largest_ = {};
};

struct Pair {
  Numbers first;
  Numbers second;
};

[[gnu::always_inline]] inline Pair transposed(Numbers a, Numbers b) noexcept {
  return {Numbers{a[0], b[0]}, Numbers{a[1], b[1]}};
}

// Matrices are loaded by square tiles, so that columns too are read by whole lines of the cache.
constexpr std::size_t tile = height * slab_height;
using Tile = std::array<double, tile * tile>;

// The block whose first entry is *from: columns are read from the copy, which is close at hand.
void copy_block(const double* from, std::size_t n, std::size_t rows, std::size_t columns,
                Tile& to) noexcept {
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(from + i * n, columns, &to[i * tile]);
}

// For pairs of columns of a panel: half the sum of rows, n apart, and of columns in a tile.
void add_transposed(const double* __restrict row, std::size_t n, const double* __restrict column,
                    std::size_t pairs, double* __restrict to, Largest& all) noexcept {
  Largest largest = all;
  for (std::size_t k = 0; k < pairs; ++k, row += 2, column += 2 * tile, to += 2 * height) {
    for (std::size_t r = 0; r < height; r += 2) {
      const auto [first, second] =
          transposed(load_lanes<Numbers>(column + r), load_lanes<Numbers>(column + tile + r));
      const Numbers upper = 0.5 * (load_lanes<Numbers>(row + r * n) + first);
      const Numbers lower = 0.5 * (load_lanes<Numbers>(row + (r + 1) * n) + second);
      largest.meet(upper);
      largest.meet(lower);
      store_lanes(to + 2 * r, upper);
      store_lanes(to + 2 * r + 2, lower);
    }
  }
  all = largest;
}

// The columns alone,
void transpose(const double* __restrict column, std::size_t pairs, double* __restrict to,
               Largest& all) noexcept {
  Largest largest = all;
  for (std::size_t k = 0; k < pairs; ++k, column += 2 * tile, to += 2 * height) {
    for (std::size_t r = 0; r < height; r += 2) {
      const auto [first, second] =
          transposed(load_lanes<Numbers>(column + r), load_lanes<Numbers>(column + tile + r));
      largest.meet(first);
      largest.meet(second);
      store_lanes(to + 2 * r, first);
      store_lanes(to + 2 * r + 2, second);
    }
  }
  all = largest;
}

// or the rows.
void interleave(const double* __restrict row, std::size_t n, std::size_t pairs,
                double* __restrict to, Largest& all) noexcept {
  Largest largest = all;
  for (std::size_t k = 0; k < pairs; ++k, row += 2, to += 2 * height) {
    for (std::size_t r = 0; r < height; ++r) {
      const auto entries = load_lanes<Numbers>(row + r * n);
      largest.meet(entries);
      store_lanes(to + 2 * r, entries);
    }
  }
  all = largest;
}

std::size_t up_to_multiple(std::size_t n, std::size_t of) { return (n + of - 1) / of * of; }

}  // namespace

Panels::Panels(std::size_t rows, std::size_t columns, bool is_triangular, unsigned threads)
    : rows_(rows),
      columns_(columns),
      width_(up_to_multiple(columns, 8)),
      is_triangular_(is_triangular),
      panels_(up_to_multiple(rows, height) / height),
      slabs_(up_to_multiple(panels_, slab_height) / slab_height),
      parts_(width_ < least_divided ? 1 : std::min(slabs_, most_parts)),
      doubles_(first_entry(panels_)),
      singles_(doubles_.size()),
      x_(width_),
      x_single_(width_),
      sums_(parts_ * width_),
      sums_single_(parts_ * width_),
      largest_(slabs_),
      team_(std::make_unique<Team>(static_cast<unsigned>(std::min<std::size_t>(threads, parts_)))) {
}

std::size_t Panels::first_entry(std::size_t panel) const noexcept {
  const std::size_t full = height * panel * width_;
  return is_triangular_ && panel > 0 ? full - height * height * (panel * (panel - 1) / 2) : full;
}

std::size_t Panels::first_panel(std::size_t slab) const noexcept {
  return std::min(slab * slab_height, panels_);
}

template <class Work>
void Panels::for_each_slab(const Work& work) noexcept {
  // Parts have slabs of the beginning and the end, so that triangles are shared out evenly.
  team_->run(parts_, [&](std::size_t part) {
    for (std::size_t group = 0;; ++group) {
      const std::size_t slab = group * parts_ + (group % 2 == 0 ? part : parts_ - 1 - part);
      if (slab < slabs_) work(part, slab);
      if ((group + 1) * parts_ >= slabs_) break;
    }
  });
}

double Panels::normalise(double largest) noexcept {
  has_singles_ = false;
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  constexpr int least = -1000;  // what is smaller still is not lifted to 1, lest 2^-least overflow
  const int exponent = std::max(std::ilogb(largest), least);
  single_factor_ = std::ldexp(1.0, -exponent);
  if (std::abs(exponent) <= most_exponent) return 1;
  for_each_slab([&](std::size_t, std::size_t slab) {
    const double factor = single_factor_;
    double* const first = doubles_.data() + first_entry(first_panel(slab));
    const std::size_t count = first_entry(first_panel(slab + 1)) - first_entry(first_panel(slab));
    for (std::size_t k = 0; k < count; ++k) first[k] *= factor;
  });
  single_factor_ = 1;
  return std::ldexp(1.0, exponent);
}

void Panels::make_singles() noexcept {
  for_each_slab([&](std::size_t, std::size_t slab) {
    for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
      const double factor = single_factor_;
      const double* from = doubles_.data() + first_entry(panel);
      float* to = singles_.data() + first_entry(panel);
      for (std::size_t j = first_column(panel); j < width_; j += lanes<float>) {
        for (std::size_t r = 0; r < height; ++r) {
          for (std::size_t k = 0; k < lanes<float>; ++k) {
            to[place<float>(r, k)] = static_cast<float>(factor * from[place<double>(r, k)]);
          }
        }
        from += height * lanes<float>;
        to += height * lanes<float>;
      }
    }
  });
  has_singles_ = true;
}

template <>
const double* Panels::padded<double>(std::span<const double> x) noexcept {
  std::copy(x.begin(), x.end(), x_.begin());
  return x_.data();
}
template <>
const float* Panels::padded<float>(std::span<const double> x) noexcept {
  std::transform(x.begin(), x.end(), x_single_.begin(),
                 [](double entry) { return static_cast<float>(entry); });
  return x_single_.data();
}
template <>
const double* Panels::entries<double>() noexcept {
  return doubles_.data();
}
template <>
const float* Panels::entries<float>() noexcept {
  if (!has_singles_) make_singles();
  return singles_.data();
}

template <class T, class AddSlab>
void Panels::sum_slabs(std::span<double> y, const AddSlab& add_slab) noexcept {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  // A triangle is multiplied once, a rectangle by itself.
  const double unit = 1 / (is_triangular_ ? single_factor_ : single_factor_ * single_factor_);
  for_each_slab([&](std::size_t part, std::size_t slab) {
    double* const sum = sums_.data() + part * width_;
    if constexpr (std::is_same_v<T, double>) {
      add_slab(slab, sum);
    } else {
      const std::size_t first = first_column(first_panel(slab));
      float* const single = sums_single_.data() + part * width_;
      std::fill(single + first, single + width_, 0.0F);
      add_slab(slab, single);
      for (std::size_t i = first; i < width_; ++i) {
        sum[i] += unit * static_cast<double>(single[i]);
      }
    }
  });
  std::copy_n(sums_.begin(), y.size(), y.begin());
  for (std::size_t part = 1; part < parts_; ++part) {
    const double* const sum = sums_.data() + part * width_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += sum[i];
  }
}

SymmetricPanels::SymmetricPanels(std::size_t n, unsigned threads) : Panels(n, n, true, threads) {}

double SymmetricPanels::load(std::span<const double> a) noexcept {
  const std::size_t n = rows_;
  for_each_slab([&](std::size_t, std::size_t slab) {
    Largest largest;
    const std::size_t top = first_column(first_panel(slab));
    for (std::size_t left = top; left < n; left += tile) {
      const std::size_t right = std::min(left + tile, n);
      Tile columns;
      copy_block(&a[left * n + top], n, right - left, std::min(tile, n - top), columns);
      for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
        const std::size_t i = first_column(panel);
        double* const to = doubles_.data() + first_entry(panel);
        std::size_t j = std::max(left, i);
        // Each entry of the block on the diagonal is met twice, in its row and in its column.
        for (; j < std::min(i + height, right); ++j) {
          for (std::size_t r = 0; r < std::min(height, n - i); ++r) {
            const double entry = 0.25 * (a[(i + r) * n + j] + a[j * n + i + r]);
            to[place<double>(r, j - i)] = entry;
            largest.meet(Numbers{entry, 0});
          }
        }
        // Right of it all panels have four rows: the last one has nothing there.
        if (j + 1 < right) {
          const std::size_t pairs = (right - j) / 2;
          add_transposed(&a[i * n + j], n, &columns[(j - left) * tile + i - top], pairs,
                         to + height * (j - i), largest);
          j += 2 * pairs;
        }
        if (j < right) {
          for (std::size_t r = 0; r < height; ++r) {
            const double entry = 0.5 * (a[(i + r) * n + j] + a[j * n + i + r]);
            to[place<double>(r, j - i)] = entry;
            largest.meet(Numbers{entry, 0});
          }
        }
      }
    }
    largest_[slab] = largest.magnitude();
  });
  return normalise(largest_magnitude(largest_));
}

template <class T>
void SymmetricPanels::product(std::span<const double> x_given, std::span<double> y_out) noexcept {
  const T* const a = entries<T>();
  const T* const x = padded<T>(x_given);
  sum_slabs<T>(y_out, [&](std::size_t slab, T* y) {
    for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
      const std::size_t i = first_column(panel);
      Four<T> sums;
      panel_kernels<T>().dots_and_add(a + first_entry(panel), x + i, x + i, y + i, width_ - i,
                                      sums.data());
      for (std::size_t r = 0; r < height; ++r) y[i + r] += sums[r];
    }
  });
}

void SymmetricPanels::multiply(std::span<const double> x, std::span<double> y) noexcept {
  product<double>(x, y);
}
void SymmetricPanels::multiply_roughly(std::span<const double> x, std::span<double> y) noexcept {
  product<float>(x, y);
}

void SymmetricPanels::copy_to(std::span<double> a) const noexcept {
  const std::size_t n = rows_;
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    const std::size_t i = first_column(panel);
    const double* const from = doubles_.data() + first_entry(panel);
    for (std::size_t r = 0; r < std::min(height, n - i); ++r) {
      for (std::size_t j = i; j < n; ++j) {
        const double entry = (j < i + height ? 2 : 1) * from[place<double>(r, j - i)];
        a[(i + r) * n + j] = a[j * n + i + r] = entry;
      }
    }
  }
}

GramPanels::GramPanels(std::size_t rows, std::size_t columns, unsigned threads)
    : Panels(rows, columns, false, threads) {}

double GramPanels::load(std::span<const double> a, bool is_transposed) noexcept {
  for_each_slab([&](std::size_t, std::size_t slab) {
    Largest largest;
    const std::size_t top = height * first_panel(slab);
    for (std::size_t left = 0; left < columns_; left += tile) {
      const std::size_t right = std::min(left + tile, columns_);
      Tile columns;
      if (is_transposed) {
        copy_block(&a[left * rows_ + top], rows_, right - left, std::min(tile, rows_ - top),
                   columns);
      }
      for (std::size_t panel = first_panel(slab); panel < first_panel(slab + 1); ++panel) {
        const std::size_t i = height * panel;
        double* const to = doubles_.data() + first_entry(panel);
        std::size_t j = left;
        if (i + height <= rows_ && j + 1 < right) {
          const std::size_t pairs = (right - j) / 2;
          if (is_transposed) {
            transpose(&columns[(j - left) * tile + i - top], pairs, to + height * j, largest);
          } else {
            interleave(&a[i * columns_ + j], columns_, pairs, to + height * j, largest);
          }
          j += 2 * pairs;
        }
        for (; j < right; ++j) {
          for (std::size_t r = 0; r < std::min(height, rows_ - i); ++r) {
            const double entry = is_transposed ? a[j * rows_ + i + r] : a[(i + r) * columns_ + j];
            to[place<double>(r, j)] = entry;
            largest.meet(Numbers{entry, 0});
          }
        }
      }
    }
    largest_[slab] = largest.magnitude();
  });
  return normalise(largest_magnitude(largest_));
}

template <class T>
void GramPanels::product(std::span<const double> x_given, std::span<double> y_out) noexcept {
  const T* const b = entries<T>();
  const T* const x = padded<T>(x_given);
  sum_slabs<T>(y_out, [&](std::size_t slab, T* y) {
    subtract_gram(b + first_entry(first_panel(slab)), first_panel(slab + 1) - first_panel(slab), x,
                  y, width_);
  });
}

void GramPanels::multiply(std::span<const double> x, std::span<double> y) noexcept {
  product<double>(x, y);
}
void GramPanels::multiply_roughly(std::span<const double> x, std::span<double> y) noexcept {
  product<float>(x, y);
}

void GramPanels::apply(std::span<const double> x_given, std::span<double> y) noexcept {
  const double* const x = padded<double>(x_given);
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    Four<double> dots;
    panel_kernels<double>().dots(doubles_.data() + first_entry(panel), x, width_, dots.data());
    const std::size_t i = height * panel;
    std::copy_n(dots.begin(), std::min(height, rows_ - i), &y[i]);
  }
}

BasisPanels::BasisPanels(std::size_t capacity, std::size_t n)
    : n_(n),
      width_(up_to_multiple(n, 8)),
      entries_(up_to_multiple(capacity, height) * width_),
      x_(width_),
      y_(width_) {}

void BasisPanels::set(std::size_t k, std::span<const double> q) noexcept {
  const std::size_t panel = k / height;
  double* const to = entries_.data() + panel * height * width_;
  if (k % height == 0) std::fill_n(to, height * width_, 0.0);
  std::copy(q.begin(), q.end(), x_.begin());
  for (std::size_t j = 0; j < width_; j += lanes<double>) {
    std::memcpy(to + place<double>(k % height, j), &x_[j], lanes<double> * sizeof(double));
  }
  panels_ = panel + 1;
}

void BasisPanels::remove_from(std::span<double> w) noexcept {
  std::copy(w.begin(), w.end(), x_.begin());
  std::copy(w.begin(), w.end(), y_.begin());
  subtract_gram(entries_.data(), panels_, x_.data(), y_.data(), width_);
  std::copy_n(y_.begin(), n_, w.begin());
}

void BasisPanels::combine(std::span<const double> z, std::span<double> v) noexcept {
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::size_t k = 0; k < z.size(); k += height) {
    Four<double> weights{};
    for (std::size_t r = 0; r < std::min(height, z.size() - k); ++r) weights[r] = -z[k + r];
    panel_kernels<double>().subtract(entries_.data() + k * width_, weights.data(), y_.data(),
                                     width_);
  }
  std::copy_n(y_.begin(), n_, v.begin());
}

}  // namespace keyhole::math
