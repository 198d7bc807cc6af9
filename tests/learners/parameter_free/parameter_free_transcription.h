#pragma once

// parameter_free once more, plainly: the pseudo-code of its header, with every play remembered and
// sums over all of history where there is no recursion to follow. It shares the random numbers and
// the explored points with the library, and nothing else.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "keyhole/keyhole.h"
#include "slow_set.h"

namespace keyhole::tests {

/// An exploration that is known in closed form: the sphere of a ball, the corners of a box.
struct ClosedForm {
  SetPtr set;
  SlowSet K;
  Vector p = {};
  Vector variance = {};  // Sigma is diagonal

  ClosedForm(SetPtr of, SlowSet slow) : set(std::move(of)), K(std::move(slow)) {
    for (std::size_t i = 0; i < K.n; ++i) {
      if (K.kind == SlowSet::Kind::ball) {
        p.push_back(0);
        variance.push_back(K.size * K.size / static_cast<double>(K.n));
      } else {
        p.push_back((K.lower[i] + K.upper[i]) / 2);
        variance.push_back(std::pow((K.upper[i] - K.lower[i]) / 2, 2));
      }
    }
  }
  [[nodiscard]] double n() const { return static_cast<double>(K.n); }
  /// ||g||_*^2 = sum_i g_i^2 / h_i with h_i = 1 / Var v_i.
  [[nodiscard]] double dual(const Vector& g) const {
    double sum = 0;
    for (std::size_t i = 0; i < g.size(); ++i) sum += variance[i] * g[i] * g[i];
    return sum;
  }
};

/// The mean and the variance of the losses of one kind, over about the last fifth of them.
struct PlainLevel {
  double count = 0;
  double mean = 0;
  double variance = 0;

  [[nodiscard]] double rate() const { return std::max(1 / count, 1 / (20 + count / 5)); }
  /// The standard deviation, once there is one.
  [[nodiscard]] double deviation() const {
    return count >= 6 && variance > 0 ? std::sqrt(variance) : HUGE_VAL;
  }
  double take(double number, double most) {
    const double away = std::max(-most, std::min(most, number - mean));
    count += 1;
    mean += rate() * away;
    variance = (1 - rate()) * variance + rate() * away * away;
    return away;
  }
  [[nodiscard]] double squared_error() const { return variance * rate() / 2; }
};

/// The four predictors, from the whole stream.
inline double prediction(const std::vector<double>& stream) {
  double fast = 0;
  double slow = 0;
  double last = 0;
  double last_but_one = 0;
  std::array<double, 4> errors{};
  for (std::size_t j = 0; j < stream.size(); ++j) {
    const std::array<double, 4> all = {fast, slow, last, last_but_one};
    for (std::size_t i = 0; i < 4 && j > 0; ++i) {
      errors[i] = 0.98 * errors[i] + std::abs(stream[j] - all[i]);
    }
    const double first = 1 / static_cast<double>(j + 1);
    fast += std::max(0.05, first) * (stream[j] - fast);
    slow += std::max(0.005, first) * (stream[j] - slow);
    last_but_one = j == 0 ? stream[0] : stream[j - 1];
    last = stream[j];
  }
  const std::array<double, 4> all = {fast, slow, last, last_but_one};
  std::size_t best = 0;
  for (std::size_t i = 1; i < 4; ++i) best = errors[i] < errors[best] ? i : best;
  return all[best];
}

class Plain {
 public:
  explicit Plain(const ClosedForm& on, std::uint64_t seed)
      : on_(on), nu_(on.set->exploration()), random_(on.set, seed, 0), x_(on.p), z_(on.p) {
    first_sizes();
  }

  Vector play(PlayId t) {
    const std::size_t words_of_draw = nu_->needs().words;
    std::vector<std::uint64_t> words(2 + words_of_draw + words_of_draw % 2);
    Vector normals(nu_->needs().normals);
    random_.words(t, words);
    random_.normals(t, normals);
    const auto uniform = [&](std::size_t k) {
      return std::ldexp(static_cast<double>(words[k] >> 11U), -53);
    };
    Made made{s_, rho_, uniform(0) < rho_ ? 0U : uniform(1) < pi_ ? 1U : 2U, Vector(on_.K.n)};
    nu_->draw({std::span(words).subspan(2), normals}, made.v);
    Vector y = x_;
    if (made.kind == 0) y = combine(1 - s_, x_, s_, made.v);
    if (made.kind == 2) y = combine(1 - s_, x_, s_, on_.p);
    plays_.push_back(made);
    return y;
  }

  /// Learns the loss of play t.
  void learn(PlayId t, double loss) {
    const Made& made = plays_[t - 1];
    ages_.take(static_cast<double>(plays_.size() - t), HUGE_VAL);
    ++k_;
    ++in_block_;
    const double baseline = k_ == 1 ? loss : prediction(stream_);
    double deviation = levels_[made.kind].deviation();
    if (std::isinf(deviation)) deviation = levels_[0].deviation();
    const double w = levels_[made.kind].take(loss - baseline, 8 * deviation);
    stream_.push_back(baseline + w);
    if (made.kind != 0 || k_ == 1) return;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      g_[i] += w / (made.s * made.rho) * (made.v[i] - on_.p[i]) / on_.variance[i];
    }
  }

  /// The end of block m, once it has m losses.
  bool step() {
    if (in_block_ < blocks_.size() + 1) return false;
    // Of plays that are `age` late in the mean, by an exponential law, those of this block are of
    // its iterate and the others of those before.
    const double plays = static_cast<double>(plays_.size() - plays_before_);
    plays_before_ = plays_.size();
    const double age = ages_.mean;
    const double earlier = age > 0 ? std::exp(plays * std::log1p(-1 / (1 + age))) : 0;
    late_ = age / plays;
    const Vector x_then =
        combine(1 - earlier, x_, earlier, blocks_.empty() ? x_ : blocks_.back().x);
    blocks_.push_back({g_, x_then, static_cast<double>(in_block_)});
    look_for_change();
    in_block_ = 0;
    g_.assign(g_.size(), 0.0);
    lead();
    const double share = std::min(1.0, std::max(0.1, 4 / m()));
    x_ = combine(1 - share, x_, share, z_);
    sizes();
    return true;
  }

  /// F(z) - min F: on a box each coordinate is least by itself.
  [[nodiscard]] double excess_on_box() const { return excess_on_box(z_); }
  /// That of the point whose gap is certified, before the last correction.
  [[nodiscard]] double excess_certified_on_box() const { return excess_on_box(z_certified_); }

  [[nodiscard]] double size_of_F() const { return std::abs(F(z_)) + weight_; }
  [[nodiscard]] std::uint64_t restarts() const { return restarts_; }

 private:
  struct Made {
    double s;
    double rho;
    std::size_t kind;  // exploring, at the iterate, shrunk
    Vector v;
  };
  struct Block {
    Vector g;
    Vector x;  // where its plays were made, about
    double length;
  };

  /// The m of the formulas: the number of the block to come; after a restart that of the blocks in
  /// the sums.
  [[nodiscard]] double m() const { return static_cast<double>(blocks_.size() + 1 - m_0_); }

  [[nodiscard]] bool measured() const {
    return k_ >= 32 && levels_[0].count >= 8 && levels_[1].count >= 4 && levels_[2].count >= 4;
  }

  /// CUSUM of g . (x - p) over the standard deviation of its terms, less 1.
  void look_for_change() {
    const Block& last = blocks_.back();
    const double back = inner(last.g, combine(1, last.x, -1, on_.p));
    if (back == 0) {  // says nothing
      if (excess_ == 0) since_ = blocks_.size();
      return;
    }
    ++numbers_;
    if (numbers_ > 5) {
      const double away = back / std::sqrt(variance_ * last.length);
      excess_ = std::max(0.0, excess_ + std::max(-3.0, std::min(3.0, away)) - 1);
    }
    if (excess_ == 0) {
      since_ = blocks_.size();
    } else if (excess_ > 7 + 1.4 * late_) {
      first_ = since_;
      m_0_ = since_ + 1;
      moved_ = blocks_.size();
      excess_ = 0;
      numbers_ = 5;
      ++restarts_;
    }
    const double rate = std::max(0.02, 1 / static_cast<double>(numbers_));
    variance_ += rate * (back * back / last.length - variance_);
  }

  /// z ~ argmin of eta (S - kappa H X) . z + (1 + eta kappa k / 2) ||z - p||^2, sums over the
  /// blocks since the last restart.
  void lead() {
    const double n = on_.n();
    double kappa = 0;
    if (measured()) {
      const double price = levels_[0].mean - levels_[2].mean;
      const double error = std::sqrt(levels_[0].squared_error() + levels_[2].squared_error());
      kappa = std::max(0.0, price - error) / (s_ * s_ * n);
      kappa *= (1 + 2 * late_) / (1 + late_);  // from once to twice
    }
    Vector S(on_.K.n, 0.0);
    double q = 0;
    double rounds = 0;
    for (std::size_t b = first_; b < blocks_.size(); ++b) {
      S = combine(1, S, 1, blocks_[b].g);
      q += on_.dual(blocks_[b].g);
    }
    for (std::size_t b = moved_; b < blocks_.size(); ++b) {
      const Block& block = blocks_[b];
      rounds += block.length;
      for (std::size_t i = 0; i < S.size(); ++i) {
        S[i] -= kappa * block.length * (block.x[i] - on_.p[i]) / on_.variance[i];
      }
    }
    const double squares = on_.dual(S);
    const double theta =
        squares > 0 ? std::max(0.0, 1 - (1 + 2 / std::sqrt(m())) * q / squares) : 0;
    const double eta = q > 0 ? 6 * std::sqrt(n) * theta / std::sqrt(q) : 0;
    linear_ = combine(eta, S, 0, S);
    weight_ = 1 + eta * kappa * rounds / 2;
    const double tolerance = 2 * weight_ * n / std::sqrt(static_cast<double>(k_));
    std::vector<Vector> points = {z_};
    std::vector<double> weights = {1};
    for (int call = 0; call < 50; ++call) {
      const Vector gradient = gradient_of_F(z_);
      const Vector v = on_.K.minimiser(gradient);
      const double gap = inner(gradient, z_) - inner(gradient, v);
      z_certified_ = z_;
      if (gap <= 0) break;
      if (points.size() == 9) {
        points = {z_};
        weights = {1};
      }
      points.push_back(v);
      weights.push_back(0);
      correct(points, weights);
      if (gap <= tolerance) break;
    }
  }

  /// z_ = the least point of the hull, by moving weight between two points at a time.
  void correct(const std::vector<Vector>& points, std::vector<double>& weights) {
    for (int step = 0; step < 100000; ++step) {
      const Vector gradient = gradient_of_F(z_);
      std::size_t to = 0;
      std::size_t from = points.size();
      for (std::size_t k = 0; k < points.size(); ++k) {
        const double slope = inner(gradient, points[k]);
        if (slope < inner(gradient, points[to])) to = k;
        if (weights[k] == 0) continue;
        if (from == points.size() || slope > inner(gradient, points[from])) from = k;
      }
      const Vector d = combine(1, points[to], -1, points[from]);
      const double slope = -inner(gradient, d);
      if (slope <= 1e-12 * size_of_F()) return;
      double curvature = 0;
      for (std::size_t i = 0; i < d.size(); ++i) curvature += d[i] * d[i] / on_.variance[i];
      const double move = std::min(weights[from], slope / (2 * weight_ * curvature));
      weights[to] += move;
      weights[from] -= move;
      z_ = Vector(z_.size(), 0.0);
      for (std::size_t k = 0; k < points.size(); ++k) z_ = combine(1, z_, weights[k], points[k]);
    }
  }

  [[nodiscard]] double excess_on_box(const Vector& z) const {
    Vector least(on_.p);
    for (std::size_t i = 0; i < least.size(); ++i) {
      least[i] -= linear_[i] * on_.variance[i] / (2 * weight_);
      least[i] = std::min(std::max(least[i], on_.K.lower[i]), on_.K.upper[i]);
    }
    return F(z) - F(least);
  }

  [[nodiscard]] Vector gradient_of_F(const Vector& z) const {
    Vector gradient(linear_);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] += 2 * weight_ * (z[i] - on_.p[i]) / on_.variance[i];
    }
    return gradient;
  }

  [[nodiscard]] double F(const Vector& z) const {
    double sum = inner(linear_, z);
    for (std::size_t i = 0; i < z.size(); ++i) {
      sum += weight_ * (z[i] - on_.p[i]) * (z[i] - on_.p[i]) / on_.variance[i];
    }
    return sum;
  }

  void first_sizes() {
    s_ = std::min(0.15, std::pow(std::max(1.0, static_cast<double>(k_)), -0.25));
    rho_ = 0.9;
    pi_ = 0.5;
  }

  /// s, rho and pi from what the three kinds of plays have cost.
  void sizes() {
    if (!measured()) return first_sizes();
    const double k = static_cast<double>(k_);
    const double A = levels_[2].mean - levels_[1].mean;
    const double C = levels_[0].mean - levels_[2].mean;
    const double P = (std::max(A, 0.0) + std::max(C, 0.0)) / (s_ * s_);
    double u = rho_ * s_ * s_;
    const double low = u / 1.15;
    const double high = u * 1.15;
    u = high;
    if (P > 0) {
      const double noise = 0.1 * on_.n() * std::sqrt(levels_[0].variance / k);
      u = std::min(high, std::max(low, std::pow(noise / P, 2.0 / 3)));
    }
    u = std::min(6 / std::sqrt(k), std::max(0.2 / std::sqrt(k), u));
    double s = s_ / 1.2;
    if (A > 0) {
      s = s_ * 1.2;
      if (C > 0) s = std::min(s, std::max(s_ / 1.2, std::cbrt(u * A * s_ / (4 * C))));
    }
    s = std::max(s, std::sqrt(u / 0.9));
    s_ = std::min({s, k < 1024 ? 0.15 : 0.3, 3 * std::pow(k, -0.25)});
    rho_ = std::min(0.9, u / (s_ * s_));
    const double error = std::sqrt(levels_[1].squared_error() + levels_[2].squared_error());
    pi_ = A > error ? 1 - 0.1 * rho_ : A < -error ? 0.1 * rho_ : 0.5;
  }

  const ClosedForm& on_;
  std::unique_ptr<Exploration> nu_;
  Randomness random_;
  std::vector<Made> plays_;
  std::vector<Block> blocks_;
  std::vector<double> stream_;
  std::array<PlainLevel, 3> levels_;
  PlainLevel ages_;               // of the losses, in plays
  std::size_t plays_before_ = 0;  // the latest block
  double late_ = 0;               // in blocks
  Vector x_;
  Vector z_;
  Vector z_certified_;
  Vector g_ = Vector(on_.K.n, 0.0);
  Vector linear_;
  double weight_ = 1;
  double s_ = 0;
  double rho_ = 0;
  double pi_ = 0;
  std::uint64_t k_ = 0;
  std::uint64_t in_block_ = 0;
  std::size_t first_ = 0;  // the first block of S and q
  std::size_t moved_ = 0;  // the first block of X
  std::size_t since_ = 0;  // the first block since nothing was suspected
  std::size_t m_0_ = 0;
  std::uint64_t numbers_ = 0;
  double variance_ = 0;
  double excess_ = 0;
  std::uint64_t restarts_ = 0;
};

}  // namespace keyhole::tests
