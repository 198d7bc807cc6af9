#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/hindsight.h"
#include "keyhole/problems.h"
#include "keyhole/randomness.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/costs.h"
#include "problems/option_lists.h"
#include "problems/requirements.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// l_k(x) = a_k . x + b_k.
struct Piece {
  Vector a;
  double b = 0;
};

/// Pieces a_k . (x - theta), for a_k and -a_k.
std::vector<Piece> drawn_pieces(const SetPtr& set, const MaxAffineOptions& options,
                                ProblemSeed seed) {
  Randomness w(set, seed.seed, seed.stream);
  Vector theta = set->centre();
  math::add(theta, options.distance * set->inner_radius(), w.direction(1));
  std::vector<Piece> pieces;
  for (std::size_t k = 0; k < options.pieces; ++k) {
    const std::span<const double> a = w.direction(2 + k);
    for (const double sign : {1.0, -1.0}) {
      Piece piece{Vector(theta.size(), 0.0), -sign * math::dot(a, theta)};
      math::add(piece.a, sign, a);
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

std::vector<Piece> make_pieces(const SetPtr& set, const MaxAffineOptions& options,
                               ProblemSeed seed) {
  const std::size_t n = set->dimension();
  const bool pair = options.kinks == Kinks::pair;
  std::vector<Piece> pieces;
  if (options.kinks == Kinks::drawn) {
    pieces = drawn_pieces(set, options, seed);
  } else {
    pieces.resize(pair ? 2 : n, {Vector(n, 0.0)});
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      pieces[k].a[k] = options.kinks == Kinks::growing ? static_cast<double>(k + 1) : 1;
      if (pair) pieces[k].a[1 - k] = -1;
    }
  }
  for (Piece& piece : pieces) {
    for (std::size_t i = 0; i < (pair ? 2 : n); ++i) piece.a[i] -= options.slope;
  }
  return pieces;
}

/// s log(sum_k exp(l_k(x) / s)), which is above the maximum, by no more than s log (pieces), and
/// has a gradient everywhere.
class SmoothMaximum final : public TotalLoss {
 public:
  SmoothMaximum(const std::vector<Piece>& pieces, double s)
      : pieces_(pieces), s_(s), weights_(pieces.size()) {}

  void add() override {}
  [[nodiscard]] double value(std::span<const double> x) const override { return weigh(x); }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    (void)weigh(x);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      math::add(gradient, weights_[k], pieces_[k].a);
    }
  }

 private:
  double weigh(std::span<const double> x) const {
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      weights_[k] = math::dot(pieces_[k].a, x) + pieces_[k].b;
    }
    const double most = *std::max_element(weights_.begin(), weights_.end());
    for (double& weight : weights_) weight = math::exp((weight - most) / s_);
    const double sum = math::sum(weights_);
    for (double& weight : weights_) weight /= sum;
    return most + s_ * math::log(sum);
  }

  const std::vector<Piece>& pieces_;
  double s_;
  mutable Vector weights_;  // the derivatives by the l_k
};

/// f_t(x) = max_k l_k(x) + noise_t.
class MaxAffine final : public Problem {
 public:
  MaxAffine(SetPtr set, const MaxAffineOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        noise_(options.noise, options.tails, seed),
        pieces_(make_pieces(shared_set(), options, seed)) {
    CostBounds bounds(this->set());
    for (const Piece& piece : pieces_) bounds.widen(piece.a, piece.b);
    bounds_ = noise_.widened(bounds.bounds());
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    MaxAffineOptions shown = options_;
    if (shown.noise == 0) shown.tails = Tails::normal;
    if (shown.kinks != Kinks::drawn) {
      shown.pieces = MaxAffineOptions{}.pieces;
      shown.distance = MaxAffineOptions{}.distance;
    }
    return spec_of("max_affine", shown, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return most(x).second + added_;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const Vector& a = most(x).first->a;
    std::copy(a.begin(), a.end(), gradient.begin());
  }
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// The first of the largest pieces, and its value.
  [[nodiscard]] std::pair<const Piece*, double> most(std::span<const double> x) const {
    std::pair<const Piece*, double> most;
    for (const Piece& piece : pieces_) {
      const double value = math::dot(piece.a, x) + piece.b;
      if (most.first == nullptr || value > most.second) most = {&piece, value};
    }
    return most;
  }
  [[nodiscard]] double added() const { return added_; }
  /// Where the maximum is least.
  [[nodiscard]] const Vector& least() const { return least_; }
  /// The subgradient there that shows it.
  [[nodiscard]] const Vector& slope_at_least() const { return slope_; }

 private:
  void realise(std::uint64_t t) override { added_ = noise_(t); }

  /// Descends smoothed maxima, each sharper than the one before and begun where that was least. The
  /// last is so sharp that its gradient is a subgradient of the maximum but for rounding.
  void find_least() {
    const double scale = bounds_.gradient * set().outer_radius();
    least_ = set().centre();
    slope_.resize(least_.size());
    for (double s = scale / 10; s > 1e-9 * scale; s /= 5) {
      const SmoothMaximum smooth(pieces_, s);
      least_ = best_fixed_point(set(), smooth,
                                {.tolerance = s / 10, .most_steps = 2000, .start = least_})
                   .point;
      smooth.gradient(least_, slope_);
    }
    set().oracle()->settle(least_);
  }

  MaxAffineOptions options_;
  AdditiveNoise noise_;
  std::vector<Piece> pieces_;
  Vector least_;  // empty until a sum needs it
  Vector slope_;
  double added_ = 0;  // by the noise
  LossBounds bounds_;
};

/// F(x) = T max_k l_k(x) + sum noise_t.
class TotalMaxAffine final : public TotalLoss {
 public:
  explicit TotalMaxAffine(const MaxAffine& problem) : problem_(problem) {}

  void add() override {
    require_drawn(problem_);
    count_ += 1;
    added_ += problem_.added();
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return count_ * problem_.most(x).second + added_;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const Vector& least = problem_.least();
    const bool known = std::equal(x.begin(), x.end(), least.begin());
    const Vector& slope = known ? problem_.slope_at_least() : problem_.most(x).first->a;
    for (std::size_t i = 0; i < slope.size(); ++i) gradient[i] = count_ * slope[i];
  }
  bool guess(std::span<double> x) const override {
    std::copy(problem_.least().begin(), problem_.least().end(), x.begin());
    return true;
  }

 private:
  const MaxAffine& problem_;
  double count_ = 0;
  double added_ = 0;
};

std::unique_ptr<TotalLoss> MaxAffine::total() {
  if (least_.empty()) find_least();
  return std::make_unique<TotalMaxAffine>(*this);
}

}  // namespace

std::unique_ptr<Problem> max_affine(SetPtr set, const MaxAffineOptions& options, ProblemSeed seed) {
  base::require(set != nullptr, "max_affine needs a set to play on");
  base::require(options.kinks != Kinks::pair || set->dimension() >= 2,
                "a pair of max_affine needs a set of dimension 2 or more, not 1");
  return std::make_unique<MaxAffine>(std::move(set), checked("max_affine", options), seed);
}

}  // namespace keyhole::problems
