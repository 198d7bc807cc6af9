// What every set of the catalogue does with numbers that are not finite, and with huge and tiny
// ones.

#include <gtest/gtest.h>

#include <cmath>

#include "instances.h"
#include "keyhole/keyhole.h"
#include "numbers.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Vector times(Vector x, double factor) {
  for (double& coordinate : x) coordinate *= factor;
  return x;
}

class Door : public ::testing::TestWithParam<InstanceFamily> {
 protected:
  void SetUp() override {
    Random random(41);
    for (int k = 0; k < 5; ++k) sets_.push_back(GetParam().draw(random.integer(2, 8), random).set);
  }

  std::vector<SetPtr> sets_;
};

TEST_P(Door, RefusesWhatIsNotFinite) {
  for (const SetPtr& set : sets_) {
    const auto oracle = set->oracle();
    Vector x(set->dimension());
    for (const double bad : {nan, infinity, -infinity}) {
      for (const std::size_t place : {std::size_t{0}, x.size() - 1}) {
        Vector asked = set->centre();
        asked[place] = bad;
        EXPECT_THROW((void)oracle->minimise(asked), InvalidArgument) << set->spec();
        EXPECT_THROW(oracle->project(asked, x), InvalidArgument) << set->spec();
        EXPECT_THROW((void)oracle->gauge(asked, x), InvalidArgument) << set->spec();
      }
    }
  }
}

/// Few digits, so that no power of two rounds them.
TEST_P(Door, AnswersDirectionsOfAnySizeAlike) {
  Random random(42);
  for (const SetPtr& set : sets_) {
    const auto oracle = set->oracle();
    for (int k = 0; k < 20; ++k) {
      Vector d(set->dimension());
      for (double& coordinate : d) coordinate = static_cast<double>(random.integer(0, 64)) - 32;
      Vector v(d.size());
      oracle->minimise(d).write_to(v);
      for (const double factor : {0x1p1018, 0x1p-1070, 0x1p700, 0x1p-700}) {
        Vector w(d.size());
        oracle->minimise(times(d, factor)).write_to(w);
        ASSERT_EQ(v, w) << factor << " times " << ::testing::PrintToString(d) << " on "
                        << set->spec();
      }
    }
  }
}

TEST_P(Door, GaugesPointsOfAnyDistance) {
  Random random(43);
  for (const SetPtr& set : sets_) {
    if (!set->can_gauge()) continue;
    const auto oracle = set->oracle();
    for (int k = 0; k < 20; ++k) {
      Vector d = random.normals(set->dimension(), set->outer_radius());
      set->flatten(d);
      const auto at = [&](double factor, Vector& s) {
        Vector w = set->centre();
        for (std::size_t i = 0; i < w.size(); ++i) w[i] += factor * d[i];
        return oracle->gauge(w, s);
      };
      Vector near(d.size());
      Vector far(d.size());
      const double gamma = at(0x1p20, near);
      for (const double factor : {0x1p200, 0x1p700, 0x1p1000}) {
        const double of_far = at(factor, far);
        ASSERT_TRUE(std::isfinite(of_far)) << set->spec();
        EXPECT_NEAR(of_far / factor, gamma / 0x1p20, 1e-9 * gamma / 0x1p20) << set->spec();
        for (std::size_t i = 0; i < d.size(); ++i) {
          ASSERT_NEAR(far[i], near[i], 1e-5 / set->inner_radius()) << set->spec();
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Door, ::testing::ValuesIn(catalogue_instances()),
                         [](const auto& family) { return family.param.name; });

/// Says of every point that rounding prevents its projection.
class NeverProjects final : public Set {
 public:
  NeverProjects() : Set(2, 2, ball(2)->geometry()) {}
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return ball(2)->contains(x);
  }
  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] std::string spec() const override { return "never_projects()"; }

 private:
  class NoOracle final : public Oracle {
    const Vertex& do_minimise(std::span<const double>) override { return vertex_; }
    bool do_project(std::span<const double>, std::span<double>) override { return false; }
    Vertex vertex_;
  };
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<NoOracle>();
  }
};

TEST(Door, SaysThatAPointCannotBeProjected) {
  const NeverProjects set;
  Vector x(2);
  for (const double far : {0.0, 0.5, 2.0, 1e20, 1e300}) {
    EXPECT_THROW(set.oracle()->project(Vector{far, 0}, x), Error) << far;
  }
}

/// One loss or gradient that is far too large must not lead out of the set.
TEST(Door, LearnersPlayInsideAfterOneHugeLoss) {
  const SetPtr set = capped_simplex({0, 0.1, 0.2}, {0.6, 0.7, 0.5});
  for (const double huge : {1e12, 1e17, 1e18, 1e30, 1e49}) {
    Learner learner(fkm(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = 300}), {.seed = 3});
    GradientLearner with_gradients(ogd(set, {.gradient_bound = 1}));
    for (int t = 0; t < 300; ++t) {
      const Play play = learner.ask();
      ASSERT_TRUE(set->contains(play.point)) << huge << ", play " << play.id;
      learner.tell(play.id, t == 20 ? huge : play.point[0]);
      const Play other = with_gradients.ask();
      ASSERT_TRUE(set->contains(other.point)) << huge << ", play " << other.id;
      with_gradients.tell(other.id, Vector{t == 20 ? huge : 0.1, 0.2, -0.1});
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
