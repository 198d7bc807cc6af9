#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"

namespace keyhole::bench {

/// What a channel returns falls as more is spent on it: the loss is the mean of -w_i log(1 + n x_i)
/// over n channels on the simplex, w_i lognormal, and has noise of 5 % of that at the start.
class Budget final : public Problem {
 public:
  Budget(std::size_t n, std::uint64_t seed) : Problem(simplex(n)), weights_(n), normals_(seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    for (double& weight : weights_) weight = std::exp(normal(random));
    noise_ = 0.05 * std::abs(value(set().centre()));
  }

  [[nodiscard]] std::string spec() const override { return "budget()"; }
  [[nodiscard]] LossBounds bounds() const override { return {}; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    const double n = static_cast<double>(x.size());
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum -= weights_[i] * std::log1p(n * x[i]) / n;
    return sum;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const double n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = -weights_[i] / (1 + n * x[i]);
  }
  [[nodiscard]] double told(std::span<const double> /*x*/, double loss) const override {
    return loss + added_;
  }

 private:
  void realise(std::uint64_t /*t*/) override { added_ = noise_ * normal_(normals_); }

  std::vector<double> weights_;
  std::mt19937_64 normals_;
  std::normal_distribution<double> normal_;
  double noise_ = 0;
  double added_ = 0;
};

}  // namespace keyhole::bench
