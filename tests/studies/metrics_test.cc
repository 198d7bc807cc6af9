// Studies with limits: what the log keeps of the metrics that are told, with the loss, before it,
// after it or never, and that replay, resuming, renewal and changes go by it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "folder.h"
#include "keyhole/store.h"
#include "random.h"
#include "studies/format/events.h"
#include "studies/format/frame.h"
#include "studies/image/description_text.h"
#include "studies/json/alarms.h"
#include "studies/made_study.h"
#include "studies/study/new_study.h"
#include "studies/twin.h"
#include "thrown.h"

namespace keyhole::tests::study_metrics {
namespace {

constexpr StoreOptions quick = {.durability = Durability::process};

Space service(const std::vector<SpaceLimit>& limits,
              const std::vector<SpaceContext>& contexts = {}) {
  return Space({{"a", Number{}}, {"b", Number{}}}, {}, contexts, limits);
}

Space service() {
  return service({{"p99", {.most = 0.8}, "s"},
                  {"hits", {.least = -2, .each = 0.99}},
                  {"spend", {.most = 1, .over_all = true}}});
}

StudyDescription limited(const Space& space = service()) {
  return {.on = space, .options = {.seed = 3, .window = 20}, .start = {{"a", 0.25}, {"b", 0.25}}};
}

/// The learner of a study on it.
Learner twin_on(const Space& space) {
  return Learner(posterior(space.set(), {.start = {0.25, 0.25},
                                         .contexts = space.context_words(),
                                         .limits = space.bounds()}),
                 {.seed = 3, .window = 20});
}

/// Tells of every kind of one play: with the loss, before it, after it, in its place, in part.
std::vector<std::vector<StudyTell>> tells_of(const StudyPlay& play, int k, Random& random) {
  const double a = play.point[0];
  const double b = play.point[1];
  const double loss = 0.1 * random.normal() - a - b;
  const Values all = {{"spend", a + 0.01 * random.normal()},
                      {"p99", a * a + b * b + 0.01 * random.normal()},
                      {"hits", -a}};
  const Values one = {all[1]};
  switch (k % 7) {
    case 0:
      return {{{.id = play.id, .loss = loss, .metrics = all}}};
    case 1:
      return {{{.id = play.id, .metrics = one}}, {{.id = play.id, .loss = loss}}};
    case 2:
      return {{{.id = play.id, .loss = loss, .count = 3}}, {{.id = play.id, .metrics = all}}};
    case 3:
      return {{{.id = play.id, .loss = loss}, {.id = play.id, .metrics = all}}};
    case 4:
      return {{{.id = play.id, .metrics = one}}};  // the loss is never told
    case 5:
      return {{{.id = play.id, .loss = loss, .metrics = one}},
              {{.id = play.id, .loss = loss, .metrics = all}}};  // it is repeated, and has more
    default:
      return {};
  }
}

/// Asks, and tells some plays at once and others some rounds later.
void make_step(Study& study, int k, Random& random, std::vector<StudyPlay>& late) {
  const StudyPlay play = study.ask(k % 3 == 0 ? "" : "w" + std::to_string(k));
  if (k % 5 == 0) {
    late.push_back(play);
  } else {
    for (const auto& tells : tells_of(play, k, random)) (void)study.step(tells, 0);
  }
  if (k % 15 != 14) return;
  for (const StudyPlay& one : late) {
    for (const auto& tells : tells_of(one, k / 15, random)) (void)study.step(tells, 0);
  }
  late.clear();
}

TEST(StudyMetrics, ReachTheLearner) {
  const Store store = Store::in_memory();
  Study study = store.create("s", limited());
  Random random(1);
  std::vector<StudyPlay> late;
  for (int k = 0; k < 300; ++k) make_step(study, k, random, late);
  Learner twin = twin_on(service());
  store.replay("s", [&](const StudyRecord& record) {
    for (const StudyTell& tell : record.tells) tell_as(twin, limited(), tell);
    for (const StudyPlay& play : record.gave.plays) ASSERT_EQ(play.point, twin.ask().point);
  });
  EXPECT_EQ(study.state(), twin.state());
  // It has moved, and keeps within.
  const std::vector<double> best = study.recommend();
  EXPECT_GT(best[0] + best[1], 0.6);
  EXPECT_LT(best[0] * best[0] + best[1] * best[1], 0.85);
}

/// Opened again after every step, with snapshots and without, it goes on bit for bit.
TEST(StudyMetrics, ResumeAtEveryStep) {
  for (const Space& space :
       {service(),
        service({{"p99", {.most = 0.8}}, {"hits", {.least = -2}}, {"spend", {.most = 1}}},
                {{"load", Number{}}})}) {
    const Folder folder;
    const Store store(folder.path(""), quick);
    Study goes_on = store.create("on", limited(space));
    (void)store.create("again", limited(space));
    Random random(1);
    Random same(1);
    std::vector<StudyPlay> late;
    std::vector<StudyPlay> same_late;
    for (int k = 0; k < 100; ++k) {
      make_step(goes_on, k, random, late);
      Study opened = store.open("again");
      make_step(opened, k, same, same_late);
      ASSERT_EQ(opened.state(), goes_on.state()) << k;
    }
    EXPECT_EQ(hash_of_the_log(store, "again"), goes_on.state().hash());
    EXPECT_EQ(hash_of_the_log(store, "on"), goes_on.state().hash());
  }
}

TEST(StudyMetrics, TheLogHasThemAsTheyWereTold) {
  const Store store = Store::in_memory();
  Study study = store.create("s", limited());
  (void)study.ask_many(4);
  EXPECT_EQ(study.tell(1, 0.5, {{"spend", 3}, {"p99", 0.25}}, 7), Receipt::fresh);
  study.measure(2, {{"hits", -1.5}});
  EXPECT_EQ(study.tell(2, 0.75, {{"hits", NAN}}), Receipt::fresh);
  EXPECT_EQ(study.tell(2, 0.75, Values{{"hits", -1.5}}), Receipt::repeated);
  for (const Replay replay : {Replay::plays, Replay::facts}) {
    std::vector<StudyTell> tells;
    store.replay(
        "s",
        [&](const StudyRecord& record) {
          tells.insert(tells.end(), record.tells.begin(), record.tells.end());
        },
        {}, replay);
    ASSERT_EQ(tells.size(), 4U);
    EXPECT_EQ(tells[0].loss, 0.5);
    EXPECT_EQ(tells[0].count, 7);
    EXPECT_EQ(tells[0].metrics, (Values{{"p99", 0.25}, {"spend", 3.0}}));
    EXPECT_FALSE(tells[1].loss);
    EXPECT_EQ(tells[1].metrics, (Values{{"hits", -1.5}}));
    EXPECT_EQ(tells[2].loss, 0.75);
    EXPECT_TRUE(tells[2].metrics.empty());
  }
  const Store copy = Store::in_memory();
  store.copy("s", copy);
  EXPECT_EQ(copy.open("s").state(), study.state());
}

TEST(StudyMetrics, OfOtherNamesAreKeptAsNotesIfOneSaysSo) {
  const Folder folder;
  const Store store(folder.path(""), quick);
  for (const bool has_limits : {true, false}) {
    const std::string name = has_limits ? "limited" : "set";
    Study study =
        store.create(name, has_limits ? limited() : StudyDescription{.on = std::string("ball(3)")});
    Study plain = Store::in_memory().create("plain", study.description());
    const Values metrics = has_limits ? Values{{"p99", 0.25}} : Values();
    Values all = metrics;
    all.emplace_back("build", std::int64_t{17});
    all.emplace_back("p98", -2.5);
    (void)study.ask_many(4);
    (void)plain.ask_many(4);
    const StudyTell tell{.id = 2, .loss = 0.5, .count = 3, .metrics = all, .extra = true};
    EXPECT_EQ(study.step({tell, {.id = 3, .loss = 1}}, 1).receipts.size(), 2U);
    (void)plain.step({{.id = 2, .loss = 0.5, .count = 3, .metrics = metrics}, {3, 1}}, 1);
    EXPECT_EQ(study.state(), plain.state()) << "nothing is learned from them";
    EXPECT_EQ(store.open(name).state(), plain.state());
    EXPECT_EQ(hash_of_the_log(store, name), plain.state().hash());
    Values kept = metrics;
    kept.emplace_back("build", 17.0);
    kept.emplace_back("p98", -2.5);
    for (const Replay replay : {Replay::plays, Replay::facts}) {
      std::vector<StudyTell> tells;
      store.replay(
          name,
          [&](const StudyRecord& record) {
            tells.insert(tells.end(), record.tells.begin(), record.tells.end());
          },
          {}, replay);
      ASSERT_EQ(tells.size(), 2U);
      EXPECT_EQ(tells[0].metrics, kept);
      EXPECT_TRUE(tells[1].metrics.empty());
    }
    const std::uint64_t bytes = store.log_bytes(name);
    const auto refusal = [&](const std::string& other, Value value, bool extra) {
      return message<FeedbackError>([&] {
        (void)study.step(
            {{.id = 4, .loss = 1, .metrics = {{other, std::move(value)}}, .extra = extra}}, 0);
      });
    };
    EXPECT_NE(refusal("p98", 1.0, false).find(has_limits ? "did you mean 'p99'?" : "'p98'"),
              std::string::npos);
    EXPECT_NE(refusal("build", "new", true).find("play 4: the note 'build'"), std::string::npos);
    EXPECT_NE(refusal("build", NAN, true).find("must be finite"), std::string::npos);
    EXPECT_NE(message<FeedbackError>([&] {
                (void)study.step({{.id = 4, .metrics = {{"build", 1.0}}, .extra = true}}, 0);
              }).find("give a loss, or metrics"),
              std::string::npos);
    // A table of plays has other columns of these names.
    for (const char* const taken : {"play", "worker", "loss", "count", "error"}) {
      EXPECT_NE(refusal(taken, 1.0, true)
                    .find("play 4: a note cannot be called '" + std::string(taken) + "'"),
                std::string::npos);
    }
    EXPECT_NE(refusal("", 1.0, true).find("a note must have a name"), std::string::npos);
    EXPECT_EQ(store.log_bytes(name), bytes);
  }
}

TEST(StudyMetrics, NotesAreNotCalledAsParametersAndContextsAre) {
  const Space space({{"x", Number{}}, {"pool", Fixed{8.0}}}, {}, {{"load", Number{}}});
  Study study = Store::in_memory().create("s", {.on = space});
  const PlayId id = study.ask().id;
  for (const char* const name : {"x", "pool", "load"}) {
    const std::string said = message<FeedbackError>([&] {
      (void)study.step({{.id = id, .loss = 1, .metrics = {{name, 1.0}}, .extra = true}}, 0);
    });
    EXPECT_NE(said.find("a note cannot be called '" + std::string(name) + "'"), std::string::npos);
  }
  EXPECT_EQ(study.tell(id, 1), Receipt::fresh);
}

/// What was a note before is learned once the space has a limit on it.
TEST(StudyMetrics, NotesAreLearnedAfterAChange) {
  const Store store = Store::in_memory();
  const Space before({{"threads", Number{.from = 1, .to = 64}}});
  const Space after({{"threads", Number{.from = 1, .to = 64}}}, {}, {}, {{"p99", {.most = 200}}});
  Study study = store.create("s", {.on = before, .start = {{"threads", 16.0}}});
  for (int k = 0; k < 200; ++k) {
    const StudyPlay play = study.ask();
    const double threads = play.point[0];
    (void)study.step({{.id = play.id,
                       .loss = -threads,
                       .metrics = {{"p99", 40 + 0.1 * threads * threads}},
                       .extra = true}},
                     0);
  }
  EXPECT_GT(study.recommend()[0], 60);
  (void)store.change("s", after);
  EXPECT_LT(store.open("s").recommend()[0], 40.5);
}

TEST(StudyMetrics, WithoutALossHaveNoCount) {
  Study study = Store::in_memory().create("s", limited());
  const PlayId id = study.ask().id;
  for (const double count : {0.0, -3.0, 2.0, static_cast<double>(NAN)}) {
    EXPECT_EQ(message<TellError>([&] {
                (void)study.step({{.id = id, .count = count, .metrics = {{"p99", 0.5}}}}, 0);
              }),
              "the count of play 1 is one of a loss, and no loss is told");
  }
  study.measure(id, {{"p99", 0.5}});
}

TEST(StudyMetrics, WithoutALossAPlayIsNotTold) {
  Study study = Store::in_memory().create("s", limited());
  const StudyPlay play = study.ask("w");
  const StudyStep step = study.step({{.id = play.id, .metrics = {{"p99", 0.5}}}}, 1, "w");
  EXPECT_EQ(step.receipts, std::vector{Receipt::fresh});
  EXPECT_EQ(step.plays.front(), play);  // the worker has it still
  EXPECT_EQ(study.ask("w"), play);
  EXPECT_EQ(study.summary().told, 0U);
  EXPECT_EQ(study.play(play.id).fate, PlayFate::pending);
  EXPECT_EQ(study.tell(play.id, 1), Receipt::fresh);
  EXPECT_NE(study.ask("w").id, play.id);
  (void)study.ask_many(30);
  const StudyStep old = study.step({{.id = play.id, .metrics = {{"spend", 0.5}}}}, 0);
  EXPECT_EQ(old.receipts, std::vector{Receipt::expired});
}

TEST(StudyMetrics, WrongOnesAreRefusedAndNothingIsStored) {
  const Store store = Store::in_memory();
  Study study = store.create("s", limited());
  (void)study.ask_many(3);
  (void)study.tell(1, 0.5, {{"p99", 0.25}});
  const State state = study.state();
  const auto bytes = study.position().bytes;
  const auto refused = [&](const std::vector<StudyTell>& wrong, std::size_t place) {
    try {
      (void)study.step(wrong, 1);
    } catch (const TellError& error) {
      EXPECT_EQ(error.index(), place) << error.what();
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused({{2, 1}, {3, 1, 1, {{"p98", 1}}}}, 1),
            "play 3: there is no metric 'p98'; did you mean 'p99'?");
  EXPECT_EQ(refused({{.id = 2, .metrics = {{"p99", "fast"}}}}, 0),
            "play 2: the metric 'p99' must be a number, not 'fast'");
  EXPECT_EQ(refused({{2, 1}, {1, 0.5, 1, {{"p99", 0.5}}}}, 1),
            "'p99', metric 1 of play 1 was told 0.25 before and 0.5 now: the first stands");
  EXPECT_EQ(refused({{2, 1, 1, {{"spend", 1}}}, {.id = 2, .metrics = {{"spend", 2}}}}, 1),
            "play 2 is told twice in one step, with a spend of 1 and 2");
  EXPECT_EQ(refused({{.id = 2, .metrics = {{"spend", 1}}}, {2, 1}, {2, 3}}, 2),
            "play 2 is told twice in one step, as 1 and 3");
  EXPECT_EQ(refused({{2, NAN, 1, {{"p99", 1}}}}, 0),
            "the loss of play 2 must be a number of magnitude up to 1e50, not nan; leave a play "
            "untold if its loss is unknown");
  EXPECT_EQ(refused({{2, 1}, {.id = 3}}, 1), "nothing is told of play 3: give a loss, or metrics");
  EXPECT_EQ(refused({{.id = 3, .metrics = {{"p99", NAN}}}}, 0),
            "nothing is told of play 3: give a loss, or metrics");
  EXPECT_EQ(refused({{.id = 4, .metrics = {{"p99", 1}}}}, 0),
            "play 4 was never asked for; the latest is 3");
  EXPECT_EQ(study.state(), state);
  EXPECT_EQ(study.position().bytes, bytes);
  (void)study.tell(1, 0.5, {{"p99", 0.25}});  // as before
  Study on_set = store.create("set", {.on = "ball(2)"});
  (void)on_set.ask();
  EXPECT_EQ(message<FeedbackError>([&] {
              on_set.measure(1, {{"p99", 1}});
            }),
            "play 1: there is no metric 'p99': a study on a set has none, and one on a space those "
            "of its limits");
  Study without = store.create("without", {.on = service(std::vector<SpaceLimit>())});
  (void)without.ask();
  EXPECT_EQ(message<FeedbackError>([&] {
              without.measure(1, {{"p99", 1}});
            }),
            "play 1: there is no metric 'p99': the space has none");
}

TEST(StudyMetrics, ALearnerThatTakesNoneIsRefused) {
  const Store store = Store::in_memory();
  for (const std::string learner :
       {"parameter_free", "projection_free(horizon=100, loss_bound=1)"}) {
    EXPECT_EQ(message<InvalidArgument>(
                  [&] { (void)store.create("s", {.on = service(), .learner = learner}); }),
              "the learner '" + learner +
                  "' takes no limits: use 'default' or 'posterior', or a space without [limits]");
  }
  EXPECT_TRUE(store.list().empty());
  Study study = store.create("s", {.on = service(),
                                   .learner = "posterior(restarts=false)",
                                   .start = {{"a", 0.25}, {"b", 0.75}}});
  EXPECT_EQ(study.recommend(), (std::vector<double>{0.25, 0.75}));
}

TEST(StudyMetrics, OnlyDescriptionsWithLimitsHaveTheNewFormat) {
  const auto text_of = [](const Space& space) {
    return studies::new_study({.on = space}, Catalogue::standard()).text;
  };
  const auto format_of = [&](const Space& space) {
    return text_of(space).substr(0, text_of(space).find(','));
  };
  EXPECT_EQ(format_of(service()), R"({"format":5)");
  EXPECT_EQ(format_of(service({}, {{"load", Number{}}})), R"({"format":4)");
  EXPECT_EQ(format_of(service(std::vector<SpaceLimit>())), R"({"format":2)");
  const std::string text = text_of(service());
  EXPECT_EQ(std::get<Space>(studies::read_description(text, "it").description.on), service());
  EXPECT_NE(text.find(R"(limits=[\"most=0.8\", \"least=-2, each=0.99\", \"most=1, over=all\"])"),
            std::string::npos)
      << text;
  EXPECT_EQ(text_of(service(std::vector<SpaceLimit>())).find("limits"), std::string::npos);
}

/// Losses of the past with metrics, some of them without a loss.
std::vector<StudyPast> past_with_metrics(int count) {
  Random random(5);
  std::vector<StudyPast> past;
  for (int k = 0; k < count; ++k) {
    const double a = random.uniform();
    const double b = random.uniform();
    StudyPast& one = past.emplace_back(StudyPast{.values = {{"a", a}, {"b", b}}, .loss = -a - b});
    one.metrics = {{"spend", a}, {"p99", a * a + b * b}};
    if (k % 3 == 0) one.metrics = {{"hits", -a}};
    if (k % 3 == 0) one.loss = NAN;
    if (k % 3 == 1 && k % 2 == 0) one.metrics.clear();
  }
  return past;
}

TEST(StudyMetrics, OfThePastAreLearnedAndKept) {
  const Folder folder;
  const Store store(folder.path(""), quick);
  const Space space = service();
  const std::vector<StudyPast> past = past_with_metrics(60);
  Learner twin = twin_on(space);
  for (const StudyPast& one : past) {
    twin.learn(space.point(one.values),
               {.loss = one.loss,
                .metrics = one.metrics.empty() ? Metrics() : space.metrics(one.metrics)});
  }
  for (const std::string name : {"plain", "named"}) {
    Study study = store.create(name, limited());
    const std::string id = name == "plain" ? "" : "june";
    EXPECT_EQ(study.learn(past, Outside::refuse, id).learned, 60U);
    if (!id.empty()) {
      EXPECT_EQ(study.learn(past, Outside::refuse, id).learned, 60U) << "it is not learned again";
    }
    EXPECT_EQ(study.past(), 60U);
    EXPECT_EQ(study.state(), twin.state());
    EXPECT_EQ(hash_of_the_log(store, name), twin.state().hash());
    store.replay(name, [&](const StudyRecord& record) {
      ASSERT_EQ(record.past.size(), 60U);
      for (std::size_t k = 0; k < 60; ++k) {
        EXPECT_EQ(space.metrics(record.past[k].metrics).size(), 3U);
        EXPECT_EQ(record.past[k].metrics.size(), past[k].metrics.size());
        EXPECT_EQ(std::isnan(record.past[k].loss), std::isnan(past[k].loss));
      }
    });
  }
  Study study = store.open("plain");
  std::vector<StudyPast> other = past;
  other[1].metrics = {{"p98", 1}};
  EXPECT_EQ(message<PastError>([&] { study.learn(other); }),
            "there is no metric 'p98'; did you mean 'p99'?");
  EXPECT_EQ(study.past(), 60U);
}

TEST(StudyMetrics, ChangeKeepsThem) {
  const Store store = Store::in_memory();
  const Space other = service({{"p99", {.most = 0.5}}});
  Learner twin = twin_on(other);
  {
    Study study = store.create("s", limited());
    for (int k = 0; k < 6; ++k) {
      const StudyPlay play = study.ask();
      study.measure(play.id, {{"p99", 0.1}});
      study.tell(play.id, loss_of(play.id), {{"spend", 1}});
      twin.learn(play.point, {.loss = loss_of(play.id), .metrics = {0.1}});
    }
    StudyPlay play = study.ask();
    study.measure(play.id, {{"p99", 0.1}});
    twin.learn(play.point, {.loss = NAN, .metrics = {0.1}});
    study.measure(study.ask().id, {{"spend", 0.1}});  // it has no limit any more
  }
  EXPECT_EQ(store.change("s", other).learned, 7U);
  Study study = store.open("s");
  EXPECT_EQ(study.state(), twin.state());
  study.measure(study.ask().id, {{"p99", 0.1}});
  EXPECT_EQ(message<FeedbackError>([&] {
              study.measure(9, {{"spend", 1}});
            }),
            "play 9: there is no metric 'spend'");
  EXPECT_EQ(message<FeedbackError>([&] {
              study.measure(9, {{"p99", 1}});
            }),
            "play 9, which is play 1 since the study was renewed: 'p99', metric 1 of play 1 was "
            "told 0.1 before and 1 now: the first stands");
  study.measure(3, {{"p99", 7}});  // of an earlier era: it has expired
  EXPECT_EQ(hash_of_the_log(store, "s"), study.state().hash());
}

/// The log with another number in the first metric that is told of a play, and seals that fit.
std::string with_another_metric(const std::string& log, PlayId id) {
  std::string result;
  studies::Mark written;
  std::uint64_t asked = 0;
  for (studies::Mark at; at.position < log.size();) {
    const auto frame = studies::read_frame(std::string_view(log).substr(at.position), at).value();
    std::string content(frame.content);
    studies::Event event;
    if (at.position > 0 && studies::read_event(frame.content, asked, event)) {
      auto& step = std::get<studies::Step>(event);
      for (studies::Tell& tell : step.tells) {
        if (tell.play == id) tell.metrics.at(0).second += 1;
      }
      content = studies::event_content(event, asked);
      asked += step.asks;
    }
    result += studies::frame_bytes(written, frame.hardened, content);
    at = frame.end;
  }
  return result;
}

TEST(StudyMetrics, TheLogProvesThem) {
  const Folder folder;
  const Store store(folder.path(""), quick);
  std::uint64_t first = 0;
  std::uint64_t behind = 0;
  PlayId differs = 0;
  {
    Study study = store.create("s", limited());
    Learner other = twin_on(service());
    Random random(5);
    for (int k = 0; k < 200; ++k) {
      const StudyPlay play = study.ask();
      if (k == 1) first = study.position().bytes;
      const double a = play.point[0];
      const double b = play.point[1];
      const double loss = 0.1 * random.normal() - a - b;
      const Values metrics = {
          {"p99", a * a + b * b + 0.05 * random.normal()}, {"hits", -b}, {"spend", a}};
      study.tell(play.id, loss, metrics);
      if (k == 1) behind = study.position().bytes;
      // What it would play if p99 of play 20 was higher by 1.
      if (differs > 0) continue;
      if (other.ask().point != play.point) differs = play.id;
      Metrics told = service().metrics(metrics);
      if (play.id == 20) told[0] += 1;
      other.tell(play.id, {.loss = loss, .metrics = told});
    }
  }
  ASSERT_GT(differs, 20U);
  for (const auto& file : std::filesystem::directory_iterator(folder.path("s"))) {
    if (file.path().filename() != "log") std::filesystem::remove(file.path());
  }
  const std::string log = bytes(folder.path("s/log")).value();
  const auto code_of = [&](const std::string& changed) {
    write_bytes(folder.path("s/log"), changed);
    try {
      (void)hash_of_the_log(store, "s");
    } catch (const StudyError& error) {
      return error.code();
    }
    return ErrorCode::other;
  };
  for (std::uint64_t at = first; at < behind; ++at) {
    std::string changed = log;
    changed[at] = static_cast<char>(changed[at] ^ 16);
    EXPECT_EQ(code_of(changed), ErrorCode::damaged_log) << at;
  }
  EXPECT_EQ(code_of(with_another_metric(log, 999)), ErrorCode::other);
  EXPECT_EQ(code_of(with_another_metric(log, 20)), ErrorCode::other_digits);
  EXPECT_EQ(store.renew("s"), Renewal::what_was_learned);
  (void)store.open("s").ask();
}

/// Of a metric that the description does not have, which a later version may know.
TEST(StudyMetrics, OthersAreOfANewerVersion) {
  studies::Event event =
      studies::Step{.tells = {{.play = 3, .loss = NAN, .metrics = {{0, 1.5}, {7, -2}}}}, .asks = 0};
  const std::string content = studies::event_content(event, 5);
  studies::Event back;
  ASSERT_TRUE(studies::read_event(content, 5, back));
  const studies::Tell& tell = std::get<studies::Step>(back).tells.front();
  EXPECT_FALSE(tell.has_loss());
  EXPECT_EQ(tell.metrics, (std::vector<std::pair<std::uint64_t, double>>{{0, 1.5}, {7, -2}}));
}

TEST(StudyMetrics, AreToldInWords) {
  const SpaceLimit p99{"p99", {.most = 200}, "ms"};
  EXPECT_EQ(studies::limit_text(p99, {}, false), "at most 200 ms");
  LimitStatus status{.recent = 183.04, .over = 0.0123};
  EXPECT_EQ(studies::limit_text(p99, status, false), "at most 200 ms, lately 183, 1.2 % over");
  status.recommended = 195.2;
  status.error = 2.04;
  status.price = 0.0301;
  const std::string so_far =
      "at most 200 ms, lately 183, 1.2 % over; believed to be 195 +- 4 where recommended; ";
  EXPECT_EQ(studies::limit_text(p99, status, false), so_far + "10 ms more would save 0.3 a round");
  EXPECT_EQ(studies::limit_text(p99, status, true), so_far + "10 ms more would gain 0.3 a round");
  status.price = 0;
  EXPECT_EQ(studies::limit_text(p99, status, true), so_far + "it costs nothing");
  const SpaceLimit hits{"hits", {.least = 0, .over_all = true}};
  EXPECT_EQ(studies::limit_text(hits, {.recent = 1, .over = 0, .price = 2}, false),
            "at least 0 on the average, lately 1, 0 % under; 1 less would save 2 a round");
}

TEST(StudyMetrics, RaiseAlarms) {
  const std::vector<SpaceLimit> limits = {{"p99", {.most = 200}}, {"hits", {.least = 0}}};
  const Status status{.limits = {{.start_is_over = true}, {}}};
  using Alarms = std::vector<std::string>;
  EXPECT_EQ(studies::alarms_of({}, status, {}, {}, limits),
            Alarms{"the start is over the limit of p99"});
  EXPECT_EQ(
      studies::alarms_of({}, {.limits = {{}, {.start_is_over = true, .none_is_within = true}}}, {},
                         {}, limits),
      Alarms{"no point is within the limit of hits"});
  EXPECT_EQ(studies::alarms_of({}, status, {}, {}), Alarms{});
}

}  // namespace
}  // namespace keyhole::tests::study_metrics
