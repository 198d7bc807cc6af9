#include <gtest/gtest.h>

#include "served.h"
#include "studies/study/transfer.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

TEST(Studies, AreCreatedOnce) {
  Served served;
  const Json body = {{"name", "split"}, {"set", "simplex(3)"}, {"seed", 7}, {"maximize", true}};
  const Response first = served.post("/v1/studies", body);
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(first.headers.front().second, "/v1/studies/split");
  EXPECT_EQ(served.post("/v1/studies", body).status, 200);
  Json other = body;
  other["seed"] = 8;
  EXPECT_EQ(outcome(served.post("/v1/studies", other)), "409 other_description");
  const Json shown = served.got("/v1/studies/split");
  EXPECT_EQ(shown["seed"], 7);
  EXPECT_EQ(shown["set"], "simplex(3)");
  EXPECT_EQ(shown["maximize"], true);
  EXPECT_EQ(shown["dimension"], 3);
  EXPECT_EQ(shown["asked"], 0);
}

/// The log of a study of a store, with that many steps.
studies::Transfer::Log played_log(const Store& store, const std::string& name, int steps,
                                  std::uint64_t seed = 7) {
  Study study = store.create(name, {.on = "simplex(3)", .options = {.seed = seed}});
  for (int k = 0; k < steps; ++k) {
    const StudyPlay play = study.ask();
    study.tell(play.id, play.point[0]);
  }
  return studies::Transfer::log_of(store, name);
}

/// A log comes in parts, each of which may be sent twice; the study goes on as it would at home.
TEST(Studies, ComeFromAnotherStore) {
  Served served;
  const Store home = Store::in_memory();
  const auto log = played_log(home, "split", 20);
  const std::string url = "/v1/studies/split/copy?from=";
  const std::uint64_t half = log.ends[log.ends.size() / 2];
  const auto put = [&](std::uint64_t from, std::uint64_t to) {
    return served.send("PUT", url + std::to_string(from), log.bytes.substr(from, to - from));
  };
  EXPECT_EQ(outcome(put(half, log.bytes.size())), "409 other_description");  // nothing is before it
  EXPECT_EQ(put(0, half).status, 201);
  EXPECT_EQ(put(0, half).status, 200);
  EXPECT_EQ(served.got("/v1/studies/split")["log_bytes"], half);
  EXPECT_EQ(outcome(put(half, log.bytes.size() - 3)), "400 invalid_argument");  // half a frame
  EXPECT_EQ(served.got("/v1/studies/split")["log_bytes"], half);
  const Response last = put(half, log.bytes.size());
  EXPECT_EQ(last.status, 200) << last.body;
  EXPECT_EQ(Json::parse(last.body)["log_bytes"], log.bytes.size());
  EXPECT_EQ(put(half, log.bytes.size()).status, 200);
  EXPECT_EQ(served.got("/v1/studies/split")["told"], 20);
  const StudyPlay next = home.open("split").ask();
  const Json here = served.posted("/v1/studies/split/asks", Json::object())["plays"][0];
  EXPECT_EQ(here["play"], next.id);
  EXPECT_EQ(here["point"].get<std::vector<double>>(), next.point);
}

TEST(Studies, ThatComeFromElsewhereMustBeWholeAndSmall) {
  service::ServiceOptions options;
  options.dimension = 10;
  options.studies = 1;
  Served served(options);
  const Store home = Store::in_memory();
  const auto log = played_log(home, "split", 5);
  const auto put = [&](const std::string& name, const std::string& body) {
    return outcome(served.send("PUT", "/v1/studies/" + name + "/copy", body));
  };
  std::string damaged = log.bytes;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_EQ(put("split", damaged), "400 invalid_argument");
  EXPECT_EQ(put("split", ""), "400 invalid_argument");
  EXPECT_EQ(put("split", "not a log"), "400 invalid_argument");
  (void)home.create("large", {.on = "simplex(11)"});
  EXPECT_EQ(put("large", studies::Transfer::log_of(home, "large").bytes), "400 unreadable_spec");
  EXPECT_EQ(served.got("/v1/studies")["studies"].size(), 0U);
  EXPECT_EQ(put("split", log.bytes), "201");
  EXPECT_EQ(put("other", log.bytes), "429 quota");
  // Another history of the same name.
  const Store other = Store::in_memory();
  EXPECT_EQ(put("split", played_log(other, "split", 6, 8).bytes), "409 other_description");
  EXPECT_EQ(served.got("/v1/studies/split")["told"], 5);
}

TEST(Studies, AreWhatTheCommandLineWouldMake) {
  Served served;
  served.create("split", {{"seed", 5}});
  Store store(served.folder.path("studies"));
  StudyDescription description{.on = "simplex(3)"};
  description.options.seed = 5;
  EXPECT_NO_THROW((void)store.create("split", description));
}

TEST(Studies, OnASpaceHaveValuesByName) {
  Served served;
  const Json space = {{"parameters",
                       {{{"name", "timeout"}, {"type", "number"}, {"from", 5}, {"to", 500}},
                        {{"name", "codec"}, {"type", "choice"}, {"names", {"lz4", "zstd"}}}}}};
  const Response made = served.post(
      "/v1/studies", {{"name", "blocks"}, {"space", space}, {"start", {{"timeout", 50}}}});
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(served.got("/v1/studies/blocks")["start"]["timeout"], 50);
  const Json play = served.posted("/v1/studies/blocks/asks", Json::object())["plays"][0];
  EXPECT_TRUE(play["values"]["timeout"].is_number());
  EXPECT_TRUE(play["values"]["codec"] == "lz4" || play["values"]["codec"] == "zstd");
  EXPECT_EQ(play["point"].size(), 3U);
  EXPECT_TRUE(served.got("/v1/studies/blocks/recommendation")["values"]["timeout"].is_number());
}

Json threads_up_to(int most) {
  return {{"parameters",
           {{{"name", "threads"}, {"type", "integer"}, {"from", 1}, {"to", most}},
            {{"name", "share"}, {"type", "number"}, {"from", 0}, {"to", 1}}}}};
}

TEST(Studies, GoOnOnAnotherSpace) {
  Served served;
  const std::string url = "/v1/studies/tight";
  (void)served.posted("/v1/studies", {{"name", "tight"}, {"space", threads_up_to(16)}});
  for (int t = 0; t < 40; ++t) {
    const Json play = served.posted(url + "/asks", Json::object())["plays"][0];
    const double threads = play["values"]["threads"];
    (void)served.posted(
        url + "/tells",
        {{"tells", {{{"play", play["play"]}, {"loss", (threads - 40) * (threads - 40) / 1000}}}}});
  }
  const Json wider = {{"space", threads_up_to(64)}};
  const Json answer = served.posted(url + "/change", wider);
  EXPECT_EQ(answer, (Json{{"after", 40}, {"learned", 40}, {"dropped", 0}}));
  EXPECT_EQ(served.posted(url + "/change", wider), answer);  // as after a cut
  const Json shown = served.got(url);
  EXPECT_EQ(shown["changed"], answer);
  EXPECT_EQ(shown["space"]["parameters"][0]["to"], 64);
  EXPECT_EQ(served.posted(url + "/asks", Json::object())["plays"][0]["play"], 41);
  EXPECT_NE(body_of(served.get(url + "/log")).find(R"("changed":{"after":40,"learned":40)"),
            std::string::npos);
  Json buffer = wider;
  buffer["space"]["parameters"].push_back(
      {{"name", "buffer"}, {"type", "number"}, {"from", 1}, {"to", 9}});
  const auto refused = [&](const Json& body) {
    return outcome(served.post(url + "/change", body));
  };
  EXPECT_EQ(refused(buffer), "400 invalid_argument");
  EXPECT_EQ(refused(Json::object()), "400 invalid_argument");
  EXPECT_EQ(refused({{"set", "simplex(3)"}}), "400 invalid_argument");
  EXPECT_EQ(refused({{"space", 5}}), "400 invalid_argument");
  EXPECT_EQ(outcome(served.post("/v1/studies/none/change", wider)), "404 unknown_study");
  served.create("split");
  EXPECT_EQ(outcome(served.post("/v1/studies/split/change", wider)), "400 invalid_argument");
}

// Another process, or the command line, has changed it: whoever looks and plays goes on.
TEST(Studies, ThatWereChangedElsewhereGoOn) {
  Served served;
  const std::string url = "/v1/studies/tight";
  (void)served.posted("/v1/studies", {{"name", "tight"}, {"space", threads_up_to(16)}});
  for (int t = 0; t < 5; ++t) (void)served.posted(url + "/asks", Json::object());
  const Response response = served.get(url + "/events");
  EXPECT_NE(response.events()->find(R"("to":16.0)"), std::string::npos);
  Store store(served.folder.path("studies"));
  (void)store.change("tight", Space({{"threads", Integer{1, 64}}, {"share", Number{0, 1}}}));
  std::string said;
  const auto is_said = [&] {
    said += *response.events();
    return said.find(R"("to":64.0)") != std::string::npos;
  };
  EXPECT_TRUE(comes_true(is_said));
  EXPECT_NE(said.find("the study was changed after play 5: 0 losses taught, 0 dropped"),
            std::string::npos);
  EXPECT_EQ(served.posted(url + "/asks", Json::object())["plays"][0]["play"], 6);
}

TEST(Studies, AreListedByPages) {
  Served served;
  for (const char* const name : {"c", "a", "e", "b", "d"}) served.create(name);
  std::vector<std::string> names;
  std::string after;
  for (int page = 0; page < 3; ++page) {
    const Json json = served.got("/v1/studies?limit=2&after=" + after);
    for (const Json& study : json["studies"]) names.push_back(study["name"]);
    EXPECT_EQ(json.contains("next"), page < 2);
    after = json.value("next", "");
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  for (const char* const query :
       {"limit=0", "limit=1001", "limit=x", "limit=1&limit=1", "from=a"}) {
    EXPECT_EQ(outcome(served.get(std::string("/v1/studies?") + query)), "400 invalid_argument")
        << query;
  }
}

TEST(Studies, AreFoundByWhatIsWrittenOnThem) {
  Served served;
  for (const char* const name : {"a", "b", "c"}) served.create(name);
  const auto write = [&](const std::string& name, const std::string& body) {
    return served.send("PUT", "/v1/studies/" + name + "/label", body);
  };
  const std::string label = R"({"note":"the web tier","tags":["prod","eu"]})";
  EXPECT_EQ(write("a", label).body, label + "\n");
  EXPECT_EQ(write("b", R"({"tags": ["prod"]})").body, "{\"tags\":[\"prod\"]}\n");
  EXPECT_EQ(write("c", R"({"note": "the web \ntier"})").status, 200);
  EXPECT_EQ(write("c", "{}").body, "{}\n");
  const Json shown = served.got("/v1/studies/a");
  EXPECT_EQ(shown["note"], "the web tier");
  EXPECT_EQ(shown["tags"], (Json{"prod", "eu"}));
  EXPECT_FALSE(served.got("/v1/studies/c").contains("note"));
  const auto found = [&](const std::string& query) {
    std::string names;
    const Json page = served.got("/v1/studies?" + query);
    for (const Json& study : page["studies"]) names += study["name"].get<std::string>();
    return names + (page.contains("next") ? "..." : "");
  };
  EXPECT_EQ(found("tag=prod"), "ab");
  EXPECT_EQ(found("tag=prod&limit=1"), "a...");
  EXPECT_EQ(found("tag=prod&limit=1&after=a"), "b");
  EXPECT_EQ(found("search=WEB%20tier"), "a");
  EXPECT_EQ(found("search=b&tag=prod"), "ab");  // "web" has one too
  EXPECT_EQ(found("prefix=b"), "b");
  EXPECT_EQ(found("tag=pro"), "");
  EXPECT_EQ(served.got("/v1/studies?tag=eu")["studies"][0]["note"], "the web tier");
  for (const char* const wrong : {R"({"tags": "prod"})", R"({"tags": [1]})", R"({"tags": ["a b"]})",
                                  R"({"note": 1})", R"({"words": []})", R"({"tags": null})"}) {
    EXPECT_EQ(outcome(write("a", wrong)), "400 invalid_argument") << wrong;
  }
  EXPECT_EQ(outcome(write("d", label)), "404 unknown_study");
  EXPECT_EQ(served.got("/v1/studies/a")["tags"].size(), 2U);
}

TEST(Studies, AreBroughtBack) {
  service::ServiceOptions options;
  options.keep_deleted = 7 * 86400;
  options.studies = 2;
  Served served(options);
  for (const char* const name : {"a", "b"}) served.create(name);
  (void)served.post("/v1/studies/a/asks", {{"count", 3}});
  EXPECT_EQ(served.got("/v1/studies/a")["kept_if_deleted"], 7 * 86400);
  EXPECT_EQ(served.send("DELETE", "/v1/studies/a").status, 204);
  EXPECT_EQ(outcome(served.post("/v1/studies/a/asks", Json::object())), "404 unknown_study");
  const Json deleted = served.got("/v1/deleted")["studies"];
  ASSERT_EQ(deleted.size(), 1U);
  EXPECT_EQ(deleted[0]["name"], "a");
  EXPECT_TRUE(deleted[0]["until"].get<std::string>().ends_with("Z"));
  EXPECT_EQ(served.posted("/v1/studies/a/undelete", Json::object())["asked"], 3);
  EXPECT_EQ(served.posted("/v1/studies/a/asks", Json::object())["plays"][0]["play"], 4);
  // Again, as after a lost answer: it may not count twice.
  EXPECT_EQ(served.posted("/v1/studies/a/undelete", Json::object())["asked"], 4);
  EXPECT_EQ(served.send("DELETE", "/v1/studies/a").status, 204);
  served.create("c");
  EXPECT_EQ(outcome(served.post("/v1/studies/a/undelete", Json::object())), "429 quota");
  EXPECT_EQ(served.send("DELETE", "/v1/studies/c").status, 204);
  // There is another study of that name. The message does not say where the service has them.
  served.create("a");
  const service::Response taken = served.post("/v1/studies/a/undelete", Json::object());
  EXPECT_EQ(outcome(taken), "409 other_description");
  EXPECT_EQ(Json::parse(taken.body)["detail"],
            "there is a study 'a': the deleted one cannot take its name");
  EXPECT_EQ(served.send("DELETE", "/v1/studies/b").status, 204);
  for (const char* const none : {"d", "-x", "a%20b"}) {
    const std::string path = std::string("/v1/studies/") + none;
    EXPECT_EQ(outcome(served.post(path + "/undelete", Json::object())), "404 unknown_study");
    EXPECT_EQ(outcome(served.send("PUT", path + "/label", R"({"note": "x"})")),
              "404 unknown_study");
  }
  // A service that keeps nothing deletes at once.
  Served other;
  other.create("a");
  EXPECT_FALSE(other.got("/v1/studies/a").contains("kept_if_deleted"));
  EXPECT_EQ(other.send("DELETE", "/v1/studies/a").status, 204);
  EXPECT_TRUE(other.got("/v1/deleted")["studies"].empty());
  EXPECT_EQ(outcome(other.post("/v1/studies/a/undelete", Json::object())), "404 unknown_study");
}

TEST(Studies, AreDeletedByAnyone) {
  Served served;
  served.create("here");
  (void)served.post("/v1/studies/here/asks", {{"count", 3}});
  EXPECT_EQ(served.send("DELETE", "/v1/studies/here").status, 204);
  EXPECT_EQ(outcome(served.get("/v1/studies/here")), "404 unknown_study");
  EXPECT_EQ(outcome(served.send("DELETE", "/v1/studies/here")), "404 unknown_study");
  // By another process, while it is open here.
  served.create("there");
  (void)served.post("/v1/studies/there/asks", {{"count", 3}});
  Store store(served.folder.path("studies"));
  store.remove("there");
  EXPECT_EQ(outcome(served.post("/v1/studies/there/asks", Json::object())), "404 unknown_study");
  (void)store.create("there", {.on = "simplex(4)"});
  const Json play = served.posted("/v1/studies/there/asks", Json::object())["plays"][0];
  EXPECT_EQ(play["play"], 1);
  EXPECT_EQ(play["point"].size(), 4U);
}

/// Another replica over the same folder.
class Replica : public Served {
 public:
  explicit Replica(const Served& first) {
    service::ServiceOptions options;
    options.folder = first.folder.path("studies");
    options.store.durability = Durability::process;
    service.emplace(options, Catalogue::standard(), [this] { return now; });
  }
};

TEST(Studies, ThatAnotherReplicaHasDeletedLeaveTheirNames) {
  Served here;
  Replica there(here);
  const auto made = [](Served& by, const std::string& set) {
    return outcome(by.post("/v1/studies", {{"name", "s"}, {"set", set}}));
  };
  EXPECT_EQ(made(here, "ball(2)"), "201");
  EXPECT_EQ(there.get("/v1/studies/s").status, 200);  // it has it open now
  EXPECT_EQ(here.send("DELETE", "/v1/studies/s").status, 204);
  EXPECT_EQ(made(there, "ball(3)"), "201");
  EXPECT_EQ(made(here, "ball(3)"), "200");
  EXPECT_EQ(there.send("DELETE", "/v1/studies/s").status, 204);
  EXPECT_EQ(made(there, "ball(4)"), "201");
  EXPECT_EQ(made(here, "ball(4)"), "200");
  EXPECT_EQ(made(here, "ball(3)"), "409 other_description");
}

TEST(Studies, HaveAQuota) {
  Served served({.studies = 2});
  served.create("a");
  served.create("b");
  const Json third = {{"name", "c"}, {"set", "simplex(3)"}};
  EXPECT_EQ(outcome(served.post("/v1/studies", third)), "429 quota");
  (void)served.send("DELETE", "/v1/studies/a");
  EXPECT_EQ(served.post("/v1/studies", third).status, 201);
}

TEST(Studies, AreRefusedWithTheReason) {
  Served served({.dimension = 100});
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"name", "a"}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"space", Json::object()}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplx(3)"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"learner", "nobody"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "simplex(101)"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "nuclear_ball(11, 11)"}}, "413 too_large"},
      {{{"name", "a"}, {"set", "simplex(1000000000000)"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "polytope(file=\"/etc/passwd\")"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "convex_hull(file=\"/etc/passwd\")"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "knapsack(file(\"/etc/passwd\"), 1)"}}, "400 unreadable_spec"},
      {{{"name", "a"},
        {"set", "simplex(3)"},
        {"learner", "posterior(start=file(\"/etc/passwd\"))"}},
       "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "knapsack(array(\"sha256:00\"), 1)"}}, "400 unreadable_spec"},
      {{{"name", "a"}, {"set", "simplex(3)" + std::string(1U << 20U, ' ')}},
       "400 invalid_argument"},
      {{{"name", "a"}, {"set", 3}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"sede", 3}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"seed", -1}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"seed", 1.5}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"window", 100000000}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"max_step", "far"}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"max_step", -1}}, "400 invalid_argument"},
      {{{"name", "a"}, {"set", "simplex(3)"}, {"start", {{"x", 1}}}}, "400 invalid_argument"},
      {{{"name", "a"}, {"space", {{"parameters", {{{"name", "x"}}}}}}}, "400 invalid_argument"},
      {{{"name", "a"}, {"space", {{"parameters", 3}}}}, "400 invalid_argument"},
      {{{"name", "../a"}, {"set", "simplex(3)"}}, "400 invalid_argument"},
      {{{"name", ""}, {"set", "simplex(3)"}}, "400 invalid_argument"},
      {{{"name", std::string(101, 'a')}, {"set", "simplex(3)"}}, "400 invalid_argument"},
  };
  for (const auto& [body, expected] : cases) {
    const Response response = served.post("/v1/studies", body);
    EXPECT_EQ(outcome(response), expected) << body << response.body;
    EXPECT_GT(Json::parse(response.body)["detail"].get<std::string>().size(), 10U);
  }
  EXPECT_EQ(served.got("/v1/studies")["studies"].size(), 0U);
}

TEST(Studies, OfManyMoreThanAreOpenGoOn) {
  Served served({.open_studies = 2});
  for (const char* const name : {"a", "b", "c", "d"}) served.create(name);
  for (int round = 1; round <= 20; ++round) {
    for (const std::string name : {"a", "b", "c", "d"}) {
      const Json tells =
          round == 1 ? Json::array() : Json{{{"play", round - 1}, {"loss", 0.5 * round}}};
      const Json step = served.posted("/v1/studies/" + name + "/steps", {{"tells", tells}});
      EXPECT_EQ(step["plays"][0]["play"], round);
    }
  }
  EXPECT_EQ(served.service->studies().size(), 2U);
  EXPECT_EQ(served.state("a"), served.state("d"));
}

}  // namespace
}  // namespace keyhole::tests
