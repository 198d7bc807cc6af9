#pragma once

// The obvious version of a round: projection_free on solid_simplex as one writes it with Eigen and
// the generators of the standard library, straight from the pseudo-code.

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <random>

namespace keyhole::bench {

/// projection_free on {x >= 0, sum x <= 1} from its centre, with the theorem's constants.
class EigenRound {
 public:
  EigenRound(Eigen::Index n, double loss_bound, double horizon, std::uint64_t seed)
      : n_(static_cast<double>(n)), engine_(seed) {
    const double r = 1 / (n_ + std::sqrt(n_));
    const double c = r / 2;
    delta_ = c * std::pow(horizon, -0.2);
    alpha_ = delta_ / r;
    eta_ = c * std::sqrt(2.0) / (std::sqrt(2.0) * n_ * loss_bound) * std::pow(horizon, -0.8);
    p_ = Eigen::VectorXd::Constant(n, r);
    x_ = x_1_ = p_;
    S_ = u_ = Eigen::VectorXd::Zero(n);
  }

  void ask(Eigen::Ref<Eigen::VectorXd> y) {
    if (t_ > 0) {
      const Eigen::VectorXd gradient = eta_ * S_ + 2 * (x_ - x_1_);
      Eigen::Index least = 0;
      Eigen::VectorXd v = alpha_ * p_;
      if (gradient.minCoeff(&least) < 0) v[least] += 1 - alpha_;
      const double sigma = std::pow(static_cast<double>(t_), -0.4);
      x_ = (1 - sigma) * x_ + sigma * v;
      S_ += n_ / delta_ * loss_ * u_;
    }
    ++t_;
    for (double& coordinate : u_) coordinate = normal_(engine_);
    u_.normalize();
    y = (x_ + delta_ * u_).cwiseMax(0.0);
  }

  void tell(double loss) { loss_ = loss; }

 private:
  double n_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  double delta_;
  double alpha_;
  double eta_;
  std::uint64_t t_ = 0;
  double loss_ = 0;
  Eigen::VectorXd p_;
  Eigen::VectorXd x_;
  Eigen::VectorXd x_1_;
  Eigen::VectorXd S_;
  Eigen::VectorXd u_;
};

}  // namespace keyhole::bench
