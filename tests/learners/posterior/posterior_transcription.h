#pragma once

// posterior once more, plainly: dense matrices that are factorised again for every use, every play,
// every run of plays and every loss remembered, sums over all of them where there is no recursion
// to follow. It shares the random numbers, the explored points, the oracle and the conditional
// gradients with the library, and nothing else.

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

  void take(double squared, double loss, double most) {
    told.push_back({squared, loss});
    if (told.size() % 3 != 0) return;
    const double t = price();
    if (t < 1.5) reach = std::min(most, 2 * reach);
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
    if (qq < 1e-18 * count * q * q) return 0;  // they differ by rounding alone
    const double slope = qf / qq;
    const double squares = ff - slope * qf;
    return squares > 0 ? slope / std::sqrt(squares / (count - 2) / qq) : 0;
  }
};

/// What losses differ from a model by: noise, alternation, jumps, evidence and a clip that widens.
struct PlainResiduals {
  double count = 0;
  double calm = 0;
  double variance = 0;
  double mean_variance = 0;
  double evidence = 0;
  double swing = 0;
  double jump = 0;  // squared
  double away = 0;
  bool widened = false;
  double clip = 3;
  double streak = 0;
  Vector stream = {};                 // the residuals of plays
  std::array<double, 3> errors = {};  // of predicting 0, the last, alternation
  std::vector<int> sides = {};        // of the latest losses: 1 far above, -1 far below, 0
  Vector cuts = {};                   // what the clip has cut off
  int jumps = 0;
  int widenings = 0;

  [[nodiscard]] double noise() const { return std::max(variance, mean_variance / 20); }
  /// The residual so many plays ago.
  [[nodiscard]] double ago(std::size_t k) const {
    return stream.size() < k ? 0 : stream[stream.size() - k];
  }

  /// As far above their mean as the last was below it.
  [[nodiscard]] double alternating() const { return ago(2) - (ago(1) + ago(2)) / 2; }

  double take(double residual, double h, bool fresh) {
    count += 1;
    const bool wins = errors[2] < 0.75 * errors[0] && errors[2] < 0.75 * errors[1];
    streak = wins ? streak + 1 : 0;
    const bool used = wins && (streak >= 50 || count <= 100);
    const double spread = std::sqrt(noise() + h);
    away = (residual - (used ? alternating() : 0)) / spread;
    if (fresh) {
      const double density = std::pow(1 + away * away / 4, -2.5) / spread;
      evidence = evidence * (1 - 1 / (100 + count / 2)) + std::log(density);
    }
    find_jump(away * spread);
    const double error = learn_noise(spread, h);
    const std::array<double, 3> predicted = {0, ago(1), alternating()};
    for (std::size_t i = 0; i < 3; ++i) {
      errors[i] = 0.98 * errors[i] + std::abs(residual - predicted[i]);
    }
    stream.push_back(residual);
    swing = used ? alternating() : 0;
    return error;
  }
  /// Of a point that was not played.
  double take_taught(double residual, double h) {
    count += 1;
    const double spread = std::sqrt(noise() + h);
    away = residual / spread;
    return learn_noise(spread, h);
  }
  /// Three losses running that are far off the same way.
  void find_jump(double off) {
    sides.push_back(away > 3 ? 1 : away < -3 ? -1 : 0);
    jump = 0;
    if (sides.size() < 3 || count <= calm || sides.back() == 0) return;
    if (!std::all_of(sides.end() - 3, sides.end(), [&](int s) { return s == sides.back(); }))
      return;
    jump = off * off;
    sides.clear();
    cuts.clear();
    jumps += 1;
  }
  double learn_noise(double spread, double h) {
    const double error = clamped(away, clip) * spread;
    cuts.push_back(away * spread - error);
    double sum = 0;
    double squares = 0;
    for (const double cut : cuts) {
      sum += cut;
      squares += cut * cut;
    }
    widened = std::abs(sum) > 3 * std::sqrt(squares) &&
              std::abs(sum) / static_cast<double>(cuts.size()) > std::sqrt(noise()) / 10;
    if (widened) {
      clip *= 2;
      cuts.clear();
      widenings += 1;
    }
    const double of_noise = error * error * noise() / (noise() + h);
    variance += (of_noise - variance) / std::min(count, 20 + count / 5);
    mean_variance += (variance - mean_variance) / count;
    return error;
  }
};

/// A model of the losses: with few curvatures, or with those of all pairs of coordinates.
struct PlainModel {
  bool pairs;
  Eigen::Index m;
  Column mu;  // empty if there is one curvature
  double slope_ridge = 1;
  double curvature_unit = 1;
  double reliable = 0;
  Column curvature_ridge = {};
  Column ridge = {};
  // What the losses say, and what is known: A mean = c. With all curvatures that is as of the
  // latest refit.
  Matrix G = {};
  Column b = {};
  Matrix A = {};
  Column c = {};

  [[nodiscard]] Eigen::Index d() const {
    return m + (pairs ? 2 + m * (m + 1) / 2 : mu.size() > 0 ? 3 : 2);
  }
  [[nodiscard]] double root() const { return std::sqrt(static_cast<double>(m)); }
  /// Whether coefficient i, a curvature, is the one that all coordinates share.
  [[nodiscard]] bool is_shared(Eigen::Index i) const { return i == d() - 1; }

  [[nodiscard]] Column features(const Column& z) const {
    Column phi(d());
    phi[0] = 1;
    phi.segment(1, m) = z;
    if (pairs) {
      Eigen::Index i = m + 1;
      for (Eigen::Index j = 0; j < m; ++j) {
        for (Eigen::Index k = 0; k <= j; ++k) phi[i++] = (k < j ? M_SQRT2 : 1) * z[j] * z[k];
      }
    } else if (mu.size() > 0) {
      phi[m + 1] = mu.dot(z.cwiseProduct(z));
    }
    phi[d() - 1] = z.squaredNorm() / root();
    return phi;
  }
  /// C, where the model is linear but for z' C z.
  [[nodiscard]] Matrix curvatures(const Column& theta) const {
    Matrix C = Matrix::Identity(m, m) * (theta[d() - 1] / root());
    if (pairs) {
      Eigen::Index i = m + 1;
      for (Eigen::Index j = 0; j < m; ++j) {
        for (Eigen::Index k = 0; k < j; ++k, ++i) {
          C(j, k) += theta[i] / M_SQRT2;
          C(k, j) += theta[i] / M_SQRT2;
        }
        C(j, j) += theta[i++];
      }
    } else if (mu.size() > 0) {
      C.diagonal() += theta[m + 1] * mu;
    }
    return C;
  }

  [[nodiscard]] Column mean() const {
    const Matrix L = lower_factor(A);
    return solved_backward(L, solved_forward(L, c));
  }
  [[nodiscard]] double variance(const Column& phi) const {
    return solved_forward(lower_factor(A), phi).squaredNorm();
  }
  [[nodiscard]] Column sample(const Column& normal) const {
    return mean() + solved_backward(lower_factor(A), normal);
  }
  void know() {
    A = G;
    A.diagonal() += ridge;
    c = b;
  }
  void add(const Column& phi, double precision, double value) {
    G += precision * phi * phi.transpose();
    b += precision * value * phi;
    if (!pairs) know();
  }
  /// The level has moved by about `drift`, and its variance has grown by q: (A^-1 + q e e')^-1 in
  /// place of A. With all curvatures the same of what the losses say.
  void wander(double q, double drift) {
    Matrix& known = pairs ? G : A;
    Column& sums = pairs ? b : c;
    const Column first = known.col(0);
    const double share = q / (1 + q * first[0]);
    known -= share * first * first.transpose();
    sums += drift * known.col(0) - share * sums[0] * first;
    if (!pairs) forget_prior();
  }
  /// What the losses say, of what is known.
  void forget_prior() {
    G = A;
    G.diagonal() -= ridge;
    b = c;
  }
  void keep(double share) {
    G *= share;
    b *= share;
    know();
  }
  /// Less is known of the level and the slopes, as if each loss had counted for that share of them,
  /// and as much of the curvatures: the Schur complement of their block stays.
  void forget(double share) {
    know();
    const Column mean_before = mean();
    const Eigen::Index head = m + 1;
    const Eigen::Index tail = d() - head;
    const Matrix B = A.topLeftCorner(head, head);
    const Matrix C = A.bottomLeftCorner(tail, head);
    const Matrix L = lower_factor(B);
    Matrix explained(tail, tail);  // C B^-1 C'
    for (Eigen::Index i = 0; i < tail; ++i) {
      explained.col(i) = C * solved_backward(L, solved_forward(L, C.row(i).transpose()));
    }
    const Matrix schur = A.bottomRightCorner(tail, tail) - explained;
    A.topLeftCorner(head, head) = share * B;
    A.bottomLeftCorner(tail, head) = share * C;
    A.topRightCorner(head, tail) = share * C.transpose();
    A.bottomRightCorner(tail, tail) = schur + share * explained;
    b = A * mean_before;
    G = A;
    G.diagonal().head(head) -= share * ridge.head(head);
    G.diagonal().tail(tail) -= ridge.tail(tail);
    know();
  }
  void write_ridge(double noise) {
    ridge = Column::Constant(d(), slope_ridge);
    ridge[0] = 1e-6 / noise;
    for (Eigen::Index i = m + 1; i < d(); ++i) {
      ridge[i] = std::max(0.01 * curvature_unit / noise, curvature_ridge[i]);
    }
    ridge.array() += 1e-12 / noise;
  }

  void begin(double noise, double far) {
    slope_ridge = far * far / noise;
    curvature_unit = std::pow(far, 4);
    reliable = 0;
    curvature_ridge = Column::Zero(d());
    for (Eigen::Index i = m + 1; pairs && !is_shared(i); ++i) {
      curvature_ridge[i] = curvature_unit / noise;
    }
    G = Matrix::Zero(d(), d());
    b = Column::Zero(d());
    write_ridge(noise);
    know();
  }

  /// With a growth above 0 the curvatures too.
  void refit(double noise, double count, double growth, const Column& here) {
    write_ridge(noise);
    know();
    const Column mean_now = mean();
    Column variances(d());
    for (Eigen::Index i = 0; i < d(); ++i) variances[i] = variance(Column::Unit(d(), i));
    const auto determined = [&](Eigen::Index i) { return 1 - ridge[i] * variances[i]; };
    double of_slopes = 0;
    double signal = 0;
    for (Eigen::Index i = 1; i <= m; ++i) {
      of_slopes += determined(i);
      signal += mean_now[i] * mean_now[i] / variances[i];
    }
    slope_ridge = followed(of_slopes, mean_now.segment(1, m).squaredNorm(), slope_ridge,
                           std::max(1.0, std::sqrt(count)) / noise);
    const double most = 10 * std::sqrt(count) / noise;
    for (Eigen::Index i = m + 1; i < d() && growth > 0; ++i) {
      // Of pairs all have the same prior.
      const Eigen::Index others = pairs && !is_shared(i) ? d() - m - 2 : 1;
      double of_all = 0;
      for (Eigen::Index k = i; k < i + others; ++k) of_all += determined(k);
      const double squares = mean_now.segment(i, others).squaredNorm();
      const double found = followed(of_all, squares, ridge[i], most);
      for (Eigen::Index k = i; k < i + others; ++k) curvature_ridge[k] = found;
      i += others - 1;
    }
    const double by_chance = of_slopes + std::sqrt(2 * std::max(of_slopes, 0.0));
    reliable = signal > 0 ? std::min(1.0, std::max(0.0, 1 - by_chance / signal)) : 0;
    write_ridge(noise);
    know();
    if (growth > 0 && !pairs) loosen(growth, here);
  }
  /// gamma / theta^2, within a factor 4 of what it was.
  static double followed(double determined, double squares, double ridge, double most) {
    const double wanted = std::max(determined, 1e-9) / squares;
    return std::min({most, 4 * ridge, std::max(wanted, ridge / 4)});
  }
  /// What the losses say, G, becomes (G^-1 + tau^2 u u')^-1, and the mean stays.
  void loosen(double growth, const Column& here) {
    const Column mean_before = mean();
    const double squared_tau = growth * variance(Column::Unit(d(), d() - 1));
    Column u = Column::Zero(d());
    u[0] = here.squaredNorm() / root();
    u.segment(1, m) = -2 / root() * here;
    u[d() - 1] = 1;
    const Column Gu = G * u;
    G -= squared_tau / (1 + squared_tau * u.dot(Gu)) * Gu * Gu.transpose();
    know();
    b = c = A * mean_before;
  }
};

/// Where a loss comes from.
enum class From { play, same_play, taught };

/// One model with all that goes with it.
struct PlainCandidate {
  PlainModel model;
  PlainResiduals residuals = {};
  double velocity = 0;  // of the level, a loss
};

/// The share of an error that the velocity of a level takes, by Brown's double smoothing: (K /
/// 2)^2, with K the gain of a level that wanders at that rate, K^2 = rate (1 - K).
inline double velocity_share(double rate) {
  double low = 0;
  double high = 1;
  for (int k = 0; k < 200; ++k) {
    const double K = (low + high) / 2;
    (K * K <= rate * (1 - K) ? low : high) = K;
  }
  return low * low / 4;
}

/// What was said of a loss before it was learned.
struct PlainSaid {
  double level = 0;
  double expected = 0;
  double variance = 0;
  double away = 0;
  bool jumped = false;
};

/// What is known of the losses if their level wanders at a rate, or if they are remembered for so
/// many losses.
struct PlainStrand {
  double rate;
  double memory;  // 0 for ever
  PlainCandidate few;
  PlainCandidate all;
  bool has_all;
  bool all_is_fitted = false;
  bool all_is_better = false;
  double compared = 0;
  double saved = 0;
  double squares = 0;
  double tide = 0;  // of the level, since the model with all curvatures was fitted
  double tide_variance = 0;
  PlainSaid said = {};
  std::vector<std::pair<Column, double>> played = {};  // and how much each play still counts
  int unfaded = 0;                                     // losses since it has forgotten any
  int changes_of_model = 0;

  [[nodiscard]] const PlainCandidate& best() const { return all_is_better ? all : few; }

  void begin(double noise, double far, double count) {
    const auto d = static_cast<double>(few.model.d());
    for (PlainCandidate* one : {&few, &all}) {
      one->model.begin(noise, far);
      one->residuals = {
          .count = count, .calm = std::pow(d, 1.5), .variance = noise, .mean_variance = noise};
      one->velocity = 0;
    }
    all_is_fitted = all_is_better = false;
    compared = saved = squares = tide = tide_variance = 0;
    played.clear();
  }
  /// With a little of what the strand knows that stands still, or with its latest part.
  void begin_from(const PlainStrand& still, const PlainResiduals& known) {
    const double own_rate = rate;
    const double own_memory = memory;
    *this = still;
    rate = own_rate;
    memory = own_memory;
    unfaded = 0;
    for (PlainCandidate* one : {&few, &all}) {
      if (memory == 0) one->model.keep(0.03);
      one->residuals = known;
      one->velocity = 0;
    }
    if (memory > 0) forget(std::min(1.0, memory / known.count));
    tide = tide_variance = 0;
  }
  void forget(double share) {
    few.model.forget(share);
    if (has_all) all.model.forget(share);
    for (auto& [z, counts] : played) counts *= share;
    tide = tide_variance = 0;
  }
  /// An eighth of the memory at a time.
  void fade(const Column& here) {
    unfaded += 1;
    if (memory == 0 || unfaded < memory / 8) return;
    forget(1 - unfaded / memory);
    const double count = few.residuals.count;
    const bool local = count >= 20 * static_cast<double>(few.model.d());
    refit(std::min(count, std::floor(memory)), local ? unfaded / count : 0, here);
    unfaded = 0;
  }
  void learn_first(const Column& z, double value, double noise) {
    for (PlainCandidate* one : {&few, &all}) {
      one->model.add(one->model.features(z), 1 / noise, value);
    }
  }

  /// What one of the models makes of a loss.
  struct Heard {
    double expected;  // what it said
    double usual;     // the loss, without what alternation adds
    double error;     // what is to be learned beyond what it said
    double precision;
  };
  Heard hear(PlainCandidate& by, const Column& z, double value, const Column& here, From from) {
    const bool second = &by == &all;
    const Column phi = by.model.features(z);
    const Column away = z - here;
    const double bend = away.dot(by.model.curvatures(by.model.mean()) * away) / 2;
    const double expected = by.model.mean().dot(phi) + (second ? tide : 0);
    const double h = by.model.variance(phi) + bend * bend + (second ? tide_variance : 0);
    const double noise = by.residuals.noise();
    const double usual = from == From::taught ? value : value - by.residuals.swing;
    const double error = from == From::taught
                             ? by.residuals.take_taught(value - expected, h)
                             : by.residuals.take(value - expected, h, from == From::play);
    if (&by == &best()) {
      said = {by.model.mean()[0] + (second ? tide : 0), expected, noise + h, by.residuals.away,
              by.residuals.jump > 0};
    }
    return {expected, usual, error, 1 / (by.residuals.noise() + bend * bend)};
  }

  void learn(const Column& z, double value, const Column& here, From from) {
    const bool second = all_is_better;
    const bool timed = from != From::taught;
    const double grown = timed ? rate * few.residuals.noise() + few.residuals.jump : 0;
    if (grown > 0) few.model.wander(grown, few.velocity);
    const Heard by_few = hear(few, z, value, here, from);
    few.model.add(few.model.features(z), by_few.precision, by_few.expected + by_few.error);
    if (timed) few.velocity += velocity_share(rate) * by_few.error;
    if (few.residuals.widened) few.model.keep(0.03);
    if (!has_all) return;
    const Column phi = all.model.features(z);
    if (!all_is_fitted) {
      if (grown > 0) all.model.wander(grown, all.velocity);
      all.model.add(phi, by_few.precision, by_few.expected + by_few.error);
      all.residuals = few.residuals;
      all.velocity = few.velocity;
      if (few.residuals.widened) all.model.keep(0.03);
      return;
    }
    const double noise = all.residuals.noise();
    const double grown_all = timed ? rate * noise + all.residuals.jump : 0;
    if (grown_all > 0) {
      all.model.wander(grown_all, all.velocity);
      tide += all.velocity;
      tide_variance += grown_all;
    }
    const Heard by_all = hear(all, z, value, here, from);
    const Heard& taken = second ? by_all : by_few;
    all.model.add(phi, taken.precision, taken.expected + taken.error);
    // A level that is known with variance P from a loss with variance R: its variance becomes
    // 1 / (1/P + 1/R).
    tide += tide_variance / (tide_variance + noise) * by_all.error;
    tide_variance = tide_variance > 0 ? 1 / (1 / tide_variance + 1 / noise) : 0;
    if (timed) all.velocity += velocity_share(rate) * by_all.error;
    if (all.residuals.widened) {
      all.model.keep(0.03);
      tide = tide_variance = 0;
    }
    compare(std::pow(by_few.usual - by_few.expected, 2) / noise,
            std::pow(by_all.usual - by_all.expected, 2) / noise);
  }
  void compare(double of_few, double of_all) {
    compared += 1;
    const double less = std::min(9.0, of_few) - std::min(9.0, of_all);
    const double kept = 1 - 1 / (100 + compared / 2);
    saved = kept * saved + less;
    squares = kept * squares + less * less;
    const bool before = all_is_better;
    if (saved > 4 * std::sqrt(squares)) all_is_better = true;
    if (saved < 0) all_is_better = false;
    changes_of_model += all_is_better != before ? 1 : 0;
  }
  /// How often the model with all curvatures is tried: by how much less its errors were.
  [[nodiscard]] double share_of_all() const {
    if (!all_is_fitted) return 0;
    if (all_is_better) return 1;
    if (squares == 0) return 0.5;
    return 0.5 * std::min(1.0, std::max(0.0, 1 + saved / std::sqrt(squares)));
  }
  void refit(double count, double growth, const Column& here) {
    few.model.refit(few.residuals.noise(), count, growth, here);
    if (!has_all || count < 4 * static_cast<double>(all.model.d())) return;
    all.model.refit(all.residuals.noise(), count, growth, here);
    all_is_fitted = true;
    tide = tide_variance = 0;
  }
};

/// A level that wanders at a rate, by Kalman's filter of residuals.
struct PlainFilter {
  double rate;
  PlainResiduals residuals = {};
  double velocity = 0;
  double offset = 0;
  double variance = 0;

  void take(double residual, double h, bool fresh) {
    const double noise = residuals.noise();
    offset += velocity;
    variance += rate * noise + residuals.jump;
    const double error = residuals.take(residual - offset, h + variance, fresh);
    offset += variance / (variance + noise) * error;
    variance = 1 / (1 / variance + 1 / noise);
    velocity += velocity_share(rate) * error;
  }
};

/// The models: one that stands still and, if the level is seen to wander or the world is known to
/// move, three whose level wanders and three that forget.
struct PlainModels {
  std::vector<PlainStrand> strands;
  bool moves = false;
  std::vector<PlainFilter> filters = {};
  bool wanders = false;
  std::size_t at = 0;
  PlainSaid said = {};

  [[nodiscard]] const PlainStrand& believed() const { return strands[at]; }
  [[nodiscard]] const PlainCandidate& best() const { return believed().best(); }
  [[nodiscard]] double noise() const { return best().residuals.noise(); }

  void begin(double noise, double far, double count) {
    strands[0].begin(noise, far, count);
    filters.clear();
    wanders = false;
    at = 0;
  }
  void learn(const Column& z, double value, const Column& here, From from) {
    for (std::size_t k = 0; k < (wanders ? strands.size() : 1); ++k) {
      if (from != From::taught) strands[k].played.emplace_back(z, 1);
      strands[k].learn(z, value, here, from);
      strands[k].fade(here);
    }
    said = strands[at].said;
    if (!wanders && from != From::taught) watch(value, from);
    at = 0;
    for (std::size_t k = 1; k < strands.size() && wanders; ++k) {
      const auto merit = [&](std::size_t i) {
        const double proof = strands[i].memory > 0 ? 15 : 15 * static_cast<double>(i);
        return strands[i].best().residuals.evidence - proof;
      };
      if (merit(k) > merit(at)) at = k;
    }
  }
  void watch(double value, From from) {
    PlainStrand& still = strands[0];
    if (still.few.residuals.count < std::pow(static_cast<double>(still.few.model.d()), 1.5)) return;
    if (filters.empty()) {
      still.few.residuals.evidence = still.all.residuals.evidence = 0;
      for (std::size_t k = 1; k < 4; ++k) {
        filters.push_back({.rate = strands[k].rate, .residuals = still.best().residuals});
      }
      wanders = moves;
    }
    const double h = std::max(0.0, said.variance - still.best().residuals.noise());
    for (std::size_t k = 1; k < 4; ++k) {
      filters[k - 1].take(value - said.expected, h, from == From::play);
      const double ahead = filters[k - 1].residuals.evidence - still.best().residuals.evidence;
      if (ahead > 15 * static_cast<double>(k)) wanders = true;
    }
    for (std::size_t k = 1; k < strands.size() && wanders; ++k) {
      strands[k].begin_from(still, k < 4 ? filters[k - 1].residuals : still.best().residuals);
    }
  }
  void refit(double count, double growth, const Column& here) {
    for (std::size_t k = 0; k < (wanders ? 4 : 1); ++k) strands[k].refit(count, growth, here);
  }
};

/// Whether losses surprise.
struct PlainAlarm {
  double cusum = 0;
  double low = 0;

  bool take(const PlainSaid& said, double rate, double noise, double gain) {
    cusum = std::max(0.0, cusum + clamped(said.away, 3) - 0.5);
    low = std::min(low, said.level);
    const bool risen =
        rate > 0 && said.level > low + gain / 10 + 3 * std::sqrt(noise) * std::pow(rate, 0.25);
    return said.jumped || cusum > 20 || risen;
  }
};

/// Which of two lives is cheaper: all losses of the contest are kept, and paired again each time.
struct PlainContest {
  double dimension;
  double wait = dimension;
  double not_before = 0;
  bool on = false;
  std::vector<std::pair<bool, double>> told = {};  // whether the new life made the play, its loss

  enum class Verdict { open, old_wins, new_wins };

  /// A pair is over when both lives have a loss in it and another one comes. `of` has the losses of
  /// the one that is not.
  [[nodiscard]] Vector pairs(std::array<Vector, 2>& of) const {
    Vector found;
    const auto mean = [](const Vector& x) {
      double sum = 0;
      for (const double number : x) sum += number;
      return sum / static_cast<double>(x.size());
    };
    for (const auto& [is_new, loss] : told) {
      if (!of[0].empty() && !of[1].empty()) {
        const auto olds = static_cast<double>(of[0].size());
        const auto news = static_cast<double>(of[1].size());
        found.push_back((mean(of[1]) - mean(of[0])) * 2 * olds * news / (olds + news));
        of = {};
      }
      of[is_new ? 1 : 0].push_back(loss);
    }
    return found;
  }
  [[nodiscard]] Verdict verdict(bool explores) const {
    std::array<Vector, 2> open;
    const Vector found = pairs(open);
    if (static_cast<double>(std::max(open[0].size(), open[1].size())) > 20 * dimension) {
      return Verdict::old_wins;
    }
    const auto count = static_cast<double>(found.size());
    if (count < 6) return Verdict::open;
    double sum = 0;
    for (const double above : found) sum += above;
    double squares = 0;
    for (const double above : found) squares += (above - sum / count) * (above - sum / count);
    const double error = std::sqrt(squares / (count - 1) * count);  // of the sum
    if (sum < -3 * error) return Verdict::new_wins;
    if (sum > 6 * error && !explores) return Verdict::old_wins;
    return count < 20 * dimension ? Verdict::open : Verdict::old_wins;
  }
};

/// A loss, and how its play was made.
struct PlainTold {
  Column z;
  double loss;
  From from;
  double reach;     // how far the play went
  PlayId play = 0;  // 0 if none
};

/// Everything that is learned since a beginning.
struct PlainLife {
  Eigen::Index size;
  PlainModels models;
  std::uint64_t trials = 0;  // about how many plays there will be, if they are few
  std::uint64_t number = 0;
  PlayId first = 1;
  double since = 0;
  bool best_due = false;
  double level = 0;
  double unit = 1;
  double next = 16;
  PlainReach first_reach = {};
  double reach = first_reach.reach;
  double gain = 0;
  double relied = 0;  // of the gain, by the budget
  double slack = 0;
  double a_round = 0;
  double quiet = 0;  // the variance of the noise that the budget counts by
  PlainAlarm alarm = {};
  std::vector<PlainTold> first_told = {};
  Column least = Column::Zero(size);
  Column here = Column::Zero(size);

  [[nodiscard]] double m() const { return static_cast<double>(size); }
  [[nodiscard]] bool exploring_only() const { return since <= 16 || since < m() + 2; }
  [[nodiscard]] const PlainModel& best() const { return models.best().model; }
  [[nodiscard]] double plays() const {
    double plays = 0;
    for (const auto& [z, counts] : models.believed().played) plays += counts;
    return plays;
  }
  /// How many of its plays are bold.
  [[nodiscard]] double few() const {
    return std::max(0.0, static_cast<double>(trials) - static_cast<double>(first) + 1);
  }
  [[nodiscard]] bool is_bold() const { return plays() < few(); }

  /// Whether it is a surprise.
  bool learn(const PlainTold& told) {
    const bool taught = told.from == From::taught;
    since += 1;
    here += (told.z - here) / std::min(since, 20 + since / 10);
    if (exploring_only() && !taught) {
      first_reach.take(told.z.squaredNorm() / m(), told.loss, is_bold() ? 0.5 : 0.15);
      reach = first_reach.reach;
    }
    if (since <= 16) {
      first_told.push_back(told);
      if (since == 16) begin_model();
      return false;
    }
    if (!exploring_only() && slack > -a_round && told.reach >= reach / 2) {
      reach = std::min(1.0, 2 * reach);
    }
    const double rate = models.believed().rate;
    const auto which = [&] { return std::pair(models.at, models.believed().all_is_better); };
    const auto before = which();
    models.learn(told.z, (told.loss - level) / unit, here, told.from);
    if (which() != before) best_due = true;
    if (since >= next) refit();
    count_budget();
    if (since < 10 * (m() + 2)) {
      alarm = {.cusum = 0, .low = models.said.level};
      return false;
    }
    if (taught) return false;
    return alarm.take(models.said, rate, models.noise(), gain);
  }

  void begin_model() {
    std::vector<double> sorted;
    for (const PlainTold& told : first_told) sorted.push_back(told.loss);
    std::sort(sorted.begin(), sorted.end());
    const double median = (sorted[7] + sorted[8]) / 2;
    for (double& loss : sorted) loss = std::abs(loss - median);
    std::sort(sorted.begin(), sorted.end());
    const double spread = (sorted[7] + sorted[8]) / 2;
    if (spread > 0 && sorted.back() > 100 * spread) {
      for (PlainTold& told : first_told) {
        told.loss = median + clamped(told.loss - median, 12 * spread);
      }
    }
    level = 0;
    for (const PlainTold& told : first_told) level += told.loss / 16;
    double variance = 0;
    double farthest = 0;
    for (const PlainTold& told : first_told) {
      variance += (told.loss - level) * (told.loss - level) / 15;
      farthest = std::max(farthest, told.z.norm() / std::sqrt(m()));
    }
    if (variance == 0) {
      since = 0;
      first_told.clear();
      return;
    }
    unit = std::exp2(std::floor(std::log2(std::sqrt(variance))));
    const double noise = variance / (unit * unit);
    models.begin(noise, std::min(1.0, farthest / 0.15), 16);
    for (const PlainTold& told : first_told) {
      if (told.from != From::taught) models.strands[0].played.emplace_back(told.z, 1);
      models.strands[0].learn_first(told.z, (told.loss - level) / unit, noise);
    }
  }
  void refit() {
    const double later = std::max(next + std::max(1.0, (m() + 2) / 8), 1.1 * next);
    const bool local = is_bold() || since >= 20 * (m() + 2);
    models.refit(since, local ? later / next - 1 : 0, here);
    next = later;
    best_due = true;
  }
  /// By how much all plays together lie above the start, and what they may.
  void count_budget() {
    const Column mean = best().mean();
    double along = 0;
    double curved = 0;
    for (const auto& [z, counts] : models.believed().played) {
      along += counts * mean.segment(1, size).dot(z);
      curved += counts * z.dot(best().curvatures(mean) * z);
    }
    const double noise = models.noise();
    quiet = quiet == 0 ? noise : std::min(noise, quiet + quiet / std::max(1.0, plays()));
    const double whole = 0.1 * std::sqrt((m() + 2) * quiet);
    const double first = 10 * (m() + 2);  // plays whose caution is whole; then it falls
    a_round = whole * std::min(1.0, std::sqrt(first / plays())) * (is_bold() ? 3 : 1);
    // The caution of t plays is the integral of that of one from 0 to t; bold ones have thrice
    // that.
    const auto of = [first](double t) {
      return t <= first ? t : first + 2 * (std::sqrt(first * t) - first);
    };
    const double cautions = of(plays()) + 2 * of(std::min(plays(), few()));
    slack = plays() * 0.5 * relied + whole * cautions - curved -
            (along < 0 ? best().reliable * along : along);
  }
  [[nodiscard]] double a_play(double alike) const { return std::max(slack / alike, a_round); }
};

class Posterior {
 public:
  Posterior(const SetPtr& set, std::uint64_t seed, double cap = 1, std::uint64_t trials = 0)
      : set_(set),
        nu_(set->exploration()),
        oracle_(set->oracle()),
        random_(set, seed, 0),
        on_(set, *nu_),
        start_(column(set->centre())),
        cap_(cap),
        trials_(trials),
        m_(on_.W.rows()),
        recommended_(Column::Zero(m_)),
        contest_{.dimension = m() + 2},
        corrective_(static_cast<std::size_t>(m_)) {
    lives_.push_back(born(0, 1));
  }

  Vector play(PlayId t) {
    if (now().best_due) find_best(now());
    if (hold_ == 0 && contest_.on) {
      new_plays_ = half_made_ ? !new_plays_ : sample_uniform(t, 1) < 0.5;
      half_made_ = !half_made_;
    }
    PlainLife& who = new_plays_ ? lives_.back() : now();
    if (who.best_due) find_best(who);
    if (who.exploring_only()) {
      // Plays that explore equally far for the same life are one run.
      const double far = who.first_reach.reach;
      hold_ = 0;
      if (runs_.empty() || runs_.back().life != who.number || runs_.back().sizes.exploring != 1 ||
          runs_.back().sizes.exploring_reach != far ||
          (cap_ < 1 && runs_.back().around != recommended_)) {
        const Sizes sizes{.exploring = 1, .exploring_reach = far};
        runs_.push_back({who.number, Column::Zero(m_), recommended_, sizes});
      }
    } else if (hold_ == 0) {
      draw_sample(t, who);
    }
    if (hold_ > 0) hold_ -= 1;
    make(t);
    return std::move(made_);
  }
  /// The latest play was made there: but for rounding that is what it was.
  void played_at(std::span<const double> point) {
    plays_.back().z = on_.W * (column(point) - start_);
  }

  void learn(PlayId t, double loss) {
    const double age = static_cast<double>(plays_.size()) - static_cast<double>(t);
    ages_ += 1;
    mean_age_ += (age - mean_age_) / std::min(ages_, 20 + ages_ / 5);
    if (t < now().first) return;
    const Made& made = plays_[t - 1];
    const bool same = made.sample != 0 && made.sample == latest_told_;
    latest_told_ = made.sample;
    learn_from({made.z, loss, same ? From::same_play : From::play, made.reach, t}, made.life);
  }
  /// Learns the loss of a point that was not played.
  void teach(const Vector& point, double loss) {
    learn_from({on_.W * (column(point) - start_), loss, From::taught, 1}, now().number);
    if (now().best_due) find_best(now());
  }

  /// What it recommends.
  [[nodiscard]] Vector recommended() const {
    const Column x = start_ + on_.B * recommended_;
    return {x.data(), x.data() + x.size()};
  }
  [[nodiscard]] bool has_two_curvatures() const { return on_.mu.size() > 0; }
  [[nodiscard]] bool comparing() const { return contest_.on; }
  [[nodiscard]] const PlainLife& life() const { return lives_[at_]; }

  /// What has happened so far.
  struct Seen {
    std::uint64_t restarts = 0;
    int kept = 0;           // contests that the old life has won
    int won_exploring = 0;  // restarts of a life that still explored
    int turns = 0;          // plays made from an earlier sample
    int held = 0;           // samples that served longer because losses come late
    int wandering = 0;      // samples of a strand whose level wanders
    int forgetting = 0;     // samples of a strand with a memory
    int swinging = 0;       // samples while losses are seen to alternate
    int jumps = 0;
    int widened = 0;
    int changes_of_model = 0;
    bool all_was_fitted = false;
  };
  [[nodiscard]] const Seen& seen() const { return seen_; }

 private:
  struct Sizes {
    double at_start = 0;
    double on_the_way = 0;
    double reach = 0;
    double exploring = 0;
    double exploring_reach = 0;
    double turns = 0;
  };
  struct Run {
    std::uint64_t life;
    Column sample;
    Column around;  // what was recommended
    Sizes sizes;
  };
  struct Made {
    Column z;
    std::size_t sample;  // the run whose sample it is made from, counted from 1; 0 near the start
    double reach;
    std::uint64_t life;
  };

  [[nodiscard]] double m() const { return static_cast<double>(m_); }
  PlainLife& now() { return lives_[at_]; }

  [[nodiscard]] PlainLife born(std::uint64_t number, PlayId first) const {
    const auto strand = [&](double rate, double memory = 0) {
      PlainStrand made{.rate = rate,
                       .memory = memory * (m() + 2),
                       .few = {.model = {.pairs = false, .m = m_, .mu = on_.mu}},
                       .all = {.model = {.pairs = true, .m = m_, .mu = {}}},
                       .has_all = m_ > 1 && m_ <= 12};
      made.begin(1, 1, 0);
      return made;
    };
    PlainLife life{.size = m_,
                   .models = {.strands = {strand(0), strand(1e-4), strand(1e-2), strand(1),
                                          strand(0, 10), strand(0, 40), strand(0, 160)},
                              .moves = seen_.restarts > 0}};
    life.trials = trials_;
    life.number = number;
    life.first = first;
    return life;
  }

  static double uniform_of(std::uint64_t word) {
    return std::ldexp(static_cast<double>(word >> 11U), -53);
  }
  double sample_uniform(PlayId t, std::size_t k) {
    std::array<std::uint64_t, 2> words{};
    random_.sub_stream("samples").words(t, words);
    return uniform_of(words[k]);
  }

  /// Play t, of the latest run.
  void make(PlayId t) {
    std::vector<std::uint64_t> words(6 + (nu_->needs().words + 1) / 2 * 2);
    Vector normals(nu_->needs().normals);
    random_.words(t, words);
    random_.normals(t, normals);
    const auto uniform = [&](std::size_t k) { return uniform_of(words[k]); };
    const Run& run = runs_.back();
    const auto back = static_cast<std::size_t>(uniform(0) * (1 + run.sizes.turns));
    const Run& turn = runs_[runs_.size() - 1 - back];
    seen_.turns += back > 0 ? 1 : 0;
    double share = 0;
    double explored = 0;
    bool near_start = true;
    if (uniform(1) >= run.sizes.at_start) {
      near_start = run.sizes.exploring == 1;
      share = turn.sizes.reach * (uniform(2) < run.sizes.on_the_way ? uniform(3) : 1);
      if (uniform(4) < run.sizes.exploring) explored = run.sizes.exploring_reach;
    }
    Vector v(set_->dimension());
    nu_->draw({std::span(words).subspan(6), normals}, v);
    const Column along = start_ + share * (on_.B * turn.sample);
    const Column whole = along + explored * (column(v) - along);
    const Column around = start_ + on_.B * run.around;
    const Column y = cap_ < 1 ? Column(around + cap_ * (whole - around)) : whole;
    plays_.push_back({on_.W * (y - start_), near_start ? 0 : runs_.size() - back,
                      run.sizes.exploring == 1 ? run.sizes.exploring_reach : turn.sizes.reach,
                      run.life});
    made_.assign(y.data(), y.data() + y.size());
  }

  void draw_sample(PlayId t, const PlainLife& who) {
    const PlainStrand& strand = who.models.believed();
    const PlainModel& drawn =
        sample_uniform(t, 0) < strand.share_of_all() ? strand.all.model : strand.few.model;
    Vector xi(static_cast<std::size_t>(drawn.d()));
    random_.sub_stream("samples").normals(t, xi);
    Column normal = column(xi);
    if (!drawn.pairs && !who.is_bold() && who.since < 20 * (m() + 2)) {
      for (Eigen::Index i = m_ + 1; i < drawn.d(); ++i) normal[i] = 2 * std::abs(normal[i]);
    }
    Column sample = runs_.empty() ? Column::Zero(m_) : runs_.back().sample;
    minimise(drawn, drawn.sample(normal), sample);
    const Column mean_now = drawn.mean();
    const Column phi = drawn.features(sample);
    const double root =
        std::sqrt(strand.memory > 0 ? std::min(strand.memory, who.since) : who.since);
    const bool promising = mean_now.dot(phi) <= mean_now[0];
    const double looking = drawn.reliable > 0 ? 1 : std::min(1.0, 10 * std::sqrt(m() + 2) / root);
    const double at_start = std::max(std::min(0.25, 0.02 / root), 1 - looking);
    const double wanted = contest_.on ? 1 : promising ? 0.1 * root : 1 / (1 - at_start);
    const double late = 4 * mean_age_ / 1024;
    hold_ = std::floor(std::max({1.0, wanted, late}));
    seen_.held += hold_ > std::max(1.0, wanted) ? 1 : 0;
    const double price = who.best().curvatures(who.best().mean()).trace();
    double far = std::min(who.reach, 0.3);
    if (price > 0) far = std::min(far, std::sqrt(who.a_play(1) / (price * root)));
    // Only samples of the same life are taken turns with, one more in each run up to four, and each
    // must serve two plays.
    double turns = 0;
    if (cap_ == 1 && !runs_.empty() && runs_.back().life == who.number &&
        runs_.back().sizes.exploring != 1) {
      const double samples = std::min({4.0, std::floor(hold_ / 2), runs_.back().sizes.turns + 2});
      turns = std::max(0.0, samples - 1);
    }
    const Sizes sizes{.at_start = at_start,
                      .on_the_way = who.reach < 1 ? 0.25 : std::min(0.25, 0.1 / root),
                      .reach = std::min(who.reach, affordable(drawn, phi, who.a_play(hold_))),
                      .exploring = who.slack > 0 ? 0.05 / root : 0,
                      .exploring_reach = far,
                      .turns = turns};
    runs_.push_back({who.number, sample, recommended_, sizes});
    seen_.wandering += strand.rate > 0 ? 1 : 0;
    seen_.forgetting += strand.memory > 0 ? 1 : 0;
    seen_.swinging += strand.best().residuals.swing != 0 ? 1 : 0;
  }

  /// The largest s up to 1 with a s + b s^2 within what a play may cost.
  [[nodiscard]] double affordable(const PlainModel& drawn, const Column& phi, double most) const {
    const Column mean_now = drawn.mean();
    double a = mean_now.segment(1, m_).dot(phi.segment(1, m_));
    if (a < 0) a *= drawn.reliable;
    Column curved = phi;
    curved.head(m_ + 1).setZero();
    const double b = std::max(0.0, mean_now.dot(curved)) + std::sqrt(drawn.variance(curved));
    if (a + b <= most) return 1;
    double low = 0;  // a s + b s^2 is within it here, and beyond at `high`
    double high = 1;
    for (int k = 0; k < 200; ++k) {
      const double s = (low + high) / 2;
      (a * s + b * s * s <= most ? low : high) = s;
    }
    return low;
  }

  /// In coordinates in which the curvatures are those of single coordinates.
  void minimise(const PlainModel& model, const Column& theta, Column& z) {
    const double slopes = theta.segment(1, m_).norm() / std::sqrt(m());
    Column c;
    const Matrix Q = turned_by_jacobi(model.curvatures(theta), c);
    c = c.cwiseMax(1e-3 * slopes);
    const auto size = static_cast<std::size_t>(m_);
    const Column turned_slopes = Q * theta.segment(1, m_);
    const Column turned_z = Q * z;
    const Vector linear(turned_slopes.data(), turned_slopes.data() + m_);
    const Vector zero(size);
    Vector widths(size);
    for (std::size_t k = 0; k < size; ++k) widths[k] = 1 / c[static_cast<Eigen::Index>(k)];
    Vector moved(turned_z.data(), turned_z.data() + m_);
    Vector gradient(size);
    Vector origin(size);
    Vertex vertex;
    Vector at(size);
    corrective_.find(
        {linear, 1, zero, widths}, 0.1 * slopes * m() / std::sqrt(losses_ + 1), 30,
        [&](std::span<const double> slope) -> const Vertex& {
          const Column direction = on_.W.transpose() * (Q.transpose() * column(slope));
          Vector v(set_->dimension());
          oracle_->minimise(std::span(direction.data(), v.size())).write_to(v);
          const Column z_of_v = Q * (on_.W * (column(v) - start_));
          std::copy(z_of_v.data(), z_of_v.data() + m_, at.begin());
          vertex.dense = at;
          return vertex;
        },
        moved, gradient, origin);
    z = Q.transpose() * column(moved);
  }

  /// Of a play that a life has made.
  void learn_from(const PlainTold& told, std::uint64_t maker) {
    losses_ += 1;
    const bool surprised = now().learn(told);
    if (contest_.on) {
      compare(told, maker);
    } else if (surprised && losses_ >= contest_.not_before) {
      lives_.push_back(born(++begun_, plays_.size() + 1));
      contest_.on = true;
      contest_.told.clear();
      hold_ = 0;
      new_plays_ = half_made_ = false;
    }
    note();
  }
  /// The new life learns from its own plays alone until it knows enough for samples.
  void compare(const PlainTold& told, std::uint64_t maker) {
    PlainLife& young = lives_.back();
    if (told.play < young.first) return;
    const bool its_own = maker == young.number;
    const bool explored = young.exploring_only();
    if (its_own || !explored) young.learn(told);
    if (explored && !young.exploring_only()) contest_.told.clear();
    contest_.told.push_back({its_own, told.loss});
    const auto verdict = contest_.verdict(young.exploring_only());
    if (verdict == PlainContest::Verdict::open) return;
    contest_.on = false;
    if (verdict == PlainContest::Verdict::new_wins) {
      seen_.won_exploring += young.exploring_only() ? 1 : 0;
      seen_.restarts += 1;
      at_ = lives_.size() - 1;
      contest_.wait = contest_.dimension;
      contest_.not_before = losses_ + contest_.wait;
    } else {
      seen_.kept += 1;
      contest_.not_before = losses_ + contest_.wait;
      contest_.wait *= 2;
    }
    now().alarm = {.cusum = 0, .low = now().models.said.level};
    now().best_due = true;
    hold_ = 0;
    new_plays_ = half_made_ = false;
  }
  void note() {
    const PlainStrand& strand = now().models.believed();
    seen_.jumps = std::max(seen_.jumps, strand.best().residuals.jumps);
    seen_.widened = std::max(seen_.widened, strand.best().residuals.widenings);
    seen_.changes_of_model = std::max(seen_.changes_of_model, strand.changes_of_model);
    seen_.all_was_fitted = seen_.all_was_fitted || strand.all_is_fitted;
  }

  void find_best(PlainLife& who) {
    who.best_due = false;
    if (who.exploring_only()) {
      if (&who == &now()) recommended_.setZero();  // it knows nothing yet
      return;
    }
    const PlainModel& by = who.best();
    const Column mean = by.mean();
    minimise(by, mean, who.least);
    who.gain = mean[0] - mean.dot(by.features(who.least));
    if (who.gain <= 0) {
      who.gain = 0;
      who.least.setZero();
    }
    who.relied = by.reliable * who.gain;
    who.count_budget();
    if (&who != &now()) return;
    recommended_ = by.reliable > 0 ? drawn_back(by, who) : Column::Zero(m_);
  }
  /// Early on, if the gain is not two of its deviations: where the way to the least point is least
  /// if it bends by two of its deviations more.
  [[nodiscard]] static Column drawn_back(const PlainModel& by, const PlainLife& who) {
    Column phi = by.features(who.least);
    phi[0] = 0;
    const bool early = who.since < 20 * (who.m() + 2);
    if (!early || who.gain > 2 * std::sqrt(by.variance(phi))) return who.least;
    Column curved = phi;
    curved.segment(1, who.least.size()).setZero();
    const double slope = by.mean().dot(phi - curved);
    const double bend = by.mean().dot(curved) + 2 * std::sqrt(by.variance(curved));
    if (2 * bend <= -slope) return who.least;
    return (slope < 0 ? -slope / (2 * bend) : 0) * who.least;
  }

  SetPtr set_;
  std::unique_ptr<Exploration> nu_;
  std::unique_ptr<Oracle> oracle_;
  Randomness random_;
  Coordinates on_;
  Column start_;
  double cap_;
  std::uint64_t trials_;
  Eigen::Index m_;
  Column recommended_;
  std::vector<PlainLife> lives_;  // all that there ever were
  std::size_t at_ = 0;            // the one that is believed
  std::uint64_t begun_ = 0;
  PlainContest contest_;
  bool new_plays_ = false;
  bool half_made_ = false;  // of two runs in a contest
  double losses_ = 0;
  double hold_ = 0;
  double ages_ = 0;
  double mean_age_ = 0;  // of plays, when their losses come in
  std::size_t latest_told_ = 0;
  std::vector<Run> runs_;
  std::vector<Made> plays_;
  Vector made_;
  Seen seen_;
  algorithms::CorrectiveGradient corrective_;
};

}  // namespace keyhole::tests::plainly
