#include <gtest/gtest.h>

#include "served.h"
#include "studies/json/study_json.h"

namespace keyhole::tests {
namespace {

const std::string split = "/v1/studies/split";

Json tell_of(std::uint64_t play, double loss) { return {{"play", play}, {"loss", loss}}; }

/// Some loss of a play.
double loss_of(const std::vector<double>& point, std::uint64_t play) {
  return 0.2 * point[0] + 0.9 * point[1] + 0.6 * point[2] + 1e-3 * static_cast<double>(play % 7);
}

TEST(Plays, AreThoseOfAStudyBitForBit) {
  Served served;
  served.create("split", {{"seed", 3}, {"window", 8}});
  Store store(served.folder.path("other"), {.durability = Durability::process});
  StudyDescription description{.on = "simplex(3)"};
  description.options.seed = 3;
  description.options.window = 8;
  Study study = store.create("split", description);
  std::vector<StudyTell> tells;
  for (int round = 0; round < 200; ++round) {
    Json body = {{"tells", Json::array()}, {"asks", round % 3}};
    for (const StudyTell& tell : tells)
      body["tells"].push_back(tell_of(tell.id, tell.loss.value()));
    const Json answer = served.posted(split + "/steps", body);
    const StudyStep step = study.step(tells, static_cast<std::size_t>(round % 3));
    ASSERT_EQ(answer["plays"].size(), step.plays.size()) << answer;
    ASSERT_EQ(answer["receipts"].size(), step.receipts.size());
    tells.clear();
    for (std::size_t k = 0; k < step.plays.size(); ++k) {
      const StudyPlay& play = step.plays[k];
      ASSERT_EQ(answer["plays"][k]["play"], play.id);
      ASSERT_EQ(answer["plays"][k]["point"].get<std::vector<double>>(), play.point);
      tells.push_back({play.id, loss_of(play.point, play.id)});
    }
  }
  const auto bytes = study.state();
  const std::string expected(reinterpret_cast<const char*>(bytes.bytes().data()),
                             bytes.bytes().size());
  EXPECT_EQ(served.state("split"), expected);
  EXPECT_EQ(served.got(split + "/recommendation")["point"].get<std::vector<double>>(),
            study.recommend());
}

TEST(Plays, AreListedTheBestAndTheLatest) {
  for (const bool maximize : {false, true}) {
    Served served;
    served.create("split", {{"maximize", maximize}, {"window", 4}});
    const Json none = {{"best", Json::array()}, {"latest", Json::array()}};
    EXPECT_EQ(served.got(split + "/plays"), none);
    // 7 plays of which 4 can be told; 5 is told twice, and 7 not at all. The last that has expired
    // would be the best, both ways.
    const Json asked = served.posted(split + "/asks", {{"count", 7}})["plays"];
    for (const auto& [play, loss] : {std::pair(4, 0.5),
                                     {6, 0.25},
                                     {1, 9.0},
                                     {5, 0.75},
                                     {5, 0.75},
                                     {3, maximize ? 99.0 : -99.0}}) {
      (void)served.posted(split + "/tells",
                          {{"tells", {tell_of(static_cast<std::uint64_t>(play), loss)}}});
    }
    const auto row = [&](std::size_t play, double loss) {
      Json made = asked[play - 1];
      made["loss"] = loss;
      return made;
    };
    const Json least = row(6, 0.25);
    const Json most = row(5, 0.75);
    const Json plays = served.got(split + "/plays?best=2&latest=2");
    EXPECT_EQ(plays["best"], Json({maximize ? most : least, row(4, 0.5)}));
    EXPECT_EQ(plays["latest"], Json({most, least}));
    EXPECT_EQ(served.got(split + "/plays")["latest"].size(), 3U);
    EXPECT_EQ(served.got(split + "/plays?best=0")["best"], Json::array());
  }
  Served served;
  EXPECT_EQ(outcome(served.get("/v1/studies/none/plays")), "404 unknown_study");
  EXPECT_EQ(outcome(served.get(split + "/plays?best=101")), "400 invalid_argument");
}

TEST(Plays, AreListedAsFarAsTheyAreShown) {
  Served served;
  Json parameters = Json::array();
  for (int k = 0; k < 40; ++k) {
    parameters.push_back(
        {{"name", "x" + std::to_string(k)}, {"type", "number"}, {"from", 0}, {"to", 1}});
  }
  const Json space = {{"parameters", parameters}};
  ASSERT_EQ(served.post("/v1/studies", {{"name", "split"}, {"space", space}}).status, 201);
  (void)served.posted(split + "/asks", Json::object());
  (void)served.posted(split + "/tells", {{"tells", {tell_of(1, 0.5)}}});
  const Json row = served.got(split + "/plays")["best"].at(0);
  EXPECT_EQ(row["point"].size(), 32U);
  EXPECT_EQ(row["values"].size(), 32U);
  EXPECT_EQ(row["values"]["x31"], row["point"][31]);
  // The best are those on the space that it is on.
  const Json other = {
      {"parameters",
       Json::array({parameters[0], {{"name", "y"}, {"type", "number"}, {"from", 0}, {"to", 1}}})}};
  ASSERT_EQ(served.post(split + "/change", {{"space", other}, {"start", {{"y", 0.5}}}}).status,
            200);
  EXPECT_EQ(served.got(split + "/plays")["best"], Json::array());
  EXPECT_EQ(served.got(split + "/plays")["latest"].size(), 1U);
}

TEST(Plays, AreToldWithMetrics) {
  Served served;
  const Space space({{"a", Number{}}}, {}, {},
                    {{"p99", {.most = 200}, "ms"}, {"hits", {.least = 1}}});
  EXPECT_EQ(
      served.post("/v1/studies", {{"name", "split"}, {"space", studies::space_json(space)}}).status,
      201);
  Study study = Store::in_memory().create("split", {.on = space});
  (void)study.ask_many(3);
  (void)served.posted(split + "/asks", {{"count", 3}});
  study.tell(1, 0.5, {{"p99", 183}});
  study.tell(2, 0.25);
  study.measure(2, {{"p99", 120.5}, {"hits", 2}});
  const Json told = served.posted(split + "/tells",
                                  {{"tells",
                                    {{{"play", 1}, {"loss", 0.5}, {"metrics", {{"p99", 183}}}},
                                     {{"play", 2}, {"loss", 0.25}},
                                     {{"play", 2}, {"metrics", {{"p99", 120.5}, {"hits", 2}}}}}}});
  EXPECT_EQ(told["receipts"], (Json{"fresh", "fresh", "fresh"}));
  const auto bytes = study.state();
  EXPECT_EQ(served.state("split"),
            std::string(reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size()));
  const auto refused = [&](const Json& tell) {
    return served.post(split + "/tells", {{"tells", Json::array({tell})}}).body;
  };
  EXPECT_NE(refused({{"play", 3}, {"metrics", {{"p98", 1}}}}).find("did you mean 'p99'?"),
            std::string::npos);
  EXPECT_NE(refused({{"play", 3}, {"metrics", {{"p99", "fast"}}}}).find("not 'fast'"),
            std::string::npos);
  EXPECT_NE(refused({{"play", 3}, {"metrics", 7}}).find("must be an object of numbers"),
            std::string::npos);
  EXPECT_NE(refused({{"play", 3}, {"metrics", {{"p99", true}}}}).find("a number, not true"),
            std::string::npos);
  EXPECT_NE(refused({{"play", 3}, {"metrics", Json::object()}}).find("'loss' is missing"),
            std::string::npos);
  EXPECT_NE(refused({{"play", 1}, {"metrics", {{"p99", 184}}}}).find("the first stands"),
            std::string::npos);
}

TEST(Plays, AreWrittenAsJsonIs) {
  for (const double x : {0.0, -0.0, 1.0, 0.1, 1e-300, -5e-324, 1e50, 123456789012345680.0}) {
    for (const Values& values :
         {Values(), Values{{"a", x}, {"b", std::int64_t{3}}, {"c", std::string("\"\n")}}}) {
      for (const bool marked : {false, true}) {
        const StudyPlay play = {7, {x, 0.5, x}, values, marked, marked ? PlayId{6} : 0};
        std::string text;
        studies::append_play(play, text);
        EXPECT_EQ(text, studies::json_text(studies::play_json(play)));
      }
    }
  }
}

TEST(Plays, AreToldOnceTwiceAndTooLate) {
  Served served;
  served.create("split", {{"window", 4}});
  (void)served.post(split + "/asks", {{"count", 3}});
  const Json tells = {{"tells", {tell_of(2, 0.25), tell_of(1, 0.5)}}};
  EXPECT_EQ(served.posted(split + "/tells", tells)["receipts"], (Json{"fresh", "fresh"}));
  EXPECT_EQ(served.posted(split + "/tells", tells)["receipts"], (Json{"repeated", "repeated"}));
  (void)served.post(split + "/asks", {{"count", 4}});
  EXPECT_EQ(served.posted(split + "/tells", {{"tells", {tell_of(3, 1)}}})["receipts"],
            Json{"expired"});
  EXPECT_EQ(served.got(split + "/plays/2"), (Json{{"play", 2}, {"is", "expired"}}));
  EXPECT_EQ(served.got(split + "/plays/7"), (Json{{"play", 7}, {"is", "pending"}}));
  (void)served.post(split + "/tells", {{"tells", {tell_of(7, 0.125)}}});
  EXPECT_EQ(served.got(split + "/plays/7"), (Json{{"play", 7}, {"is", "told"}, {"loss", 0.125}}));
  EXPECT_EQ(outcome(served.get(split + "/plays/8")), "404 unknown_play");
  EXPECT_EQ(outcome(served.get(split + "/plays/0")), "404 unknown_play");
  EXPECT_EQ(outcome(served.get(split + "/plays/x")), "404 unknown_play");
}

TEST(Plays, OfAWorkerAreGivenAgain) {
  Served served;
  served.create("split");
  const Json worker = {{"worker", "w1"}};
  const Json first = served.posted(split + "/asks", worker)["plays"][0];
  EXPECT_EQ(served.posted(split + "/asks", worker)["plays"][0], first);
  const Json known = served.got(split + "/plays/1");
  EXPECT_EQ(known["worker"], "w1");
  EXPECT_EQ(known["point"], first["point"]);
  Json step = worker;
  step["tells"] = {tell_of(1, 0.5)};
  const Json second = served.posted(split + "/steps", step)["plays"][0];
  EXPECT_EQ(second["play"], 2);
  // The answer was lost: the worker asks again, tells nothing twice and gets the same play.
  EXPECT_EQ(served.posted(split + "/asks", worker)["plays"][0], second);
  EXPECT_EQ(served.posted(split + "/steps", step)["plays"][0], second);
}

TEST(Plays, ChangeNothingWhenTheyAreRefused) {
  Served served({.plays = 10});
  served.create("split");
  (void)served.post(split + "/asks", {{"count", 3}});
  (void)served.post(split + "/tells", {{"tells", {tell_of(1, 0.5)}}});
  const std::string before = served.state("split");
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"/tells", R"({"tells": [{"play": 2, "loss": 1}, {"play": 4, "loss": 1}]})",
       "404 unknown_play"},
      {"/tells", R"({"tells": [{"play": 2, "loss": 1}, {"play": 1, "loss": 1}]})",
       "409 contradiction"},
      {"/tells", R"({"tells": [{"play": 2, "loss": 1}, {"play": 2, "loss": 2}]})",
       "409 contradiction"},
      {"/tells", R"({"tells": [{"play": 2, "loss": 1}, {"play": 3, "loss": 1e60}]})",
       "400 unusable_feedback"},
      {"/tells", R"({"tells": [{"play": 2, "loss": NaN}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"play": 2, "loss": 1e999}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"play": 2, "loss": "1"}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"play": 2, "loss": null}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"play": 2.5, "loss": 1}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"play": -2, "loss": 1}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"loss": 1}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [{"play": 2}]})", "400 invalid_argument"},
      {"/tells", R"({"tells": [2]})", "400 invalid_argument"},
      {"/tells", R"({"tells": {"play": 2, "loss": 1}})", "400 invalid_argument"},
      {"/tells", R"({"tell": []})", "400 invalid_argument"},
      {"/tells", R"([])", "400 invalid_argument"},
      {"/tells", R"({"tells": [)", "400 invalid_argument"},
      {"/tells", "\xff\xfe", "400 invalid_argument"},
      {"/asks", R"({"count": 11})", "400 invalid_argument"},
      {"/asks", R"({"count": -1})", "400 invalid_argument"},
      {"/asks", R"({"count": 2, "worker": "w"})", "400 invalid_argument"},
      {"/asks", R"({"worker": "two words"})", "400 invalid_argument"},
      {"/asks", R"({"worker": 3})", "400 invalid_argument"},
      {"/steps", R"({"asks": 1, "tells": [{"play": 9, "loss": 1}]})", "404 unknown_play"},
      {"/steps", R"({"asks": 11, "tells": [{"play": 2, "loss": 1}]})", "400 invalid_argument"},
      {"/steps", std::string(100000, '['), "400 invalid_argument"},
      {"/steps", R"({"tells": )" + std::string(100000, '[') + std::string(100000, ']') + "}",
       "400 invalid_argument"},
  };
  for (const auto& [path, body, expected] : cases) {
    EXPECT_EQ(outcome(served.send("POST", split + path, body)), expected) << path << body;
    EXPECT_EQ(served.state("split"), before) << path << body;
  }
  Json eleven = {{"tells", Json::array()}};
  for (int k = 0; k < 11; ++k) eleven["tells"].push_back(tell_of(2, 1));
  EXPECT_EQ(outcome(served.post(split + "/tells", eleven)), "400 invalid_argument");
  EXPECT_EQ(served.state("split"), before);
}

TEST(Plays, HaveCounts) {
  Served served;
  served.create("split", {{"seed", 3}});
  Learner twin(simplex(3), {.seed = 3});
  for (int t = 1; t <= 40; ++t) {
    const Json play = served.posted(split + "/asks", Json::object())["plays"][0];
    ASSERT_EQ(play["point"].get<std::vector<double>>(), twin.ask().point);
    Json tell = tell_of(t, 0.25 * (t % 5));
    if (t % 3 == 1) tell["count"] = 500;
    if (t % 3 == 2) tell["error"] = 0.5;
    EXPECT_EQ(served.posted(split + "/tells", {{"tells", {tell}}})["receipts"][0], "fresh");
    twin.tell(t, 0.25 * (t % 5), t % 3 == 1 ? 500 : t % 3 == 2 ? 4 : 1);
  }
  const State state = twin.state();
  EXPECT_EQ(served.state("split"),
            std::string(reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size()));
  const auto wrong = [&](Json more) {
    Json tell = tell_of(1, 0.25);
    tell.update(more);
    return outcome(served.post(split + "/tells", {{"tells", {tell}}}));
  };
  EXPECT_EQ(wrong({{"count", 499}}), "409 contradiction");
  EXPECT_EQ(wrong({{"count", 500}, {"error", 1}}), "400 invalid_argument");
  EXPECT_EQ(wrong({{"count", 0}}), "400 unusable_feedback");
  EXPECT_EQ(wrong({{"error", 0}}), "400 invalid_argument");
  EXPECT_EQ(wrong({{"count", "many"}}), "400 invalid_argument");
}

TEST(Plays, AreNotNeededToLearnThePast) {
  Served served;
  served.create("split", {{"seed", 3}});
  Learner twin(simplex(3), {.seed = 3});
  const std::string past = split + "/past";
  const auto of_point = [](std::vector<double> point, double loss) {
    return Json{{"point", std::move(point)}, {"loss", loss}};
  };
  Json losses = Json::array();
  for (int k = 0; k < 30; ++k) {
    const double share = k / 30.0;
    losses.push_back(of_point({share, 1 - share, 0}, share * share));
    losses.back()["count"] = 1 + k % 3;
    twin.learn(std::vector<double>{share, 1 - share, 0}, share * share, 1 + k % 3);
  }
  const Json answer = served.posted(past, {{"losses", losses}});
  EXPECT_EQ(answer, (Json{{"learned", 30}, {"projected", 0}, {"skipped", 0}}));
  EXPECT_EQ(served.got(split)["past"], 30);
  EXPECT_EQ(served.got(split)["asked"], 0);
  EXPECT_EQ(served.got(split + "/recommendation")["point"].get<std::vector<double>>(),
            twin.recommend());
  const std::string before = served.state("split");
  const auto refused = [&](const Json& body) { return outcome(served.post(past, body)); };
  const Json outside = {of_point({0.5, 0.5, 0}, 1), of_point({0.5, 0.5, 0.5}, 1)};
  EXPECT_EQ(refused({{"losses", outside}}), "400 invalid_argument");
  EXPECT_EQ(Json::parse(served.post(past, {{"losses", outside}}).body)["index"], 1);
  EXPECT_EQ(refused({{"losses", {of_point({0.5, 0.5, 0}, 1e200)}}}), "400 unusable_feedback");
  EXPECT_EQ(refused({{"losses", 5}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"losses", {{{"loss", 1}}}}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"losses", {{{"loss", 1}, {"point", "far"}}}}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"losses", {{{"loss", 1}, {"values", {{"a", 1}}}}}}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"losses", outside}, {"outside", "maybe"}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"losses", Json(std::vector<Json>(1001, outside[0]))}}),
            "400 invalid_argument");
  EXPECT_EQ(served.state("split"), before);
  EXPECT_EQ(served.posted(past, {{"losses", outside}, {"outside", "skip"}})["skipped"], 1);
  EXPECT_EQ(served.posted(past, {{"losses", outside}, {"outside", "project"}})["projected"], 1);
  EXPECT_EQ(served.got(split)["past"], 33);
  EXPECT_EQ(served.posted(past, Json::object())["learned"], 0);
  const Json named = {{"losses", outside}, {"outside", "skip"}, {"id", "7-a"}};
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(served.posted(past, named), (Json{{"learned", 1}, {"projected", 0}, {"skipped", 1}}));
  }
  EXPECT_EQ(served.got(split)["past"], 34);
  EXPECT_EQ(refused({{"losses", {losses[3]}}, {"id", "7-a"}}), "409 contradiction");
  EXPECT_EQ(refused({{"losses", {losses[3]}}, {"id", "7 a"}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"losses", {losses[3]}}, {"id", 7}}), "400 invalid_argument");
}

TEST(Plays, NameTheTellThatIsWrong) {
  Served served;
  served.create("split");
  (void)served.post(split + "/asks", {{"count", 3}});
  const Json tells = {{"tells", {tell_of(1, 0.5), tell_of(2, 0.5), tell_of(7, 0.5)}}};
  EXPECT_EQ(served.posted(split + "/tells", tells)["index"], 2);
  const Json malformed = {{"tells", {tell_of(1, 0.5), {{"play", 2}}}}};
  EXPECT_NE(served.post(split + "/tells", malformed).body.find("tells[1]"), std::string::npos);
}

TEST(Plays, AreInTheLogInOrder) {
  Served served;
  served.create("split");
  (void)served.post(split + "/asks", {{"count", 2}});
  (void)served.post(split + "/steps", {{"tells", {tell_of(2, 0.25)}}, {"worker", "w1"}});
  const std::string log = body_of(served.get(split + "/log"));
  EXPECT_EQ(log,
            "{\"step\":1,\"tells\":[],\"plays\":[1,2]}\n"
            "{\"step\":2,\"tells\":[{\"play\":2,\"loss\":0.25,\"told\":\"fresh\"}],\"plays\":[3],"
            "\"worker\":\"w1\"}\n");
  EXPECT_EQ(body_of(served.get(split + "/log?after=1")), log.substr(log.find('\n') + 1));
  EXPECT_EQ(body_of(served.get(split + "/log?after=2")), "");
}

TEST(Plays, EndWithTheHorizon) {
  Served served;
  served.create("split", {{"learner", "projection_free(horizon=4, loss_bound=1)"}});
  EXPECT_EQ(served.post(split + "/asks", {{"count", 4}}).status, 200);
  EXPECT_EQ(outcome(served.post(split + "/asks", Json::object())), "409 horizon_used_up");
}

}  // namespace
}  // namespace keyhole::tests
