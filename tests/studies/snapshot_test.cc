// Snapshots change nothing but the time to open a study; renewal keeps what they know.

#include "studies/format/snapshot.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "folder.h"
#include "golden/golden_file.h"
#include "keyhole/spec.h"
#include "keyhole/store.h"
#include "keyhole/version.h"
#include "random.h"
#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"
#include "studies/format/events.h"
#include "studies/format/frame.h"
#include "studies/image/description_text.h"
#include "studies/journals/snapshots.h"
#include "studies/made_study.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using studies::Snapshot;
using Vector = std::vector<double>;

StudyDescription on_a_space() {
  return {.on = Space({{"batch", Integer{1, 64}}, {"wait", Number{.from = 1, .to = 100}}}),
          .options = {.seed = 3, .window = 200}};
}

/// Late losses by two workers, and others by nobody in particular.
void play(Study& study, int steps, Random& random) {
  std::vector<PlayId> pending;
  for (int t = 0; t < steps; ++t) {
    const StudyPlay play = t % 3 == 0 ? study.ask("w" + std::to_string(t % 2)) : study.ask();
    if (t % 3 != 0) {
      pending.push_back(play.id);
    } else if (random.uniform() < 0.3) {
      study.tell(play.id, random.normal());
    }
    while (pending.size() > 5) {
      study.tell(pending.front(), random.normal());
      pending.erase(pending.begin());
    }
  }
}

std::vector<std::string> snapshots_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "log") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Snapshots, ReadBackAndNoticeEveryChange) {
  const Snapshot written = {.mark = {317, 0xDEADBEEF01234567},
                            .asked = 1000,
                            .before = 900,
                            .offset = 128,
                            .text = "{}",
                            .recommended = {0.5, -1e300},
                            .explores = false,
                            .workers = {{"w1", {990, {0.25, 0}}}, {"w 2", {1000, {1, 2}, false}}},
                            .state = std::string("\0state", 6)};
  const std::string bytes = studies::snapshot_bytes(written);
  const auto read = studies::read_snapshot(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(studies::snapshot_bytes(*read), bytes);
  EXPECT_EQ(read->workers.at("w 2").point, (Vector{1, 2}));
  EXPECT_FALSE(read->workers.at("w 2").explores);
  EXPECT_TRUE(read->workers.at("w1").explores);
  EXPECT_FALSE(read->explores);
  EXPECT_EQ(read->recommended, written.recommended);
  EXPECT_EQ(read->state, written.state);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(studies::read_snapshot(std::string_view(bytes).substr(0, i))) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_FALSE(studies::read_snapshot(changed)) << i;
    }
  }
}

TEST(Snapshots, WhatIsNoSnapshotIsRefusedWhateverItsChecksum) {
  Random random(3);
  const std::string bytes = studies::snapshot_bytes({.workers = {{"w", {1, {0.5}}}}});
  for (int k = 0; k < 20000; ++k) {
    std::string changed = bytes.substr(0, bytes.size() - 4);
    changed[random.integer(0, changed.size() - 1)] = static_cast<char>(random.integer(0, 255));
    changed.resize(random.integer(1, changed.size()));
    studies::put_bytes(changed, studies::crc32c(changed), 4);
    const auto read = studies::read_snapshot(changed);  // must not crash, nor take much memory
    EXPECT_TRUE(!read || studies::snapshot_bytes(*read).size() == changed.size());
  }
}

TEST(Snapshots, AStudyThatBeginsWithOneGoesOnBitForBit) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  (void)store.create("s", on_a_space());
  (void)store.create("twin", on_a_space());
  Study twin = store.open("twin");
  Random random(8);
  Random twin_random(8);
  for (int k = 0; k < 40; ++k) {
    Study study = store.open("s");
    play(study, 20, random);
    play(twin, 20, twin_random);
    EXPECT_EQ(study.state(), twin.state());
    EXPECT_EQ(store.open("s").ask("w1"), twin.ask("w1"));  // a play that was given before
  }
  EXPECT_EQ(snapshots_in(folder.path("s")).size(), 2U);
  EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
  EXPECT_EQ(hash_of_the_log(store, "s"), hash_of_the_log(store, "twin"));
}

TEST(Snapshots, ABadOneIsPassedOver) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Random random(4);
  {
    Study study = store.create("s", on_a_space());
    play(study, 300, random);
    Study other = store.create("other", on_a_space());
    play(other, 350, random);
  }
  const std::uint64_t hash = hash_of_the_log(store, "s");
  const std::vector<std::string> files = snapshots_in(folder.path("s"));
  ASSERT_EQ(files.size(), 2U);
  const std::string latest = bytes(files[1]).value();
  EXPECT_EQ(store.open("s").state().hash(), hash);
  // The latest is damaged, is of another study, or is not a file.
  write_bytes(files[1], latest.substr(0, latest.size() / 2));
  EXPECT_EQ(store.open("s").state().hash(), hash);
  write_bytes(files[1], bytes(snapshots_in(folder.path("other"))[1]).value());
  EXPECT_EQ(store.open("s").state().hash(), hash);
  std::filesystem::remove(files[1]);
  std::filesystem::create_directory(files[1]);
  EXPECT_EQ(store.open("s").state().hash(), hash);
  write_bytes(files[0], "garbage");
  EXPECT_EQ(store.open("s").state().hash(), hash);
}

TEST(Snapshots, OfALogThatWasReplacedArePassedOver) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Random random(5);
  std::string early;
  {
    Study study = store.create("s", on_a_space());
    play(study, 20, random);
    early = bytes(folder.path("s/log")).value();
    play(study, 300, random);
  }
  EXPECT_EQ(snapshots_in(folder.path("s")).size(), 2U);
  write_bytes(folder.path("s/log"), early);  // restored from a copy
  EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
  {
    Study study = store.open("s");
    play(study, 400, random);
  }
  EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
}

/// A study of an older revision: its description, one step that asks, and what a state of that
/// revision knows.
class OldStudy {
 public:
  OldStudy()
      : state_(golden_file("state_5_posterior.bin")),
        learner_(open_learner(state_, Digits::may_differ)) {
    const StudyDescription description = {
        .on = state_.set_spec(),
        .learner = "posterior",
        .options = {.seed = 2019, .stream = 3, .window = 16}};  // see golden_states.h
    text_ = studies::description_text(description, learner_);
    const std::string now = "\"trace_revision\":" + std::to_string(trace_revision);
    text_.replace(text_.find(now), now.size(), "\"trace_revision\":5");
    log_ = studies::frame_bytes(mark_, 0, text_);
    step(learner_.asked());
  }

  /// Appends a step that asks.
  void step(std::uint64_t asks) {
    const std::string facts(4 * asks, 'f');
    append(studies::Step{.asks = asks, .kept = studies::Kept::witness, .facts = facts});
  }
  void pause() { append(studies::Switch{false}); }
  /// Appends a change whose learner was taught all that is known.
  void change() { append(studies::Era{text_, state_text(), StudyChange{0, 98, 2}}); }
  void append(const studies::Event& event) {
    log_ += studies::frame_bytes(mark_, mark_.position, studies::event_content(event, 0));
  }
  void write(const std::string& folder) const {
    std::filesystem::create_directories(folder);
    write_bytes(folder + "/log", log_);
  }
  /// What is known after the first step.
  void write_snapshot(const std::string& folder, bool with_state) const {
    write_bytes(folder + "/snapshot-" + std::to_string(log_.size()),
                studies::snapshot_bytes({.mark = mark_,
                                         .asked = learner_.asked(),
                                         .text = text_,
                                         .recommended = learner_.recommend(),
                                         .state = with_state ? state_text() : ""}));
  }
  [[nodiscard]] const Learner& learner() const { return learner_; }

 private:
  [[nodiscard]] std::string state_text() const {
    return {reinterpret_cast<const char*>(state_.bytes().data()), state_.bytes().size()};
  }

  State state_;
  Learner learner_;
  std::string text_;
  std::string log_;
  studies::Mark mark_;
};

/// Asks and tells a renewed study whose latest play had that number.
void expect_to_go_on(const Store& store, PlayId latest) {
  Study study = store.open("s");
  EXPECT_FALSE(study.needs_renewal());
  const StudyPlay play = study.ask("w");
  EXPECT_EQ(play.id, latest + 1);
  EXPECT_EQ(store.open("s").ask("w"), play);
  EXPECT_EQ(study.tell(latest, 0.5), Receipt::expired);
  EXPECT_EQ(study.tell(play.id, 0.5), Receipt::fresh);
  EXPECT_EQ(study.tell(play.id, 0.5), Receipt::repeated);
  EXPECT_THROW(study.tell(play.id, 0.25), FeedbackError);
  EXPECT_EQ(message<FeedbackError>([&] { study.tell(latest + 2, 1); }),
            "play " + std::to_string(latest + 2) + " was never asked for; the latest is " +
                std::to_string(latest + 1));
  EXPECT_THROW(study.tell(0, 1), FeedbackError);
  for (int t = 0; t < 200; ++t) study.tell(study.ask().id, 0.1 * (t % 7));
}

TEST(Renewal, GoesOnWithWhatWasLearned) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  OldStudy old;
  old.write(folder.path("s"));
  old.write_snapshot(folder.path("s"), true);
  old.step(3);  // what the snapshot does not know
  old.write(folder.path("s"));
  const PlayId latest = old.learner().asked() + 3;
  {
    Study study = store.open("s");
    EXPECT_TRUE(study.needs_renewal());
    EXPECT_EQ(study.recommend(), old.learner().recommend());
    const std::string said = message<StudyError>([&] { (void)study.ask(); });
    EXPECT_EQ(said,
              "the study 's' was made with revision 5 of the digits, and this version has "
              "revision " +
                  std::to_string(trace_revision) +
                  ": renew it ('keyhole study renew' or Store::renew), or use the version that "
                  "made it");
    EXPECT_THROW(study.tell(1, 0.5), StudyError);
    std::uint64_t plays = 0;
    store.replay("s", [&](const StudyRecord& record) { plays += record.gave.plays.size(); });
    EXPECT_EQ(plays, latest);
  }
  Study open_before = store.open("s");
  const Set& set = open_before.set();
  const std::string spec = set.spec();
  EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
  EXPECT_FALSE(open_before.needs_renewal());  // it sees the renewal, and its set stays
  EXPECT_EQ(&open_before.set(), &set);
  EXPECT_EQ(set.spec(), spec);
  EXPECT_EQ(store.renew("s"), Renewal::not_needed);
  EXPECT_EQ(store.open("s").summary().told, old.learner().summary().told);
  EXPECT_EQ(store.open("s").recommend(), old.learner().recommend());
  expect_to_go_on(store, latest);
  bool renewed = false;
  const StudyLog log =
      store.replay("s", [&](const StudyRecord& record) { renewed = renewed || record.renewed; });
  EXPECT_TRUE(renewed);
  EXPECT_EQ(store.open("s").state().hash(), log.state_hash);
}

TEST(Renewal, StartsAtTheRecommendationIfNoMoreIsKnown) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const OldStudy old;
  old.write(folder.path("s"));
  old.write_snapshot(folder.path("s"), false);
  EXPECT_EQ(store.open("s").recommend(), old.learner().recommend());
  EXPECT_EQ(store.renew("s"), Renewal::recommendation);
  const Vector recommended = store.open("s").recommend();
  for (std::size_t i = 0; i < recommended.size(); ++i) {
    EXPECT_NEAR(recommended[i], old.learner().recommend()[i], 1e-9);
  }
  expect_to_go_on(store, old.learner().asked());
  EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
}

TEST(Renewal, KeepsWhatAChangeHasTaught) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  OldStudy old;
  old.change();
  old.step(3);
  old.write(folder.path("s"));
  const PlayId latest = old.learner().asked() + 3;
  EXPECT_EQ(store.open("s").recommend(), old.learner().recommend());
  EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
  EXPECT_EQ(store.open("s").recommend(), old.learner().recommend());
  EXPECT_EQ(store.open("s").changed()->learned, 98U);
  expect_to_go_on(store, latest);
  EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
}

TEST(Renewal, KeepsAPause) {
  for (const bool with_state : {true, false}) {
    const Folder folder;
    const Store store(folder.path(""), {.durability = Durability::process});
    OldStudy old;
    old.write(folder.path("s"));
    old.write_snapshot(folder.path("s"), with_state);
    old.pause();  // which the snapshot does not know
    old.write(folder.path("s"));
    EXPECT_FALSE(store.open("s").explores());
    EXPECT_THROW(store.open("s").explore(true), StudyError);
    (void)store.renew("s");
    Study study = store.open("s");
    EXPECT_FALSE(study.explores());
    EXPECT_TRUE(study.ask().recommended);
    EXPECT_EQ(study.state().hash(), hash_of_the_log(store, "s"));
    study.explore(true);
    EXPECT_FALSE(study.ask().recommended);
    EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
  }
}

TEST(Renewal, StartsAgainIfNothingIsKnown) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const OldStudy old;
  old.write(folder.path("s"));
  EXPECT_EQ(message<StudyError>([&] { (void)store.open("s").recommend(); }),
            "the study 's' was made with revision 5 of the digits and has no snapshot: what it "
            "recommends is not known; use the version that made it");
  EXPECT_EQ(store.renew("s"), Renewal::nothing);
  expect_to_go_on(store, old.learner().asked());
  EXPECT_EQ(store.open("s").state().hash(), hash_of_the_log(store, "s"));
}

TEST(Copies, AreByteIdentical) {
  const Folder folder;
  const Store store(folder.path("a"));
  const Store other(folder.path("b"));
  Random random(6);
  Study study = store.create("s", on_a_space());
  play(study, 100, random);
  const std::string log = bytes(folder.path("a/s/log")).value();
  std::ofstream(folder.path("a/s/log"), std::ios::binary | std::ios::app) << "torn";
  store.copy("s", other);
  EXPECT_EQ(bytes(folder.path("b/s/log")), log);
  EXPECT_EQ(other.open("s").ask("w0"), study.ask("w0"));
  EXPECT_EQ(message<StudyError>([&] { store.copy("s", other); }),
            "there is a study 's' in " + folder.path("b") +
                ": delete it first, or copy to another store");
  EXPECT_THROW(store.copy("t", other), StudyError);
  std::string damaged = log;
  damaged[log.size() / 2] = static_cast<char>(damaged[log.size() / 2] ^ 1);
  write_bytes(folder.path("a/s/log"), damaged);
  other.remove("s");
  EXPECT_THROW(store.copy("s", other), StudyError);
  EXPECT_TRUE(other.list().empty());
}

}  // namespace
}  // namespace keyhole::tests
