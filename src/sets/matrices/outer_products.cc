#include "sets/matrices/outer_products.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "math/sums.h"

// With w uniform on the unit sphere of n dimensions E w_i^2 = 1/n, E w_i^4 = 3 / (n (n + 2)) and
// E w_i^2 w_j^2 = 1 / (n (n + 2)); so for symmetric A
//
//   E <w w', A> w w' = (2 A + tr(A) 1) / (n (n + 2)).

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// unit = normals / ||normals||; e_1 for normals that are all 0.
void normalise(std::span<const double> normals, std::span<double> unit) {
  const double length = math::norm(normals);
  for (std::size_t i = 0; i < unit.size(); ++i) {
    unit[i] = length > 0 ? normals[i] / length : (i == 0 ? 1.0 : 0.0);
  }
}

/// Sigma = radius^2 / (m n), since E a a' = 1/m and E b b' = 1/n.
class OuterProducts final : public Exploration {
 public:
  OuterProducts(std::size_t m, std::size_t n, double radius)
      : Exploration(Vector(m * n, 0.0), Vector(m * n, radius * radius / static_cast<double>(m * n)),
                    static_cast<double>(m * n), {.words = 0, .normals = m + n}),
        radius_(radius),
        a_(m),
        b_(n) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, radius_); }
  void score(const RandomBits& bits, std::span<double> w) override {
    write(bits, w, static_cast<double>(w.size()) / radius_);
  }

 private:
  void write(const RandomBits& bits, std::span<double> x, double size) {
    normalise(bits.normals.first(a_.size()), a_);
    normalise(bits.normals.subspan(a_.size()), b_);
    for (std::size_t i = 0; i < a_.size(); ++i) {
      for (std::size_t j = 0; j < b_.size(); ++j) x[i * b_.size() + j] = size * (a_[i] * b_[j]);
    }
  }

  double radius_;
  Vector a_;
  Vector b_;
};

/// x = square w w' + identity 1, symmetric to the last bit.
void write_square(std::span<const double> w, double square, double identity, std::span<double> x) {
  const std::size_t n = w.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) x[i * n + j] = square * (w[i] * w[j]);
    x[i * n + i] += identity;
  }
}

/// The numbers on the diagonal of an n x n matrix and the others.
Vector diagonal_and_others(std::size_t n, double diagonal, double others) {
  Vector x(n * n, others);
  for (std::size_t i = 0; i < n; ++i) x[i * n + i] = diagonal;
  return x;
}

/// Sigma A = radius^2 (2 A + tr(A) 1) / (n (n + 2)), so Sigma^-1 V = n (n + 2) / (2 radius^2)
/// (V - tr(V) / (n + 2) 1).
class SignedSquares final : public Exploration {
 public:
  SignedSquares(std::size_t n, double radius)
      : SignedSquares(n, radius, static_cast<double>(n), radius * radius) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    normalise(bits.normals, w_);
    write_square(w_, is_negative(bits) ? -radius_ : radius_, 0, v);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    normalise(bits.normals, w_);
    const auto n = static_cast<double>(w_.size());
    const double half = n / (2 * radius_) * (is_negative(bits) ? -1 : 1);
    write_square(w_, half * (n + 2), -half, w);
  }

 private:
  SignedSquares(std::size_t size, double radius, double n, double square)
      : Exploration(Vector(size * size, 0.0),
                    diagonal_and_others(size, 3 * square / (n * (n + 2)), square / (n * (n + 2))),
                    // n (n + 2) (1 - 2/3 sum w_i^4), and sum w_i^4 >= 1/n.
                    n * (n + 2) * (1 - 2 / (3 * n)), {.words = 1, .normals = size}),
        radius_(radius),
        w_(size) {}

  static bool is_negative(const RandomBits& bits) { return (bits.words[0] >> 63U) != 0; }

  double radius_;
  Vector w_;
};

/// p = trace / (n + 1) 1 and Sigma A = 2 s A + (s - q) tr(A) 1 with s = trace^2 / ((n + 1)(n + 2)),
/// q = trace^2 / (n + 1)^2. So Sigma^-1 B = (B + tr(B) / (n + 2) 1) / (2 s), which comes to
/// (n + 1) / (2 trace) ((n + 2) w w' - 1), and to -(n + 1) / trace 1 for the draw 0.
class Squares final : public Exploration {
 public:
  Squares(std::size_t n, double trace) : Squares(n, trace, static_cast<double>(n)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    if (is_zero(bits)) {
      std::fill(v.begin(), v.end(), 0.0);
      return;
    }
    normalise(bits.normals, w_);
    write_square(w_, trace_, 0, v);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    const auto n = static_cast<double>(w_.size());
    const double half = (n + 1) / (2 * trace_);
    const bool zero = is_zero(bits);
    normalise(bits.normals, w_);
    write_square(w_, zero ? 0.0 : half * (n + 2), zero ? -2 * half : -half, w);
  }

 private:
  Squares(std::size_t size, double trace, double n)
      : Exploration(
            diagonal_and_others(size, trace / (n + 1), 0.0),
            diagonal_and_others(size, trace * trace * (2 * n + 1) / ((n + 1) * (n + 1) * (n + 2)),
                                trace * trace / ((n + 1) * (n + 2))),
            // From 0, and from w w', farthest where sum w_i^4 is least, 1/n.
            std::max(n * (n + 2) / (2 * n + 1),
                     (n + 2) / (n * (2 * n + 1)) + (n + 1) * (n + 2) * (n - 1) / n),
            {.words = 1, .normals = size}),
        trace_(trace),
        w_(size) {}

  [[nodiscard]] bool is_zero(const RandomBits& bits) const {
    return bits.below(0, w_.size() + 1) == 0;
  }

  double trace_;
  Vector w_;
};

}  // namespace

std::unique_ptr<Exploration> random_outer_products(std::size_t m, std::size_t n, double radius) {
  return std::make_unique<OuterProducts>(m, n, radius);
}

std::unique_ptr<Exploration> random_signed_squares(std::size_t n, double radius) {
  return std::make_unique<SignedSquares>(n, radius);
}

std::unique_ptr<Exploration> random_squares(std::size_t n, double trace) {
  return std::make_unique<Squares>(n, trace);
}

}  // namespace keyhole::sets
