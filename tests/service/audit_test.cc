// Who did what, and tokens that are for some studies only.

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "folder.h"
#include "served.h"
#include "server.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

using service::Scope;

/// "prod-admin" is for the studies that begin with prod-; "all-admin" for all of the tenant.
std::string tokens_with_beginnings() {
  return service::token_line("prod-admin", {"acme", Scope::admin, {}, "deployer", "prod-"}) +
         service::token_line("all-admin", {"acme", Scope::admin, {}, "owner"}) +
         service::token_line("reader", {"acme", Scope::read, {}, "viewer"});
}

std::string new_study(const std::string& name) {
  return Json{{"name", name}, {"set", "simplex(3)"}}.dump();
}

TEST(TokensWithABeginning, AreForThoseStudiesOnly) {
  Served served({}, tokens_with_beginnings());
  const auto send = [&](const std::string& method, const std::string& path,
                        const std::string& body = "", const std::string& token = "prod-admin") {
    return served.send(method, path, body, token);
  };
  for (const char* const name : {"prod-a", "prod-b", "test-a", "zz"}) {
    ASSERT_EQ(send("POST", "/v1/studies", new_study(name), "all-admin").status, 201);
  }
  ASSERT_EQ(send("POST", "/v1/studies", new_study("prod-c")).status, 201);
  const Response refused = send("POST", "/v1/studies", new_study("prod"));
  EXPECT_EQ(outcome(refused), "403 forbidden");
  EXPECT_NE(refused.body.find("names begin with 'prod-'"), std::string::npos) << refused.body;
  for (const char* const name : {"test-a", "prod", "no-such-study"}) {
    const std::string path = "/v1/studies/" + std::string(name);
    EXPECT_EQ(outcome(send("GET", path)), "403 forbidden") << name;
    EXPECT_EQ(outcome(send("DELETE", path)), "403 forbidden") << name;
    EXPECT_EQ(outcome(send("POST", path + "/asks")), "403 forbidden") << name;
    EXPECT_EQ(outcome(send("GET", path + "/events")), "403 forbidden") << name;
  }
  EXPECT_EQ(send("POST", "/v1/studies/prod-a/asks").status, 200);
  const auto names = [&](const std::string& query, const std::string& token) {
    std::string text;
    const Json list = Json::parse(send("GET", "/v1/studies?" + query, "", token).body);
    for (const Json& study : list["studies"]) text += study["name"].get<std::string>() + " ";
    return text + (list.contains("next") ? "..." : "");
  };
  EXPECT_EQ(names("", "prod-admin"), "prod-a prod-b prod-c ");
  EXPECT_EQ(names("", "all-admin"), "prod-a prod-b prod-c test-a zz ");
  EXPECT_EQ(names("search=-a", "prod-admin"), "prod-a ");
  EXPECT_EQ(names("search=-a", "all-admin"), "prod-a test-a ");
  EXPECT_EQ(names("search=-a&limit=1", "all-admin"), "prod-a ...");
  EXPECT_EQ(names("search=-a&limit=1&after=prod-a", "all-admin"), "test-a ");
  EXPECT_EQ(names("search=-a&limit=1&after=test-a", "all-admin"), "");
  EXPECT_EQ(names("search=nothing", "all-admin"), "");
  EXPECT_EQ(names("prefix=p", "prod-admin"), names("", "prod-admin"));
  EXPECT_EQ(names("prefix=prod-b", "prod-admin"), "prod-b ");
  EXPECT_EQ(names("prefix=test", "prod-admin"), "");
  // A stream that is open ends with the token's right to it.
  const Response stream = send("GET", "/v1/studies/prod-a/events");
  ASSERT_TRUE(stream.events().has_value());
  served.write_tokens(
      service::token_line("prod-admin", {"acme", Scope::admin, {}, "deployer", "prod-b"}));
  served.service->read_tokens();
  EXPECT_FALSE(stream.events().has_value());
}

TEST(TokensWithABeginning, AreInTheFile) {
  const std::string line = service::token_line("secret", {"acme", Scope::play, {}, "ci", "prod-"});
  EXPECT_TRUE(line.ends_with(" acme play never ci prod-\n")) << line;
  const auto found = service::Tokens(line).find("secret", service::Time{});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->prefix, "prod-");
  EXPECT_THROW((void)service::token_line("secret", {"acme", Scope::play, {}, "ci", "a b"}),
               InvalidArgument);
  EXPECT_THROW(service::Tokens(line.substr(0, line.size() - 1) + " more\n"), InputError);
  EXPECT_THROW(service::Tokens(line.substr(0, line.size() - 1) + "/x\n"), InputError);
}

std::vector<Json> lines_of(const std::string& file) {
  std::vector<Json> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(Audit, SaysWhoDidWhat) {
  const Folder folder;
  write_bytes(folder.path("tokens"), tokens_with_beginnings());
  const std::string audit = folder.path("audit");
  std::filesystem::create_directory(folder.path("logs"));
  const std::string log = folder.path("logs/log");
  Server server({"--store=" + folder.path("studies"), "--tokens=" + folder.path("tokens"),
                 "--audit=" + audit, "--log=" + log},
                folder.path("said"));
  Connection connection(server.port());
  const auto send = [&](const std::string& token, const std::string& method,
                        const std::string& path, const std::string& body = "") {
    return connection.send(method, path, body, "Authorization: Bearer " + token + "\r\n").status;
  };
  const std::string study = "/v1/studies/prod-a";
  EXPECT_EQ(send("prod-admin", "POST", "/v1/studies", new_study("prod-a")), 201);
  EXPECT_EQ(send("prod-admin", "POST", study + "/asks"), 200);  // which changes no study
  EXPECT_EQ(send("prod-admin", "GET", study), 200);
  EXPECT_EQ(send("all-admin", "PUT", study + "/paused", R"({"paused": true})"), 200);
  EXPECT_EQ(send("reader", "DELETE", study), 403);
  EXPECT_EQ(send("wrong", "DELETE", study), 401);
  EXPECT_EQ(connection.send("DELETE", study, "", "Origin: http://x\r\n").status, 403);
  Connection early(server.port());  // whose body has not come
  ASSERT_TRUE(early.write("PUT " + study + "/paused HTTP/1.1\r\nHost: localhost\r\n" +
                          "Authorization: Bearer reader\r\nContent-Length: 16\r\n\r\n"));
  EXPECT_EQ(early.answer().status, 403);
  EXPECT_EQ(send("all-admin", "DELETE", study), 204);
  EXPECT_EQ(send("all-admin", "DELETE", study), 404);
  const std::vector<Json> lines = lines_of(audit);
  std::vector<std::string> said;
  for (const Json& line : lines) {
    EXPECT_EQ(line["tenant"], "acme");
    EXPECT_EQ(line["client"], "127.0.0.1");
    EXPECT_EQ(line["study"], "prod-a");
    EXPECT_EQ(line["at"].get<std::string>().size(), 20U);
    said.push_back(line["token"].get<std::string>() + " " + line["method"].get<std::string>() +
                   " " + line["route"].get<std::string>() + " " + line["status"].dump());
  }
  EXPECT_EQ(said,
            (std::vector<std::string>{
                "deployer POST /v1/studies 201", "owner PUT /v1/studies/{name}/paused 200",
                "viewer DELETE /v1/studies/{name} 403", "viewer PUT /v1/studies/{name}/paused 403",
                "owner DELETE /v1/studies/{name} 204", "owner DELETE /v1/studies/{name} 404"}));
  int early_lines = 0;
  for (const Json& line : lines_of(log)) {
    if (line["route"] == "/v1/studies/{name}/paused" && line["status"] == 403) ++early_lines;
    EXPECT_NE(line["method"], "") << line;
  }
  EXPECT_EQ(early_lines, 1);
  // Whoever renames it gets a new one, also if another log cannot be opened.
  std::filesystem::remove_all(folder.path("logs"));
  std::filesystem::rename(audit, audit + ".1");
  server.signal(SIGHUP);
  EXPECT_TRUE(comes_true([&] { return std::filesystem::exists(audit); }));
  EXPECT_EQ(send("all-admin", "DELETE", study), 404);
  EXPECT_EQ(lines_of(audit).size(), 1U);
}

/// Without tokens there is no name to say.
TEST(Audit, HasNoNamesWithoutTokens) {
  const Folder folder;
  const std::string audit = folder.path("audit");
  Server server({"--store=" + folder.path("studies"), "--audit=" + audit});
  Connection connection(server.port());
  EXPECT_EQ(connection.send("POST", "/v1/studies", new_study("a")).status, 201);
  const std::vector<Json> lines = lines_of(audit);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(lines[0].contains("token"));
  EXPECT_EQ(lines[0]["study"], "a");
}

/// Names beyond the limit are counted again before somebody is refused.
TEST(Studies, ThatOthersDeletedLeaveRoom) {
  Served served({.studies = 2});
  served.create("a");
  served.create("b");
  Store(served.folder.path("studies")).remove("a");
  served.create("c");
  EXPECT_EQ(outcome(served.post("/v1/studies", {{"name", "d"}, {"set", "simplex(3)"}})),
            "429 quota");
}

}  // namespace
}  // namespace keyhole::tests
