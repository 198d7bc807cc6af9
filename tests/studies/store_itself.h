// What a store promises besides store_suite.h, and a client of a service does not have.

#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "store_suite.h"

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
