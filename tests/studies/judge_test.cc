// The judge of storms: it finds nothing in a history that is whole, and each deliberate break.

#include "judge.h"

#include <gtest/gtest.h>

#include "folder.h"

namespace keyhole::tests {
namespace {

/// A log, what the workers heard, and the state that a replica has come to.
struct Story {
  static inline const StudyDescription description = {.on = "simplex(3)", .options = {.seed = 7}};
  std::vector<StudyRecord> log = {};
  std::vector<Heard> heard = {};
  std::uint64_t state = 0;

  /// Each turn is a worker's: it tells its play and asks for the next.
  explicit Story(const std::vector<int>& turns) {
    const Folder folder(place_in_memory());
    const Store store(folder.path(""), {.durability = Durability::process});
    Study study = store.create("s", description);
    std::map<int, StudyPlay> plays;
    for (const int worker : turns) {
      StudyPlay& play = plays[worker];
      std::vector<StudyTell> tells;
      if (play.id > 0) tells = {{play.id, loss_of(play.id)}};
      const StudyPlay next = study.step(tells, 1, worker_name(worker)).plays.front();
      if (play.id > 0) hear(worker, play, true);
      hear(worker, next, false);
      play = next;
    }
    store.replay("s", [&](const StudyRecord& step) { log.push_back(step); });
    state = study.state().hash();
  }
  void hear(int worker, const StudyPlay& play, bool told) {
    heard.push_back({.worker = worker, .play = play.id, .mark = mark_of(play.point), .told = told});
  }
  [[nodiscard]] Verdict verdict() const {
    Judge judge(description, [](const StudyPlay& play) { return loss_of(play.id); });
    for (const StudyRecord& step : log) judge.take(step);
    return judge.verdict(heard, {state});
  }
  using Faults = std::vector<std::string>;
  [[nodiscard]] Faults faults() const { return verdict().faults; }
  [[nodiscard]] bool has(const std::string& fault) const {
    const Faults found = faults();
    return std::find(found.begin(), found.end(), fault) != found.end();
  }
};

/// Two workers in turn: 40 plays, of which all but the last two are told. From play 21 on another
/// branch has them the other way round; its points differ as soon as the learner learns of it.
Story story(bool is_other_branch = false, int turns = 40) {
  std::vector<int> workers;
  for (int k = 0; k < turns; ++k) workers.push_back((k + (is_other_branch && k >= 20 ? 1 : 0)) % 2);
  return Story(workers);
}

TEST(Judge, FindsNothingInAWholeHistory) {
  Story whole = story();
  EXPECT_EQ(whole.faults(), Story::Faults());
  EXPECT_EQ(whole.verdict().plays, 40U);
  EXPECT_EQ(whole.verdict().told, 38U);
  EXPECT_EQ(whole.verdict().unheard, 0U);
  whole.heard.resize(whole.heard.size() - 2);  // but for the answer of the last step
  EXPECT_EQ(whole.faults(), Story::Faults());
  EXPECT_EQ(whole.verdict().unheard, 1U);
}

TEST(Judge, FindsThatWhatWasAcknowledgedIsMissing) {
  Story lost = story(false, 39);
  lost.heard = story().heard;
  EXPECT_EQ(lost.faults(), (Story::Faults{"play 38 has lost its loss", "play 40 of w1 is lost"}));
  for (Heard& one : lost.heard) one.may_be_lost = one.play == 40 || (one.told && one.play == 38);
  EXPECT_EQ(lost.faults(), Story::Faults());  // with a server that was not waited for
}

TEST(Judge, FindsTwoPlaysOfANumberAndALossOfAnother) {
  const StudyPlay other = story(true).log.back().gave.plays.front();
  Story twice = story();
  twice.log.push_back({.worker = "w1", .gave = {.plays = {other}}});
  EXPECT_EQ(twice.faults(), Story::Faults{"play 40 stands in the log twice"});
  Story two = story();
  two.hear(1, other, false);
  EXPECT_EQ(two.faults(), Story::Faults{"play 40 of w1 was given to w1 with another point"});
  Story shared = story();
  shared.hear(1, shared.log[4].gave.plays.front(), false);
  EXPECT_EQ(shared.faults(), Story::Faults{"play 5 of w0 was given to w1"});
  Story moved = story();
  std::swap(moved.log[6].tells[0].loss, moved.log[7].tells[0].loss);
  EXPECT_TRUE(moved.has("play 5 has the loss of another one"));
  EXPECT_TRUE(moved.has("play 6 has the loss of another one"));
}

TEST(Judge, FindsAHoleAndAnotherBranch) {
  Story hole = story();
  hole.log.erase(hole.log.begin() + 4);
  EXPECT_TRUE(hole.has("play 6 stands behind a hole"));
  EXPECT_TRUE(hole.has("play 5 was told, and never given"));
  EXPECT_TRUE(hole.has("play 5 of w0 is lost"));
  const Story other = story(true);
  Story spliced = story();
  spliced.log.back() = other.log.back();
  EXPECT_TRUE(spliced.has("play 40 is of another history than those before"));
  Story two = story();  // replicas
  two.state = other.state;
  EXPECT_EQ(two.faults(), Story::Faults{"state 0 is not what the log leads to"});
  two.heard = other.heard;
  EXPECT_TRUE(two.has("play 40 of w1 was given to w0 with another point"));
}

TEST(Judge, FindsThatALogCannotBeRead) {
  const Folder folder(place_in_memory());
  const Store store(folder.path(""));
  (void)store.create("s", Story::description).ask_many(3);
  const std::string path = folder.path("s/log");
  const auto loss = [](const StudyPlay& play) { return loss_of(play.id); };
  EXPECT_EQ(verdict_on(store, "s", loss, {}).faults, Story::Faults());
  std::string log = *bytes(path);
  log[30] = static_cast<char>(log[30] ^ 1);
  write_bytes(path, log);
  EXPECT_EQ(verdict_on(store, "s", loss, {}).faults.size(), 1U);
}

}  // namespace
}  // namespace keyhole::tests
