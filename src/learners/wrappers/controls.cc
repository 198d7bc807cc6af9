#include <algorithm>
#include <string>
#include <utility>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/algorithms.h"
#include "learners/wrappers/wrapper.h"

namespace keyhole::algorithms {
namespace {

/// Learns nothing, and recommends the centre.
class Control : public Algorithm {
 public:
  using Algorithm::Algorithm;

  bool absorb(PlayId /*s*/, double /*loss*/, Randomness& /*random*/) final { return true; }
  void advance() final {}
  void recommend(std::span<double> x) const final { std::copy(p().begin(), p().end(), x.begin()); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const final {
    return {.note = "no bound: a control that does not learn"};
  }
};

class Stay final : public Control {
 public:
  using Control::Control;
  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override { recommend(y); }
  [[nodiscard]] Activity activity() const override { return {0, 0}; }
  [[nodiscard]] std::string spec() const override { return "stay()"; }
};

class RandomVertex final : public Control {
 public:
  using Control::Control;
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    minimise(random.direction(t)).write_to(y);
  }
  [[nodiscard]] Activity activity() const override { return {1, 1}; }
  [[nodiscard]] std::string spec() const override { return "random_vertex()"; }
};

class FedConstant final : public Wrapper<Algorithm, Algorithm> {
 public:
  FedConstant(std::unique_ptr<Algorithm> inner, double constant)
      : Wrapper(std::move(inner)), constant_(constant) {}

  bool absorb(PlayId s, double /*loss*/, Randomness& random) override {
    return inner().absorb(s, constant_, random);
  }

  [[nodiscard]] std::uint64_t rounds() const noexcept override { return inner().rounds(); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: a control that is told a constant instead of its losses"};
  }
  [[nodiscard]] std::string spec() const override {
    return "fed_constant(" + inner().spec() + ", value=" + base::number_text(constant_) + ")";
  }

 private:
  double constant_;
};

}  // namespace

std::unique_ptr<Algorithm> stay(SetPtr set) { return std::make_unique<Stay>(std::move(set)); }

std::unique_ptr<Algorithm> random_vertex(SetPtr set) {
  return std::make_unique<RandomVertex>(std::move(set));
}

std::unique_ptr<Algorithm> fed_constant(std::unique_ptr<Algorithm> algorithm,
                                        std::optional<double> constant) {
  base::require(algorithm != nullptr, "fed_constant needs an algorithm to feed");
  require_plain("fed_constant", *algorithm);
  const double half = algorithm->loss_bound() / 2;
  const double value = constant.value_or(base::is_moderate(half) ? half : 1);
  base::require(base::is_moderate(value),
                "the constant of fed_constant must be a number of magnitude up to 1e50, not " +
                    base::number_text(value));
  return std::make_unique<FedConstant>(std::move(algorithm), value);
}

}  // namespace keyhole::algorithms
