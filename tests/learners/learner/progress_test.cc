#include "keyhole/progress.h"

#include <gtest/gtest.h>

#include <clocale>

#include "keyhole/keyhole.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

std::string table() {
  Learner learner(anytime(projection_free(ball(2), {.loss_bound = 1, .gradient_bound = 1})));
  double now = 10;
  Progress progress([&] { return now += 0.5; });
  std::string text = Progress::header();
  for (int t = 1; t <= 9; ++t) {
    const Play play = learner.ask();
    learner.tell(play.id, 0.25 * t);
    text += progress.row(learner);
  }
  return text;
}

TEST(Progress, ARowAtEveryPowerOfTwo) {
  EXPECT_EQ(table(),
            "     round  average loss    regret bound/t  oracle calls    seconds\n"
            "         1          0.25           23.3007             0      0.500\n"
            "         2         0.375           31.2973             1      1.000\n"
            "         4         0.625           32.2692             3      1.500\n"
            "         8         1.125           30.2375             7      2.000\n");
}

TEST(Progress, IsTheSameInEveryLocale) {
  const std::string before = table();
  const char* comma = std::setlocale(LC_ALL, "de_DE.UTF-8");  // may be absent: then nothing changes
  EXPECT_EQ(table(), before);
  if (comma != nullptr) std::setlocale(LC_ALL, "C");
}

TEST(Progress, ManyAsksAtOnceGiveOneRow) {
  Learner learner(anytime(projection_free(ball(2), {.loss_bound = 1})));
  Progress progress([] { return 0.0; });
  (void)learner.ask(5);
  EXPECT_EQ(progress.row(learner),
            "         5             -                 -             4      0.000\n");
  EXPECT_EQ(progress.row(learner), "");
  EXPECT_NE(progress.row_now(learner), "");
  (void)learner.ask(2);
  EXPECT_EQ(progress.row(learner), "");
  (void)learner.ask();
  EXPECT_NE(progress.row(learner), "");
}

TEST(Progress, NeedsAClock) {
  EXPECT_EQ(message<InvalidArgument>([] { Progress({}); }),
            "a table of progress needs a clock, not an empty function");
}

}  // namespace
}  // namespace keyhole::tests
