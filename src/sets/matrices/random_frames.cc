#include "sets/matrices/random_frames.h"

#include <algorithm>
#include <vector>

#include "math/orthonormal_rows.h"
#include "sets/matrices/symmetric_part.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// On the symmetric matrices without trace, of dimension (n - 1)(n + 2)/2, turning by orthogonal
/// matrices is irreducible: Sigma, which commutes with it, is c 1 by Schur's lemma, and its trace
/// is E ||size (P - k/n I)||^2 = size^2 k (n - k)/n.
struct ProjectorMoments {
  double n;
  double k;
  double size;

  /// c.
  [[nodiscard]] double covariance() const {
    return size * size * (k * (n - k) / n) * 2 / ((n - 1) * (n + 2));
  }
};

class RandomProjectors final : public Exploration {
 public:
  RandomProjectors(std::size_t n, std::size_t k, double size)
      : RandomProjectors(n, k,
                         ProjectorMoments{static_cast<double>(n), static_cast<double>(k), size}) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    write(bits, v, moments_.size, 0);
  }
  void score(const RandomBits& bits, std::span<double> w) override {
    const double factor = moments_.size / moments_.covariance();
    write(bits, w, factor, -factor * moments_.k / moments_.n);
  }

 private:
  RandomProjectors(std::size_t n, std::size_t k, const ProjectorMoments& moments)
      : Exploration(multiple_of_identity(n, moments.size * moments.k / moments.n),
                    variances(n, moments.covariance()),
                    // 2 k (n - k)/n size^2 / c, which P with equal entries on its diagonal reach:
                    // there the variance is larger.
                    (moments.n - 1) * (moments.n + 2),
                    {.words = 0, .normals = n * std::min(k, n - k)}),
        moments_(moments),
        n_(n),
        complement_(k > n - k),
        rows_(n * std::min(k, n - k)) {}

  /// X_ij and X_ii are products with (e_i e_j' + e_j e_i')/2 and e_i e_i' - I/n, of squared length
  /// 1/2 and (n - 1)/n.
  static Vector variances(std::size_t n, double c) {
    Vector result(n * n, c / 2);
    for (std::size_t i = 0; i < n; ++i) {
      result[i * n + i] = c * (static_cast<double>(n - 1) / static_cast<double>(n));
    }
    return result;
  }

  /// x = factor P + identity I. The complement of a uniformly random subspace is one, too: the
  /// smaller of both is drawn.
  void write(const RandomBits& bits, std::span<double> x, double factor, double identity) {
    std::copy(bits.normals.begin(), bits.normals.end(), rows_.begin());
    math::orthonormalise_rows(rows_, n_);
    const double sign = complement_ ? -factor : factor;
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t first = 0; first < rows_.size(); first += n_) {
      const std::span<const double> w = std::span(rows_).subspan(first, n_);
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) x[i * n_ + j] += sign * (w[i] * w[j]);
      }
    }
    const double diagonal = complement_ ? identity + factor : identity;
    for (std::size_t i = 0; i < n_; ++i) x[i * n_ + i] += diagonal;
  }

  ProjectorMoments moments_;
  std::size_t n_;
  bool complement_;
  Vector rows_;
};

/// Turning from either side changes nothing and is irreducible on the m x n matrices: Sigma =
/// radius^2 k / (m n), k = min(m, n), by Schur's lemma and its trace radius^2 k.
class RandomIsometries final : public Exploration {
 public:
  RandomIsometries(std::size_t m, std::size_t n, double radius)
      : Exploration(
            Vector(m * n, 0.0),
            Vector(m * n, radius * radius / static_cast<double>(std::max(m, n))),  // k / (m n)
            static_cast<double>(m * n), {.words = 0, .normals = m * n}),
        wide_(m <= n),
        short_(std::min(m, n)),
        long_(std::max(m, n)),
        radius_(radius),
        rows_(m * n) {}

  void draw(const RandomBits& bits, std::span<double> v) override { write(bits, v, radius_); }
  void score(const RandomBits& bits, std::span<double> w) override {
    write(bits, w, static_cast<double>(long_) / radius_);
  }

 private:
  void write(const RandomBits& bits, std::span<double> x, double size) {
    std::copy(bits.normals.begin(), bits.normals.end(), rows_.begin());
    math::orthonormalise_rows(rows_, long_);
    for (std::size_t i = 0; i < short_; ++i) {
      for (std::size_t j = 0; j < long_; ++j) {
        x[wide_ ? i * long_ + j : j * short_ + i] = size * rows_[i * long_ + j];
      }
    }
  }

  bool wide_;
  std::size_t short_;
  std::size_t long_;
  double radius_;
  Vector rows_;
};

}  // namespace

std::unique_ptr<Exploration> random_projectors(std::size_t n, std::size_t k, double size) {
  return std::make_unique<RandomProjectors>(n, k, size);
}

std::unique_ptr<Exploration> random_isometries(std::size_t m, std::size_t n, double radius) {
  return std::make_unique<RandomIsometries>(m, n, radius);
}

}  // namespace keyhole::sets
