// What every store promises, whatever it keeps its studies in. One file of a program includes this
// and lists its kinds:
//
//   INSTANTIATE_TEST_SUITE_P(Stores, StoreSuite, testing::Values(kind), name_of_kind);
//   INSTANTIATE_TEST_SUITE_P(Stores, StoreAtOnce, kinds_and_ways({kind}), name_of_kind_and_way);
//
// store_itself.h has what a service does not offer.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "at_once.h"
#include "judge.h"
#include "random.h"
#include "store_under_test.h"
#include "twin.h"

namespace keyhole::tests {

class StoreSuite : public testing::TestWithParam<Kind> {
 protected:
  [[nodiscard]] std::unique_ptr<StoreUnderTest> connect() const { return backend_.connect(); }

  const Kind kind_ = GetParam();
  const Backend backend_ = kind_.make();
  const std::unique_ptr<StoreUnderTest> store_ = backend_.connect();
};

inline std::string name_of_kind(const testing::TestParamInfo<Kind>& info) {
  return info.param.name;
}

// What the cases share.

inline StudyDescription a_ball(std::uint64_t seed = 7) {
  return {.on = "ball(2)", .options = {.seed = seed}};
}

inline StudyDescription a_space() {
  return {.on = Space({{"batch", Integer{1, 64}},
                       {"codec", Choice{{"zstd", "lz4"}}},
                       {"wait", Number{.from = 1, .to = 100, .scale = Scale::log}}}),
          .options = {.seed = 3, .window = 100}};
}

/// The code of what a call throws; nothing if it throws nothing.
template <class Call>
std::optional<ErrorCode> code_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

/// That many rounds by a worker.
inline void make_steps(StudyUnderTest& study, const std::string& worker, int count) {
  StudyPlay play = study.ask(worker);
  for (int k = 0; k < count; ++k) {
    play = study.step({{play.id, loss_of(play.id)}}, 1, worker).plays.front();
  }
}

/// The log of a study that was told loss_of() is whole, and has what was heard of it.
inline Verdict expect_whole(const Store& logs, const std::string& name,
                            const std::vector<Heard>& heard = {}) {
  SCOPED_TRACE("the study " + name);
  const auto loss = [](const StudyPlay& play) { return loss_of(play.id); };
  const Verdict verdict = verdict_on(logs, name, loss, heard);
  EXPECT_EQ(verdict.faults, std::vector<std::string>());
  EXPECT_EQ(verdict.torn, 0U);
  return verdict;
}

/// Puts a study of 89 plays there that another version has made, by the name "old".
inline void put_old_study(const Store& logs) {
  const Folder folder;
  std::filesystem::copy(std::string(KEYHOLE_SOURCE_DIR) + "/tests/golden/study_5",
                        folder.path("old"), std::filesystem::copy_options::recursive);
  Store(folder.path(""), quick_steps).copy("old", logs);
}

// One at a time.

TEST_P(StoreSuite, CreatesOpensListsAndRemoves) {
  EXPECT_TRUE(store_->list().empty());
  (void)store_->create("b", a_ball());
  (void)store_->create("B", a_ball());
  (void)store_->create("a.1-_", a_space());
  EXPECT_EQ(connect()->list(), (std::vector<std::string>{"B", "a.1-_", "b"}));
  EXPECT_EQ(connect()->open("b")->ask("").id, 1U);
  store_->remove("b");
  EXPECT_EQ(connect()->list(), (std::vector<std::string>{"B", "a.1-_"}));
  (void)connect()->create("b", a_space());  // the name is free
  EXPECT_EQ(store_->open("b")->ask("").values.size(), 3U);
}

TEST_P(StoreSuite, CreatedAgainItIsTheSameStudy) {
  for (const auto& [name, description] : {std::pair("b", a_ball()), std::pair("s", a_space())}) {
    const auto study = store_->create(name, description);
    make_steps(*study, "w", 5);
    const auto again = connect()->create(name, description);
    EXPECT_EQ(again->state(), study->state());
    EXPECT_EQ(again->ask("w").id, 6U);
  }
  EXPECT_EQ(store_->list().size(), 2U);
}

TEST_P(StoreSuite, AnotherDescriptionIsRefused) {
  const auto study = store_->create("s", a_ball());
  make_steps(*study, "w", 3);
  const State before = study->state();
  StudyDescription narrow = a_ball();
  narrow.options.window = 9;
  for (const StudyDescription& other : {a_ball(8), a_space(), narrow}) {
    EXPECT_EQ(code_of([&] { (void)connect()->create("s", other); }), ErrorCode::other_description);
  }
  EXPECT_EQ(connect()->open("s")->state(), before);
}

TEST_P(StoreSuite, AnUnknownStudyIsOne) {
  (void)store_->create("cache", a_ball());
  EXPECT_EQ(code_of([&] { (void)store_->open("cash"); }), ErrorCode::unknown_study);
  EXPECT_EQ(code_of([&] { store_->remove("cash"); }), ErrorCode::unknown_study);
  EXPECT_EQ(code_of([&] { store_->renew("cash"); }), ErrorCode::unknown_study);
  if (kind_.is_store) {
    EXPECT_EQ(code_of([&] { store_->copy("cash", GetParam().make().logs()); }),
              ErrorCode::unknown_study);
  }
  EXPECT_EQ(store_->list(), std::vector<std::string>{"cache"});
}

TEST_P(StoreSuite, AStudyThatWasDeletedIsGone) {
  const auto study = store_->create("s", a_ball());
  make_steps(*study, "w", 3);
  connect()->remove("s");
  const ErrorCode gone = kind_.is_store ? ErrorCode::replaced : ErrorCode::unknown_study;
  EXPECT_EQ(code_of([&] { (void)study->ask(""); }), gone);
  EXPECT_EQ(code_of([&] { (void)study->tell(4, 0.5); }), gone);
  EXPECT_EQ(code_of([&] { (void)study->state(); }), gone);
  EXPECT_EQ(code_of([&] { study->explore(false); }), gone);
  EXPECT_EQ(code_of([&] { (void)store_->open("s"); }), ErrorCode::unknown_study);
  const auto other = connect()->create("s", a_ball());
  if (kind_.is_store) {
    EXPECT_EQ(code_of([&] { (void)study->tell(1, 0.5); }), ErrorCode::replaced);
  }
  EXPECT_EQ(other->ask("").id, 1U);
}

TEST_P(StoreSuite, WhatIsNoNameIsRefused) {
  const std::string long_name(101, 'x');
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("-a"), std::string("../a"),
        std::string("a/b"), std::string("a b"), std::string("\xc3\xa9"), long_name}) {
    EXPECT_THROW((void)store_->create(name, a_ball()), Error) << name;
    if (!name.empty()) {  // a service would list its studies
      EXPECT_THROW((void)store_->open(name), Error) << name;
      EXPECT_THROW(store_->remove(name), Error) << name;
    }
  }
  EXPECT_TRUE(store_->list().empty());
  (void)store_->create(long_name.substr(1), a_ball());
  EXPECT_EQ(store_->list().size(), 1U);
}

TEST_P(StoreSuite, WhatCannotBeMadeLeavesNothing) {
  EXPECT_THROW((void)store_->create("s", {.on = "simplx(3)"}), Error);
  EXPECT_THROW((void)store_->create("s", {.on = "ball(2)", .learner = "nobody"}), Error);
  StudyDescription none = a_ball();
  none.options.window = 0;
  EXPECT_THROW((void)store_->create("s", none), Error);
  EXPECT_TRUE(store_->list().empty());
  EXPECT_EQ(code_of([&] { (void)store_->open("s"); }), ErrorCode::unknown_study);
}

// Asks and tells.

TEST_P(StoreSuite, WhatIsWrittenOnAStudyStays) {
  (void)store_->create("s", a_ball());
  EXPECT_EQ(store_->label("s"), StudyLabel());
  const StudyLabel label = {.note = "for the new index\n\n  on \"zwei\" \u00e4pfel \\",
                            .tags = {"prod", "team:search/eu", "v1.2-b_3"}};
  store_->set_label("s", label);
  const auto study = store_->open("s");
  make_steps(*study, "w", 3);
  EXPECT_EQ(connect()->label("s"), label);
  if (kind_.is_store) {
    const Backend other = GetParam().make();
    store_->copy("s", other.logs());
    EXPECT_EQ(other.connect()->label("s"), label);
  }
  // What is written takes the place of what was there.
  store_->set_label("s", {.note = "\nsecond line", .tags = {"a", "b", "a"}});
  EXPECT_EQ(connect()->label("s"), (StudyLabel{.note = "\nsecond line", .tags = {"a", "b"}}));
  store_->set_label("s", {.note = "alone"});
  EXPECT_EQ(connect()->label("s"), (StudyLabel{.note = "alone"}));
  store_->set_label("s", {.tags = {"alone"}});
  EXPECT_EQ(connect()->label("s"), (StudyLabel{.tags = {"alone"}}));

  // What cannot be written changes nothing.
  std::vector<std::string> many;
  for (int k = 0; k < 21; ++k) many.push_back("t" + std::to_string(k));
  const std::vector<StudyLabel> bad = {{.note = std::string(10001, 'x')},
                                       {.tags = {"two words"}},
                                       {.tags = {""}},
                                       {.tags = {"a,b"}},
                                       {.tags = {"line\nend"}},
                                       {.tags = {std::string(101, 'x')}},
                                       {.tags = many}};
  for (const StudyLabel& wrong : bad) {
    EXPECT_EQ(code_of([&] { store_->set_label("s", wrong); }), ErrorCode::invalid_argument);
  }
  EXPECT_EQ(connect()->label("s"), (StudyLabel{.tags = {"alone"}}));
  many.pop_back();
  const StudyLabel largest = {.note = std::string(10000, 'x'), .tags = many};
  store_->set_label("s", largest);
  EXPECT_EQ(connect()->label("s"), largest);

  EXPECT_EQ(code_of([&] { (void)store_->label("t"); }), ErrorCode::unknown_study);
  EXPECT_EQ(code_of([&] { store_->set_label("t", label); }), ErrorCode::unknown_study);
  // It goes with the study.
  store_->remove("s");
  (void)store_->create("s", a_ball());
  EXPECT_EQ(connect()->label("s"), StudyLabel());
}

TEST_P(StoreSuite, StudiesAreFound) {
  std::vector<LabelledStudy> all = {{"Cache", {.note = "of the WEB tier", .tags = {"prod"}}},
                                    {"cache-eu", {.tags = {"prod", "eu"}}},
                                    {"cache-us", {.note = "see cache-eu"}},
                                    {"web", {}}};
  for (const auto& [name, label] : all) {
    (void)store_->create(name, a_ball());
    if (label != StudyLabel()) store_->set_label(name, label);
  }
  const auto names = [&](const StudySearch& search) {
    std::vector<std::string> found;
    for (const auto& [name, label] : connect()->find(search)) found.push_back(name);
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(store_->find({}), all);
  EXPECT_EQ(names({.text = "CACHE"}), (Names{"Cache", "cache-eu", "cache-us"}));
  EXPECT_EQ(names({.text = "web"}), (Names{"Cache", "web"}));
  EXPECT_EQ(names({.text = "cache-eu"}), (Names{"cache-eu", "cache-us"}));
  EXPECT_EQ(names({.tag = "prod"}), (Names{"Cache", "cache-eu"}));
  EXPECT_EQ(names({.tag = "pro"}), Names());
  EXPECT_EQ(names({.text = "eu", .tag = "prod"}), Names{"cache-eu"});
  EXPECT_EQ(names({.prefix = "cache"}), (Names{"cache-eu", "cache-us"}));
  EXPECT_EQ(names({.prefix = "cache", .after = "cache-eu"}), Names{"cache-us"});
  EXPECT_EQ(names({.prefix = "x"}), Names());
  EXPECT_EQ(names({.after = "Cache", .most = 2}), (Names{"cache-eu", "cache-us"}));
  EXPECT_EQ(names({.tag = "prod", .most = 1}), Names{"Cache"});
  EXPECT_EQ(names({.after = "cache"}), (Names{"cache-eu", "cache-us", "web"}));
  EXPECT_EQ(names({.after = "web"}), Names());
  EXPECT_EQ(names({.most = 0}), Names());
  store_->remove("cache-eu");
  EXPECT_EQ(names({.prefix = "cache"}), Names{"cache-us"});
}

TEST_P(StoreSuite, AWorkerGetsItsPlayAgain) {
  const auto study = store_->create("s", a_space());
  const StudyPlay first = study->ask("w1");
  const StudyPlay second = study->ask("w2");
  EXPECT_EQ(first.id, 1U);
  EXPECT_EQ(second.id, 2U);
  EXPECT_EQ(study->ask("w1"), first);
  EXPECT_EQ(connect()->open("s")->ask("w2"), second);
  EXPECT_EQ(study->ask("").id, 3U);  // nobody in particular
  EXPECT_EQ(connect()->open("s")->tell(first.id, 1), Receipt::fresh);
  const StudyPlay fourth = study->ask("w1");
  EXPECT_EQ(fourth.id, 4U);
  // A step tells and asks; made again, after an answer that was lost, it gives the same.
  const StudyStep step = study->step({{fourth.id, 0.5}}, 1, "w1");
  EXPECT_EQ(step.receipts, std::vector<Receipt>{Receipt::fresh});
  EXPECT_EQ(step.plays.front().id, 5U);
  const StudyStep again = connect()->open("s")->step({{fourth.id, 0.5}}, 1, "w1");
  EXPECT_EQ(again.receipts, std::vector<Receipt>{Receipt::repeated});
  EXPECT_EQ(again.plays, step.plays);
  EXPECT_EQ(study->summary().asked, 5U);
  EXPECT_EQ(study->ask_many(3).back().id, 8U);
  (void)study->ask_many(100);  // beyond the window
  EXPECT_EQ(study->ask("w2").id, 109U);
}

TEST_P(StoreSuite, ManyPlaysAreOneUnit) {
  constexpr std::size_t count = 500;  // which takes more than one packet to answer
  const auto study = store_->create("s", a_ball());
  Learner twin = twin_of(a_ball());
  std::vector<StudyTell> tells;
  for (const StudyPlay& play : study->ask_many(count)) {
    ASSERT_EQ(play.point, twin.ask().point);
    tells.push_back({play.id, loss_of(play.id)});
  }
  ASSERT_EQ(tells.size(), count);
  for (const StudyTell& tell : tells) (void)twin.tell(tell.id, *tell.loss);
  EXPECT_EQ(study->step(tells, 0, "").receipts, std::vector<Receipt>(count, Receipt::fresh));
  EXPECT_EQ(connect()->open("s")->state(), twin.state());
}

TEST_P(StoreSuite, ALossCountsOnce) {
  const auto study = store_->create("s", a_ball());
  (void)study->ask_many(4);
  EXPECT_EQ(study->tell(2, 0.5), Receipt::fresh);
  EXPECT_EQ(study->tell(2, 0.5), Receipt::repeated);
  EXPECT_EQ(connect()->open("s")->step({{2, 0.5}, {1, 0.25}, {1, 0.25}}, 0, "").receipts,
            (std::vector<Receipt>{Receipt::repeated, Receipt::fresh, Receipt::repeated}));
  const Summary summary = study->summary();
  EXPECT_EQ(summary.told, 2U);
  EXPECT_EQ(summary.pending, 2U);
  EXPECT_EQ(summary.average, 0.375);
}

TEST_P(StoreSuite, WhatIsWrongWithATellChangesNothing) {
  const auto study = store_->create("s", a_ball());
  (void)study->ask_many(3);
  (void)study->tell(1, 0.5);
  const State before = study->state();
  EXPECT_EQ(code_of([&] { (void)study->tell(1, 0.25); }), ErrorCode::contradiction);
  EXPECT_EQ(code_of([&] { (void)study->tell(4, 0.5); }), ErrorCode::unknown_play);
  EXPECT_EQ(code_of([&] { (void)study->tell(0, 0.5); }), ErrorCode::unknown_play);
  EXPECT_EQ(code_of([&] { (void)study->tell(2, 1e60); }), ErrorCode::unusable_feedback);
  EXPECT_EQ(code_of([&] {
              (void)study->step({{2, 0.1}, {2, 0.2}}, 1, "w");
            }),
            ErrorCode::contradiction);
  EXPECT_EQ(code_of([&] {
              (void)study->step({{2, 0.1}, {3, 0.1}, {9, 0.1}}, 1, "w");
            }),
            ErrorCode::unknown_play);
  EXPECT_EQ(study->state(), before);
  EXPECT_EQ(connect()->open("s")->state(), before);
  EXPECT_EQ(study->ask("w").id, 4U);
}

TEST_P(StoreSuite, APlayExpires) {
  StudyDescription description = a_ball();
  description.options.window = 4;
  const auto study = store_->create("s", description);
  const StudyPlay old = study->ask("w");
  (void)study->ask_many(4);
  EXPECT_EQ(study->tell(old.id, 0.5), Receipt::expired);
  EXPECT_EQ(study->tell(2, 0.5), Receipt::fresh);
  EXPECT_EQ(study->ask("w").id, 6U);
  EXPECT_EQ(connect()->open("s")->tell(old.id, 0.75), Receipt::expired);
  EXPECT_EQ(study->summary().told, 1U);
}

TEST_P(StoreSuite, AHorizonIsNotExceeded) {
  StudyDescription short_one = a_ball();
  short_one.learner = "projection_free(loss_bound=1, horizon=5)";
  const auto study = store_->create("s", short_one);
  (void)study->ask_many(3);
  EXPECT_EQ(code_of([&] { (void)study->ask_many(3); }), ErrorCode::horizon_used_up);
  EXPECT_EQ(study->ask_many(2).back().id, 5U);
  EXPECT_EQ(code_of([&] { (void)study->ask("w"); }), ErrorCode::horizon_used_up);
  EXPECT_EQ(connect()->open("s")->summary().asked, 5U);
}

// What was learned.

TEST_P(StoreSuite, GoesOnBitForBitWhereverItIsOpenedAgain) {
  StudyDescription other_learner = {.on = "simplex(3)", .learner = "parameter_free"};
  other_learner.options.maximize = true;
  int number = 0;
  for (const StudyDescription& description : {a_ball(), a_space(), other_learner}) {
    const std::string name = "s" + std::to_string(++number);
    auto study = store_->create(name, description);
    Learner twin = twin_of(description);
    const auto* const space = std::get_if<Space>(&description.on);
    Random random(1);
    std::vector<StudyPlay> pending;
    for (int t = 1; t <= 60; ++t) {
      if (t % 5 == 0) study = connect()->open(name);
      const StudyPlay play = study->ask("");
      const Play expected = twin.ask();
      ASSERT_EQ(play.id, expected.id);
      ASSERT_EQ(play.point, expected.point);
      if (space != nullptr) {
        ASSERT_EQ(play.values, space->values(play.point, description.options.seed, play.id));
      }
      pending.push_back(play);
      while (!pending.empty() && random.uniform() < 0.6) {  // late, in any order, or never
        const std::size_t k = random.integer(0, pending.size() - 1);
        const double loss = random.normal();
        ASSERT_EQ(study->tell(pending[k].id, loss), twin.tell(pending[k].id, loss));
        pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    const auto again = connect()->open(name);
    EXPECT_EQ(again->state(), twin.state());
    EXPECT_EQ(again->recommend(), twin.recommend());
    if (space != nullptr) {
      EXPECT_EQ(again->recommend_values(), space->likeliest(twin.recommend()));
    }
    EXPECT_EQ(again->summary().told, twin.summary().told);
    EXPECT_EQ(again->summary().average, twin.summary().average);
    EXPECT_EQ(backend_.logs().replay(name, [](const StudyRecord&) {}).state_hash,
              twin.state().hash());
  }
}

/// Losses of the past and counts: what is learned is what a learner learns, wherever the study is
/// opened, and what cannot be taken changes nothing.
TEST_P(StoreSuite, ThePastAndCountsAreKept) {
  const auto study = store_->create("s", a_space());
  const Space space = std::get<Space>(a_space().on);
  Learner twin = twin_of(a_space());
  const auto values = [](double batch, const std::string& codec, double wait) {
    return Values{{"batch", batch}, {"codec", codec}, {"wait", wait}};
  };
  std::vector<StudyPast> past;
  for (int k = 0; k < 20; ++k) {
    past.push_back({.values = values(1 + 3 * k, k % 2 == 0 ? "zstd" : "lz4", 2 + k),
                    .loss = 0.1 * k,
                    .count = 1.0 + k % 4});
    twin.learn(space.point(past.back().values), past.back().loss, past.back().count);
  }
  EXPECT_EQ(study->learn(past, Outside::refuse).learned, 20U);
  std::vector<StudyPast> outside = {{.values = values(7, "lz4", 5), .loss = 1},
                                    {.values = values(999, "lz4", 5), .loss = 2}};
  const State before = study->state();
  EXPECT_EQ(code_of([&] { study->learn(outside, Outside::refuse); }), ErrorCode::invalid_argument);
  outside[1].loss = 1e200;
  EXPECT_EQ(code_of([&] { study->learn(outside, Outside::project); }),
            ErrorCode::unusable_feedback);
  EXPECT_EQ(study->state(), before);
  outside[1].loss = 2;
  EXPECT_EQ(study->learn(outside, Outside::skip).skipped, 1U);
  EXPECT_EQ(study->learn(outside, Outside::project).projected, 1U);
  for (const double batch : {7.0, 7.0, 64.0}) {
    twin.learn(space.point(values(batch, "lz4", 5)), batch == 7 ? 1 : 2);
  }
  EXPECT_EQ(study->past(), 23U);
  for (int t = 1; t <= 30; ++t) {
    const auto again = connect()->open("s");
    const StudyPlay play = again->ask("w");
    ASSERT_EQ(play.point, twin.ask().point);
    EXPECT_EQ(again->tell(play.id, 0.01 * t, 0.5 * t), Receipt::fresh);
    EXPECT_EQ(again->tell(play.id, 0.01 * t, 0.5 * t), Receipt::repeated);
    twin.tell(play.id, 0.01 * t, 0.5 * t);
    twin.tell(play.id, 0.01 * t, 0.5 * t);
  }
  EXPECT_EQ(code_of([&] { study->tell(30, 0.3, 7); }), ErrorCode::contradiction);
  EXPECT_EQ(code_of([&] { study->tell(30, 0.3, -1); }), ErrorCode::unusable_feedback);
  EXPECT_EQ(study->state(), twin.state());
  EXPECT_EQ(connect()->open("s")->past(), 23U);
  const Store logs = backend_.logs();
  EXPECT_EQ(logs.replay("s", [](const StudyRecord&) {}).state_hash, twin.state().hash());
}

TEST_P(StoreSuite, APauseIsKept) {
  auto study = store_->create("s", a_ball());
  Learner twin = twin_of(a_ball());
  for (int t = 1; t <= 60; ++t) {
    if (t % 10 == 0) {
      const bool on = t % 20 == 0;
      study->explore(on);
      study->explore(on);  // which it is
      twin.explore(on);
    }
    if (t % 7 == 0) study = connect()->open("s");
    const StudyPlay play = study->ask("");
    const Play expected = twin.ask();
    ASSERT_EQ(play.point, expected.point);
    EXPECT_EQ(play.recommended, !twin.explores());
    EXPECT_EQ(study->explores(), twin.explores());
    EXPECT_EQ(study->tell(play.id, loss_of(play.id)), Receipt::fresh);
    (void)twin.tell(expected.id, loss_of(expected.id));
  }
  EXPECT_EQ(study->state(), twin.state());
  EXPECT_EQ(connect()->open("s")->state(), twin.state());
}

TEST_P(StoreSuite, AStudyOfAnotherVersionIsRenewed) {
  put_old_study(backend_.logs());
  const auto study = store_->open("old");
  const std::vector<double> recommended = study->recommend();
  EXPECT_EQ(code_of([&] { (void)study->ask("w"); }), ErrorCode::needs_renewal);
  EXPECT_EQ(code_of([&] { (void)study->tell(1, 0.5); }), ErrorCode::needs_renewal);
  const std::uint64_t bytes = backend_.logs().log_bytes("old");
  EXPECT_EQ(store_->renew("old", true), Renewal::what_was_learned);
  EXPECT_EQ(code_of([&] { (void)study->ask("w"); }), ErrorCode::needs_renewal);
  EXPECT_EQ(backend_.logs().log_bytes("old"), bytes);
  EXPECT_EQ(store_->renew("old"), Renewal::what_was_learned);
  EXPECT_EQ(store_->renew("old"), Renewal::not_needed);
  EXPECT_EQ(store_->renew("old", true), Renewal::not_needed);
  const auto again = connect()->open("old");
  EXPECT_EQ(again->recommend(), recommended);
  EXPECT_EQ(again->ask("w").id, 90U);
  EXPECT_EQ(again->tell(89, 0.5), Receipt::expired);  // of the version before
  EXPECT_EQ(again->tell(90, 0.5), Receipt::fresh);
  EXPECT_EQ(connect()->open("old")->state(), again->state());
}

// Several at once.

class StoreAtOnce : public testing::TestWithParam<std::tuple<Kind, Way>> {
 protected:
  static constexpr int actors_ = 4;

  /// Nothing went wrong but for what is due. One of each kind is shown.
  static void expect_no_errors(const std::vector<Note>& notes, ErrorCode due = {}) {
    std::map<int, int> errors;
    for (const Note& note : notes) {
      if (note.code == -1 || (due != ErrorCode() && note.code == static_cast<int>(due))) continue;
      if (++errors[note.code] > 1) continue;
      ADD_FAILURE() << "actor " << note.actor << ": error " << note.code << ", " << note.text;
    }
    for (const auto& [code, count] : errors) EXPECT_EQ(count, 0) << "of error " << code;
  }
  /// What was noted of a study.
  static std::vector<Heard> heard_of(const std::vector<Note>& notes, int study) {
    std::vector<Heard> heard;
    for (const Note& note : notes) {
      if (note.study != study || note.play == 0) continue;
      heard.push_back(
          {.worker = note.actor, .play = note.play, .mark = note.mark, .told = note.told});
    }
    return heard;
  }
  /// The same without the plays of studies of that name that were deleted since. One that is
  /// deleted while it is created is made again, with the same plays: they may go to other workers
  /// then.
  static std::vector<Heard> heard_of(const std::vector<Note>& notes, int study, const Store& logs,
                                     const std::string& name) {
    std::map<PlayId, std::pair<std::size_t, std::string>> given;
    logs.replay(name, [&](const StudyRecord& step) {
      for (const StudyPlay& play : step.gave.plays) {
        given[play.id] = {mark_of(play.point), step.worker};
      }
    });
    std::vector<Heard> heard = heard_of(notes, study);
    std::erase_if(heard, [&](const Heard& one) {
      const auto found = given.find(one.play);
      return found == given.end() || found->second != std::pair(one.mark, worker(one.worker));
    });
    return heard;
  }
  static std::string worker(int actor) { return worker_name(actor); }

  std::vector<Note> run(const Act& act) const { return at_once(way_, actors_, act); }

  /// Rounds of an actor, which notes each of them. Its play is told with the step that asks for the
  /// next one, so the latest is not.
  static void play(StudyUnderTest& study, int number, int actor, int rounds, const Take& take) {
    StudyPlay play = study.ask(worker(actor));
    const auto note = [&](bool told) {
      take({.actor = actor,
            .study = number,
            .play = play.id,
            .mark = mark_of(play.point),
            .told = told});
    };
    note(false);
    for (int k = 0; k < rounds; ++k) {
      const StudyPlay next =
          study.step({{play.id, loss_of(play.id)}}, 1, worker(actor)).plays.front();
      note(true);
      play = next;
      note(false);
    }
  }

  const Kind kind_ = std::get<0>(GetParam());
  const Way way_ = std::get<1>(GetParam());
  const Backend backend_ = kind_.make();
};

/// Each kind in each way in which its studies are shared.
inline auto kinds_and_ways(const std::vector<Kind>& kinds) {
  std::vector<std::tuple<Kind, Way>> result;
  for (const Kind& kind : kinds) {
    result.emplace_back(kind, Way::threads);
    if (kind.is_shared) result.emplace_back(kind, Way::processes);
  }
  return testing::ValuesIn(result);
}

inline std::string name_of_kind_and_way(const testing::TestParamInfo<std::tuple<Kind, Way>>& info) {
  return std::get<0>(info.param).name + "_" + testing::PrintToString(std::get<1>(info.param));
}

TEST_P(StoreAtOnce, CreateTheSameStudy) {
  constexpr int studies = 8;
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    const auto store = backend_.connect();
    for (int k = 0; k < studies; ++k) {
      gate.wait();
      try {
        play(*store->create("s" + std::to_string(k), a_ball()), k, actor, 2, take);
      } catch (const Error& error) {
        take(note_of(error, actor, k));
      }
    }
  });
  expect_no_errors(notes);
  const Store logs = backend_.logs();
  ASSERT_EQ(logs.list().size(), static_cast<std::size_t>(studies));
  for (int k = 0; k < studies; ++k) {
    const Verdict verdict = expect_whole(logs, "s" + std::to_string(k), heard_of(notes, k));
    EXPECT_EQ(verdict.plays, 3U * actors_);  // all of all, so there was one study
    EXPECT_EQ(verdict.told, 2U * actors_);
  }
}

TEST_P(StoreAtOnce, OneOfSeveralDescriptionsIsTaken) {
  constexpr int studies = 8;
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    const auto store = backend_.connect();
    for (int k = 0; k < studies; ++k) {
      gate.wait();
      try {
        (void)store->create("s" + std::to_string(k), a_ball(static_cast<std::uint64_t>(actor)));
        take({.actor = actor, .study = k});
      } catch (const Error& error) {
        take(note_of(error, actor, k));
      }
    }
  });
  expect_no_errors(notes, ErrorCode::other_description);
  std::map<int, std::vector<int>> made;
  for (const Note& note : notes) {
    if (note.code == -1) made[note.study].push_back(note.actor);
  }
  EXPECT_EQ(notes.size(), static_cast<std::size_t>(studies * actors_));
  for (int k = 0; k < studies; ++k) {
    ASSERT_EQ(made[k].size(), 1U) << k;
    EXPECT_EQ(backend_.logs().open("s" + std::to_string(k)).description().options.seed,
              static_cast<std::uint64_t>(made[k][0]));
  }
}

TEST_P(StoreAtOnce, PlayOneStudy) {
  const int rounds = times(25);
  (void)backend_.connect()->create("s", a_ball());
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    gate.wait();
    const auto study = backend_.connect()->open("s");
    play(*study, 0, actor, rounds, take);
    (void)study->ask_many(2);  // of nobody in particular
  });
  expect_no_errors(notes);
  const Verdict verdict = expect_whole(backend_.logs(), "s", heard_of(notes, 0));
  EXPECT_EQ(verdict.told, static_cast<std::size_t>(actors_ * rounds));
  EXPECT_EQ(verdict.plays, static_cast<std::size_t>(actors_ * (rounds + 3)));
  EXPECT_EQ(backend_.connect()->open("s")->state(), backend_.logs().open("s").state());
}

/// Two play, and two teach a hundred losses at a time: everything is learned once, and all who have
/// the study come to the same state.
TEST_P(StoreAtOnce, LearnThePastOfAStudyThatIsPlayed) {
  const int rounds = times(25);
  (void)backend_.connect()->create("s", a_ball());
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    gate.wait();
    const auto study = backend_.connect()->open("s");
    if (actor % 2 == 0) return play(*study, 0, actor, 8 * rounds, take);
    Random random(static_cast<std::uint64_t>(actor));
    for (int k = 0; k < rounds / 5; ++k) {
      std::vector<StudyPast> past;
      for (int i = 0; i < 100; ++i) {
        past.push_back(
            {.point = {0.7 * random.uniform(), -0.7 * random.uniform()}, .loss = random.normal()});
      }
      (void)study->learn(past, Outside::refuse);
    }
  });
  expect_no_errors(notes);
  std::size_t taught = 0;
  std::size_t told = 0;
  const StudyLog log = backend_.logs().replay("s", [&](const StudyRecord& record) {
    taught += record.past.size();
    told += record.tells.size();
  });
  EXPECT_EQ(taught, static_cast<std::size_t>(rounds / 5 * 100 * actors_ / 2));
  EXPECT_EQ(told, static_cast<std::size_t>(8 * rounds * actors_ / 2));
  const auto study = backend_.connect()->open("s");
  EXPECT_EQ(study->past(), taught);
  EXPECT_EQ(study->state().hash(), log.state_hash);
}

TEST_P(StoreAtOnce, AStudyThatIsDeletedUnderThemIsGoneForAll) {
  const ErrorCode gone = kind_.is_store ? ErrorCode::replaced : ErrorCode::unknown_study;
  const int rounds = times(20);
  const Gate gate(actors_);
  const auto play_to_its_end = [&](StudyUnderTest& study, int actor) {
    StudyPlay play = study.ask(worker(actor));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      play = study.step({{play.id, loss_of(play.id)}}, 1, worker(actor)).plays.front();
    }
    throw std::runtime_error("the study goes on after it was deleted");
  };
  const auto notes = run([&](int actor, const Take& take) {
    const auto store = backend_.connect();
    bool is_right = true;
    for (int k = 0; k < rounds; ++k) {
      if (actor == 0) (void)store->create("s", a_ball());
      gate.wait();
      const auto study = store->open("s");
      gate.wait();
      try {
        if (actor > 0 && is_right) play_to_its_end(*study, actor);
        ::usleep(static_cast<useconds_t>(200 * (k % 20)));
        if (actor == 0) store->remove("s");
      } catch (const std::exception& thrown) {
        const Note note = note_of(thrown, actor);
        is_right = note.code == static_cast<int>(gone);
        if (!is_right) take(note);
      }
      gate.wait();
    }
  });
  expect_no_errors(notes);
  EXPECT_TRUE(backend_.connect()->list().empty());
}

TEST_P(StoreAtOnce, RenewTheSameStudy) {
  constexpr int rounds = 5;
  put_old_study(backend_.logs());
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    const auto store = backend_.connect();
    gate.wait();
    const Renewal renewal = store->renew("old");
    take({.actor = actor, .study = 1, .told = renewal == Renewal::what_was_learned});
    play(*store->open("old"), 0, actor, rounds, take);
  });
  expect_no_errors(notes);
  // One has renewed it, and each play after that was given to one.
  EXPECT_EQ(std::count_if(notes.begin(), notes.end(),
                          [](const Note& note) { return note.study == 1 && note.told; }),
            1);
  std::map<PlayId, int> given;
  for (const Note& note : notes) {
    if (note.study == 1) continue;
    EXPECT_EQ(given.emplace(note.play, note.actor).first->second, note.actor);
  }
  ASSERT_EQ(given.size(), static_cast<std::size_t>(actors_ * (rounds + 1)));
  EXPECT_EQ(given.begin()->first, 90U);
  EXPECT_EQ(given.rbegin()->first, 89U + given.size());
  EXPECT_EQ(backend_.connect()->open("old")->state(), backend_.logs().open("old").state());
}

/// Creates, opens, plays, copies, renews and deletes the same few studies as others do. Each that
/// is made has a seed of its own, so that its plays can be told from those of others of that name.
class Churner {
 public:
  Churner(const Kind& kind, const Backend& here, const Backend& there, int actor, const Take& take)
      : kind_(kind),
        store_(here.connect()),
        copies_(kind.is_store ? std::optional(there.logs()) : std::nullopt),
        actor_(actor),
        take_(take),
        random_(static_cast<std::uint64_t>(actor) + 1) {}

  static constexpr int studies = 3;
  static std::string name(int study) { return "s" + std::to_string(study); }

  /// Does one thing. What it is told that others did is no error.
  template <class Play>
  void act(Play play) {
    using enum ErrorCode;
    const int study = static_cast<int>(random_.integer(0, studies - 1));
    const std::string name = Churner::name(study);
    switch (random_.integer(0, kind_.is_store ? 10 : 8)) {
      case 0:
        return attempt(study, {unknown_study}, [&] { store_->remove(name); });
      case 1:
      case 2:
        return attempt(study, {other_description}, [&] {
          (void)store_->create(name, a_ball(static_cast<std::uint64_t>(1000 * actor_ + ++made_)));
        });
      case 8:
        return attempt(study, {unknown_study, replaced}, [&] { (void)store_->renew(name); });
      case 9:
        return attempt(study, {unknown_study, replaced, other_description},
                       [&] { store_->copy(name, *copies_); });
      case 10:
        return attempt(study, {unknown_study}, [&] { copies_->remove(name); });
      default:
        break;
    }
    std::set<ErrorCode> due = {unknown_study};
    // What has another study of the name may not know the play.
    due.insert(kind_.is_store ? replaced : unknown_play);
    attempt(study, due, [&] { play(*store_->open(name), study); });
  }

 private:
  template <class Call>
  void attempt(int study, const std::set<ErrorCode>& due, Call call) {
    try {
      call();
    } catch (const Error& error) {
      if (!due.contains(error.code())) take_(note_of(error, actor_, study));
    } catch (const std::exception& error) {
      take_(note_of(error, actor_, study));
    }
  }

  const Kind& kind_;
  std::unique_ptr<StoreUnderTest> store_;
  std::optional<Store> copies_;
  int actor_;
  const Take& take_;
  Random random_;
  int made_ = 0;
};

TEST_P(StoreAtOnce, CreateOpenPlayCopyRenewAndDelete) {
  const int things = times(60);
  const Backend there = kind_.is_store ? kind_.make() : Backend();
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    Churner churner(kind_, backend_, there, actor, take);
    gate.wait();
    for (int k = 0; k < things; ++k) {
      churner.act([&](StudyUnderTest& study, int number) { play(study, number, actor, 4, take); });
    }
  });
  expect_no_errors(notes);
  const Store logs = backend_.logs();
  for (int k = 0; k < Churner::studies; ++k) {
    const std::string name = Churner::name(k);
    try {
      if (backend_.connect()->list() != logs.list()) ADD_FAILURE() << "two lists";
      if (logs.identity(name).empty()) continue;
      (void)expect_whole(logs, name, heard_of(notes, k, logs, name));
      EXPECT_EQ(backend_.connect()->open(name)->state(), logs.open(name).state());
    } catch (const Error& error) {
      ADD_FAILURE() << name << " is not whole: " << error.what();
    }
  }
  if (!kind_.is_store) return;
  for (const std::string& name : there.logs().list()) (void)expect_whole(there.logs(), name);
}

}  // namespace keyhole::tests
