// Studies with contexts over HTTP.

#include <gtest/gtest.h>

#include <limits>

#include "keyhole/client.h"
#include "keyhole/store.h"
#include "served.h"
#include "server.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

const std::string shop = "/v1/studies/shop";

/// Six o'clock in the evening of a Wednesday.
double evening() { return 1'700'071'200; }

const Json shop_space = Json::parse(R"({
  "parameters": [{"name": "threads", "type": "number", "from": 1, "to": 64}],
  "contexts": [{"name": "load", "type": "number", "from": 0, "to": 5000},
               {"name": "segment", "type": "choice", "names": ["new", "here a while"]},
               {"name": "hour", "type": "clock", "clock": "day"}]})");

Space local_space() {
  return Space({{"threads", Number{.from = 1, .to = 64}}}, {},
               {{"load", Number{.from = 0, .to = 5000}},
                {"segment", Choice{{"new", "here a while"}}},
                {"hour", Clock{}}});
}

/// A service with a study that has a number, a choice and a clock.
class Shop : public Served {
 public:
  Shop() : Served({.store = {.now = evening}}) {
    const Response made = post("/v1/studies", {{"name", "shop"}, {"space", shop_space}});
    if (made.status != 201) throw std::runtime_error(made.body);
  }
  /// What is wrong with a call.
  std::string refusal(const Response& response) {
    EXPECT_EQ(outcome(response), "400 invalid_argument");
    return Json::parse(response.body).value("detail", response.body);
  }
  std::string refusal_of_ask(const std::string& context) {
    return refusal(send("POST", shop + "/asks", R"({"context": )" + context + "}"));
  }
};

TEST(ServedContexts, AreThoseOfAStudyBitForBit) {
  Shop served;
  Store store(served.folder.path("other"), {.durability = Durability::process, .now = evening});
  Study study = store.create("shop", {.on = local_space()});
  Json tells = Json::array();
  std::vector<StudyTell> local_tells;
  for (int round = 0; round < 100; ++round) {
    Json context = {{"load", 50 * round}};
    Values known = {{"load", std::int64_t{50 * round}}};
    if (round % 2 == 0) {
      context["segment"] = "here a while";
      known.emplace_back("segment", "here a while");
    }
    const Json answer =
        served.posted(shop + "/steps", {{"tells", tells}, {"worker", "w"}, {"context", context}});
    const StudyPlay play = study.step(local_tells, 1, "w", known).plays.front();
    ASSERT_EQ(answer["plays"].size(), 1U) << answer;
    const Json& served_play = answer["plays"][0];
    ASSERT_EQ(served_play["point"].get<std::vector<double>>(), play.point);
    ASSERT_EQ(served_play["context"]["load"], 50.0 * round);
    ASSERT_EQ(served_play["context"]["hour"], 18);
    ASSERT_EQ(served_play["context"].contains("segment"), round % 2 == 0);
    const double loss = std::abs(play.point[0] - 0.6 * round);
    tells = {{{"play", play.id}, {"loss", loss}}};
    local_tells = {{play.id, loss}};
  }
  for (const Values& known :
       {Values{}, Values{{"load", 812.0}},
        Values{{"segment", "here a while"}, {"load", 4000.0}, {"hour", 3.5}}}) {
    std::string query = "?";
    for (const auto& [name, value] : known) {
      const auto* const number = std::get_if<double>(&value);
      query += name + "=" + (number != nullptr ? std::to_string(*number) : "here%20a+while") + "&";
    }
    const Json answer = served.got(shop + "/recommendation" + query);
    EXPECT_EQ(answer["point"].get<std::vector<double>>(), study.recommend(known)) << answer;
    EXPECT_EQ(answer.value("context", Json::object()).size(), known.size());
  }
  EXPECT_NE(study.recommend({{"load", 0.0}}), study.recommend({{"load", 5000.0}}));
}

TEST(ServedContexts, StandInWhatIsSaidOfAStudy) {
  Shop served;
  EXPECT_EQ(served.got(shop)["space"]["contexts"], shop_space["contexts"]);
  EXPECT_EQ(served.got(shop)["clipped"], 0);
  (void)served.post(shop + "/asks", {{"context", {{"load", 1e9}}}});
  EXPECT_EQ(served.got(shop)["clipped"], 1);
  served.create("split");
  EXPECT_FALSE(served.got("/v1/studies/split").contains("clipped"));
}

TEST(ServedContexts, AWorkerGetsItsPlayWithItsContext) {
  Shop served;
  const Json first =
      served.posted(shop + "/asks", {{"worker", "w1"}, {"context", {{"load", 812}}}})["plays"][0];
  EXPECT_EQ(first["context"], (Json{{"load", 812.0}, {"hour", 18.0}}));
  const Json again =
      served.posted(shop + "/asks", {{"worker", "w1"}, {"context", {{"load", 9}}}})["plays"][0];
  EXPECT_EQ(again, first);
  EXPECT_EQ(served.got(shop + "/plays/1")["context"], first["context"]);
}

TEST(ServedContexts, NullIsNotKnown) {
  Shop served;
  const auto known = [&](const Json& context) {
    return served.posted(shop + "/asks", {{"context", context}})["plays"][0]["context"];
  };
  EXPECT_EQ(known({{"load", nullptr}, {"segment", nullptr}, {"hour", 3}}), (Json{{"hour", 3.0}}));
  EXPECT_EQ(known({{"load", 9}, {"hour", nullptr}}), (Json{{"load", 9.0}}));  // it is not read
}

// It was once taken for -1.
TEST(ServedContexts, AWholeNumberBeyond63BitsIsANumber) {
  Shop served;
  const Json body = {{"context", {{"load", UINT64_MAX}}}};
  const Json play = served.posted(shop + "/asks", body)["plays"][0];
  EXPECT_EQ(play["context"]["load"], 0x1p64);
}

TEST(ServedContexts, ThatCannotBeTakenAreRefused) {
  Shop served;
  EXPECT_EQ(served.refusal_of_ask(R"({"laod": 812})"),
            "there is no context 'laod'; did you mean 'load'?");
  EXPECT_EQ(served.refusal_of_ask(R"({"load": "much"})"),
            "the context 'load' must be a number, not 'much'");
  EXPECT_EQ(served.refusal_of_ask(R"({"load": [1]})"),
            "the context 'load' must be a number, not a list");
  EXPECT_EQ(served.refusal_of_ask(R"({"segment": 1})"),
            "the context 'segment' must be a name, such as 'new', and is no text");
  EXPECT_EQ(served.refusal_of_ask(R"({"load": true})"),
            "the context 'load' must be a number, not true");
  for (const char* const odd : {"[1]", "3", "null", R"({"load": {}})"}) {
    EXPECT_EQ(served.refusal_of_ask(odd),
              R"('context' must have what is known by name, as {"load": 812})");
  }
  const auto of_query = [&](const std::string& query) {
    return served.refusal(served.get(shop + "/recommendation?" + query));
  };
  EXPECT_EQ(of_query("laod=812"), "there is no context 'laod'; did you mean 'load'?");
  EXPECT_EQ(of_query("load=much"), "the context 'load' must be a number, not 'much'");
  EXPECT_EQ(of_query("load="), "the context 'load' must be a number, not ''");
  EXPECT_EQ(of_query("load=50%"), "the context 'load' must be a number, not '50%'");
  EXPECT_EQ(of_query("load=1&load=2"), "the query has 'load' twice");
  EXPECT_EQ(served.got(shop)["asked"], 0);
}

TEST(ServedContexts, AreRefusedByAStudyThatHasNone) {
  Shop served;
  served.create("split");
  (void)served.post("/v1/studies",
                    {{"name", "plain"}, {"space", {{"parameters", shop_space["parameters"]}}}});
  const Json body = {{"context", {{"load", 812}}}};
  for (const char* const call : {"/asks", "/steps"}) {
    EXPECT_EQ(served.refusal(served.post("/v1/studies/split" + std::string(call), body)),
              "the study 'split' is on a set, which has no contexts: those are of a space");
    EXPECT_EQ(served.refusal(served.post("/v1/studies/plain" + std::string(call), body)),
              "there is no context 'load': the space has none");
  }
  EXPECT_EQ(served.refusal(served.get("/v1/studies/plain/recommendation?load=812")),
            "there is no context 'load': the space has none");
}

TEST(ServedContexts, TeachThePast) {
  Shop served;
  Store store(served.folder.path("other"), {.durability = Durability::process, .now = evening});
  Study study = store.create("shop", {.on = local_space()});
  Json losses = Json::array();
  std::vector<StudyPast> past;
  for (int k = 0; k < 60; ++k) {
    const double threads = 1 + k;
    const double load = 80.0 * (k * 7 % 60);
    const double loss = std::abs(threads - load / 80);
    losses.push_back({{"values", {{"threads", threads}}},
                      {"loss", loss},
                      {"context", {{"load", load}, {"segment", nullptr}}}});
    past.push_back({.values = {{"threads", threads}}, .loss = loss, .context = {{"load", load}}});
  }
  EXPECT_EQ(served.posted(shop + "/past", {{"losses", losses}})["learned"], 60);
  (void)study.learn(past);
  EXPECT_EQ(served.got(shop + "/recommendation?load=4000")["point"].get<std::vector<double>>(),
            study.recommend({{"load", 4000.0}}));
  losses = {{{"values", {{"threads", 3}}}, {"loss", 1}, {"context", {{"laod", 1}}}}};
  EXPECT_NE(served.refusal(served.post(shop + "/past", {{"losses", losses}}))
                .find("did you mean 'load'?"),
            std::string::npos);
}

TEST(RemoteClient, PassesContextsOn) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const StudyDescription description{.on = local_space()};
  RemoteStudy remote =
      connect("http://127.0.0.1:" + std::to_string(server.port())).create("shop", description);
  Study local = Store(folder.path("other")).create("shop", description);
  constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
  // Both clocks say the same.
  const Values known = {{"load", 812.0}, {"segment", "here a while"}, {"hour", 3.0}};
  const StudyPlay play = remote.ask("w1", known);
  EXPECT_EQ(play, local.ask("w1", known));
  EXPECT_EQ(play.context, known);
  EXPECT_EQ(remote.ask("w1", {{"load", 9.0}, {"hour", 3.0}}), play);
  const std::vector<StudyTell> tells = {{play.id, 0.5}};
  const Values part = {{"load", not_known}, {"segment", "new"}, {"hour", 4.5}};
  EXPECT_EQ(remote.step(tells, 2, "", part).plays, local.step(tells, 2, "", part).plays);
  EXPECT_EQ(remote.ask_many(2, known), local.ask_many(2, known));
  const std::vector<StudyPast> past = {
      {.values = {{"threads", 60.0}}, .loss = -3, .context = {{"load", 4900.0}}}};
  (void)remote.learn(past);
  (void)local.learn(past);
  for (const Values& context : {Values(), known, part, Values{{"segment", "100 % & more=="}}}) {
    EXPECT_EQ(remote.recommend(context), local.recommend(context));
    EXPECT_EQ(remote.recommend_values(context), local.recommend_values(context));
  }
  const Values odd = {{"laod", 812.0}};
  EXPECT_EQ(message<InvalidArgument>([&] { (void)remote.ask("", odd); }),
            message<InvalidArgument>([&] { (void)local.ask("", odd); }));
  EXPECT_EQ(message<InvalidArgument>([&] { (void)remote.recommend(odd); }),
            message<InvalidArgument>([&] { (void)local.recommend(odd); }));
}

}  // namespace
}  // namespace keyhole::tests
