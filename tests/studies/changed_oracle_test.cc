// A set of one's own whose oracle answers otherwise after an update, by the same name: a solver
// that is free to choose among (nearly) equal answers chooses another one.
//
// What is expected: a log keeps the points that were played, and with each what the learner rests
// on (its witness), so that a study notices the first play that comes out otherwise when the log is
// played again. It says which play that is, with ErrorCode::other_digits, and goes on with nothing:
// the losses in the log are those of other points. A log that keeps neither cannot notice it, and
// goes on with what it takes for the plays.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "folder.h"
#include "keyhole/store.h"
#include "own_sets.h"
#include "twin.h"

namespace keyhole::tests::changed_oracle {
namespace {

StudyDescription on_the_cube(const std::string& learner) {
  return {.on = "cube()", .learner = learner, .options = {.seed = 3}};
}

double loss_of(const std::vector<double>& point) { return point[0] - 0.5 * point[1]; }

/// Where a log comes out otherwise with another catalogue: the play at which the learner is another
/// one, and the first that has another point, which may be later.
struct Difference {
  PlayId learner = 0;
  PlayId point = 0;
};

Difference difference_of(const Store& store, const std::string& learner, const Catalogue& updated) {
  Learner twin = twin_of(on_the_cube(learner), updated);
  Difference first;
  (void)store.replay("s", [&](const StudyRecord& record) {
    for (const StudyTell& tell : record.tells) (void)twin.tell(tell.id, tell.loss.value());
    for (const StudyPlay& play : record.gave.plays) {
      if (twin.ask().point != play.point && first.point == 0) first.point = play.id;
    }
    if (first.learner == 0 && twin.state() != record.learner->state()) first.learner = twin.asked();
  });
  return first;
}

/// The number in "... play 12 ..."; 0 if there is none.
PlayId play_in(const std::string& text) {
  const std::size_t place = text.find("play ");
  return place == std::string::npos ? 0 : std::strtoull(text.c_str() + place + 5, nullptr, 10);
}

/// Snapshots would let a study begin behind the play.
void remove_snapshots(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "log") std::filesystem::remove_all(entry.path());
  }
}

class ChangedOracle : public testing::TestWithParam<std::string> {};

TEST_P(ChangedOracle, IsNoticedAtTheFirstPlayThatDiffers) {
  const Folder folder;
  const StoreOptions quick = {.durability = Durability::process};
  const Catalogue updated = with_cube(with_ties_at(1));
  const Store before(folder.path(""), quick, with_cube(with_ties_at(0)));
  const Store after(folder.path(""), quick, updated);
  {
    Study study = before.create("s", on_the_cube(GetParam()));
    for (int t = 0; t < 400; ++t) {
      const StudyPlay play = study.ask("w");
      study.tell(play.id, loss_of(play.point));
    }
  }
  remove_snapshots(folder.path("s"));
  const Difference first = difference_of(before, GetParam(), updated);
  ASSERT_GT(first.learner, 1U);
  ASSERT_GE(first.point, first.learner);
  const auto expect_noticed = [&](const std::string& what, const auto& call) {
    try {
      call();
      ADD_FAILURE() << what << " has not noticed that play " << first.point << " is another one";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::other_digits) << error.what();
      EXPECT_GE(play_in(error.what()), first.learner) << error.what();
      EXPECT_LE(play_in(error.what()), first.point) << error.what();
    }
  };
  const std::string log = bytes(folder.path("s/log")).value();
  expect_noticed("open", [&] { (void)after.open("s"); });
  expect_noticed("create", [&] { (void)after.create("s", on_the_cube(GetParam())); });
  expect_noticed("replay", [&] { (void)after.replay("s", [](const StudyRecord&) {}); });
  EXPECT_EQ(bytes(folder.path("s/log")), log);
  EXPECT_EQ(before.open("s").summary().told, 400U);  // it goes on where it was made
}

INSTANTIATE_TEST_SUITE_P(Learners, ChangedOracle,
                         testing::Values("default", "parameter_free",
                                         "anytime(projection_free(loss_bound=2, "
                                         "gradient_bound=3))"));

}  // namespace
}  // namespace keyhole::tests::changed_oracle
