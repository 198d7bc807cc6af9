// What a client may have, and what it is told when it has that.

#include "service/quotas.h"

#include <gtest/gtest.h>

#include "served.h"
#include "service/http.h"
#include "service/problem.h"

namespace keyhole::tests {
namespace {

using namespace std::chrono_literals;

/// A service with tokens of two tenants.
class Quotas : public ::testing::Test {
 protected:
  static std::string line(const char* token, const char* tenant, const char* name) {
    return service::token_line(token,
                               {.tenant = tenant, .scope = service::Scope::admin, .name = name});
  }
  static std::string tokens() {
    return line("kh_a", "acme", "first") + line("kh_b", "acme", "second") +
           line("kh_c", "rival", "third");
  }
};

/// The answer to a call of a token that came then.
Response called(service::Service& service, const std::string& token,
                std::chrono::steady_clock::time_point now,
                const std::string& path = "/v1/studies") {
  return service.answer({.path = path, .authorization = "Bearer " + token, .received = now});
}

TEST_F(Quotas, ATokenMakesSoManyCallsASecond) {
  Served served({.rate = 4}, tokens());
  const auto begin = std::chrono::steady_clock::now();
  const auto made = [&](const std::string& token, auto after) {
    int count = 0;
    while (called(*served.service, token, begin + after).status == 200) ++count;
    return count;
  };
  EXPECT_EQ(made("kh_a", 0s), 4);
  EXPECT_EQ(made("kh_a", 240ms), 0);
  EXPECT_EQ(made("kh_a", 250ms), 1);
  EXPECT_EQ(made("kh_b", 250ms), 4);  // a token of the same tenant
  EXPECT_EQ(made("kh_a", 1h), 4);     // a rest saves no more than a second
  const Response refused = called(*served.service, "kh_a", begin + 1h);
  EXPECT_EQ(outcome(refused), "429 rate");
  EXPECT_NE(std::find(refused.headers.begin(), refused.headers.end(),
                      std::pair<std::string, std::string>("Retry-After", "1")),
            refused.headers.end());
  // Neither a probe nor a wrong token is a call of it.
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(called(*served.service, "kh_a", begin + 1h, "/healthz").status, 200);
    EXPECT_EQ(called(*served.service, "kh_x", begin + 1h).status, 401);
  }
  // What waits for its body is refused before, and is one call and not two.
  const Request head{.method = "POST",
                     .path = "/v1/studies/a/asks",
                     .authorization = "Bearer kh_c",
                     .received = begin};
  for (int k = 0; k < 4; ++k) {
    EXPECT_FALSE(served.service->early_answer(head));
    EXPECT_EQ(served.service->answer(head).status, 404);
  }
  const auto early = served.service->early_answer(head);
  ASSERT_TRUE(early);
  EXPECT_EQ(outcome(*early), "429 rate");
}

TEST_F(Quotas, AnyNumberOfCallsIsTheDefault) {
  Served served({}, tokens());
  const auto now = std::chrono::steady_clock::now();
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(called(*served.service, "kh_a", now).status, 200);
  EXPECT_THROW(Served({.rate = 1}), InvalidArgument);  // without tokens it would do nothing
}

TEST_F(Quotas, SoManyReadLogsAtATime) {
  Served served({.readers = 2}, tokens());
  const auto create = [&](const std::string& token) {
    const Json study = {{"name", "a"}, {"set", "simplex(3)"}};
    EXPECT_EQ(served.send("POST", "/v1/studies", study.dump(), token).status, 201);
  };
  const auto log = [&](const std::string& token) {
    return served.send("GET", "/v1/studies/a/log", "", token);
  };
  create("kh_a");
  create("kh_c");
  EXPECT_EQ(served.send("POST", "/v1/studies/a/asks", "", "kh_a").status, 200);
  Response first = log("kh_a");
  const Response second = log("kh_b");
  EXPECT_EQ(second.status, 200);
  const Response refused = log("kh_a");
  EXPECT_EQ(outcome(refused), "429 readers");
  EXPECT_EQ(log("kh_c").status, 200);
  EXPECT_NE(body_of(first), "");
  first = {};
  EXPECT_EQ(log("kh_a").status, 200);
}

TEST_F(Quotas, AllTenantsHaveFourTimesAsManyReaders) {
  service::Readers readers(1);
  std::vector<std::shared_ptr<void>> places;
  for (const char* const tenant : {"a", "b", "c", "d"}) places.push_back(readers.take(tenant));
  const auto status = [&](const char* tenant) {
    try {
      places.push_back(readers.take(tenant));
      return 200;
    } catch (const service::Problem& problem) {
      return problem.status();
    }
  };
  EXPECT_EQ(status("e"), 503);
  places.pop_back();
  EXPECT_EQ(status("c"), 429);
  EXPECT_EQ(status("e"), 200);
}

/// A part of 64 KiB each 9 s is within the 10 s that each may take.
TEST_F(Quotas, SlowReadersUseTheirCreditUp) {
  service::Credit slow(10s, 65536);
  int parts = 0;
  for (; parts < 100 && slow.left() > 9s; ++parts) slow.take(65536, 9s);
  EXPECT_EQ(parts, 1);
  // Who is quick for an hour may pause for as long as at first.
  service::Credit quick(10s, 65536);
  for (int k = 0; k < 10000; ++k) quick.take(65536, 1ms);
  EXPECT_EQ(quick.left(), 10s);
  quick.take(65536, 9s);
  EXPECT_EQ(quick.left(), 2s);
  for (int k = 0; k < 4; ++k) quick.take(131072, 1s);
  EXPECT_EQ(quick.left(), 6s);
}

/// Each refusal names what there is most of, and the option that says so.
TEST_F(Quotas, RefusalsSayWhichLimitAndHowToRaiseIt) {
  Served served(
      {.studies = 1, .plays = 3, .dimension = 100, .answer = 2000, .readers = 1, .rate = 50},
      tokens());
  const service::HttpOptions http{.body = 300, .head = 400};
  const auto sent = [&](const std::string& method, const std::string& path, const std::string& body,
                        const std::string& headers = "") {
    return service::answer_bytes(*served.service, http,
                                 method + " " + path +
                                     " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer kh_a"
                                     "\r\nContent-Length: " +
                                     std::to_string(body.size()) + "\r\n" + headers + "\r\n" +
                                     body);
  };
  const auto study = [](const char* name, const char* set) {
    return Json{{"name", name}, {"set", set}}.dump();
  };
  ASSERT_NE(sent("POST", "/v1/studies", study("a", "ball(50)")).find(" 201 "), std::string::npos);
  const std::string a = "/v1/studies/a";
  const Response reader = served.send("GET", a + "/log", "", "kh_b");
  const std::string four = R"([{"play":1,"loss":0},{"play":2,"loss":0},{"play":3,"loss":0},)"
                           R"({"play":4,"loss":0}])";
  const auto busy = service::error_response(Error("", ErrorCode::busy));
  struct Row {
    const char* status;
    const char* most;
    const char* option;
    std::string answer;
  };
  for (const Row& row : std::vector<Row>{
           {"413", "300", "--max-body", sent("POST", a + "/asks", std::string(301, ' '))},
           {"431", "400", "no option", sent("GET", a, "", "X: " + std::string(400, 'x') + "\r\n")},
           {"400", "3", "--max-plays", sent("POST", a + "/asks", R"({"count":4})")},
           {"400", "3", "--max-plays", sent("POST", a + "/steps", R"({"asks":4})")},
           {"400", "3", "--max-plays", sent("POST", a + "/tells", R"({"tells":)" + four + "}")},
           {"413", "2000", "--max-answer", sent("POST", a + "/asks", R"({"count":3})")},
           {"413", "100", "--max-dimension",
            sent("POST", "/v1/studies", study("b", "birkhoff(20)"))},
           {"429", "1", "--max-studies", sent("POST", "/v1/studies", study("b", "ball(3)"))},
           {"429", "1", "--max-readers", sent("GET", a + "/log", "")},
           {"503", "", "--wait", service::head_text(busy, true, 0) + busy.body},
       }) {
    EXPECT_TRUE(row.answer.starts_with(std::string("HTTP/1.1 ") + row.status)) << row.answer;
    const std::string body = row.answer.substr(row.answer.find("\r\n\r\n"));
    EXPECT_NE(body.find(row.option), std::string::npos) << row.answer;
    EXPECT_NE(body.find(row.most), std::string::npos) << row.answer;
  }
  while (called(*served.service, "kh_c", {}).status == 200) {
  }
  const std::string refused = called(*served.service, "kh_c", {}).body;
  EXPECT_NE(refused.find("50 calls a second"), std::string::npos) << refused;
  EXPECT_NE(refused.find("--rate"), std::string::npos) << refused;
}

TEST_F(Quotas, CallsAreCountedByTenant) {
  Served served({}, tokens());
  const Json study = {{"name", "a"}, {"set", "simplex(3)"}};
  EXPECT_EQ(served.send("POST", "/v1/studies", study.dump(), "kh_a").status, 201);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(served.send("POST", "/v1/studies/a/asks", "", "kh_a").status, 200);
    EXPECT_EQ(served.send("POST", "/v1/studies/a/asks", "", "kh_c").status, 404);
  }
  const auto metrics = [&](const char* token) {
    return served.send("GET", "/metrics", "", token).body;
  };
  const std::string acme = metrics("kh_b");
  EXPECT_NE(acme.find("keyhole_tenant_steps_total{tenant=\"acme\"} 3\n"), std::string::npos)
      << acme;
  EXPECT_NE(acme.find("keyhole_tenant_refused_total{tenant=\"acme\"} 0\n"), std::string::npos);
  EXPECT_EQ(acme.find("rival"), std::string::npos);  // which is none of its business
  const std::string rival = metrics("kh_c");
  EXPECT_NE(rival.find("keyhole_tenant_refused_total{tenant=\"rival\"} 3\n"), std::string::npos);
  EXPECT_NE(rival.find("keyhole_tenant_steps_total{tenant=\"rival\"} 0\n"), std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
