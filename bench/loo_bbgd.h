#pragma once

// LOO-BBGD: Garber, Kretzu, "New Projection-free Algorithms for Online Convex Optimization with
// Adaptive Regret Guarantees", COLT 2022, Algorithms 2, 3 and 9, to compare with. Losses are
// divided by M, as its constants mix their units with others.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"

namespace keyhole::bench {

struct LooBbgdOptions {
  double loss_bound;    // M
  double delta;         // Theorem 11: 20 R sqrt n T^(-1/4), where that is below r
  double eta;           // R / sqrt n T^(-3/4)
  std::uint64_t block;  // L = 6 n sqrt T
};

/// Gradient descent on points near K, brought back by linear minimisations, one block late; on sets
/// about 0.
class LooBbgd final : public Algorithm {
 public:
  LooBbgd(SetPtr set, const LooBbgdOptions& options)
      : Algorithm(std::move(set)),
        options_(options),
        n_(static_cast<double>(this->set().hull_dimension())),
        shrink_(1 - options.delta / this->set().inner_radius()),
        R_(shrink_ * this->set().outer_radius()),
        epsilon_(options.delta * options.delta / 3),
        x_(this->set().dimension()),
        y_(x_),
        next_{x_, x_} {}

  // Block m plays z_t = x_{m-1} + delta u_t.
  void play(PlayId t, Randomness& random, std::span<double> z) override {
    const std::span<const double> v = random.direction(t);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = x_[i] + options_.delta * v[i];
  }

  // y <- y - eta n / delta f u. After block m - 1: (x_m, y~_m) = CloseIP(x_{m-2}, y), which block
  // m + 1 plays; block m plays x_{m-1} and starts from y~_{m-1}.
  bool absorb(PlayId s, double loss, Randomness& random) override {
    const std::span<const double> v = random.direction(s);
    const double size = options_.eta * n_ / options_.delta * loss / options_.loss_bound;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] -= size * v[i];
    if (++told_ % options_.block == 0) {
      Pair closed = close(x_, y_);
      x_ = std::move(next_.x);
      y_ = std::move(next_.y);
      next_ = std::move(closed);
    }
    return true;
  }

  void advance() override {}
  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override { return {}; }
  [[nodiscard]] std::string spec() const override { return "loo_bbgd"; }

 private:
  using Vector = std::vector<double>;
  struct Pair {
    Vector x;
    Vector y;
  };

  static double squared_distance(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
  }

  // Algorithm 3, CloseIP: x of (1 - delta/r) K and y with |x - y|^2 <= 3 epsilon, where y is no
  // farther than y_0 from any point of that set.
  Pair close(Vector x, Vector y) {
    const double apart = squared_distance(x, y);
    const double length = std::sqrt(squared_distance(y, Vector(y.size())));
    for (double& coordinate : y) coordinate /= std::max(1.0, length / R_);
    if (apart <= 3 * epsilon_) return {x, y};
    const double gamma = 2 * epsilon_ / apart;
    for (;;) {
      separate(x, y);
      if (squared_distance(x, y) <= 3 * epsilon_) return {x, y};
      for (std::size_t i = 0; i < y.size(); ++i) y[i] -= gamma * (y[i] - x[i]);
    }
  }

  // Algorithm 2: conditional gradients towards y until x is near it, or x - y separates y from the
  // set.
  void separate(Vector& x, const Vector& y) {
    Vector away(x.size());
    Vector step(x.size());
    for (;;) {
      for (std::size_t i = 0; i < x.size(); ++i) away[i] = x[i] - y[i];
      minimise(away).write_to(step);
      double gap = 0;
      double square = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        step[i] = shrink_ * step[i] - x[i];
        gap -= away[i] * step[i];
        square += step[i] * step[i];
      }
      if (gap <= epsilon_ || squared_distance(x, y) <= 3 * epsilon_) return;
      const double sigma = std::min(1.0, gap / square);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += sigma * step[i];
    }
  }

  LooBbgdOptions options_;
  double n_;
  double shrink_;   // of K, so that plays are in it
  double R_;        // of (1 - delta/r) K
  double epsilon_;  // delta^2 / 3
  Vector x_;        // x_{m-1} in block m
  Vector y_;
  Pair next_;  // x_m and y~_m
  std::uint64_t told_ = 0;
};

}  // namespace keyhole::bench
