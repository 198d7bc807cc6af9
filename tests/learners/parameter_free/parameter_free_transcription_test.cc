// parameter_free against its transcription: equal to 1e-9 over 2000 rounds, restarts included; and
// the certificates of its leaders against leaders known in closed form.

#include "parameter_free_transcription.h"

#include <gtest/gtest.h>

#include <optional>

#include "learners/parameter_free/status.h"

namespace keyhole::tests {
namespace {

/// A target that jumps to the other side after 1200 rounds, and noise.
double loss(std::uint64_t t, const ClosedForm& on, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double side = (t <= 1200 ? 0.7 : -0.7) * (i % 2 == 0 ? 1 : -1);
    const double away = (y[i] - on.p[i]) / std::sqrt(on.variance[i]) - side;
    sum += away * away;
  }
  return 3 + sum + 0.1 * std::sin(static_cast<double>(t * t % 1013));
}

/// When the loss of play t comes: promptly, or after up to 6 rounds and some never.
std::optional<std::uint64_t> arrival(std::uint64_t t, bool late) {
  if (!late) return t;
  if (t % 7 == 3) return {};
  return t + t * t % 6;
}

void expect_the_same_plays(const ClosedForm& on, bool late) {
  constexpr std::uint64_t rounds = 2000;
  constexpr std::uint64_t seed = 17;
  auto made = parameter_free(on.set, {.restarts = true});
  const auto& algorithm = dynamic_cast<const ParameterFreeAlgorithm&>(*made);
  Learner learner(std::move(made), {.seed = seed});
  Plain plain(on, seed);
  const double R = on.set->outer_radius();
  std::vector<std::vector<std::pair<PlayId, double>>> due(rounds + 10);
  double largest = 0;
  double largest_share = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    if (t > 1) {
      const bool led = plain.step();
      std::sort(due[t - 1].begin(), due[t - 1].end());
      for (const auto& [id, number] : due[t - 1]) plain.learn(id, number);
      if (led && on.K.kind == SlowSet::Kind::box) {
        const double gap = algorithm.status().leader_gap;
        ASSERT_LE(plain.excess_on_box(), gap + 1e-9 * plain.size_of_F()) << "at " << t;
        const double certified = plain.excess_certified_on_box();
        ASSERT_LE(certified, gap + 1e-9 * plain.size_of_F()) << "at " << t;
        if (gap > 0) largest_share = std::max(largest_share, certified / gap);
      }
    }
    const Vector y = plain.play(t);
    largest = std::max(largest, distance(y, play.point));
    ASSERT_LE(largest, 1e-9 * R) << on.set->spec() << " at " << t;
    if (const auto when = arrival(t, late)) due[*when].push_back({t, loss(t, on, y)});
    for (const auto& [id, number] : due[t]) learner.tell(id, number);
  }
  EXPECT_EQ(plain.restarts(), algorithm.status().restarts);
  EXPECT_EQ(largest_share > 0.1,
            on.K.kind == SlowSet::Kind::box);  // the certificate says something
  EXPECT_GE(plain.restarts() + (late ? 1 : 0),
            1U);  // the jump is noticed, not always if it is late
}

TEST(ParameterFreeTranscription, OnABall) {
  const ClosedForm on(ball(6, 2), {.kind = SlowSet::Kind::ball, .n = 6, .size = 2});
  expect_the_same_plays(on, false);
  expect_the_same_plays(on, true);
}

TEST(ParameterFreeTranscription, OnABox) {
  const Vector lower = {-1, 0, 2, -0.25};
  const Vector upper = {1, 3, 2.5, 0};
  const ClosedForm on(box(lower, upper),
                      {.kind = SlowSet::Kind::box, .n = 4, .lower = lower, .upper = upper});
  expect_the_same_plays(on, false);
  expect_the_same_plays(on, true);
}

}  // namespace
}  // namespace keyhole::tests
