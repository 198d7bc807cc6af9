// Who may do what, and what nobody may.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/sha256.h"
#include "served.h"
#include "service/log_line.h"
#include "service/routes.h"
#include "service/same_text.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using service::Grant;
using service::Scope;
using service::Tokens;

/// Tokens of two tenants: "acme-read", "acme-play", "acme-admin", "acme-ended", "rival-admin".
std::string some_tokens() {
  const service::Time past{std::chrono::seconds(1799999999)};
  const service::Time future{std::chrono::seconds(1800000001)};
  return service::token_line("acme-read", {"acme", Scope::read, {}}) +
         service::token_line("acme-play", {"acme", Scope::play, future}) +
         service::token_line("acme-admin", {"acme", Scope::admin, {}}) +
         service::token_line("acme-ended", {"acme", Scope::admin, past}) +
         service::token_line("rival-admin", {"rival", Scope::admin, {}});
}

std::string with_names(std::string path) {
  if (path == "/page/{name}") return "/page/page.js";
  for (const auto& [hole, value] : {std::pair("{name}", "secret"), std::pair("{play}", "1")}) {
    const std::size_t at = path.find(hole);
    if (at != std::string::npos) path.replace(at, std::string(hole).size(), value);
  }
  return path;
}

TEST(Security, HoldsOnEveryRoute) {
  Served served({}, some_tokens());
  const Json study = {{"name", "secret"}, {"set", "simplex(3)"}};
  ASSERT_EQ(served.send("POST", "/v1/studies", study.dump(), "acme-admin").status, 201);
  ASSERT_EQ(served.send("POST", "/v1/studies/secret/asks", "", "acme-play").status, 200);
  const auto status = [&](const service::Route& route, const std::string& token) {
    const std::string path = with_names(std::string(route.path));
    return outcome(served.send(std::string(route.method), path, "", token));
  };
  for (const service::Route& route : service::routes()) {
    if (route.path.empty()) continue;
    SCOPED_TRACE(std::string(route.method) + " " + std::string(route.path));
    if (route.scope == Scope::none) {
      EXPECT_EQ(status(route, "").substr(0, 3), "200");
      continue;
    }
    for (const char* const token :
         {"", "wrong", "acme-ended", "acme-read2", "ACME-READ", "acme-rea"}) {
      EXPECT_EQ(status(route, token), "401 unauthorized") << token;
    }
    const bool is_of_a_study = route.path.find("{name}") != std::string_view::npos;
    // A copy may make a study, in names of one's own.
    const bool makes = route.path.ends_with("/copy");
    if (is_of_a_study) {
      EXPECT_EQ(status(route, "rival-admin"), makes ? "400 invalid_argument" : "404 unknown_study");
    }
    if (route.scope > Scope::read) {
      EXPECT_EQ(status(route, "acme-read"), "403 forbidden");
    }
    if (route.scope > Scope::play) {
      EXPECT_EQ(status(route, "acme-play"), "403 forbidden");
    }
  }
  EXPECT_EQ(served.send("GET", "/v1/studies/secret", "", "acme-read").status, 200);
}

TEST(Security, KeepsTenantsApart) {
  Served served({}, some_tokens());
  const Json study = {{"name", "same"}, {"set", "simplex(3)"}};
  const Json other = {{"name", "same"}, {"set", "simplex(4)"}};
  EXPECT_EQ(served.send("POST", "/v1/studies", study.dump(), "acme-admin").status, 201);
  EXPECT_EQ(Json::parse(served.send("GET", "/v1/studies", "", "rival-admin").body)["studies"],
            Json::array());
  EXPECT_EQ(served.send("POST", "/v1/studies", other.dump(), "rival-admin").status, 201);
  const auto dimension = [&](const std::string& token) {
    return Json::parse(served.send("GET", "/v1/studies/same", "", token).body)["dimension"];
  };
  EXPECT_EQ(dimension("acme-admin"), 3);
  EXPECT_EQ(dimension("rival-admin"), 4);
  EXPECT_EQ(served.send("DELETE", "/v1/studies/same", "", "rival-admin").status, 204);
  EXPECT_EQ(dimension("acme-admin"), 3);
  // What another has and what nobody has look the same.
  const auto missing = [&](const std::string& name) {
    std::string body = served.send("GET", "/v1/studies/" + name, "", "rival-admin").body;
    return body.replace(body.find(name), name.size(), "NAME");
  };
  EXPECT_EQ(missing("same"), missing("none"));
  EXPECT_TRUE(std::filesystem::exists(served.folder.path("studies/@acme/same/log")));
}

/// The metrics name the limits of a study to its own tenant alone.
TEST(Security, KeepsMetricsApart) {
  Served served({}, some_tokens());
  const Json made = Json::parse(R"({
    "name": "shop", "space": {"parameters": [{"name": "x", "type": "number", "from": 0, "to": 1}],
                              "limits": [{"name": "p99", "most": 200}]}})");
  ASSERT_EQ(served.send("POST", "/v1/studies", made.dump(), "acme-admin").status, 201);
  const auto steps = [&](const char* body) {
    return served.send("POST", "/v1/studies/shop/steps", body, "acme-play").status;
  };
  ASSERT_EQ(steps(R"({"tells": [], "asks": 1})"), 200);
  ASSERT_EQ(steps(R"({"tells": [{"play": 1, "loss": 1, "metrics": {"p99": 9}}], "asks": 0})"), 200);
  // It is looked at at once then, and else once a second.
  ASSERT_EQ(
      served.send("PUT", "/v1/studies/shop/paused", R"({"paused": true})", "acme-admin").status,
      200);
  const auto says = [&](const std::string& token) {
    return served.send("GET", "/metrics", "", token).body.find("shop") != std::string::npos;
  };
  EXPECT_TRUE(says("acme-admin"));
  EXPECT_FALSE(says("rival-admin"));
}

TEST(Security, ReadsTokensAgain) {
  Served served({}, some_tokens());
  served.write_tokens(service::token_line("fresh", {"acme", Scope::read, {}}));
  EXPECT_EQ(served.send("GET", "/v1/studies", "", "acme-read").status, 200);
  served.service->read_tokens();
  EXPECT_EQ(outcome(served.send("GET", "/v1/studies", "", "acme-read")), "401 unauthorized");
  EXPECT_EQ(served.send("GET", "/v1/studies", "", "fresh").status, 200);
  served.write_tokens("nonsense\n");
  EXPECT_THROW(served.service->read_tokens(), InputError);
  EXPECT_EQ(served.send("GET", "/v1/studies", "", "fresh").status, 200);
}

TEST(Security, EndsTokensInTime) {
  Served served({}, some_tokens());
  EXPECT_EQ(served.send("GET", "/v1/studies", "", "acme-play").status, 200);
  served.now += std::chrono::seconds(1);
  EXPECT_EQ(outcome(served.send("GET", "/v1/studies", "", "acme-play")), "401 unauthorized");
}

/// A text that counts how often it is read.
class CountedText {
 public:
  CountedText(std::string text, std::size_t& reads) : text_(std::move(text)), reads_(reads) {}
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  char operator[](std::size_t i) const {
    ++reads_;
    return text_[i];
  }

 private:
  std::string text_;
  std::size_t& reads_;
};

TEST(Security, ReadsAsMuchOfADigestWhereverItDiffers) {
  const std::string digest = base::sha256("token");
  for (std::size_t place = 0; place <= digest.size(); ++place) {
    std::string other = digest;
    if (place < other.size()) other[place] = other[place] == '0' ? '1' : '0';
    std::size_t reads = 0;
    const bool same = service::is_same(CountedText(digest, reads), CountedText(other, reads));
    EXPECT_EQ(same, place == digest.size());
    EXPECT_EQ(reads, 2 * digest.size()) << place;
  }
}

/// What this thread has used of a processor, on a busy machine too.
double processor_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A search that ended at the token would take a thousandth of the time for the first one.
TEST(Security, TakesAsLongForEveryToken) {
  std::string lines;
  for (int k = 0; k < 1000; ++k) {
    lines += service::token_line("token-" + std::to_string(k), {"acme", Scope::read, {}});
  }
  const Tokens tokens(lines);
  const std::vector<std::string> tried = {"token-0", "token-500", "token-999", "token-x"};
  std::vector<std::vector<double>> times(tried.size());
  for (int round = 0; round < 101; ++round) {
    for (std::size_t k = 0; k < tried.size(); ++k) {
      const double begin = processor_seconds();
      const bool found = tokens.find(tried[k], {}).has_value();
      times[k].push_back(processor_seconds() - begin);
      ASSERT_EQ(found, tried[k] != "token-x");
    }
  }
  for (auto& each : times) std::nth_element(each.begin(), each.begin() + 50, each.end());
  for (std::size_t k = 1; k < times.size(); ++k) {
    EXPECT_LT(times[k][50], 2 * times[0][50]) << tried[k];
    EXPECT_GT(times[k][50], 0.5 * times[0][50]) << tried[k];
  }
}

TEST(Security, RefusesLinesThatAreNoTokens) {
  const std::string digest = base::sha256("x");
  const std::vector<std::string> wrong = {digest,
                                          digest + " acme",
                                          digest + " acme play",
                                          digest + " acme none never",
                                          digest + " acme all never",
                                          digest + " ../acme play never",
                                          digest + " acme play later",
                                          digest + " acme play 2027-02-30T00:00:00Z",
                                          digest + " acme play 2027-01-31",
                                          digest + " acme play 2027-01-31T00:00:00Z ci prod- more",
                                          digest + " acme play 2027-01-31T00:00:00Z ../ci",
                                          digest.substr(1) + " acme play never",
                                          "x acme play never"};
  for (const std::string& line : wrong) {
    EXPECT_NE(message<InputError>([&] { Tokens("# a comment\n\n" + line + "\n"); }).find("line 3"),
              std::string::npos)
        << line;
  }
  const service::Time end{std::chrono::seconds(1801353600)};
  EXPECT_EQ(service::time_text(end), "2027-01-31T00:00:00Z");
  EXPECT_EQ(service::token_line("x", {"acme", Scope::play, end}),
            digest + " acme play 2027-01-31T00:00:00Z " + digest.substr(0, 8) + "\n");
}

TEST(Security, TokensHaveTenants) {
  for (const Grant& grant : {Grant{""}, Grant{"a b"}, Grant{"../acme"}}) {
    EXPECT_NE(message<InvalidArgument>([&] {
                (void)service::token_line("x", grant);
              }).find("cannot be the name of a tenant"),
              std::string::npos)
        << grant.tenant;
  }
}

/// The thread of the sockets answers what waits for nothing, and nobody without a token takes
/// memory for a body.
TEST(Security, NobodyWaitsForABodyWithoutAToken) {
  Served served({}, some_tokens());
  for (const service::Route& route : service::routes()) {
    if (route.scope != Scope::none) continue;
    Request head{.method = std::string(route.method), .host = "127.0.0.1"};
    head.path = with_names(std::string(route.path));
    const auto early = served.service->early_answer(head);
    ASSERT_TRUE(early) << head.path;
    if (route.pace != service::Pace::at_once) {
      EXPECT_EQ(outcome(*early), "400 invalid_argument");
    }
    EXPECT_FALSE(early->known);
  }
}

TEST(Security, MakesTokensThatNobodyGuesses) {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) tokens.insert(service::new_token());
  EXPECT_EQ(tokens.size(), 100U);
  std::string letters;
  for (const std::string& token : tokens) {
    EXPECT_EQ(token.size(), 46U);  // kh_ and 43 letters of 6 bits
    letters += token.substr(3, 42);
  }
  for (const char c : std::string("AZaz09-_")) {
    // Of 4200 letters 65.6 are expected; 25 is five standard deviations below.
    EXPECT_GT(std::count(letters.begin(), letters.end(), c), 25) << c;
  }
}

TEST(Security, LeadsNowhereElse) {
  Served served;
  served.create("a");
  write_bytes(served.folder.path("log"), "a file");
  for (const char* const name : {"..", ".", "", "%2e%2e", "..%2f..", "a%00", "a/../a", "@acme",
                                 "-a", "a b", "a\\b", "~", "log", "a/log/log", "\xc3\xa4"}) {
    const std::string got = outcome(served.get("/v1/studies/" + std::string(name)));
    EXPECT_EQ(got.substr(0, 2), "40") << name << " " << got;
    const std::string deleted = outcome(served.send("DELETE", "/v1/studies/" + std::string(name)));
    EXPECT_EQ(deleted.substr(0, 2), "40") << name << " " << deleted;
  }
  for (const char* const path : {"", "*", "//", "/v1", "/v1/", "/v1/studies/", "/v2/studies",
                                 "http://else/v1/studies", "/V1/studies", "/healthz/"}) {
    EXPECT_EQ(served.get(path).status, 404) << path;
  }
  EXPECT_EQ(served.got("/v1/studies")["studies"].size(), 1U);
}

TEST(Security, SaysWhichMethodsThereAre) {
  Served served;
  const Response response = served.send("PUT", "/v1/studies/a");
  EXPECT_EQ(outcome(response), "405 wrong_method");
  EXPECT_EQ(response.headers.back(), std::pair(std::string("Allow"), std::string("GET, DELETE")));
}

TEST(Security, RefusesPagesOfOthers) {
  Served served;
  Request request{.path = "/v1/studies", .host = "127.0.0.1:8600"};
  const auto status = [&] { return served.service->answer(request).status; };
  EXPECT_EQ(status(), 200);
  request.origin = "http://127.0.0.1:8600";
  EXPECT_EQ(status(), 200);
  for (const char* const origin :
       {"http://evil.example", "null", "http://127.0.0.1:8601", "127.0.0.1:8600"}) {
    request.origin = origin;
    EXPECT_EQ(status(), 403) << origin;
  }
  request.origin = "";
  for (const char* const host : {"localhost", "localhost:1", "127.0.0.1", "[::1]:8600", "[::1]"}) {
    request.host = host;
    EXPECT_EQ(status(), 200) << host;
  }
  for (const char* const host : {"evil.example", "evil.example:8600", "localhost.evil.example",
                                 "127.0.0.1.evil.example:1", "[::2]:1"}) {
    request.host = host;
    EXPECT_EQ(status(), 421) << host;
  }
}

TEST(Security, TellsNoSecrets) {
  Served served({}, some_tokens());
  Request request{.path = "/v1/studies/hidden", .host = "127.0.0.1"};
  request.authorization = "Bearer acme-admin";
  const Response response = served.service->answer(request);
  const std::string line = service::log_line(
      {.at = served.now, .client = "127.0.0.1", .method = "GET", .seconds = 0.0125, .bytes = 10},
      response);
  EXPECT_EQ(line,
            "{\"at\":\"2027-01-15T08:00:00Z\",\"client\":\"127.0.0.1\",\"tenant\":\"acme\","
            "\"method\":\"GET\",\"route\":\"/v1/studies/{name}\",\"status\":404,\"ms\":12.5,"
            "\"bytes\":10}");
}

}  // namespace
}  // namespace keyhole::tests
