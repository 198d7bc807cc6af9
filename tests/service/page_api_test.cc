#include <gtest/gtest.h>

#include <regex>

#include "keyhole/spec.h"
#include "served.h"

namespace keyhole::tests {
namespace {

std::vector<std::string> found(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    all.push_back((*match)[1]);
  }
  return all;
}

/// The data of the events of a text, by their names.
std::vector<std::pair<std::string, Json>> events_of(const std::string& text) {
  std::vector<std::pair<std::string, Json>> events;
  std::istringstream lines(text);
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("event: ")) name = line.substr(7);
    if (line.starts_with("data: ")) events.emplace_back(name, Json::parse(line.substr(6)));
  }
  return events;
}

TEST(Page, HasAllItsFiles) {
  Served served;
  const Response page = served.get("/");
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  std::vector<std::string> wanted = found(page.body, "(/page/[a-z.]+)");
  EXPECT_GE(wanted.size(), 5U);
  for (std::size_t k = 0; k < wanted.size() && k < 100; ++k) {
    const Response file = served.get(wanted[k]);
    EXPECT_EQ(file.status, 200) << wanted[k];
    for (const std::string& other : found(file.body, "from '\\./([a-z.]+)'")) {
      wanted.push_back("/page/" + other);
    }
  }
  EXPECT_EQ(served.get("/page/api.js").type, "text/javascript; charset=utf-8");
  EXPECT_EQ(outcome(served.get("/page/other.js")), "404 unknown_path");
  EXPECT_EQ(outcome(served.get("/page/..")), "404 unknown_path");
}

// The policy of its content would make a browser refuse it.
TEST(Page, HasNothingInline) {
  Served served;
  const std::string page = served.get("/").body;
  EXPECT_TRUE(found(page, "(<script>|<style|style=| on[a-z]+=|https?://)").empty());
}

TEST(Curve, HasColumnsOfEqualLengths) {
  Served served;
  served.create("a");
  (void)served.post("/v1/studies/a/steps", {{"asks", 3}});
  const Json curve = Json::parse(served.get("/v1/studies/a/curve?points=10").body);
  for (const char* const column : {"from", "to", "asks", "tells", "mean", "p10", "p90"}) {
    EXPECT_EQ(curve.at(column).size(), curve.at("from").size());
  }
  EXPECT_EQ(outcome(served.get("/v1/studies/a/curve?points=0")), "400 invalid_argument");
  EXPECT_EQ(outcome(served.get("/v1/studies/b/curve")), "404 unknown_study");
}

TEST(Events, BeginWithTheStudyAndEndWithIt) {
  Served served;
  served.create("a");
  (void)served.post("/v1/studies/a/asks", {{"count", 2}});
  (void)served.post("/v1/studies/a/tells", {{"tells", {{{"play", 1}, {"loss", 0.5}}}}});
  const Response response = served.get("/v1/studies/a/events");
  EXPECT_EQ(response.type, "text/event-stream");
  const auto first = response.events();
  ASSERT_TRUE(first);
  const auto events = events_of(*first);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].first, "study");
  const Json& about = events[0].second;
  EXPECT_EQ(about.at("axes").size(), about.at("dimension"));
  EXPECT_EQ(about.at("contexts"), Json::array());
  EXPECT_EQ(about.at("status").at("asked"), 2);
  EXPECT_EQ(about.at("status").at("point").size(), about.at("dimension"));
  (void)served.send("DELETE", "/v1/studies/a");
  EXPECT_FALSE(response.events());
  EXPECT_EQ(outcome(served.get("/v1/studies/a/events")), "404 unknown_study");
}

TEST(Events, EndWithTheToken) {
  const std::string mine = service::token_line(
      "mine", {"acme", service::Scope::admin, service::Time(std::chrono::seconds(1800000010))});
  const std::string other = service::token_line("other", {"acme", service::Scope::read, {}});
  Served served({}, mine + other);
  const Json study = {{"name", "a"}, {"set", "simplex(3)"}};
  ASSERT_EQ(served.send("POST", "/v1/studies", study.dump(), "mine").status, 201);
  const Response ends = served.send("GET", "/v1/studies/a/events", "", "mine");
  const Response removed = served.send("GET", "/v1/studies/a/events", "", "other");
  EXPECT_TRUE(ends.events());
  EXPECT_TRUE(removed.events());
  served.now += std::chrono::seconds(9);
  EXPECT_TRUE(ends.events());
  served.now += std::chrono::seconds(1);  // its end
  EXPECT_FALSE(ends.events());
  EXPECT_TRUE(removed.events());
  served.write_tokens(mine);
  EXPECT_TRUE(removed.events());
  served.service->read_tokens();
  EXPECT_FALSE(removed.events());
}

TEST(Pause, IsSeenAndMarksPlays) {
  Served served;
  served.create("a");
  const auto put = [&](const Json& body) {
    return served.send("PUT", "/v1/studies/a/paused", body.dump());
  };
  EXPECT_EQ(served.got("/v1/studies/a").at("paused"), false);
  EXPECT_FALSE(served.posted("/v1/studies/a/asks", {{"worker", "w"}})
                   .at("plays")
                   .at(0)
                   .contains("recommended"));
  EXPECT_EQ(put({{"paused", true}}).body, "{\"paused\":true}\n");
  EXPECT_EQ(put({{"paused", true}}).status, 200);
  EXPECT_EQ(served.got("/v1/studies/a").at("paused"), true);
  const Json step = served.posted("/v1/studies/a/steps",
                                  {{"tells", {{{"play", 1}, {"loss", 0.5}}}}, {"worker", "w"}});
  const Json& play = step.at("plays").at(0);
  EXPECT_EQ(play.at("recommended"), true);
  EXPECT_EQ(play.at("point"), served.got("/v1/studies/a/recommendation").at("point"));
  EXPECT_EQ(served.got("/v1/studies/a/plays/2").at("recommended"), true);
  const auto events = events_of(*served.get("/v1/studies/a/events").events());
  const Json& status = events.at(0).second.at("status");
  EXPECT_EQ(status.at("paused"), true);
  EXPECT_EQ(status.at("marks").at(0).at("text"), "exploring was paused");
  EXPECT_EQ(status.at("marks").at(0).at("kind"), "pause");
  EXPECT_EQ(served.got("/v1/studies").at("studies").at(0).at("live").at("paused"), true);
  EXPECT_EQ(put({{"paused", false}}).status, 200);
  EXPECT_EQ(served.got("/v1/studies/a").at("paused"), false);
  const std::string log = body_of(served.get("/v1/studies/a/log"));
  EXPECT_NE(log.find(R"("paused":true)"), std::string::npos);
  EXPECT_NE(log.find(R"("paused":false)"), std::string::npos);
  EXPECT_EQ(outcome(put(Json::object())), "400 invalid_argument");
  EXPECT_EQ(outcome(put({{"paused", 1}})), "400 invalid_argument");
  EXPECT_EQ(outcome(put({{"pause", true}})), "400 invalid_argument");
}

TEST(Live, CountsWhatContradicts) {
  Served served;
  served.create("a");
  (void)served.post("/v1/studies/a/asks", Json::object());
  const auto tell = [&](double loss) {
    return outcome(
        served.post("/v1/studies/a/tells", {{"tells", {{{"play", 1}, {"loss", loss}}}}}));
  };
  EXPECT_EQ(tell(0.5), "200");
  const std::string before = served.state("a");
  EXPECT_EQ(tell(0.7), "409 contradiction");
  EXPECT_EQ(tell(0.8), "409 contradiction");
  EXPECT_EQ(tell(0.5), "200");
  const auto events = events_of(*served.get("/v1/studies/a/events").events());
  const Json& status = events.at(0).second.at("status");
  EXPECT_EQ(status.at("contradicting"), 2);
  EXPECT_EQ(status.at("alarms"), Json({"2 tells contradicted what was told before"}));
  EXPECT_NE(served.get("/metrics").body.find("keyhole_contradictions_total 2\n"),
            std::string::npos);
  EXPECT_EQ(served.got("/v1/studies/a").at("told"), 1);
}

TEST(Live, HasTheBoundWhereThereIsOne) {
  Served served;
  served.create("without");
  served.create("with", {{"learner", "anytime(projection_free(loss_bound=2, gradient_bound=3))"}});
  const auto bound = [&](const std::string& name) {
    (void)served.post("/v1/studies/" + name + "/asks", {{"count", 64}});
    const auto events = events_of(*served.get("/v1/studies/" + name + "/events").events());
    return events.at(0).second.at("status").at("bound");
  };
  (void)served.post("/v1/studies/with/asks", Json::object());
  EXPECT_TRUE(bound("without").is_null());
  Learner learner = make_learner("anytime(projection_free(loss_bound=2, gradient_bound=3))",
                                 make_set("simplex(3)"));
  const Json got = bound("with");
  // The samples looked when the study was first stepped.
  EXPECT_EQ(got.at("a_play").get<double>(), learner.regret_bound(1).value);
  EXPECT_EQ(got.at("note"), learner.regret_bound(1).note);
}

TEST(Live, SaysHowMuchIsOnTheDisk) {
  Served served;
  served.create("a");
  (void)served.post("/v1/studies/a/asks", {{"count", 2}});
  const Json shown = served.got("/v1/studies/a");
  EXPECT_EQ(shown.at("log_bytes"), std::filesystem::file_size(served.folder.path("studies/a/log")));
  EXPECT_GT(shown.at("durable_bytes"), 0);  // what stood there before the first step
  EXPECT_LT(shown.at("durable_bytes"), shown.at("log_bytes"));
}

TEST(Report, IsAFile) {
  service::ServiceOptions options;
  options.report = [](const Store& store, const std::string& name) {
    return "<p>" + name + " of " + std::to_string(store.list().size());
  };
  Served served(options);
  served.create("a");
  const Response report = served.get("/v1/studies/a/report");
  EXPECT_EQ(report.body, "<p>a of 1");
  EXPECT_EQ(report.type, "text/html; charset=utf-8");
  EXPECT_EQ(report.headers.at(0).second, "attachment; filename=\"a.html\"");
  EXPECT_EQ(outcome(served.get("/v1/studies/b/report")), "404 unknown_study");
  Served without;
  without.create("a");
  EXPECT_EQ(outcome(without.get("/v1/studies/a/report")), "404 unknown_path");
}

TEST(Events, TakeAnyLastEventId) {
  Served served;
  served.create("a");
  for (const char* const id : {"0", "18446744073709551615", "x", "-1", "1800000000"}) {
    const Response response = served.service->answer(
        {.path = "/v1/studies/a/events", .host = "localhost", .last_event_id = id});
    EXPECT_TRUE(response.events()) << id;
  }
}

TEST(List, ShowsWhatIsUsed) {
  Served served;
  served.create("a");
  served.create("b");
  (void)served.post("/v1/studies/b/asks", Json::object());
  const Json listed = Json::parse(served.get("/v1/studies").body).at("studies");
  EXPECT_FALSE(listed.at(0).contains("live"));
  EXPECT_EQ(listed.at(1).at("live").at("alarms"), Json::array());
}

}  // namespace
}  // namespace keyhole::tests
