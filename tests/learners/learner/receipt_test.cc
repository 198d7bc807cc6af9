// How tells are taken, what check() says before, and the codes of what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "catalogue.h"
#include "keyhole/spec.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// The code of what a call throws; nothing if it does not.
template <class Call>
std::optional<ErrorCode> code(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

TEST(Receipt, SaysHowATellWasTaken) {
  Learner learner(anytime(projection_free(simplex(3), {.loss_bound = 1})),
                  {.window = 8, .expiry = 4});
  (void)learner.ask(6);  // epochs begin with plays 1, 2 and 4
  EXPECT_EQ(learner.tell(6, 0.5), Receipt::fresh);
  EXPECT_EQ(learner.tell(6, 0.5), Receipt::repeated);
  EXPECT_EQ(learner.tell(3, 0.5), Receipt::late);
  EXPECT_EQ(learner.tell(3, 0.5), Receipt::repeated);
  EXPECT_EQ(learner.tell(2, 0.5), Receipt::expired);
  EXPECT_EQ(learner.tell(2, 0.25), Receipt::expired);
  (void)learner.ask();
  EXPECT_EQ(learner.tell(6, 0.5), Receipt::repeated);
  const Summary summary = learner.summary();
  EXPECT_EQ(summary.told, 2u);
  EXPECT_EQ(summary.late, 1u);
  EXPECT_EQ(summary.duplicates, 3u);
  EXPECT_EQ(summary.expired, 2u);
  EXPECT_EQ(summary.average, 0.5);
}

TEST(Receipt, IsLateForTheFirstHalfOfAPairThatHasLeft) {
  Learner learner(two_point(simplex(3), {.gradient_bound = 1, .horizon = 100, .pending_pairs = 2}));
  (void)learner.ask(8);
  EXPECT_EQ(learner.tell(3, 0.5), Receipt::late);
  EXPECT_EQ(learner.tell(5, 0.5), Receipt::fresh);
  (void)learner.ask();
  EXPECT_EQ(learner.summary().late, 1u);
}

TEST(Receipt, CheckForeseesEveryTellAndChangesNothing) {
  for_each_learner([](const std::string& name, const auto& make) {
    SCOPED_TRACE(name);
    Random random(7);
    auto learner = make(ball(3), 200, {.window = 12, .expiry = 9});
    std::uint64_t late = 0;
    for (int t = 0; t < 150; ++t) {
      (void)learner.ask();
      for (int k = 0; k < 2; ++k) {
        const PlayId id = random.integer(t > 14 ? static_cast<std::size_t>(t) - 14 : 0, t + 2);
        const double number = random.uniform() < 0.8 ? 0.5 : random.normal();
        const State before = learner.state();
        std::optional<Receipt> foreseen;
        const auto of_check = code([&] { foreseen = check(learner, id, number); });
        EXPECT_EQ(learner.state(), before);
        std::optional<Receipt> taken;
        const auto of_tell = code([&] { taken = tell(learner, id, number); });
        EXPECT_EQ(of_check, of_tell);
        EXPECT_EQ(foreseen, taken);
        EXPECT_NE(foreseen.has_value(), of_check.has_value());
        if (taken == Receipt::late) ++late;
      }
    }
    (void)learner.ask();
    EXPECT_LE(late, learner.summary().late);
  });
}

TEST(AsksLeft, CountsTheHorizonDown) {
  Learner fixed(projection_free(ball(2), {.loss_bound = 1, .horizon = 5}));
  EXPECT_EQ(fixed.asks_left(), 5u);
  (void)fixed.ask(2);
  EXPECT_EQ(fixed.asks_left(), 3u);
  EXPECT_EQ(code([&] { (void)fixed.ask(4); }), ErrorCode::horizon_used_up);
  EXPECT_EQ(fixed.asked(), 2u);
  (void)fixed.ask(3);
  EXPECT_EQ(fixed.asks_left(), 0u);
  EXPECT_EQ(code([&] { (void)fixed.ask(); }), ErrorCode::horizon_used_up);
  EXPECT_EQ(Learner(ball(2)).asks_left(), std::numeric_limits<std::uint64_t>::max());
}

TEST(ErrorCode, TellsApartWhatIsRefused) {
  Learner learner(ball(2));
  const Play play = learner.ask();
  learner.tell(play.id, 1);
  EXPECT_EQ(code([&] { learner.tell(2, 1); }), ErrorCode::unknown_play);
  EXPECT_EQ(code([&] { learner.tell(1, std::nan("")); }), ErrorCode::unusable_feedback);
  EXPECT_EQ(code([&] { learner.tell(1, 2); }), ErrorCode::contradiction);
  EXPECT_EQ(code([&] {
              std::vector<double> three(3);
              learner.recommend(three);
            }),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code([&] { (void)ball(0); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code([&] { learner.restore(Learner(ball(3)).state()); }), ErrorCode::foreign_state);
  EXPECT_EQ(code([&] { learner.restore(Learner(ball(2), {.seed = 1}).state()); }),
            ErrorCode::foreign_state);
  EXPECT_EQ(code([&] { (void)State::from_bytes({}); }), ErrorCode::damaged_state);
  EXPECT_EQ(code([&] { (void)make_set("bal(3)"); }), ErrorCode::unreadable_spec);
}

}  // namespace
}  // namespace keyhole::tests
