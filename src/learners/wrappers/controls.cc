#include "keyhole/controls.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/number_text.h"
#include "base/require.h"

namespace keyhole::algorithms {
namespace {

void write_centre(const Set& set, std::span<double> x) {
  const std::vector<double>& p = set.centre();
  std::copy(p.begin(), p.end(), x.begin());
}

class Stay final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  void play(PlayId /*t*/, Directions& /*u*/, std::span<double> y) override {
    write_centre(set(), y);
  }
  bool absorb(PlayId /*s*/, double /*loss*/, Directions& /*u*/) override { return true; }
  void advance() override {}
  void recommend(std::span<double> x) const override { write_centre(set(), x); }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: a control that does not learn"};
  }
  [[nodiscard]] std::string spec() const override { return "stay()"; }
};

class RandomVertex final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  void play(PlayId t, Directions& u, std::span<double> y) override { minimise(u(t)).write_to(y); }
  bool absorb(PlayId /*s*/, double /*loss*/, Directions& /*u*/) override { return true; }
  void advance() override {}
  void recommend(std::span<double> x) const override { write_centre(set(), x); }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: a control that does not learn"};
  }
  [[nodiscard]] std::string spec() const override { return "random_vertex()"; }
};

class FedConstant final : public Algorithm {
 public:
  FedConstant(std::unique_ptr<Algorithm> inner, double constant)
      : Algorithm(inner->shared_set(), nullptr), inner_(std::move(inner)), constant_(constant) {}

  void play(PlayId t, Directions& u, std::span<double> y) override { inner_->play(t, u, y); }
  bool absorb(PlayId s, double /*loss*/, Directions& u) override {
    return inner_->absorb(s, constant_, u);
  }
  void advance() override { inner_->advance(); }
  void recommend(std::span<double> x) const override { inner_->recommend(x); }

  [[nodiscard]] std::uint64_t rounds() const noexcept override { return inner_->rounds(); }
  [[nodiscard]] double loss_bound() const noexcept override { return inner_->loss_bound(); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t /*rounds*/) const override {
    return {.note = "no bound: a control that is told a constant instead of its losses"};
  }
  [[nodiscard]] std::uint64_t oracle_calls() const noexcept override {
    return inner_->oracle_calls();
  }
  [[nodiscard]] Oracle& oracle() noexcept override { return inner_->oracle(); }
  [[nodiscard]] std::string spec() const override {
    return "fed_constant(" + inner_->spec() + ", value=" + base::number_text(constant_) + ")";
  }
  void state(Archive& archive) override { inner_->state(archive); }

 private:
  std::unique_ptr<Algorithm> inner_;
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
  const double half = algorithm->loss_bound() / 2;
  const double value = constant.value_or(base::is_moderate(half) ? half : 1);
  base::require(base::is_moderate(value),
                "the constant of fed_constant must be a number of magnitude up to 1e50, not " +
                    base::number_text(value));
  return std::make_unique<FedConstant>(std::move(algorithm), value);
}

}  // namespace keyhole::algorithms
