#include <gtest/gtest.h>

#include <regex>

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
  EXPECT_EQ(outcome(served.get("/page/other.js")), "404 unknown-path");
  EXPECT_EQ(outcome(served.get("/page/..")), "404 unknown-path");
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
  EXPECT_EQ(outcome(served.get("/v1/studies/a/curve?points=0")), "400 bad-request");
  EXPECT_EQ(outcome(served.get("/v1/studies/b/curve")), "404 unknown-study");
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
  EXPECT_EQ(about.at("status").at("asked"), 2);
  EXPECT_EQ(about.at("status").at("point").size(), about.at("dimension"));
  (void)served.send("DELETE", "/v1/studies/a");
  EXPECT_FALSE(response.events());
  EXPECT_EQ(outcome(served.get("/v1/studies/a/events")), "404 unknown-study");
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
