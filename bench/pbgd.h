#pragma once

// PBGD: Zhao, Wang, Zhang, Zhou, "Bandit Convex Optimization in Non-stationary Environments",
// AISTATS 2020 and JMLR 22, Algorithm 2, to compare with. Its steps are 2^(i-1) eta, i = 1, ..., N,
// and its weights' rate 2 / (sqrt t G D) with G = n M / delta, as in its authors' program.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"

namespace keyhole::bench {

struct PbgdOptions {
  double loss_bound;  // M
  double horizon;     // T
  double delta;       // the paper: T^(-1/4); its authors' program: sqrt n R T^(-1/4)
  double eta;         // both: sqrt 7 R delta / (n M sqrt T)
};

/// Gradient descent with N steps at once, of which weights choose; on sets about 0 that project.
class Pbgd final : public Algorithm {
 public:
  Pbgd(SetPtr set, const PbgdOptions& options)
      : Algorithm(std::move(set)),
        options_(options),
        n_(static_cast<double>(this->set().hull_dimension())),
        shrink_(1 - options.delta / this->set().inner_radius()),
        y_(this->set().dimension()),
        g_(y_.size()) {
    const double N = std::ceil(std::log2(1 + 2 * options.horizon / 7) / 2) + 1;
    for (double i = 1; i <= N; ++i) {
      experts_.push_back(
          {.y = y_, .eta = options.eta * std::exp2(i - 1), .weight = (N + 1) / (N * i * (i + 1))});
    }
  }

  // z_t = y_t + delta u_t.
  void play(PlayId t, Randomness& random, std::span<double> z) override {
    const std::span<const double> v = random.direction(t);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = y_[i] + options_.delta * v[i];
  }

  // g = n / delta f u;  w_i <- w_i exp(-rate g . (y_i - y));  y_i <- projection of y_i - eta_i g;
  // y = sum w_i y_i.
  bool absorb(PlayId s, double loss, Randomness& random) override {
    const std::span<const double> v = random.direction(s);
    for (std::size_t i = 0; i < g_.size(); ++i) g_[i] = n_ / options_.delta * loss * v[i];
    const double G = n_ * options_.loss_bound / options_.delta;
    const double D = set().diameter();
    const double rate = 2 / (std::sqrt(static_cast<double>(s)) * G * D);
    double weights = 0;
    for (Expert& expert : experts_) {
      double surrogate = 0;
      for (std::size_t i = 0; i < g_.size(); ++i) surrogate += g_[i] * (expert.y[i] - y_[i]);
      expert.weight *= std::exp(-rate * surrogate);
      weights += expert.weight;
      for (std::size_t i = 0; i < g_.size(); ++i) {
        expert.y[i] = (expert.y[i] - expert.eta * g_[i]) / shrink_;
      }
      oracle().project(expert.y, expert.y);
      for (double& coordinate : expert.y) coordinate *= shrink_;
    }
    std::fill(y_.begin(), y_.end(), 0.0);
    for (Expert& expert : experts_) {
      expert.weight /= weights;
      for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += expert.weight * expert.y[i];
    }
    return true;
  }

  void advance() override {}
  void recommend(std::span<double> x) const override { std::copy(y_.begin(), y_.end(), x.begin()); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override { return {}; }
  [[nodiscard]] std::string spec() const override { return "pbgd"; }

 private:
  struct Expert {
    std::vector<double> y;
    double eta;
    double weight;
  };

  PbgdOptions options_;
  double n_;
  double shrink_;  // 1 - alpha: experts stay in (1 - alpha) K
  std::vector<double> y_;
  std::vector<double> g_;
  std::vector<Expert> experts_;
};

}  // namespace keyhole::bench
