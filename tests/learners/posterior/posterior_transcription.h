#pragma once

// posterior once more, plainly: dense matrices that are factorised again for every use, every play
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
    note_noise(error, h);
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
  /// Of a point that was not played: nothing is predicted of it or by it.
  double take_taught(double residual, double h) {
    count += 1;
    const double error = clamped(residual, 3 * std::sqrt(noise() + h));
    note_noise(error, h);
    return error;
  }
  void note_noise(double error, double h) {
    const double of_noise = error * error * noise() / (noise() + h);
    variance += (of_noise - variance) / std::min(count, 20 + count / 5);
    mean_variance += (variance - mean_variance) / count;
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
  std::vector<Column> played = {};  // the features of what was learned from

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
    played.clear();
    write_ridge(noise);
    know();
  }

  void refit(double noise, double count, double growth, bool late, const Column& here) {
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
    for (Eigen::Index i = m + 1; i < d() && late; ++i) {
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
    reliable = std::min(1.0, std::max(0.0, 1 - by_chance / signal));
    write_ridge(noise);
    know();
    if (late && !pairs) loosen(growth, here);
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
        few_{.pairs = false, .m = m_, .mu = on_.mu},
        all_{.pairs = true, .m = m_, .mu = {}},
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
    learn_at(made.z, loss, false);
    if (residuals_.cusum > 20) {
      restarts_ += 1;
      first_play_ = plays_.size() + 1;
      worth_.changed(since_);
      begin();
    }
  }

  /// Learns the loss of a point that was not played.
  void teach(const Vector& point, double loss) {
    learn_at(on_.W * (column(point) - start_), loss, true);
    if (best_due_) find_best();
  }

  [[nodiscard]] std::uint64_t restarts() const { return restarts_; }
  [[nodiscard]] bool has_two_curvatures() const { return on_.mu.size() > 0; }
  /// Whether the model with all curvatures has ever been fitted.
  [[nodiscard]] bool all_was_fitted() const { return all_was_fitted_; }
  /// How often another one of the two models was the better one.
  [[nodiscard]] int changes_of_model() const { return changes_of_model_; }

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
  struct Told {
    Column z;
    double loss;
    bool taught;
  };

  [[nodiscard]] double m() const { return static_cast<double>(m_); }
  [[nodiscard]] bool exploring_only() const { return since_ <= 16 || since_ < m() + 2; }

  [[nodiscard]] const PlainModel& better() const { return all_is_better_ ? all_ : few_; }

  void draw_sample(PlayId t) {
    std::array<std::uint64_t, 2> words{};
    random_.sub_stream("samples").words(t, words);
    const double uniform = std::ldexp(static_cast<double>(words[0] >> 11U), -53);
    const PlainModel& drawn = all_is_fitted_ && uniform < share_of_all() ? all_ : few_;
    Vector xi(static_cast<std::size_t>(drawn.d()));
    random_.sub_stream("samples").normals(t, xi);
    Column normal = column(xi);
    if (!drawn.pairs && since_ < 20 * (m() + 2)) {
      for (Eigen::Index i = m_ + 1; i < drawn.d(); ++i) normal[i] = 2 * std::abs(normal[i]);
    }
    minimise(drawn, drawn.sample(normal), sample_);
    const Column mean_now = drawn.mean();
    const Column phi = drawn.features(sample_);
    const double root = std::sqrt(since_);
    const bool promising = mean_now.dot(phi) <= mean_now[0];
    const double looking = drawn.reliable > 0 ? 1 : std::min(1.0, 10 * std::sqrt(m() + 2) / root);
    const double at_start = std::max(std::min(0.25, 0.02 / root), 1 - looking);
    hold_ = std::floor(promising ? std::max(1.0, 0.1 * root) : 1 / (1 - at_start));
    const double price = better().curvatures(better().mean()).trace();
    double far = std::min(reach_, 0.3);
    if (price > 0) far = std::min(far, std::sqrt(std::max(slack_, a_round_) / (price * root)));
    sizes_ = {.compared = worth_.compared(),
              .at_start = at_start,
              .on_the_way = reach_ < 1 ? 0.25 : std::min(0.25, 0.1 / root),
              .reach = std::min(reach_, affordable(drawn, phi)),
              .exploring = slack_ > 0 ? 0.05 / root : 0,
              .exploring_reach = far};
  }

  /// How often the model with all curvatures is tried: by how much less its errors were.
  [[nodiscard]] double share_of_all() const {
    if (all_is_better_) return 1;
    if (squares_ == 0) return 0.5;
    return 0.5 * std::min(1.0, std::max(0.0, 1 + saved_ / std::sqrt(squares_)));
  }

  /// The largest s up to 1 with a s + b s^2 within what a play may cost.
  [[nodiscard]] double affordable(const PlainModel& drawn, const Column& phi) const {
    const Column mean_now = drawn.mean();
    double a = mean_now.segment(1, m_).dot(phi.segment(1, m_));
    if (a < 0) a *= drawn.reliable;
    Column curved = phi;
    curved.head(m_ + 1).setZero();
    const double b = std::max(0.0, mean_now.dot(curved)) + std::sqrt(drawn.variance(curved));
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

  void learn_at(const Column& z, double loss, bool taught) {
    losses_ += 1;
    since_ += 1;
    here_ += (z - here_) / std::min(since_, 20 + since_ / 10);
    if (exploring_only() && !taught) {
      first_.take(z.squaredNorm() / m(), loss);
      reach_ = first_.reach;
    }
    if (since_ <= 16) {
      first_told_.push_back({z, loss, taught});
      if (since_ == 16) begin_model();
      return;
    }
    if (!exploring_only() && slack_ > -a_round_) reach_ = std::min(1.0, 2 * reach_);
    learn_from(z, (loss - level_) / unit_, taught);
    if (since_ >= next_) refit();
    count_budget();
  }

  void learn_from(const Column& z, double value, bool taught) {
    if (!taught) note(z);
    const PlainModel& best = better();
    const double of_few = few_.mean().dot(few_.features(z));
    const double of_all = all_.mean().dot(all_.features(z));
    const double expected = all_is_better_ ? of_all : of_few;
    const Column away = z - here_;
    const double bend = away.dot(best.curvatures(best.mean()) * away) / 2;
    const double usual = taught ? value : value - residuals_.swing;
    const double noise = residuals_.noise();
    const double h = best.variance(best.features(z)) + bend * bend;
    const double above = value - expected;
    const double learned =
        expected + (taught ? residuals_.take_taught(above, h) : residuals_.take(above, h));
    for (PlainModel* model : {&few_, &all_}) {
      model->add(model->features(z), 1 / (residuals_.noise() + bend * bend), learned);
    }
    if (all_is_fitted_) {
      compare((usual - of_few) * (usual - of_few) / noise,
              (usual - of_all) * (usual - of_all) / noise);
    }
  }
  void compare(double of_few, double of_all) {
    compared_ += 1;
    const double saved = std::min(9.0, of_few) - std::min(9.0, of_all);
    const double kept = 1 - 1 / (100 + compared_ / 2);
    saved_ = kept * saved_ + saved;
    squares_ = kept * squares_ + saved * saved;
    const bool before = all_is_better_;
    if (saved_ > 4 * std::sqrt(squares_)) all_is_better_ = true;
    if (saved_ < 0) all_is_better_ = false;
    if (all_is_better_ == before) return;
    changes_of_model_ += 1;
    best_due_ = true;
  }
  void note(const Column& z) {
    for (PlainModel* model : {&few_, &all_}) model->played.push_back(model->features(z));
  }

  void begin_model() {
    std::vector<double> sorted;
    for (const auto& [z, loss, taught] : first_told_) sorted.push_back(loss);
    std::sort(sorted.begin(), sorted.end());
    const double median = (sorted[7] + sorted[8]) / 2;
    for (double& loss : sorted) loss = std::abs(loss - median);
    std::sort(sorted.begin(), sorted.end());
    const double spread = (sorted[7] + sorted[8]) / 2;
    if (spread > 0 && sorted.back() > 100 * spread) {
      for (auto& [z, loss, taught] : first_told_)
        loss = median + clamped(loss - median, 12 * spread);
    }
    level_ = 0;
    for (const auto& [z, loss, taught] : first_told_) level_ += loss / 16;
    double variance_of_losses = 0;
    double farthest = 0;
    for (const auto& [z, loss, taught] : first_told_) {
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
    for (PlainModel* model : {&few_, &all_}) model->begin(noise, far);
    residuals_ = {.count = 16, .patience = m() + 18, .variance = noise, .mean_variance = noise};
    for (const auto& [z, loss, taught] : first_told_) {
      if (!taught) note(z);
      for (PlainModel* model : {&few_, &all_}) {
        model->add(model->features(z), 1 / noise, (loss - level_) / unit_);
      }
    }
  }

  void refit() {
    const double next = std::max(next_ + std::max(1.0, (m() + 2) / 8), 1.1 * next_);
    const bool late = since_ >= 20 * (m() + 2);
    few_.refit(residuals_.noise(), since_, next / next_ - 1, late, here_);
    if (since_ >= 4 * static_cast<double>(all_.d())) {
      all_.refit(residuals_.noise(), since_, 0, late, here_);
      all_is_fitted_ = all_was_fitted_ = true;
    }
    next_ = next;
    best_due_ = true;
  }
  void find_best() {
    best_due_ = false;
    if (exploring_only()) return;
    const Column mean = better().mean();
    minimise(better(), mean, best_);
    gain_ = mean[0] - mean.dot(better().features(best_));
    if (gain_ <= 0) {
      gain_ = 0;
      best_.setZero();
    }
    relied_ = better().reliable * gain_;
    count_budget();
  }

  /// By how much all plays together lie above the start, and what they may.
  void count_budget() {
    const PlainModel& best = better();
    const Column mean_now = best.mean();
    double along = 0;
    double curved = 0;
    for (const Column& phi : best.played) {
      along += mean_now.segment(1, m_).dot(phi.segment(1, m_));
      curved += mean_now.tail(best.d() - m_ - 1).dot(phi.tail(best.d() - m_ - 1));
    }
    a_round_ = 0.1 * std::sqrt((m() + 2) * residuals_.noise());
    slack_ = static_cast<double>(best.played.size()) * (0.5 * relied_ + a_round_) - curved -
             (along < 0 ? best.reliable * along : along);
  }

  void begin() {
    since_ = hold_ = 0;
    first_ = {};
    first_told_.clear();
    level_ = gain_ = relied_ = slack_ = a_round_ = 0;
    best_due_ = false;
    unit_ = 1;
    next_ = 16;
    reach_ = first_.reach;
    best_ = here_ = Column::Zero(m_);
    for (PlainModel* model : {&few_, &all_}) model->begin(1, 1);
    all_is_fitted_ = all_is_better_ = false;
    compared_ = saved_ = squares_ = 0;
    residuals_ = {};
  }

  SetPtr set_;
  std::unique_ptr<Exploration> nu_;
  std::unique_ptr<Oracle> oracle_;
  Randomness random_;
  Coordinates on_;
  Column start_;
  Eigen::Index m_;
  PlainModel few_;
  PlainModel all_;
  bool all_is_fitted_ = false;
  bool all_was_fitted_ = false;  // before a restart, too
  bool all_is_better_ = false;
  int changes_of_model_ = 0;
  double compared_ = 0;
  double saved_ = 0;
  double squares_ = 0;
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
  double slack_ = 0;
  double a_round_ = 0;
  PlainReach first_;
  PlainResiduals residuals_;
  PlainWorth worth_;
  std::vector<Made> plays_;
  std::vector<Told> first_told_;
  Column sample_;
  Column best_;
  Column here_;
  Sizes sizes_;
  algorithms::CorrectiveGradient corrective_;
};

}  // namespace keyhole::tests::plainly
