#pragma once

// posterior once more, plainly: dense matrices that are factorised anew for every use, every play
// and every loss remembered, sums over all of them where there is no recursion to follow. It shares
// the random numbers, the explored points, the oracle and the conditional gradients with the
// library, and nothing else.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "keyhole/keyhole.h"
#include "learners/parameter_free/corrective_gradient.h"
#include "matrices.h"
#include "slow_set.h"

namespace keyhole::tests::plainly {

using Column = Eigen::VectorXd;

inline Column column(std::span<const double> x) {
  return Eigen::Map<const Column>(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline double clamped(double number, double most) {
  return std::max(-most, std::min(most, number));
}

/// L with L L' = A, by Cholesky's formulas.
inline Matrix lower_factor(const Matrix& A) {
  Matrix L = Matrix::Zero(A.rows(), A.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      double sum = A(i, j);
      for (Eigen::Index k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
    }
  }
  return L;
}

/// L^-1 x, or L'^-1 x.
inline Column solved_forward(const Matrix& L, Column x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
    x[i] /= L(i, i);
  }
  return x;
}
inline Column solved_backward(const Matrix& L, Column x) {
  for (Eigen::Index i = x.size() - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < x.size(); ++k) x[i] -= L(k, i) * x[k];
    x[i] /= L(i, i);
  }
  return x;
}

/// The eigenvectors of A, a row each, in the order and with the signs of Jacobi's rotations.
inline Matrix turned_by_jacobi(Matrix A, Column& values) {
  const Eigen::Index n = A.rows();
  Matrix Q = Matrix::Identity(n, n);
  for (int sweep = 0; sweep < 30; ++sweep) {
    const double beside = A.squaredNorm() - A.diagonal().squaredNorm();
    if (beside <= 1e-24 * A.diagonal().squaredNorm()) break;
    for (Eigen::Index p = 0; p < n; ++p) {
      for (Eigen::Index q = p + 1; q < n; ++q) {
        if (A(p, q) == 0) continue;
        // The angle below 45 degrees with tan 2a = 2 A_pq / (A_qq - A_pp).
        double angle = std::atan2(2 * A(p, q), A(q, q) - A(p, p)) / 2;
        if (angle > M_PI / 4) angle -= M_PI / 2;
        if (angle < -M_PI / 4) angle += M_PI / 2;
        Matrix turn = Matrix::Identity(n, n);
        turn(p, p) = turn(q, q) = std::cos(angle);
        turn(p, q) = -std::sin(angle);
        turn(q, p) = std::sin(angle);
        A = turn * A * turn.transpose();
        A(p, q) = A(q, p) = 0;
        Q = turn * Q;
      }
    }
  }
  values = A.diagonal();
  return Q;
}

/// z = W (y - origin).
struct Coordinates {
  Matrix W;
  Matrix B;
  Column mu;  // empty if there is one curvature

  /// By the Gram matrix V'S of independent draws V and their scores S: with L L' = V'S it is
  /// W = L^-1 S' and B = V L'^-1.
  Coordinates(const SetPtr& set, Exploration& nu) {
    const auto n = static_cast<Eigen::Index>(set->dimension());
    const auto m = static_cast<Eigen::Index>(set->hull_dimension());
    Randomness random(set, 20261116, 0);
    std::vector<std::uint64_t> words((nu.needs().words + 1) / 2 * 2);
    Vector normals(nu.needs().normals);
    Matrix V(n, 0);
    Matrix S(n, 0);
    for (std::uint64_t t = 1; V.cols() < m; ++t) {
      random.words(t, words);
      random.normals(t, normals);
      Vector v(set->dimension());
      Vector w(set->dimension());
      nu.draw({words, normals}, v);
      nu.score({words, normals}, w);
      Matrix more_V(n, V.cols() + 1);
      Matrix more_S(n, V.cols() + 1);
      more_V << V, column(v) - column(nu.mean());
      more_S << S, column(w);
      // Is the last draw one of its own? The least eigenvalue says so.
      const Matrix gram = more_V.transpose() * more_S;
      if (eigenvalues(gram)[0] < 1e-9 * gram.norm()) continue;
      V = more_V;
      S = more_S;
    }
    const Matrix L = lower_factor(V.transpose() * S);
    W.resize(m, n);
    B.resize(n, m);
    for (Eigen::Index i = 0; i < n; ++i) {
      W.col(i) = solved_forward(L, S.row(i).transpose());
      B.row(i) = solved_forward(L, V.row(i).transpose()).transpose();
    }
    const Column precision = column(nu.variance()).cwiseInverse();
    Column values;
    const Matrix Q = turned_by_jacobi(B.transpose() * precision.asDiagonal() * B, values);
    if (values.maxCoeff() <= 4 * values.minCoeff()) return;
    W = Q * W;
    B = B * Q.transpose();
    mu = values / values.norm();
  }
};

/// How far the first plays go: by least squares over all of them.
struct PlainReach {
  std::vector<std::pair<double, double>> told;  // squared reach, loss
  double reach = 0.02;

  void take(double squared, double loss) {
    told.push_back({squared, loss});
    if (told.size() % 3 != 0) return;
    const double t = price();
    if (t < 1.5) reach = std::min(0.15, 2 * reach);
    if (t > 3) reach /= 2;
  }
  [[nodiscard]] double price() const {
    const auto count = static_cast<double>(told.size());
    if (count < 4) return 0;
    double q = 0;
    double f = 0;
    for (const auto& [squared, loss] : told) {
      q += squared / count;
      f += loss / count;
    }
    double qq = 0;
    double qf = 0;
    double ff = 0;
    for (const auto& [squared, loss] : told) {
      qq += (squared - q) * (squared - q);
      qf += (squared - q) * (loss - f);
      ff += (loss - f) * (loss - f);
    }
    if (!(qq > 0)) return 0;
    const double slope = qf / qq;
    const double squares = ff - slope * qf;
    return squares > 0 ? slope / std::sqrt(squares / (count - 2) / qq) : 0;
  }
};

/// Noise, swing and change, with the four predictors.
struct PlainResiduals {
  double count = 0;
  double patience = 0;
  double variance = 0;
  double mean_variance = 0;
  double streak = 0;
  double swing = 0;
  double cusum = 0;
  Vector stream = {};
  std::array<double, 4> predictions{};  // fast, slow, last, last but one
  std::array<double, 4> errors{};
  double error_of_none = 0;

  [[nodiscard]] double noise() const { return std::max(variance, 0.05 * mean_variance); }
  [[nodiscard]] std::size_t best() const {
    std::size_t least = 0;
    for (std::size_t i = 1; i < 4; ++i) least = errors[i] < errors[least] ? i : least;
    return least;
  }
  double take(double residual, double h) {
    count += 1;
    const bool wins = errors[best()] < 0.75 * error_of_none;
    streak = wins ? streak + 1 : 0;
    const bool proven = streak >= 50;
    const bool used = proven || (wins && count <= 100);
    const double spread = std::sqrt(noise() + h);
    const double rest = residual - (used ? predictions[best()] : 0);
    if (count > patience) {
      cusum = std::max(0.0, cusum + clamped((proven ? rest : residual) / spread, 3) - 0.5);
    }
    const double error = clamped(rest, 3 * spread);
    const double of_noise = error * error * noise() / (noise() + h);
    variance += (of_noise - variance) / std::min(count, 20 + count / 5);
    mean_variance += (variance - mean_variance) / count;
    if (!stream.empty()) error_of_none = 0.98 * error_of_none + std::abs(residual);
    for (std::size_t i = 0; i < 4 && !stream.empty(); ++i) {
      errors[i] = 0.98 * errors[i] + std::abs(residual - predictions[i]);
    }
    const double first = 1 / static_cast<double>(stream.size() + 1);
    predictions[0] += std::max(0.05, first) * (residual - predictions[0]);
    predictions[1] += std::max(0.005, first) * (residual - predictions[1]);
    predictions[3] = stream.empty() ? residual : stream.back();
    predictions[2] = residual;
    stream.push_back(residual);
    swing = used && best() >= 2 ? predictions[best()] - predictions[1] : 0;
    return error;
  }
};

/// Whether the model is worth it, after a change.
struct PlainWorth {
  double dimension;
  bool began = false;
  bool retreated = false;
  double changes = 0;
  double told = 0;
  double first = 0;
  double level = 0;
  double variance = 0;
  double losses = 0;
  double clock = 0;
  double away = 0;
  std::array<std::array<double, 3>, 2> kinds{};  // count, sum, squares: model, start

  void scale(std::size_t kind, double share) {
    for (double& number : kinds[kind]) number *= share;
  }
  [[nodiscard]] double doubt() const {
    const auto& [a, b] = kinds;
    if (a[0] < 8 || b[0] < 6) return 0;
    const double within = a[2] - a[1] * a[1] / a[0] + b[2] - b[1] * b[1] / b[0];
    const double error = std::sqrt(std::max(0.0, within) / (a[0] + b[0]) * (1 / a[0] + 1 / b[0]));
    return error > 0 ? (a[1] / a[0] - b[1] / b[0]) / error : 0;
  }
  [[nodiscard]] double compared() const {
    if (!began) return 0;
    if (retreated) return 1 - std::min(0.1, 2 / std::sqrt(away + 1));
    const double unproven = std::min(1.0, std::max(0.0, 1 + doubt() / 2.5));
    return unproven * std::min(0.2, 10 / std::sqrt(losses + 1));
  }
  void take(bool near_start, double loss) {
    if (!began) return;
    if (told == 0) first = loss;
    told += 1;
    double above = loss - first;
    if (told > 16) above = level + clamped(above - level, 4 * std::sqrt(variance));
    const double rate = std::max(1 / told, 0.01);
    level += rate * (above - level);
    variance += rate * ((above - level) * (above - level) - variance);
    losses += 1;
    clock += 1;
    std::array<double, 3>& kind = kinds[near_start ? 1 : 0];
    kind[0] += 1;
    kind[1] += above;
    kind[2] += above * above;
    const double standing = doubt();
    if (standing > -2.5) {
      for (std::size_t k : {0U, 1U}) scale(k, 1 - 1 / (100 + 0.5 * losses));
    } else {
      scale(0, 1 - 1 / (100 + 0.1 * losses));
      if (!retreated) clock = 0;
    }
    if (retreated) {
      away += 1;
      if (standing < -2) {
        retreated = false;
        clock = 0;
      }
    } else if (clock > (changes > 0 ? 10 : 100) * dimension && standing > (changes > 0 ? 0.5 : 2)) {
      retreated = true;
      away = 0;
    }
  }
  void changed(double life) {
    began = true;
    if (life >= 100 * dimension && !retreated) {
      kinds = {};
      losses = clock = changes = 0;
    } else {
      changes += 1;
      for (std::size_t k : {0U, 1U}) scale(k, 0.8);
    }
  }
};

class Posterior {
 public:
  Posterior(const SetPtr& set, std::uint64_t seed)
      : set_(set),
        nu_(set->exploration()),
        oracle_(set->oracle()),
        random_(set, seed, 0),
        on_(set, *nu_),
        start_(column(set->centre())),
        m_(on_.W.rows()),
        d_(m_ + (on_.mu.size() > 0 ? 3 : 2)),
        worth_{static_cast<double>(m_ + 2)},
        sample_(Column::Zero(m_)),
        corrective_(static_cast<std::size_t>(m_)) {
    begin();
  }

  Vector play(PlayId t) {
    if (best_due_) find_best();
    if (exploring_only()) {
      sizes_ = {.exploring = 1, .exploring_reach = first_.reach};
      sample_.setZero();
      hold_ = 0;
    } else if (hold_ == 0) {
      draw_sample(t);
    }
    if (hold_ > 0) hold_ -= 1;
    std::vector<std::uint64_t> words(6 + (nu_->needs().words + 1) / 2 * 2);
    Vector normals(nu_->needs().normals);
    random_.words(t, words);
    random_.normals(t, normals);
    const auto uniform = [&](std::size_t k) {
      return std::ldexp(static_cast<double>(words[k] >> 11U), -53);
    };
    double share = sizes_.reach;
    double explored = 0;
    bool near_start = true;
    if (uniform(0) < sizes_.compared) {
      share = 0.15;
    } else if (uniform(1) < sizes_.at_start) {
      share = 0;
    } else {
      near_start = sizes_.exploring == 1;
      if (uniform(2) < sizes_.on_the_way) share *= uniform(3);
      if (uniform(4) < sizes_.exploring) explored = sizes_.exploring_reach;
    }
    Vector v(set_->dimension());
    nu_->draw({std::span(words).subspan(6), normals}, v);
    const Column along = start_ + share * (on_.B * sample_);
    const Column y = along + explored * (column(v) - along);
    plays_.push_back({on_.W * (y - start_), near_start});
    return {y.data(), y.data() + y.size()};
  }

  void learn(PlayId t, double loss) {
    if (t < first_play_) return;
    const Made& made = plays_[t - 1];
    worth_.take(made.near_start, loss - residuals_.swing * unit_);
    losses_ += 1;
    since_ += 1;
    here_ += (made.z - here_) / std::min(since_, 20 + since_ / 10);
    if (exploring_only()) {
      first_.take(made.z.squaredNorm() / m(), loss);
      reach_ = first_.reach;
    }
    if (since_ <= 16) {
      first_told_.push_back({made.z, loss});
      if (since_ == 16) begin_model();
      return;
    }
    if (!exploring_only() && slack_ > -a_round_) reach_ = std::min(1.0, 2 * reach_);
    learn_from(made.z, (loss - level_) / unit_);
    if (since_ >= next_) refit();
    count_budget();
    if (residuals_.cusum > 20) {
      restarts_ += 1;
      first_play_ = plays_.size() + 1;
      worth_.changed(since_);
      begin();
    }
  }

  [[nodiscard]] std::uint64_t restarts() const { return restarts_; }
  [[nodiscard]] bool has_two_curvatures() const { return on_.mu.size() > 0; }

 private:
  struct Sizes {
    double compared = 0;
    double at_start = 0;
    double on_the_way = 0;
    double reach = 0;
    double exploring = 0;
    double exploring_reach = 0;
  };
  struct Made {
    Column z;
    bool near_start;
  };

  [[nodiscard]] double m() const { return static_cast<double>(m_); }
  [[nodiscard]] bool exploring_only() const { return since_ <= 16 || since_ < m() + 2; }

  [[nodiscard]] Column features(const Column& z) const {
    Column phi(d_);
    phi[0] = 1;
    phi.segment(1, m_) = z;
    if (d_ == m_ + 3) phi[m_ + 1] = on_.mu.dot(z.cwiseProduct(z));
    phi[d_ - 1] = z.squaredNorm() / std::sqrt(m());
    return phi;
  }
  /// The curvature of each z_k.
  [[nodiscard]] Column curvatures(const Column& theta) const {
    Column c = Column::Constant(m_, theta[d_ - 1] / std::sqrt(m()));
    if (d_ == m_ + 3) c += theta[m_ + 1] * on_.mu;
    return c;
  }

  // What is known: A = diag(ridge) + G, A mean = b.
  [[nodiscard]] Matrix A() const {
    Matrix sum = G_;
    sum.diagonal() += ridge_;
    return sum;
  }
  [[nodiscard]] Column mean() const {
    const Matrix L = lower_factor(A());
    return solved_backward(L, solved_forward(L, b_));
  }
  [[nodiscard]] double variance(const Column& phi) const {
    return solved_forward(lower_factor(A()), phi).squaredNorm();
  }
  void add(const Column& phi, double precision, double value) {
    G_ += precision * phi * phi.transpose();
    b_ += precision * value * phi;
  }
  void write_ridge(double noise) {
    ridge_ = Column::Constant(d_, slope_ridge_);
    ridge_[0] = 1e-6 / noise;
    for (Eigen::Index i = m_ + 1; i < d_; ++i) {
      ridge_[i] = std::max(0.01 * curvature_unit_ / noise, curvature_ridge_[i]);
    }
    ridge_.array() += 1e-12 / noise;
  }

  void draw_sample(PlayId t) {
    Vector xi(static_cast<std::size_t>(d_));
    random_.sub_stream("samples").normals(t, xi);
    Column normal = column(xi);
    if (since_ < 20 * (m() + 2)) {
      for (Eigen::Index i = m_ + 1; i < d_; ++i) normal[i] = 2 * std::abs(normal[i]);
    }
    const Column mean_now = mean();
    minimise(mean_now + solved_backward(lower_factor(A()), normal), sample_);
    const Column phi = features(sample_);
    const double root = std::sqrt(since_);
    const bool better = mean_now.dot(phi) <= mean_now[0];
    hold_ = better ? std::max(1.0, std::floor(0.1 * root)) : 1;
    const double price = curvatures(mean_now).sum();
    double far = std::min(reach_, 0.3);
    if (price > 0) far = std::min(far, std::sqrt(std::max(slack_, a_round_) / (price * root)));
    sizes_ = {.compared = worth_.compared(),
              .at_start = std::min(0.25, 0.1 / root),
              .on_the_way = reach_ < 1 ? 0.25 : std::min(0.25, 0.2 / root),
              .reach = std::min(reach_, affordable(mean_now, phi)),
              .exploring = slack_ > 0 ? 0.1 / root : 0,
              .exploring_reach = far};
  }

  /// The largest s up to 1 with a s + b s^2 within what a play may cost.
  [[nodiscard]] double affordable(const Column& mean_now, const Column& phi) const {
    double a = mean_now.segment(1, m_).dot(phi.segment(1, m_));
    if (a < 0) a *= reliable_;
    Column curved = phi;
    curved.head(m_ + 1).setZero();
    const double b = std::max(0.0, mean_now.dot(curved)) + std::sqrt(variance(curved));
    const double most = std::max(slack_ / hold_, a_round_);
    if (a + b <= most) return 1;
    double low = 0;  // a s + b s^2 is within it here, and beyond at `high`
    double high = 1;
    for (int k = 0; k < 200; ++k) {
      const double s = (low + high) / 2;
      (a * s + b * s * s <= most ? low : high) = s;
    }
    return low;
  }

  void minimise(const Column& theta, Column& z) {
    const double slopes = theta.segment(1, m_).norm() / std::sqrt(m());
    const Column c = curvatures(theta).cwiseMax(1e-3 * slopes);
    const auto size = static_cast<std::size_t>(m_);
    const Vector linear(theta.data() + 1, theta.data() + 1 + m_);
    const Vector zero(size);
    Vector widths(size);
    for (std::size_t k = 0; k < size; ++k) widths[k] = 1 / c[static_cast<Eigen::Index>(k)];
    Vector moved(z.data(), z.data() + z.size());
    Vector gradient(size);
    Vector origin(size);
    Vertex vertex;
    Vector at(size);
    corrective_.find(
        {linear, 1, zero, widths}, 0.1 * slopes * m() / std::sqrt(losses_ + 1), 30,
        [&](std::span<const double> slope) -> const Vertex& {
          const Column direction = on_.W.transpose() * column(slope);
          Vector v(set_->dimension());
          oracle_->minimise(std::span(direction.data(), v.size())).write_to(v);
          const Column z_of_v = on_.W * (column(v) - start_);
          std::copy(z_of_v.data(), z_of_v.data() + m_, at.begin());
          vertex.dense = at;
          return vertex;
        },
        moved, gradient, origin);
    z = column(moved);
  }

  void learn_from(const Column& z, double value) {
    const Column phi = features(z);
    played_.push_back(phi);
    const Column mean_now = mean();
    const Column away = z - here_;
    const double bend = curvatures(mean_now).dot(away.cwiseProduct(away)) / 2;
    const double expected = mean_now.dot(phi);
    const double error = residuals_.take(value - expected, variance(phi) + bend * bend);
    add(phi, 1 / (residuals_.noise() + bend * bend), expected + error);
  }

  void begin_model() {
    std::vector<double> sorted;
    for (const auto& [z, loss] : first_told_) sorted.push_back(loss);
    std::sort(sorted.begin(), sorted.end());
    const double median = (sorted[7] + sorted[8]) / 2;
    for (double& loss : sorted) loss = std::abs(loss - median);
    std::sort(sorted.begin(), sorted.end());
    const double spread = (sorted[7] + sorted[8]) / 2;
    if (spread > 0 && sorted.back() > 100 * spread) {
      for (auto& [z, loss] : first_told_) loss = median + clamped(loss - median, 12 * spread);
    }
    level_ = 0;
    for (const auto& [z, loss] : first_told_) level_ += loss / 16;
    double variance_of_losses = 0;
    double farthest = 0;
    for (const auto& [z, loss] : first_told_) {
      variance_of_losses += (loss - level_) * (loss - level_) / 15;
      farthest = std::max(farthest, z.norm() / std::sqrt(m()));
    }
    if (variance_of_losses == 0) {
      since_ = 0;
      first_told_.clear();
      return;
    }
    unit_ = std::exp2(std::floor(std::log2(std::sqrt(variance_of_losses))));
    const double noise = variance_of_losses / (unit_ * unit_);
    const double far = std::min(1.0, farthest / 0.15);
    slope_ridge_ = far * far / noise;
    curvature_unit_ = std::pow(far, 4);
    write_ridge(noise);
    residuals_ = {.count = 16, .patience = m() + 18, .variance = noise, .mean_variance = noise};
    for (const auto& [z, loss] : first_told_) {
      played_.push_back(features(z));
      add(features(z), 1 / noise, (loss - level_) / unit_);
    }
  }

  void refit() {
    const double next = std::max(next_ + 1, 1.1 * next_);
    const double noise = residuals_.noise();
    write_ridge(noise);
    const Column mean_now = mean();
    const bool late = since_ >= 20 * (m() + 2);
    double determined = 0;
    double signal = 0;
    for (Eigen::Index i = 1; i <= m_; ++i) {
      const double of_slope = variance(Column::Unit(d_, i));
      determined += 1 - ridge_[i] * of_slope;
      signal += mean_now[i] * mean_now[i] / of_slope;
    }
    const double root = std::sqrt(since_);
    slope_ridge_ = followed(determined, mean_now.segment(1, m_).squaredNorm(), slope_ridge_,
                            std::max(1.0, root) / noise);
    for (Eigen::Index i = m_ + 1; i < d_ && late; ++i) {
      curvature_ridge_[i] = followed(1 - ridge_[i] * variance(Column::Unit(d_, i)),
                                     mean_now[i] * mean_now[i], ridge_[i], 10 * root / noise);
    }
    const double by_chance = determined + std::sqrt(2 * std::max(determined, 0.0));
    reliable_ = std::min(1.0, std::max(0.0, 1 - by_chance / signal));
    write_ridge(noise);
    if (late) loosen(next / next_ - 1);
    next_ = next;
    best_due_ = true;
  }
  /// gamma / theta^2, within a factor 4 of what it was.
  static double followed(double determined, double squares, double ridge, double most) {
    const double wanted = std::max(determined, 1e-9) / squares;
    return std::min({most, 4 * ridge, std::max(wanted, ridge / 4)});
  }

  void find_best() {
    best_due_ = false;
    if (exploring_only()) return;
    minimise(mean(), best_);
    gain_ = mean()[0] - mean().dot(features(best_));
    if (gain_ <= 0) {
      gain_ = 0;
      best_.setZero();
    }
    relied_ = reliable_ * gain_;
    count_budget();
  }

  /// What the losses say, G, becomes (G^-1 + tau^2 u u')^-1, and the mean stays.
  void loosen(double growth) {
    const Column mean_before = mean();
    const double squared_tau = growth * variance(Column::Unit(d_, d_ - 1));
    Column u = Column::Zero(d_);
    u[0] = here_.squaredNorm() / std::sqrt(m());
    u.segment(1, m_) = -2 / std::sqrt(m()) * here_;
    u[d_ - 1] = 1;
    const Column Gu = G_ * u;
    G_ -= squared_tau / (1 + squared_tau * u.dot(Gu)) * Gu * Gu.transpose();
    b_ = A() * mean_before;
  }

  /// By how much all plays together lie above the start, and what they may.
  void count_budget() {
    const Column mean_now = mean();
    double along = 0;
    double curved = 0;
    for (const Column& phi : played_) {
      along += mean_now.segment(1, m_).dot(phi.segment(1, m_));
      curved += mean_now.tail(d_ - m_ - 1).dot(phi.tail(d_ - m_ - 1));
    }
    a_round_ = 0.1 * std::sqrt((m() + 2) * residuals_.noise());
    slack_ = static_cast<double>(played_.size()) * (0.5 * relied_ + a_round_) - curved -
             (along < 0 ? reliable_ * along : along);
  }

  void begin() {
    since_ = hold_ = 0;
    first_ = {};
    first_told_.clear();
    level_ = gain_ = relied_ = reliable_ = slack_ = a_round_ = 0;
    best_due_ = false;
    curvature_ridge_ = Column::Zero(d_);
    unit_ = 1;
    next_ = 16;
    reach_ = first_.reach;
    best_ = here_ = Column::Zero(m_);
    G_ = Matrix::Zero(d_, d_);
    b_ = Column::Zero(d_);
    residuals_ = {};
    played_.clear();
  }

  SetPtr set_;
  std::unique_ptr<Exploration> nu_;
  std::unique_ptr<Oracle> oracle_;
  Randomness random_;
  Coordinates on_;
  Column start_;
  Eigen::Index m_;
  Eigen::Index d_;
  double losses_ = 0;
  double since_ = 0;
  double hold_ = 0;
  std::uint64_t restarts_ = 0;
  PlayId first_play_ = 1;  // since the latest restart
  double level_ = 0;
  double unit_ = 1;
  double next_ = 16;
  double reach_ = 0;
  bool best_due_ = false;
  double gain_ = 0;
  double relied_ = 0;  // of the gain, by the budget
  double reliable_ = 0;
  double slack_ = 0;
  double a_round_ = 0;
  double slope_ridge_ = 1;
  double curvature_unit_ = 1;
  Column ridge_;
  Column curvature_ridge_;
  Matrix G_;
  Column b_;
  PlainReach first_;
  PlainResiduals residuals_;
  PlainWorth worth_;
  std::vector<Made> plays_;
  std::vector<std::pair<Column, double>> first_told_;
  std::vector<Column> played_;  // the features of what was learned from
  Column sample_;
  Column best_;
  Column here_;
  Sizes sizes_;
  algorithms::CorrectiveGradient corrective_;
};

}  // namespace keyhole::tests::plainly
