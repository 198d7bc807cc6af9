// Studies of spaces whose values are no names: what the log says, and that losses move with them.

#include <gtest/gtest.h>

#include "folder.h"
#include "keyhole/store.h"
#include "studies/made_study.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

const Space& tuned() {
  static const Space space({{"block", Levels{{std::int64_t{64}, std::int64_t{128}, 256.5}, "KiB"}},
                            {"threads", Choice::of({std::int64_t{1}, 2.5, std::string("auto")})},
                            {"direct", Choice::of({true, false})},
                            {"mode", Fixed{std::string("fast")}},
                            {"x", Number{}}},
                           {}, {{"shard", Choice::of({std::int64_t{1}, std::int64_t{2}})}});
  return space;
}

TEST(StudyLevels, ResumeWithTheSameValues) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const StudyDescription description = {
      .on = tuned(),
      .options = {.seed = 3},
      .start = {{"block", 256.5}, {"threads", 2.5}, {"direct", false}}};
  Study study = store.create("s", description);
  std::vector<StudyPlay> plays;
  for (int k = 0; k < 40; ++k) {
    plays.push_back(study.ask("", {{"shard", std::int64_t{1 + k % 2}}}));
    study.tell(plays.back().id, 0.1 * k);
    EXPECT_EQ(plays.back().values.at("mode"), Value(std::string("fast")));
    EXPECT_EQ(plays.back().context, (Values{{"shard", std::int64_t{1 + k % 2}}}));
  }
  EXPECT_EQ(std::get<Space>(store.open("s").description().on), tuned());
  EXPECT_EQ(store.open("s").description().start, description.start);
  (void)store.create("s", description);  // the same
  std::size_t seen = 0;
  store.replay("s", [&](const StudyRecord& record) {
    for (const StudyPlay& play : record.gave.plays) {
      EXPECT_EQ(play.values, plays[seen].values);
      EXPECT_EQ(play.context, plays[seen++].context);
    }
  });
  EXPECT_EQ(seen, plays.size());
  const StudyPlay next = store.open("s").ask();
  EXPECT_EQ(next.values, tuned().values(next.point, description.options.seed, next.id));
}

TEST(StudyLevels, AreUnknownToFormatsBefore) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  const auto format_of = [&](const Space& space) {
    (void)store.create("s", {.on = space});
    const std::string log = bytes(folder.path("s/log")).value();
    store.remove("s");
    return log.substr(log.find(R"("format":)") + 9, 1);
  };
  const SpaceParameter x = {"x", Number{}};
  EXPECT_EQ(format_of(Space({x})), "2");
  EXPECT_EQ(format_of(Space({x, {"c", Choice{{"a", "b"}}}})), "6");
  EXPECT_EQ(format_of(Space({x, {"c", Choice::of({1.0, 2.0})}})), "7");
  EXPECT_EQ(format_of(Space({x, {"c", Levels{{1.0, 2.0}}}})), "7");
  EXPECT_EQ(format_of(Space({x, {"c", Fixed{1.0}}})), "7");
  EXPECT_EQ(format_of(Space({x}, {}, {{"c", Choice::of({true, false})}})), "7");
}

/// A loss goes into a space where its values can be had, whatever kind the parameters are there.
TEST(StudyLevels, LossesMoveBetweenKinds) {
  const Store store = Store::in_memory();
  const Space numbers({{"block", Integer{0, 300}}, {"mode", Choice{{"fast", "slow"}}}});
  Study study = store.create("s", {.on = numbers});
  for (const std::int64_t block : {64, 100, 128}) {
    for (const char* const mode : {"fast", "slow"}) {
      study.learn({{"block", block}, {"mode", std::string(mode)}}, 1);
    }
  }
  const Space levels({{"block", Levels{{std::int64_t{64}, std::int64_t{128}}}},
                      {"mode", Fixed{std::string("fast")}},
                      {"direct", Fixed{true}}});
  StudyChange change = store.change("s", levels, {});
  EXPECT_EQ(change.learned, 2U);
  EXPECT_EQ(change.dropped, 4U);
  change = store.change("s", numbers, {{"block", std::int64_t{64}}, {"mode", std::string("fast")}});
  EXPECT_EQ(change.learned, 6U) << "the log still has those that were dropped";
}

TEST(StudyLevels, ThePastNeedsNotSayWhatIsFixed) {
  const Store store = Store::in_memory();
  Study study = store.create("s", {.on = tuned()});
  Values values = {{"block", 64.0}, {"threads", std::string("auto")}, {"direct", true}, {"x", 0.5}};
  study.learn(values, 1);
  values.emplace_back("mode", std::string("fast"));
  study.learn(values, 1);
  values.back().second = std::string("slow");
  EXPECT_EQ(message<PastError>([&] { study.learn(values, 1); }),
            "the parameter 'mode' is fixed at fast, and cannot be slow");
}

}  // namespace
}  // namespace keyhole::tests
