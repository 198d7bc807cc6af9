#include "sets/matrices/random_signs.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sets/matrices/symmetric_part.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t bits_of_word = 64;

std::size_t words_for(std::size_t signs) { return (signs + bits_of_word - 1) / bits_of_word; }

/// Bit i of all words together, as a sign.
double sign_of(const RandomBits& bits, std::size_t i) {
  return (bits.words[i / bits_of_word] >> (i % bits_of_word) & 1U) == 0 ? 1 : -1;
}

/// The entries beside the diagonal are signs, and any two of different pairs (i, j) have the
/// covariance 0. A matrix with x_i x_j at (i, j) and (j, i) has the length sqrt 2, so Sigma = 2 on
/// the symmetric matrices with diagonal 0.
class Cuts final : public Exploration {
 public:
  explicit Cuts(std::size_t n)
      // The diagonal does not vary: any variance will do for it.
      : Exploration(multiple_of_identity(n, 1), Vector(n * n, 1.0),
                    static_cast<double>(n * (n - 1)), {.words = words_for(n), .normals = 0}),
        signs_(n) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, 1, 1); }
  void score(const RandomBits& bits, std::span<double> w) override { write(bits, w, 0.5, 0); }

 private:
  void write(const RandomBits& bits, std::span<double> x, double size, double diagonal) {
    const std::size_t n = signs_.size();
    for (std::size_t i = 0; i < n; ++i) signs_[i] = sign_of(bits, i);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) x[i * n + j] = size * (signs_[i] * signs_[j]);
      x[i * n + i] = diagonal;
    }
  }

  Vector signs_;
};

/// The entries are radius times signs, any two of them with the covariance 0: Sigma = radius^2.
class SignProducts final : public Exploration {
 public:
  SignProducts(std::size_t m, std::size_t n, double radius)
      : Exploration(Vector(m * n, 0.0), Vector(m * n, radius * radius), static_cast<double>(m * n),
                    {.words = words_for(m + n), .normals = 0}),
        radius_(radius),
        rows_(m),
        columns_(n) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, radius_); }
  void score(const RandomBits& bits, std::span<double> w) override { write(bits, w, 1 / radius_); }

 private:
  void write(const RandomBits& bits, std::span<double> x, double size) {
    const std::size_t m = rows_.size();
    const std::size_t n = columns_.size();
    for (std::size_t i = 0; i < m; ++i) rows_[i] = sign_of(bits, i);
    for (std::size_t j = 0; j < n; ++j) columns_[j] = sign_of(bits, m + j);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) x[i * n + j] = size * (rows_[i] * columns_[j]);
    }
  }

  double radius_;
  Vector rows_;
  Vector columns_;
};

}  // namespace

std::unique_ptr<Exploration> random_cuts(std::size_t n) { return std::make_unique<Cuts>(n); }

std::unique_ptr<Exploration> random_sign_products(std::size_t m, std::size_t n, double radius) {
  return std::make_unique<SignProducts>(m, n, radius);
}

}  // namespace keyhole::sets
