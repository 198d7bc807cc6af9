// What a store promises besides store_suite.h, and a client of a service does not have.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "store_suite.h"
#include "wait.h"

namespace keyhole::tests {

class StoreItself : public StoreSuite {};

TEST_P(StoreItself, NamesTheTellThatIsWrong) {
  const auto study = store_->create("s", a_ball());
  (void)study->ask_many(3);
  (void)study->tell(1, 0.5);
  const std::vector<std::vector<StudyTell>> wrong = {
      {{1, 0.25}, {2, 1}}, {{2, 1}, {4, 1}}, {{2, 1}, {3, 1}, {2, 2}}, {{1, 0.5}, {2, NAN}}};
  const std::vector<std::size_t> places = {0, 1, 2, 1};
  for (std::size_t k = 0; k < wrong.size(); ++k) {
    try {
      (void)study->step(wrong[k], 1, "");
      ADD_FAILURE() << k;
    } catch (const TellError& error) {
      EXPECT_EQ(error.index(), places[k]) << error.what();
    }
  }
}

TEST_P(StoreItself, ACopyIsAStudyOfItsOwn) {
  const Backend others = GetParam().make();
  const Folder folder;
  const auto study = store_->create("s", a_space());
  make_steps(*study, "w", 80);
  const State state = study->state();
  for (const Backend& there : {others, store_at(folder.path("studies"))}) {
    store_->copy("s", there.logs());
    EXPECT_EQ(code_of([&] { store_->copy("s", there.logs()); }), ErrorCode::other_description);
    const auto copy = there.connect()->open("s");
    EXPECT_EQ(copy->state(), state);
    EXPECT_EQ(copy->ask("w"), study->ask("w"));  // its workers came with it
    make_steps(*copy, "w", 5);
    EXPECT_EQ(expect_whole(there.logs(), "s").told, 85U);
  }
  EXPECT_EQ(study->state(), state);  // as it was
  store_->remove("s");
  EXPECT_EQ(others.connect()->open("s")->summary().told, 85U);
}

TEST_P(StoreItself, WhatIsDeletedCanBeBroughtBack) {
  const Store store = backend_.logs();
  const auto now = static_cast<std::uint64_t>(std::time(nullptr));
  const auto play = [](Study& study) {
    const PlayId id = study.ask("w").id;
    study.tell(id, loss_of(id));
  };
  Study first = store.create("s", a_ball());
  play(first);
  const State state = first.state();
  store.remove("s", 3600);
  EXPECT_TRUE(store.list().empty());
  EXPECT_TRUE(store.identity("s").empty());
  EXPECT_EQ(code_of([&] { (void)store.open("s"); }), ErrorCode::unknown_study);
  EXPECT_EQ(code_of([&] { play(first); }), ErrorCode::replaced);  // who has it open
  ASSERT_EQ(store.deleted().size(), 1U);
  EXPECT_EQ(store.deleted().front().name, "s");
  EXPECT_NEAR(static_cast<double>(store.deleted().front().until), static_cast<double>(now + 3600),
              60);
  // Of two, the latest comes back.
  (void)store.create("s", a_ball(9));
  store.set_label("s", {.tags = {"second"}});
  const State second = store.open("s").state();
  EXPECT_EQ(code_of([&] { store.undelete("s"); }), ErrorCode::other_description);
  store.remove("s", 60);  // the latest, though the other one is kept for longer
  EXPECT_EQ(backend_.logs().deleted().size(), 2U);
  store.undelete("s");
  EXPECT_EQ(store.open("s").state(), second);
  EXPECT_EQ(store.label("s").tags, std::vector<std::string>{"second"});
  store.remove("s");
  store.undelete("s");
  Study again = store.open("s");
  EXPECT_EQ(again.state(), state);
  play(again);
  EXPECT_EQ(expect_whole(store, "s").told, 2U);
  EXPECT_TRUE(store.deleted().empty());
  EXPECT_EQ(code_of([&] { store.undelete("t"); }), ErrorCode::unknown_study);
  // What was kept for long enough is gone.
  (void)store.create("short", a_ball());
  store.remove("short", 0.5);
  EXPECT_TRUE(comes_true([&] { return store.deleted().empty(); }));
  EXPECT_EQ(code_of([&] { store.undelete("short"); }), ErrorCode::unknown_study);
  (void)store.create("short", a_ball());
  store.remove("short");
  EXPECT_EQ(store.list(), std::vector<std::string>{"s"});
}

TEST_P(StoreItself, AllOfItIsCopied) {
  const Store store = backend_.logs();
  const Store acme = store.within("acme");
  Study quiet = store.create("quiet", a_ball());
  Study busy = store.create("busy", a_ball());
  Study theirs = acme.create("busy", a_space());
  const auto play = [](Study& study, int rounds) {
    for (int t = 0; t < rounds; ++t) study.tell(study.ask().id, 0.25);
  };
  play(quiet, 20);
  play(busy, 80);
  play(theirs, 5);
  EXPECT_EQ(store.tenants(), std::vector<std::string>{"acme"});
  EXPECT_EQ(acme.tenants(), std::vector<std::string>());
  const Backend others = GetParam().make();
  const Folder folder;
  for (const Store& to : {others.logs(), Store(folder.path("all"), quick_steps)}) {
    const auto expect = [&](std::size_t copied, std::size_t there, std::size_t failed) {
      const StoreCopy done = store.copy_all(to);
      EXPECT_EQ(done.copied, copied);
      EXPECT_EQ(done.there, there);
      EXPECT_EQ(done.failures.size(), failed);
      return done.failures;
    };
    store.set_label("quiet", {.tags = {"prod"}});
    expect(3, 0, 0);
    const std::string identity = to.identity("busy");
    EXPECT_EQ(to.open("busy").state(), busy.state());
    EXPECT_EQ(to.within("acme").open("busy").state(), theirs.state());
    EXPECT_EQ(to.label("quiet").tags, std::vector<std::string>{"prod"});
    store.set_label("quiet", {.note = "later"});
    expect(0, 3, 0);
    EXPECT_EQ(to.label("quiet").note, "later");
    // What goes on here is brought there; what goes on there is left alone.
    play(busy, 3);
    Study ahead = to.open("quiet");
    play(ahead, 2);
    Study follower = to.open("busy");
    expect(1, 2, 0);
    EXPECT_EQ(to.open("busy").state(), busy.state());
    EXPECT_EQ(to.identity("busy"), identity);  // it goes on, and nobody loses it
    EXPECT_EQ(follower.summary().told, busy.summary().told);
    EXPECT_EQ(to.log_bytes("busy"), store.log_bytes("busy"));
    EXPECT_EQ(to.open("quiet").state(), ahead.state());
    // What went on in both is said.
    quiet.tell(quiet.ask().id, 0.75);
    play(theirs, 1);
    const std::vector<std::string> failures = expect(1, 1, 1);
    EXPECT_NE(failures.front().find("there is a study 'quiet'"), std::string::npos);
    EXPECT_EQ(to.open("quiet").state(), ahead.state());
  }
  // The studies of one tenant.
  const Store one = Store::in_memory();
  EXPECT_EQ(acme.copy_all(one).copied, 1U);
  EXPECT_EQ(one.list(), std::vector<std::string>{"busy"});
}

TEST_P(StoreItself, KeepsTheArraysOfItsSet) {
  // Too long to be written into a spec.
  std::vector<double> weights(100000);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = 1 + 1 / (3.0 + static_cast<double>(i));
  const Array array(weights);
  const StudyDescription description{.on = "knapsack(array(\"" + array.name() + "\"), 100)",
                                     .learner = "parameter_free",
                                     .contents = {{array.name(), array}}};
  const StudyDescription without{.on = description.on, .learner = description.learner};
  EXPECT_EQ(code_of([&] { (void)store_->create("s", without); }), ErrorCode::unreadable_spec);
  const auto study = store_->create("s", description);
  make_steps(*study, "w", 3);
  const State state = study->state();
  EXPECT_LT(backend_.logs().log_bytes("s"), 10000U);  // they are not in the log
  EXPECT_EQ(backend_.connect()->open("s")->state(), state);
  EXPECT_EQ(store_->create("s", without)->state(), state);  // it is there
  const Backend others = GetParam().make();
  const Folder folder;
  for (const Backend& there : {others, store_at(folder.path("studies"))}) {
    store_->copy("s", there.logs());
    EXPECT_EQ(there.connect()->open("s")->state(), state);
  }
  store_->remove("s");
  EXPECT_EQ(code_of([&] { (void)store_->create("s", without); }), ErrorCode::unreadable_spec);
}

TEST_P(StoreItself, KeepsWhatWasKnown) {
  const StudyDescription by_the_load{.on = Space({{"batch", Integer{1, 64}}}, {},
                                                 {{"load", Number{.from = 0, .to = 5000}},
                                                  {"segment", Choice{{"new", "old"}}},
                                                  {"hour", Cyclic{24}}})};
  const Store one = backend_.logs();
  const Store other = backend_.logs();
  Study here = one.create("s", by_the_load);
  Study there = other.open("s");
  for (int k = 0; k < 40; ++k) {  // by turns
    Study& study = k % 2 == 0 ? here : there;
    const Values known = {{"load", 100.0 * k}, {"segment", k % 3 == 0 ? "new" : "old"}};
    const StudyPlay play = study.ask("w", known);
    EXPECT_EQ(play.context, known);
    EXPECT_EQ((k % 2 == 0 ? there : here).ask("w"), play);
    study.tell(play.id, loss_of(play.id));
  }
  here.learn({{.values = {{"batch", 3}}, .loss = 1, .context = {{"hour", 3.5}}}});
  EXPECT_EQ(there.state(), here.state());
  EXPECT_EQ(backend_.logs().open("s").state(), here.state());
  Learner twin = twin_of(by_the_load);
  const StudyLog log = one.replay("s", [&](const StudyRecord& record) {
    for (const StudyTell& tell : record.tells) tell_as(twin, by_the_load, tell);
    for (const StudyPlay& play : record.gave.plays) {
      EXPECT_EQ(ask_as(twin, by_the_load, play), play.point);
    }
    for (const StudyPast& past : record.past) {
      twin.learn(std::get<Space>(by_the_load.on).context(past.context), past.point, past.loss);
    }
  });
  EXPECT_EQ(log.state_hash, here.state().hash());
  EXPECT_EQ(twin.state().hash(), log.state_hash);
}

TEST_P(StoreItself, KeepsWhatWasMeasured) {
  const StudyDescription within_limits{
      .on = Space({{"batch", Number{}}}, {}, {},
                  {{"p99", {.most = 0.8}, "s"}, {"spend", {.most = 1, .over_all = true}}})};
  const Store one = backend_.logs();
  const Store other = backend_.logs();
  Study here = one.create("s", within_limits);
  Study there = other.open("s");
  for (int k = 0; k < 40; ++k) {  // by turns
    Study& study = k % 2 == 0 ? here : there;
    Study& another = k % 2 == 0 ? there : here;
    const StudyPlay play = study.ask("w");
    const Values p99 = {{"p99", play.point[0] + loss_of(play.id)}};
    if (k % 3 != 0) another.measure(play.id, p99);
    EXPECT_EQ(study.ask("w"), play);
    EXPECT_EQ(study.tell(play.id, loss_of(play.id), {{"spend", play.point[0]}}), Receipt::fresh);
    EXPECT_EQ(another.tell(play.id, loss_of(play.id), p99), Receipt::repeated);
    EXPECT_EQ(code_of([&] { study.measure(play.id, {{"p99", 7}}); }), ErrorCode::contradiction);
  }
  EXPECT_EQ(there.state(), here.state());
  EXPECT_EQ(backend_.logs().open("s").state(), here.state());
  Learner twin = twin_of(within_limits);
  const StudyLog log = one.replay("s", [&](const StudyRecord& record) {
    for (const StudyTell& tell : record.tells) tell_as(twin, within_limits, tell);
    for (const StudyPlay& play : record.gave.plays) EXPECT_EQ(twin.ask().point, play.point);
  });
  EXPECT_EQ(log.state_hash, here.state().hash());
  EXPECT_EQ(twin.state().hash(), log.state_hash);
}

}  // namespace keyhole::tests
