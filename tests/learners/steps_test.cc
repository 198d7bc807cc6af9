// Algorithms written outside, of the public steps, play what the built-ins play, to the last digit.

#include "keyhole/steps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

/// Algorithm 1 of Chen, Zhang and Karbasi, or fkm with delta and eta given, for one horizon.
class Outside final : public Algorithm {
 public:
  Outside(SetPtr set, double M, double T, bool projects)
      : Algorithm(std::move(set)), projects_(projects) {
    delta_ = r() / 2 * steps::pow(T, projects_ ? -0.25 : -0.2);
    alpha_ = steps::shrinkage(delta_, r(), 1);
    eta_ = projects ? D() * delta_ / (n() * M * std::sqrt(T))
                    : r() / 2 * D() / (std::sqrt(2.0) * n() * M) * steps::pow(T, -0.8);
    const auto start = steps::start_point(this->set(), {});
    x_.resize(start.size());
    steps::shrink_towards(p(), alpha_, start, x_);
    x_1_ = p();
    S_.assign(start.size(), 0);
    z_ = S_;
  }

  void play(PlayId t, Randomness& random, std::span<double> y) override {
    steps::perturb(x_, delta_, random.direction(t), y);
  }
  bool absorb(PlayId s, double loss, Randomness& random) override {
    if (!projects_) {
      steps::add_one_point_estimate(n(), delta_, loss, 1, random.direction(s), S_);
    } else {
      steps::add_one_point_estimate(n(), delta_, loss, -eta_, random.direction(s), x_);
      steps::project_shrunk(oracle(), p(), alpha_, x_, z_);
    }
    return true;
  }
  void advance() override {
    if (projects_) return;
    const double sigma = steps::pow(static_cast<double>(++t_), -0.4);
    const steps::ConditionalStep step{eta_, 2, sigma, alpha_};
    step.before_vertex(S_, x_1_, p(), z_, x_);
    minimise(z_).add_to(x_, step.of_vertex());
  }
  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t) const override { return {.note = "no"}; }
  [[nodiscard]] std::string spec() const override { return "outside()"; }

 private:
  bool projects_;
  double delta_;
  double alpha_;
  double eta_;
  std::uint64_t t_ = 0;
  std::vector<double> x_;
  std::vector<double> x_1_;
  std::vector<double> S_;
  std::vector<double> z_;
};

void expect_same_plays(Learner one, Learner other, std::uint64_t rounds, const std::string& name) {
  std::vector<double> y(one.set().dimension());
  std::vector<double> z = y;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = one.ask(y);
    ASSERT_EQ(other.ask(z), id);
    ASSERT_EQ(y, z) << name << " on " << one.set().spec() << " in round " << t;
    const double loss = std::cos(3 * y[0] + static_cast<double>(t));
    one.tell(id, loss);
    other.tell(id, loss);
  }
}

TEST(Steps, GiveTheDigitsOfTheBuiltIns) {
  constexpr std::uint64_t T = 200;
  Random random(77);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(random.integer(family.smallest_dimension, 9), random);
    expect_same_plays(Learner(std::make_unique<Outside>(set, 1, T, false), {.seed = 4}),
                      Learner(projection_free(set, {.loss_bound = 1, .horizon = T}), {.seed = 4}),
                      T, "projection_free");
    if (!set->can_project()) continue;
    expect_same_plays(
        Learner(std::make_unique<Outside>(set, 1, T, true), {.seed = 4}),
        Learner(fkm(set, {.loss_bound = 1, .horizon = T, .constants = FkmConstants::textbook}),
                {.seed = 4}),
        T, "fkm");
  }
}

TEST(Steps, SmallOnes) {
  EXPECT_EQ(steps::pow(4096, 0.75), 512);
  EXPECT_EQ(steps::exp(0), 1);
  EXPECT_EQ(steps::log(1), 0);
  const std::vector<double> x = {3, 4};
  std::vector<double> y = {1, -1};
  EXPECT_EQ(steps::sum(x), 7);
  EXPECT_EQ(steps::norm(x), 5);
  EXPECT_EQ(steps::dot(x, y), -1);
  steps::add(y, 2, x);
  EXPECT_EQ(y, (std::vector<double>{7, 7}));
  Vertex vertex;
  vertex.dense = x;
  steps::move_towards(vertex, 0.5, y);
  EXPECT_EQ(y, (std::vector<double>{5, 5.5}));
}

}  // namespace
}  // namespace keyhole::tests
