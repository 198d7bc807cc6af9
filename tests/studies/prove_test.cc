// A coin that plays the start of a study: what the log keeps, and what everyone sees of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "folder.h"
#include "keyhole/store.h"
#include "random.h"
#include "studies/json/alarms.h"
#include "studies/json/study_json.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

StudyDescription paying_description() {
  return {.on = Space({{"timeout", Number{.from = 1, .to = 100, .scale = Scale::log}},
                       {"batch", Integer{1, 64}}}),
          .options = {.seed = 3, .window = 100},
          .start = {{"timeout", 50.0}, {"batch", std::int64_t{32}}}};
}

bool is_start(const StudyPlay& play) {
  return std::abs(std::get<double>(play.values.at("timeout")) - 50) < 1e-9 &&
         std::get<std::int64_t>(play.values.at("batch")) == 32;
}

double noisy_cost_of(const StudyPlay& play, int t) {
  return std::log(std::get<double>(play.values.at("timeout"))) + 0.3 * std::sin(t);
}

void tell_with_noise(Study& study, int count) {
  for (int t = 0; t < count; ++t) {
    const StudyPlay play = study.ask();
    study.tell(play.id, noisy_cost_of(play, t));
  }
}

TEST(StudyProof, PlaysTheStartOfTheStudyAndKeepsItInTheLog) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", paying_description());
  tell_with_noise(study, 30);
  Study other = store.open("s");
  other.prove(0.2);
  EXPECT_EQ(study.status().proof.share, 0.2);
  const std::string log = bytes(folder.path("s/log")).value();
  study.prove(0.2);  // it is so: nothing is written
  EXPECT_EQ(bytes(folder.path("s/log")).value(), log);
  int at_start = 0;
  for (int t = 0; t < 300; ++t) {
    const StudyPlay play = study.ask("w");
    at_start += is_start(play) ? 1 : 0;
    study.tell(play.id, noisy_cost_of(play, t));
  }
  EXPECT_NEAR(at_start, 60, 25);
  const Proof proof = study.status().proof;
  EXPECT_GT(proof.proven, 30U);
  EXPECT_GT(proof.gain, proof.error);
  const std::string says = studies::proof_text(proof);
  EXPECT_NE(says.find("proven since play " + std::to_string(proof.proven)), std::string::npos);
  EXPECT_NE(says.find("; 20 % of plays pay for this"), std::string::npos);
  EXPECT_EQ(store.open("s").state(), study.state());
  std::vector<double> proves;
  store.replay("s", [&](const StudyRecord& record) {
    if (record.proves) proves.push_back(*record.proves);
  });
  EXPECT_EQ(proves, (std::vector<double>{0.2}));
  study.prove(0);
  EXPECT_EQ(other.status().proof.share, 0);
  EXPECT_EQ(studies::proof_text(other.status().proof), "");
}

TEST(StudyProof, RaisesAnAlarmWhileWhatIsPlayedIsWorseThanTheStart) {
  const Folder folder;
  const Store store(folder.path(""), {.durability = Durability::process});
  Study study = store.create("s", paying_description());
  study.prove(0.1);
  Random random(9);
  // What the others cost more than the start does.
  const auto play = [&](int count, double more) {
    for (int t = 0; t < count; ++t) {
      const StudyPlay asked = study.ask();
      study.tell(asked.id, (is_start(asked) ? 0 : more) + 0.5 * random.normal());
    }
  };
  const auto said = [](Study& of) {
    const std::vector<std::string> alarms =
        studies::alarms_of(of.summary(), of.status(), of.description().options, {});
    const auto found = std::find_if(alarms.begin(), alarms.end(), [](const std::string& alarm) {
      return alarm.find("what is played is worse than the start") != std::string::npos;
    });
    return found == alarms.end() ? "" : *found;
  };
  play(1000, -1);
  EXPECT_GT(study.status().proof.proven, 0U);
  EXPECT_EQ(said(study), "");
  play(300, 1);
  const Proof proof = study.status().proof;
  EXPECT_GT(proof.worse, 1000U);
  EXPECT_GT(proof.gain, 0) << "over all plays it was better";
  const std::string alarm =
      "since play " + std::to_string(proof.worse) + " what is played is worse than the start";
  EXPECT_EQ(said(study), alarm);
  Study again = store.open("s");
  EXPECT_EQ(said(again), alarm);
  play(600, -1);
  EXPECT_EQ(said(study), "") << "it has become better again";
}

TEST(StudyProof, StartsWhereTheAlgorithmDoesIfTheDescriptionDoesNotSay) {
  const Store store = Store::in_memory();
  Study study = store.create("s", {.on = "box(0, 2, n=2)"});
  for (int t = 0; t < 40; ++t) {
    const StudyPlay play = study.ask();
    study.tell(play.id, play.point[0]);
  }
  study.prove(0.5);
  int at_start = 0;
  for (int t = 0; t < 40; ++t) {
    const StudyPlay play = study.ask();
    at_start += play.point == std::vector<double>{1, 1} ? 1 : 0;
    study.tell(play.id, play.point[0]);
  }
  EXPECT_GT(at_start, 8);
}

TEST(StudyProof, SaysWhatItCannotDoAndWritesNothing) {
  const Store store = Store::in_memory();
  Study study = store.create("s", paying_description());
  tell_with_noise(study, 5);
  const State before = study.state();
  const std::uint64_t bytes = store.log_bytes("s");
  EXPECT_NE(message<InvalidArgument>([&] { study.prove(0.7); }).find("from 0 to 0.5"),
            std::string::npos);
  EXPECT_EQ(store.log_bytes("s"), bytes);
  EXPECT_EQ(study.state(), before);
}

TEST(StudyProof, HasItsSentences) {
  Proof proof{.share = 0.1};
  EXPECT_EQ(studies::proof_text(proof),
            "too few plays at the start yet; 10 % of plays pay for this");
  proof.gain = 0.4123;
  proof.error = 0.0567;
  EXPECT_EQ(studies::proof_text(proof),
            "better by 0.41 +- 0.057 (95 %, whenever you look), not proven; 10 % of plays pay for "
            "this");
  proof.proven = 349;
  EXPECT_NE(studies::proof_text(proof).find("proven since play 349;"), std::string::npos);
  proof.gain = -0.2;
  EXPECT_EQ(studies::proof_text(proof).find("worse by 0.2 "), 0U);
  const std::vector<std::string> alarms =
      studies::alarms_of({}, {.proof = {.share = 0.1, .worse = 12}}, {}, {});
  ASSERT_EQ(alarms.size(), 1U);
  EXPECT_EQ(alarms[0], "since play 12 what is played is worse than the start");
}

}  // namespace
}  // namespace keyhole::tests
