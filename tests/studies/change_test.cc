// A study that goes on on another space: what is taught, what is dropped, who is told.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "folder.h"
#include "keyhole/store.h"
#include "random.h"
#include "studies/at_once.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

Space threads_up_to(std::int64_t most) {
  return Space({{"threads", Integer{1, most}}, {"share", Number{.from = 0, .to = 1}}});
}

StudyDescription narrow_threads() {
  return {.on = threads_up_to(16),
          .options = {.seed = 3, .window = 50},
          .start = {{"threads", std::int64_t{8}}, {"share", 0.5}}};
}

/// Best at 40 threads.
double cost_of_threads(const StudyPlay& play) {
  const auto threads = static_cast<double>(std::get<std::int64_t>(play.values.at("threads")));
  return (threads - 40) * (threads - 40) / 1000;
}

void tell_threads(Study& study, int count) {
  for (int t = 0; t < count; ++t) {
    const StudyPlay play = study.ask();
    study.tell(play.id, cost_of_threads(play));
  }
}

std::int64_t best_threads(Study& study) {
  return std::get<std::int64_t>(study.recommend_values().at("threads"));
}

TEST(StudyChange, KeepsWhatWasLearnedWithAWiderBound) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", narrow_threads());
  study.learn({{"threads", std::int64_t{4}}, {"share", 0.25}}, 1.3);
  tell_threads(study, 100);
  (void)study.ask("w");  // which is never told
  EXPECT_GT(best_threads(study), 14);
  const StudyChange receipt = store.change("s", threads_up_to(64));
  EXPECT_EQ(receipt.learned, 101U);
  EXPECT_EQ(receipt.dropped, 0U);
  const std::string said = message<ReplacedStudy>([&] { (void)study.ask(); });
  EXPECT_NE(said.find("was changed: open it again"), std::string::npos);
  EXPECT_NE(message<ReplacedStudy>([&] { (void)study.summary(); }).find("changed"),
            std::string::npos);

  // The call may be made again, as by a client that got no answer.
  EXPECT_EQ(receipt.after, 101U);
  const std::uint64_t bytes = store.log_bytes("s");
  EXPECT_EQ(store.change("s", threads_up_to(64)), receipt);
  EXPECT_EQ(store.change("s", threads_up_to(64), narrow_threads().start), receipt);
  EXPECT_EQ(store.log_bytes("s"), bytes);

  Study wide = store.open("s");
  EXPECT_EQ(wide.changed(), receipt);
  EXPECT_EQ(wide.description().start, narrow_threads().start);
  EXPECT_EQ(wide.status().belief.noise, wide.status().belief.noise);  // it has a model
  const StudyPlay play = wide.ask("w");
  EXPECT_EQ(play.id, 102U);
  EXPECT_EQ(wide.tell(50, 1), Receipt::expired);
  tell_threads(wide, 100);
  EXPECT_NEAR(static_cast<double>(best_threads(wide)), 40, 4);
  Study again = store.open("s");
  EXPECT_EQ(again.state(), wide.state());
  EXPECT_EQ(again.changed(), receipt);
  std::vector<StudyChange> seams;
  const StudyLog log = store.replay("s", [&](const StudyRecord& record) {
    EXPECT_FALSE(record.renewed);
    if (record.changed) seams.push_back(*record.changed);
  });
  EXPECT_EQ(log.state_hash, wide.state().hash());
  EXPECT_EQ(seams, std::vector<StudyChange>{receipt});
}

TEST(StudyChange, DropsWhatThereIsNoRoomForAndCountsIt) {
  const Store store = Store::in_memory();
  Study study = store.create("s", narrow_threads());
  tell_threads(study, 100);
  const StudyChange receipt =
      store.change("s", threads_up_to(12), {{"threads", std::int64_t{6}}, {"share", 0.5}});
  EXPECT_GT(receipt.dropped, 10U);
  EXPECT_EQ(receipt.learned + receipt.dropped, 100U);
  Study changed = store.open("s");
  EXPECT_LE(best_threads(changed), 12);
  EXPECT_EQ(std::get<std::int64_t>(changed.description().start.at("threads")), 6);
}

TEST(StudyChange, TakesAParameterMoreAndOneLess) {
  const Store store = Store::in_memory();
  Study study = store.create("s", narrow_threads());
  study.prove(0.2);
  tell_threads(study, 100);
  const Space more({{"threads", Integer{1, 64}}, {"buffer", Number{.from = 1, .to = 9}}});
  EXPECT_NE(message<InvalidArgument>([&] { store.change("s", more); }).find("'buffer' is new"),
            std::string::npos);
  EXPECT_EQ(study.ask("w").id, 101U);  // nothing was changed
  const StudyChange receipt =
      store.change("s", more, {{"threads", std::int64_t{8}}, {"buffer", 2.0}});
  EXPECT_EQ(receipt.learned, 100U);
  Study changed = store.open("s");
  EXPECT_EQ(changed.status().proof.share, 0.2);
  tell_threads(changed, 100);
  EXPECT_EQ(changed.ask().values.size(), 2U);
  EXPECT_NEAR(static_cast<double>(best_threads(changed)), 40, 6);
}

TEST(StudyChange, KeepsTheLossesThatObeyARuleMore) {
  const Store store = Store::in_memory();
  Study study = store.create("s", narrow_threads());
  const auto obeys = [](const Values& values) {
    return static_cast<double>(std::get<std::int64_t>(values.at("threads"))) +
               10 * std::get<double>(values.at("share")) <=
           15 + 1e-9;
  };
  std::uint64_t obeying = 0;
  for (int t = 0; t < 100; ++t) {
    const StudyPlay play = study.ask();
    obeying += obeys(play.values) ? 1 : 0;
    study.tell(play.id, cost_of_threads(play) - std::get<double>(play.values.at("share")));
  }
  EXPECT_FALSE(obeys(study.recommend_values())) << "the rule must forbid what is best so far";
  const Space ruled(threads_up_to(16).parameters(), {"threads + 10*share <= 15"});
  const StudyChange receipt = store.change("s", ruled);
  EXPECT_EQ(receipt.learned, obeying);
  EXPECT_EQ(receipt.dropped, 100 - obeying);
  EXPECT_GT(receipt.dropped, 10U);
  Study changed = store.open("s");
  EXPECT_TRUE(obeys(changed.recommend_values()));
  for (int t = 0; t < 50; ++t) {
    const StudyPlay play = changed.ask();
    EXPECT_TRUE(obeys(play.values)) << play.id;
    changed.tell(play.id, cost_of_threads(play) - std::get<double>(play.values.at("share")));
  }
}

// A unit is a label: numbers stay what they are, and what they were told as is outside of bounds
// that are given in another unit.
TEST(StudyChange, TakesAUnitForALabel) {
  const auto timeout = [](double scale, const char* unit) {
    return Space({{"timeout",
                   Number{.from = 5 * scale, .to = 500 * scale, .scale = Scale::log, .unit = unit}},
                  {"x", Number{}}});
  };
  const Store store = Store::in_memory();
  Study study =
      store.create("s", {.on = timeout(1, "ms"), .start = {{"timeout", 50.0}, {"x", 0.5}}});
  std::vector<StudyPast> in_seconds;
  for (int t = 0; t < 100; ++t) {
    const StudyPlay play = study.ask();
    const double value = std::get<double>(play.values.at("timeout"));
    const double loss = std::pow(std::log(value / 100), 2);
    study.tell(play.id, loss);
    in_seconds.push_back(
        {.values = {{"timeout", value / 1000}, {"x", play.values.at("x")}}, .loss = loss});
  }
  const auto best = [&] {
    return std::get<double>(store.open("s").recommend_values().at("timeout"));
  };
  const double before = best();
  EXPECT_NEAR(before, 100, 15);
  EXPECT_EQ(store.change("s", timeout(1, "s")).learned, 100U);
  EXPECT_NEAR(best(), before, 5);

  const Space seconds = timeout(0.001, "s");
  EXPECT_NE(message<InvalidArgument>([&] { store.change("s", seconds); }).find("timeout"),
            std::string::npos)
      << "the start is outside too";
  const StudyChange receipt = store.change("s", seconds, {{"timeout", 0.05}, {"x", 0.5}});
  EXPECT_EQ(receipt.learned, 0U);
  EXPECT_EQ(receipt.dropped, 100U);
  store.open("s").learn(in_seconds);
  EXPECT_NEAR(1000 * best(), before, 5);
}

TEST(StudyChange, RefusesWhatItCannotDo) {
  const Store store = Store::in_memory();
  (void)store.create("set", {.on = "box(0, 1, n=2)"});
  EXPECT_NE(
      message<InvalidArgument>([&] { store.change("set", threads_up_to(4)); }).find("on a set"),
      std::string::npos);
  StudyDescription other = narrow_threads();
  other.learner = "parameter_free";
  (void)store.create("other", other);
  EXPECT_NE(message<InvalidArgument>([&] {
              store.change("other", threads_up_to(64));
            }).find("parameter_free"),
            std::string::npos);
  EXPECT_NE(message<StudyError>([&] { store.change("none", threads_up_to(64)); }).find("no study"),
            std::string::npos);
}

// Whole numbers are rounded at random, and what was learned is of the points in between.
TEST(StudyChange, KeepsThePointsOfPlays) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const auto space_up_to = [](std::int64_t most) {
    return Space({{"buffer", Integer{.from = 1, .to = 65536, .scale = Scale::log}},
                  {"threads", Integer{.from = 1, .to = 8}},
                  {"workers", Integer{.from = 1, .to = 8}}},
                 {"threads + workers <= " + std::to_string(most)});
  };
  const auto count = [](const Values& values, const char* name) {
    return static_cast<double>(std::get<std::int64_t>(values.at(name)));
  };
  const Values start = {
      {"buffer", std::int64_t{256}}, {"threads", std::int64_t{2}}, {"workers", std::int64_t{2}}};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::string name = "s" + std::to_string(seed);
    Study study =
        store.create(name, {.on = space_up_to(6), .options = {.seed = seed}, .start = start});
    Random random(seed);
    for (int t = 0; t < 400; ++t) {
      const StudyPlay play = study.ask();
      study.tell(play.id, std::abs(std::log2(count(play.values, "buffer") / 64)) / 4 +
                              0.1 * std::pow(count(play.values, "threads") - 3, 2) +
                              0.1 * std::pow(count(play.values, "workers") - 3, 2) +
                              0.2 * random.normal());
    }
    const double before = count(study.recommend_values(), "buffer");
    EXPECT_EQ(store.change(name, space_up_to(8)).learned, 400U);
    const double after = count(store.open(name).recommend_values(), "buffer");
    EXPECT_LT(std::abs(std::log2(after / before)), 0.5) << before << " " << after;
  }
}

TEST(StudyChange, DropsLossesOfWhichNoParameterIsLeft) {
  const Store store = Store::in_memory();
  Study study = store.create("s", narrow_threads());
  tell_threads(study, 20);
  const Space renamed({{"workers", Integer{1, 16}}});
  const StudyChange receipt = store.change("s", renamed, {{"workers", std::int64_t{8}}});
  EXPECT_EQ(receipt.learned, 0U);
  EXPECT_EQ(receipt.dropped, 20U);
  // They are still in the log, with their names.
  EXPECT_EQ(store.change("s", threads_up_to(64), narrow_threads().start).learned, 20U);
}

// What is fixed is at no point.
TEST(StudyChange, DropsLossesOfWhichOnlyWhatIsFixedIsLeft) {
  const Store store = Store::in_memory();
  const SpaceParameter mode = {"mode", Fixed{std::string("fast")}};
  Study study = store.create("s", {.on = Space({mode, {"threads", Integer{1, 16}}})});
  for (int t = 0; t < 20; ++t) study.tell(study.ask().id, t);
  const StudyChange receipt =
      store.change("s", Space({mode, {"workers", Integer{1, 16}}}), {{"workers", std::int64_t{8}}});
  EXPECT_EQ(receipt.learned, 0U);
  EXPECT_EQ(receipt.dropped, 20U);
}

TEST(StudyChange, FixesWhatWasTuned) {
  const Store store = Store::in_memory();
  Study study = store.create("s", narrow_threads());
  study.learn({{"threads", std::int64_t{12}}, {"share", 0.25}}, 1.3);
  study.learn({{"threads", std::int64_t{4}}, {"share", 0.25}}, 2);
  const Space fixed({{"threads", Fixed{std::int64_t{12}}}, {"share", Number{.from = 0, .to = 1}}});
  const StudyChange receipt = store.change("s", fixed);
  EXPECT_EQ(receipt.learned, 1U);
  EXPECT_EQ(receipt.dropped, 1U);
  EXPECT_EQ(store.change("s", fixed), receipt);
  EXPECT_EQ(store.open("s").description().start, (Values{{"share", 0.5}}));
}

TEST(StudyChange, KeepsLossesOfNumbersThatAreNamesNow) {
  const Store store = Store::in_memory();
  const auto space_of = [](const Choice& choice) {
    return Space({{"level", choice}, {"x", Number{}}}, {}, {{"shard", choice}});
  };
  const Space numbers = space_of(Choice::of({std::int64_t{1}, std::int64_t{2}}));
  const Space names = space_of(Choice{{"1", "2"}});
  Study study =
      store.create("s", {.on = numbers, .start = {{"level", std::int64_t{2}}, {"x", 0.5}}});
  for (std::int64_t k = 0; k < 10; ++k) {
    study.tell(study.ask("", {{"shard", 1 + k % 2}}).id, 1);
  }
  for (const Space* const space : {&names, &numbers}) {
    const StudyChange receipt = store.change("s", *space);
    EXPECT_EQ(receipt.learned, 10U);
    EXPECT_EQ(receipt.dropped, 0U);
  }
}

/// What is best without a name of the list is 0.7 away from what is best on the average. Each of
/// three seeds must be within 0.25 of it, as far as the study knew it before.
TEST(StudyChange, KeepsWhatWasLearnedWithNamesThatWereNeverListed) {
  const auto space_up_to = [](double most) {
    return Space({{"x", Number{.from = -1, .to = most}}}, {}, {{"segment", Choice{{"a", "b"}}}});
  };
  const char* const names[] = {"a", "b", "lost"};
  const double best[] = {0.5, 0.1, -0.4};
  const double level[] = {0, 3, -5};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Store store = Store::in_memory();
    Study study = store.create("s", {.on = space_up_to(1), .options = {.seed = seed}});
    Random random(seed);
    for (int t = 0; t < 1500; ++t) {
      const auto which = static_cast<std::size_t>(3 * random.uniform());
      const StudyPlay play = study.ask("", {{"segment", names[which]}});
      const double off = play.point[0] - best[which];
      study.tell(play.id, level[which] + off * off + 0.1 * random.normal());
    }
    EXPECT_EQ(store.change("s", space_up_to(1.1)).learned, 1500U);
    Study changed = store.open("s");
    for (std::size_t which = 0; which < 3; ++which) {
      const Values values = changed.recommend_values({{"segment", names[which]}});
      EXPECT_NEAR(std::get<double>(values.at("x")), best[which], 0.25) << seed << names[which];
    }
  }
}

TEST(StudyChange, KnowsLossesByTheirIdFromBefore) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const std::vector<StudyPast> past = {
      {.values = {{"threads", std::int64_t{4}}, {"share", 0.25}}, .loss = 1},
      {.values = {{"threads", std::int64_t{12}}, {"share", 0.5}}, .loss = 2}};
  store.create("s", narrow_threads()).learn(past, Outside::refuse, "import");
  const auto again = [&](const char* id) {
    Study study = store.open("s");
    return study.learn(past, Outside::refuse, id);
  };
  // The losses have other points, no room, or no parameters.
  const std::vector<std::pair<Space, Values>> changes = {
      {threads_up_to(64), {}}, {threads_up_to(8), {}}, {Space({{"x", Number{}}}), {{"x", 0.5}}}};
  for (const auto& [space, start] : changes) {
    store.change("s", space, start);
    EXPECT_EQ(again("import").learned, 2U);
    EXPECT_EQ(store.open("s").past(), 2U);
  }
  EXPECT_THROW(again("other"), InvalidArgument);
}

TEST(StudyChange, IsSeenByWhoReadsTheLog) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", narrow_threads());
  tell_threads(study, 10);
  int looks = 0;
  std::size_t changes = 0;
  const StudyLog log = store.replay(
      "s", [&](const StudyRecord& record) { changes += record.changed.has_value() ? 1 : 0; },
      [&] {
        if (looks == 0) store.change("s", threads_up_to(64));
        return looks++ == 0;
      });
  EXPECT_EQ(changes, 1U);
  EXPECT_EQ(log.state_hash, store.open("s").state().hash());
}

TEST(StudyChange, IsMadeOnceByManyAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const Folder folder;
    const Store store(folder.path(""), {.durability = Durability::process});
    {
      Study study = store.create("s", narrow_threads());
      tell_threads(study, 50);
    }
    const Gate gate(4);
    const auto notes = at_once(Way::processes, 4, [&](int actor, const Take& take) {
      gate.wait();
      const StudyChange receipt = store.change("s", threads_up_to(64));
      take({.actor = actor, .play = receipt.learned});
    });
    EXPECT_EQ(notes.size(), 4U);
    for (const Note& note : notes) EXPECT_EQ(note.play, 50U) << note.text;
    int changes = 0;
    store.replay("s", [&](const StudyRecord& record) { changes += record.changed ? 1 : 0; });
    EXPECT_EQ(changes, 1);
  }
}

// The points of an era before the last are of another space.
TEST(StudyChange, MayBeChangedAgainWithItsParametersInAnotherOrder) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const Number unit{.from = 0, .to = 1};
  Study study = store.create("s", {.on = Space({{"a", unit}, {"b", unit}})});
  for (int t = 0; t < 100; ++t) {
    const StudyPlay play = study.ask();
    const double a = std::get<double>(play.values.at("a"));
    const double b = std::get<double>(play.values.at("b"));
    study.tell(play.id, (a - 0.9) * (a - 0.9) + (b - 0.1) * (b - 0.1));
  }
  for (const double most : {1.0, 1.5}) {
    const Number wider{.from = 0, .to = most};
    EXPECT_EQ(store.change("s", Space({{"b", unit}, {"a", wider}})).learned, 100U);
    const Values values = store.open("s").recommend_values();
    EXPECT_NEAR(std::get<double>(values.at("a")), 0.9, 0.1) << most;
    EXPECT_NEAR(std::get<double>(values.at("b")), 0.1, 0.1) << most;
  }
}

}  // namespace
}  // namespace keyhole::tests
