// Exploring switched off and on: what is played, what the log keeps, what renewal keeps.

#include <gtest/gtest.h>

#include "folder.h"
#include "keyhole/spec.h"
#include "keyhole/store.h"
#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"
#include "studies/format/events.h"
#include "studies/format/frame.h"
#include "studies/format/snapshot.h"
#include "studies/journals/memory_journal.h"
#include "studies/made_study.h"
#include "studies/study/new_study.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

StudyDescription three_shares() { return {.on = "simplex(3)", .options = {.seed = 7}}; }

StudyDescription batch_and_codec() {
  return {.on = Space({{"batch", Integer{1, 64}}, {"codec", Choice{{"zstd", "lz4"}}}}),
          .options = {.seed = 3, .window = 100}};
}

double cost_of(const Vector& point) { return point[0] - 0.5 * point[1]; }

void make_rounds(Study& study, int count) {
  for (int t = 0; t < count; ++t) {
    const StudyPlay play = study.ask();
    study.tell(play.id, cost_of(play.point));
  }
}

TEST(Pause, PlaysAsALearnerThatDoesNotExplore) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", three_shares());
  Learner twin = make_learner("default", make_set("simplex(3)"), {.seed = 7});
  for (int t = 1; t <= 300; ++t) {
    if (t % 50 == 0) {
      const bool on = t % 100 == 0;
      study.explore(on);
      twin.explore(on);
    }
    const StudyPlay play = study.ask();
    const Play expected = twin.ask();
    ASSERT_EQ(play.point, expected.point);
    EXPECT_EQ(play.recommended, !twin.explores());
    if (play.recommended) {
      EXPECT_EQ(play.point, study.recommend());
    }
    EXPECT_EQ(study.tell(play.id, cost_of(play.point)), Receipt::fresh);
    twin.tell(expected.id, cost_of(expected.point));
  }
  EXPECT_EQ(study.state(), twin.state());
  EXPECT_EQ(study.summary().told, 300U);  // those of the pauses too
  EXPECT_EQ(store.open("s").state(), twin.state());
}

TEST(Pause, IsNotLearnedFrom) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study paused = store.create("paused", three_shares());
  Study twin = store.create("twin", three_shares());
  make_rounds(paused, 20);
  make_rounds(twin, 20);
  (void)paused.ask();  // takes the last loss in, as that of the twin
  (void)twin.ask();
  const Vector before = paused.recommend();
  paused.explore(false);
  for (int t = 0; t < 50; ++t) paused.tell(paused.ask().id, 1000.0 * t);
  EXPECT_EQ(paused.recommend(), before);
  paused.explore(true);
  const StudyPlay next = paused.ask();
  EXPECT_EQ(next.point, twin.ask().point);  // it goes on as if the pause had not been
  EXPECT_FALSE(next.recommended);
}

TEST(Pause, IsForAllWhoHaveTheStudy) {
  const Folder folder;
  const Store store(folder.path(""));
  Study study = store.create("s", three_shares());
  Study other = store.open("s");
  make_rounds(study, 5);
  other.explore(false);
  EXPECT_FALSE(study.explores());
  EXPECT_TRUE(study.ask().recommended);
  const std::string log = bytes(folder.path("s/log")).value();
  study.explore(false);  // it is: nothing is written
  EXPECT_EQ(bytes(folder.path("s/log")).value(), log);
  EXPECT_FALSE(store.open("s").explores());
  study.explore(true);
  EXPECT_TRUE(other.explores());
  std::vector<bool> switches;
  store.replay("s", [&](const StudyRecord& record) {
    if (record.explores) switches.push_back(*record.explores);
  });
  EXPECT_EQ(switches, (std::vector<bool>{false, true}));
}

TEST(Pause, KeepsThePlaysOfWorkersAsTheyWere) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", batch_and_codec());
  make_rounds(study, 50);
  const StudyPlay explored = study.ask("w1");
  EXPECT_FALSE(explored.recommended);
  study.explore(false);
  EXPECT_EQ(study.ask("w1"), explored);  // it is not told yet
  const StudyPlay recommended = study.ask("w2");
  EXPECT_TRUE(recommended.recommended);
  EXPECT_EQ(recommended.values, study.recommend_values());
  study.explore(true);
  EXPECT_EQ(study.ask("w2"), recommended);
  EXPECT_TRUE(study.play(recommended.id).play.recommended);
  make_rounds(study, 300);  // longer than a snapshot is away
  (void)study.ask("w3");
  study.explore(false);
  const StudyPlay last = study.ask("w4");
  for (int t = 0; t < 30; ++t) study.tell(study.ask().id, 0);
  Study again = store.open("s");
  EXPECT_FALSE(again.explores());
  EXPECT_EQ(again.ask("w4"), last);
  EXPECT_FALSE(again.ask("w3").recommended);
  EXPECT_EQ(again.state(), study.state());
}

TEST(Pause, NeedsNoHorizon) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  StudyDescription description = three_shares();
  description.learner = "projection_free(horizon=4, loss_bound=2, gradient_bound=3)";
  Study study = store.create("s", description);
  make_rounds(study, 4);
  EXPECT_THROW((void)study.ask(), InvalidArgument);
  study.explore(false);
  EXPECT_TRUE(study.ask().recommended);
  EXPECT_EQ(study.ask_many(3).size(), 3U);
  study.explore(true);
  EXPECT_THROW((void)study.ask(), InvalidArgument);
}

TEST(Pause, IsWhatAFailingDiskLeavesWhole) {
  const std::string text = studies::new_study(three_shares(), Catalogue::standard()).text;
  auto journal = std::make_unique<studies::MemoryJournal>(first_frame(text));
  studies::MemoryJournal& log = *journal;
  Study study = study_of(std::move(journal), Durability::disk);
  study.explore(false);
  log.lose_unhardened();  // it was on the medium when it was answered
  Study again = study_of(std::make_unique<studies::MemoryJournal>(log.bytes()), Durability::disk);
  EXPECT_FALSE(again.explores());
  EXPECT_EQ(again.position().bytes, log.bytes().size());
  EXPECT_EQ(again.position().durable, log.bytes().size());
}

TEST(Position, SaysHowMuchIsOnTheDisk) {
  const Folder folder;
  const auto size = [&] { return bytes(folder.path("s/log")).value().size(); };
  Study study = Store(folder.path("")).create("s", three_shares());
  EXPECT_EQ(study.position().durable, 0U);  // nobody has looked
  (void)study.ask();
  EXPECT_EQ(study.position().bytes, size());
  EXPECT_EQ(study.position().durable, size());
  Study quick = Store(folder.path(""), {.durability = Durability::process}).open("s");
  const std::size_t before = size();
  (void)quick.ask();
  EXPECT_EQ(quick.position().bytes, size());
  EXPECT_EQ(quick.position().durable, before);
}

// Written before there was a word for a pause.
TEST(Snapshots, OfTheFirstFormatAreRead) {
  std::string bytes;
  for (const unsigned number : {1, 10, 20}) studies::put_number(bytes, number);
  studies::put_bytes(bytes, 0xDEADBEEF, 4);
  for (const unsigned number : {5, 0, 0}) studies::put_number(bytes, number);
  studies::put_text(bytes, "{}");
  studies::put_number(bytes, 1);
  studies::put_double(bytes, 0.5);
  studies::put_number(bytes, 1);
  studies::put_text(bytes, "w");
  studies::put_number(bytes, 4);
  studies::put_number(bytes, 1);
  studies::put_double(bytes, 0.25);
  studies::put_text(bytes, "state");
  studies::put_bytes(bytes, studies::crc32c(bytes), 4);
  const auto read = studies::read_snapshot(bytes);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->explores);
  EXPECT_EQ(read->workers.at("w").play, 4U);
  EXPECT_EQ(read->workers.at("w").point, Vector{0.25});
  EXPECT_TRUE(read->workers.at("w").explores);
  EXPECT_EQ(read->state, "state");
}

}  // namespace
}  // namespace keyhole::tests
