// The baselines against straight-line transcriptions that share no code with them, but for random
// numbers, explorations and the coordinates of linear_thompson.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "catalogue.h"
#include "keyhole/exploration.h"
#include "learners/posterior/frame.h"

namespace keyhole::tests {
namespace {

constexpr LearnerOptions transcribed{.seed = 12, .stream = 3};

/// A smooth loss with noise, both pure functions of the round and the point.
double wavy_loss(std::uint64_t t, const Eigen::VectorXd& y) {
  double sum = 0.3 * std::sin(static_cast<double>(t * t % 1013));
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    sum += 0.2 * y[i] * y[i] + std::cos(1.7 * static_cast<double>(i)) * y[i];
  }
  return sum;
}

/// Onto the unit ball.
Eigen::VectorXd onto_ball(const Eigen::VectorXd& y) { return y / std::max(1.0, y.norm()); }

double away_from(const std::vector<double>& a, const Eigen::VectorXd& b) {
  return (Eigen::Map<const Eigen::VectorXd>(a.data(), b.size()) - b).norm();
}

TEST(Spsa, AgreesWithTheTranscription) {
  for (const std::size_t n : {1u, 3u, 70u}) {
    const SetPtr set = ball(n);
    Learner learner(spsa(set), transcribed);
    Randomness random(set, transcribed.seed, transcribed.stream);
    const auto dimension = static_cast<Eigen::Index>(n);
    const double width = 1 / std::sqrt(static_cast<double>(n));  // of the sphere
    Eigen::VectorXd x = Eigen::VectorXd::Zero(dimension);
    double first_sizes = 0;
    for (std::uint64_t k = 0; k < 200; ++k) {
      std::vector<std::uint64_t> words(2 * (n / 128 + 1));
      random.words(2 * k + 1, words);
      Eigen::VectorXd d(dimension);
      for (std::size_t i = 0; i < n; ++i) {
        d[static_cast<Eigen::Index>(i)] = (words[i / 64] >> (i % 64) & 1U) != 0 ? width : -width;
      }
      const double c = 0.2 / std::pow(static_cast<double>(k) + 1, 0.101);
      const Eigen::VectorXd plus = onto_ball(x + c * d);
      const Eigen::VectorXd minus = onto_ball(x - c * d);
      const double f_plus = wavy_loss(2 * k + 1, plus);
      const double f_minus = wavy_loss(2 * k + 2, minus);
      ASSERT_LE(away_from(learner.ask().point, plus), 1e-11) << n << " " << k;
      learner.tell(2 * k + 1, f_plus);
      ASSERT_LE(away_from(learner.ask().point, minus), 1e-11) << n << " " << k;
      learner.tell(2 * k + 2, f_minus);
      const double q = (f_plus - f_minus) / (2 * c);
      if (k < 10) {
        first_sizes += std::abs(q);
        continue;
      }
      const double a = 0.1 * std::pow(101, 0.602) / (first_sizes / 10);
      const double a_k = a / std::pow(static_cast<double>(k) - 10 + 101, 0.602);
      x = onto_ball(x - std::clamp(a_k * q, -1.0, 1.0) * d);
    }
    EXPECT_GT(x.norm(), 0.1);
  }
}

TEST(CmaEs, AgreesWithTheTranscription) {
  for (const std::size_t n : {1u, 4u, 30u}) {
    const SetPtr set = ball(n);
    Learner learner(cma_es(set), transcribed);
    Randomness random(set, transcribed.seed, transcribed.stream);
    const auto N = static_cast<double>(n);
    const auto dimension = static_cast<Eigen::Index>(n);
    const double width = 1 / std::sqrt(N);
    const auto lambda = 4 + static_cast<std::size_t>(std::floor(3 * std::log(N)));
    const std::size_t mu = lambda / 2;
    Eigen::VectorXd w(static_cast<Eigen::Index>(mu));
    for (std::size_t k = 0; k < mu; ++k) {
      w[static_cast<Eigen::Index>(k)] =
          std::log(static_cast<double>(mu) + 0.5) - std::log(static_cast<double>(k) + 1);
    }
    w /= w.sum();
    const double mu_eff = 1 / w.squaredNorm();
    const double c_s = (mu_eff + 2) / (N + mu_eff + 5);
    const double d_s = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (N + 1)) - 1) + c_s;
    const double c_c = (4 + mu_eff / N) / (N + 4 + 2 * mu_eff / N);
    const double c_1 = 2 / (std::pow(N + 1.3, 2) + mu_eff) * (N + 2) / 3;
    const double c_mu = std::min(
        1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / (std::pow(N + 2, 2) + mu_eff) * (N + 2) / 3);
    const double chi = std::sqrt(N) * (1 - 1 / (4 * N) + 1 / (21 * N * N));
    Eigen::ArrayXd m = Eigen::ArrayXd::Zero(dimension);
    Eigen::ArrayXd C = Eigen::ArrayXd::Ones(dimension);
    Eigen::ArrayXd p_s = m;
    Eigen::ArrayXd p_c = m;
    double sigma = 0.3;
    std::uint64_t t = 0;
    for (int g = 1; g <= 40; ++g) {
      std::vector<std::pair<double, Eigen::ArrayXd>> population;
      for (std::size_t k = 0; k < lambda; ++k) {
        ++t;
        Eigen::ArrayXd z(dimension);
        random.normals(t, {z.data(), n});
        const Eigen::VectorXd y = onto_ball((m + sigma * width * C.sqrt() * z).matrix());
        ASSERT_LE(away_from(learner.ask().point, y), 1e-9) << n << " " << t;
        population.emplace_back(wavy_loss(t, y), y.array());
        learner.tell(t, population.back().first);
      }
      std::sort(population.begin(), population.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      Eigen::ArrayXd y_w = Eigen::ArrayXd::Zero(dimension);
      Eigen::ArrayXd of_points = y_w;
      for (std::size_t k = 0; k < mu; ++k) {
        const Eigen::ArrayXd away = (population[k].second - m) / (sigma * width);
        y_w += w[static_cast<Eigen::Index>(k)] * away;
        of_points += w[static_cast<Eigen::Index>(k)] * away.square();
      }
      m += sigma * width * y_w;
      p_s = (1 - c_s) * p_s + std::sqrt(c_s * (2 - c_s) * mu_eff) * y_w / C.sqrt();
      const double length = p_s.matrix().norm();
      const bool h = length / std::sqrt(1 - std::pow(1 - c_s, 2 * g)) < (1.4 + 2 / (N + 1)) * chi;
      p_c = (1 - c_c) * p_c + (h ? std::sqrt(c_c * (2 - c_c) * mu_eff) : 0) * y_w;
      C = ((1 - c_1 - c_mu) * C + c_1 * p_c.square() + c_mu * of_points).max(1e-12);
      sigma = std::clamp(sigma * std::exp(c_s / d_s * (length / chi - 1)), 1e-6, 1.0);
    }
    EXPECT_GT(m.matrix().norm(), 0.1);
  }
}

TEST(LinearThompson, AgreesWithTheTranscription) {
  // By the normal equations, every round again.
  for (const SetPtr& set : {ball(3), simplex(5), box(-1, 2, 4), ball(30)}) {
    Learner learner(linear_thompson(set), transcribed);
    Randomness random(set, transcribed.seed, transcribed.stream);
    const auto nu = set->exploration();
    const auto oracle = set->oracle();
    const algorithms::Frame frame(set, *nu, set->centre());
    const auto m = static_cast<Eigen::Index>(frame.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(m + 1, m + 1);
    A(0, 0) = 1e-3;
    Eigen::VectorXd b = Eigen::VectorXd::Zero(m + 1);
    Eigen::VectorXd y(static_cast<Eigen::Index>(set->dimension()));
    Eigen::VectorXd d(y.size());
    const std::span<double> point{y.data(), set->dimension()};
    double level = 0;
    double mean_error = 0;
    double noise = 0;
    for (std::uint64_t t = 1; t <= 200; ++t) {
      if (t <= std::max<std::uint64_t>(16, frame.size() + 2)) {
        std::vector<std::uint64_t> words((nu->needs().words + 1) / 2 * 2);
        std::vector<double> normals(nu->needs().normals);
        random.words(t, words);
        random.normals(t, normals);
        nu->draw({words, normals}, point);
      } else {
        Eigen::VectorXd xi(m + 1);
        random.normals(t, {xi.data(), frame.size() + 1});
        const Eigen::LLT<Eigen::MatrixXd> factors(A);
        const Eigen::VectorXd theta =
            factors.solve(b) + std::sqrt(noise) * Eigen::VectorXd(factors.matrixU().solve(xi));
        frame.direction({theta.data() + 1, frame.size()}, {d.data(), point.size()});
        oracle->minimise({d.data(), point.size()}).write_to(point);
      }
      ASSERT_LE(away_from(learner.ask().point, y), 1e-9) << set->spec() << " " << t;
      const double loss = 5 + wavy_loss(t, y);
      learner.tell(t, loss);
      if (t == 1) level = loss;
      Eigen::VectorXd phi(m + 1);
      phi[0] = 1;
      frame.coordinates(point, {phi.data() + 1, frame.size()});
      const Eigen::LLT<Eigen::MatrixXd> factors(A);
      const double error = loss - level - phi.dot(factors.solve(b));
      if (t > 1) {  // the mean and the variance of about the last fifth
        const double away = error / std::sqrt(1 + phi.dot(factors.solve(phi))) - mean_error;
        const double j = static_cast<double>(t) - 1;
        const double rate = std::max(1 / j, 1 / (20 + j / 5));
        mean_error += rate * away;
        noise += rate * (away * away - noise);
      }
      A += phi * phi.transpose();
      b += (loss - level) * phi;
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
