// No client fills the memory: what is too large is refused before it is made.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "folder.h"
#include "served.h"
#include "server.h"
#include "service/memory.h"
#include "service/modest.h"
#include "service/problem.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

constexpr std::uint64_t mega = 1U << 20U;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_known =
    false;  // sanitizers keep what was freed, and have memory of theirs
#else
constexpr bool memory_is_known = true;
#endif
#ifdef __SANITIZE_ADDRESS__
// The sanitizer of undefined behaviour, which is built with it, looks at an object through a pipe.
constexpr bool may_take_all_descriptors = false;
#else
constexpr bool may_take_all_descriptors = true;
#endif

TEST(Bounded, LargeSetsAreRefusedBeforeTheyAreMade) {
  std::string many = "[1";
  for (int k = 0; k < 9999; ++k) many += ", 1";
  many += "]";
  std::string boxes = "product(box(0, 1, 9999)";
  for (int k = 0; k < 20000; ++k) boxes += ", box(0, 1, 9999)";
  boxes += ")";
  Served served;
  for (const std::string& set :
       {std::string("nuclear_ball(4000, 4000)"), std::string("operator_norm_ball(9999, 9999)"),
        std::string("schatten_ball(9999, 9999, 2)"), std::string("max_norm_ball(200, 200)"),
        std::string("symmetric_nuclear_ball(9999)"), std::string("psd_trace_ball(9999)"),
        std::string("spectraplex(9999)"), std::string("fantope(9999, 2)"),
        std::string("elliptope(200)"), std::string("birkhoff(9999)"),
        "transportation(" + many + ", " + many + ")",
        std::string("bipartite_matchings(9999, 9999)"), "b_matchings(" + many + ", " + many + ")",
        std::string("perfect_matchings(3000)"),
        std::string("path_splits([9999, 9999, 9999, 9999])"),
        std::string("group_ball([100000000])"), boxes}) {
    const Response refused = served.post("/v1/studies", {{"name", "a"}, {"set", set}});
    const std::string shown = set.substr(0, 60) + refused.body;
    EXPECT_EQ(outcome(refused), "413 too_large") << shown;
    EXPECT_NE(refused.body.find("--max-dimension"), std::string::npos) << shown;
    const char* const why = set == boxes ? "too many coordinates together" : "would have many more";
    EXPECT_NE(refused.body.find(why), std::string::npos) << shown;
  }
}

/// What is at the limit is taken: where the size is expected from arguments it is not below the
/// real one.
TEST(Bounded, SetsAtTheLimitAreTaken) {
  for (const char* const set :
       {"nuclear_ball(3, 4)", "birkhoff(4)", "spectraplex(4)", "bipartite_matchings(3, 4)",
        "bipartite_matchings(16, 16, edges=[[0, 0], [1, 1]])", "perfect_matchings(6)",
        "transportation([1, 2], [1, 1, 1])", "path_splits([2, 3])", "group_ball([2, 3])",
        "product(simplex(5), translated(box(0, 1, 5), 1))"}) {
    const std::size_t dimension = make_set(set, Catalogue::standard())->dimension();
    const std::size_t largest = std::max<std::size_t>(16, dimension);
    EXPECT_NO_THROW((void)make_set(set, service::modest(Catalogue::standard(), largest))) << set;
  }
}

TEST(Bounded, LongAnswersAreRefusedBeforeTheyAreMade) {
  Served served({.answer = 20000});
  ASSERT_EQ(served.post("/v1/studies", {{"name", "wide"}, {"set", "ball(100)"}}).status, 201);
  const std::string asks = "/v1/studies/wide/asks";
  for (const auto& [path, body] :
       {std::pair(asks, Json{{"count", 1000}}),
        std::pair(std::string("/v1/studies/wide/steps"), Json{{"asks", 1000}})}) {
    const Response refused = served.post(path, body);
    EXPECT_EQ(outcome(refused), "413 too_large");
    EXPECT_NE(refused.body.find("ask for at most 6, or ask whoever runs the service to raise "
                                "--max-answer"),
              std::string::npos)
        << refused.body;
  }
  EXPECT_EQ(served.got("/v1/studies/wide")["asked"], 0);
  const Response taken = served.post(asks, {{"count", 6}});
  EXPECT_EQ(taken.status, 200);
  EXPECT_LT(taken.body.size(), 20000U);
  EXPECT_GT(taken.body.size(), 8000U);
}

TEST(Bounded, AnswersUnderWayHaveAQuarterOfTheMemory) {
  service::Memory memory(400);
  auto first = memory.take(60);
  const auto second = memory.take(40);
  try {
    (void)memory.take(1);
    FAIL();
  } catch (const service::Problem& problem) {
    EXPECT_EQ(problem.status(), 503);
    EXPECT_EQ(problem.type(), "memory");
    EXPECT_NE(std::string(problem.what()).find("--memory"), std::string::npos);
  }
  first.reset();
  EXPECT_NO_THROW((void)memory.take(60));
  EXPECT_THROW((void)memory.take(61), service::Problem);
}

/// The value of a line of /metrics.
double metric(Connection& connection, const std::string& name) {
  const std::string text = "\n" + connection.send("GET", "/metrics").body;
  const std::size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

TEST(Bounded, OpenStudiesStayWithinTheMemory) {
  if (!memory_is_known) GTEST_SKIP();
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--memory=60"});
  Connection connection(server.port());
  constexpr int studies = 12;
  constexpr int plays = 6;
  // Each takes 6 MB when it has learned something, and the service without studies 14.
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < studies; ++k) {
      const std::string name = "wide" + std::to_string(k);
      const Json made = {{"name", name}, {"set", "box(0, 1, 200)"}};
      ASSERT_LE(connection.send("POST", "/v1/studies", made.dump()).status, 201);
      Json tells = Json::array();
      for (int play = 1; play <= plays; ++play) {
        const Json step = connection.posted("/v1/studies/" + name + "/steps", {{"tells", tells}});
        const Json asked = step["plays"][0];
        ASSERT_EQ(asked["play"], plays * round + play);  // it goes on where it was closed
        tells = {{{"play", asked["play"]}, {"loss", asked["point"][0]}}};
      }
      ASSERT_LT(metric(connection, "process_resident_memory_bytes"), 60 * mega) << k;
    }
  }
  EXPECT_LT(metric(connection, "keyhole_open_studies"), studies);
  EXPECT_GT(metric(connection, "keyhole_open_studies"), 1);
  EXPECT_EQ(metric(connection, "keyhole_memory_limit_bytes"), 60 * mega);
}

/// The most memory that a process had so far.
std::uint64_t peak_of(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes << 10U;
  }
  throw std::runtime_error("the system does not say");
}

/// Plays that nobody tells are kept no longer than they can be told, and as far as they are shown.
TEST(Bounded, ListsOfPlaysStayWithinTheMemory) {
  if (!memory_is_known) GTEST_SKIP();
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  Connection connection(server.port());
  const Json made = {{"name", "wide"}, {"set", "box(0, 1, 10000)"}, {"learner", "parameter_free"}};
  ASSERT_EQ(connection.send("POST", "/v1/studies", made.dump()).status, 201);
  for (int k = 0; k < 60; ++k) {
    const Answer asked = connection.send("POST", "/v1/studies/wide/asks", R"({"count": 10})");
    ASSERT_EQ(asked.status, 200) << asked.body;
  }
  const std::uint64_t before = peak_of(server.process());
  EXPECT_EQ(connection.send("GET", "/v1/studies/wide/plays").status, 200);
  EXPECT_LT(peak_of(server.process()), before + 12 * mega);  // of 48 MB
}

/// Who finds no descriptor waits for one, and what looks at the memory goes on without.
TEST(Bounded, ConnectionsMayTakeAllDescriptors) {
  if (!may_take_all_descriptors) GTEST_SKIP();
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  const rlimit few = {.rlim_cur = 48, .rlim_max = 48};
  ASSERT_EQ(::prlimit(server.process(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::vector<std::unique_ptr<Connection>> connections;
  for (int k = 0; k < 60; ++k) connections.push_back(std::make_unique<Connection>(server.port()));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // it looks once a second
  EXPECT_EQ(connections.front()->send("GET", "/healthz").status, 200);
  connections.clear();
  EXPECT_EQ(Connection(server.port()).send("GET", "/v1/studies").status, 200);
}

TEST(Bounded, WithoutMemoryThereIsNoOtherStudy) {
  Served served({.memory = 1});
  const Response refused = served.post("/v1/studies", {{"name", "a"}, {"set", "simplex(3)"}});
  EXPECT_EQ(outcome(refused), "503 memory");
  EXPECT_NE(refused.body.find("--memory"), std::string::npos) << refused.body;
  EXPECT_EQ(served.got("/v1/studies")["studies"].size(), 0U);  // it was not made
}

/// What the page shows of a study goes with it.
TEST(Bounded, SamplesGoWithTheirStudies) {
  Served served({.open_studies = 2});
  for (const char* const name : {"a", "b", "c"}) {
    served.create(name);
    (void)served.post("/v1/studies/" + std::string(name) + "/asks", Json::object());
  }
  std::string live;
  const Json list = served.got("/v1/studies");
  for (const Json& entry : list["studies"]) {
    if (entry.contains("live")) live += entry["name"].get<std::string>();
  }
  EXPECT_EQ(live, "bc");
  EXPECT_NE(served.get("/metrics").body.find("keyhole_closed_studies_total 1\n"),
            std::string::npos);
}

/// A body of somebody who may not send it is not waited for.
TEST(Bounded, BodiesAreReadAfterTheToken) {
  const Folder folder;
  write_bytes(folder.path("tokens"),
              service::token_line("kh_a", {"acme", service::Scope::play, {}}));
  Server server(
      {"--store=" + folder.path("studies"), "--tokens=" + folder.path("tokens"), "--memory=4"});
  const auto status = [&](const std::string& target, const std::string& headers) {
    Connection connection(server.port(), 20);
    EXPECT_TRUE(connection.write("POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers +
                                 "Content-Length: 1000000\r\n\r\n{"));
    return connection.answer().status;
  };
  const std::string token = "Authorization: Bearer kh_a\r\n";
  EXPECT_EQ(status("/v1/studies/a/asks", ""), 401);
  EXPECT_EQ(status("/v1/studies/a/asks", "Authorization: Bearer kh_b\r\n"), 401);
  EXPECT_EQ(status("/v1/studies", token), 403);
  EXPECT_EQ(status("/nowhere", ""), 404);
  // One body fits into a quarter of the memory, and a second one does not.
  Connection first(server.port());
  ASSERT_TRUE(first.write("POST /v1/studies/a/asks HTTP/1.1\r\nHost: localhost\r\n" + token +
                          "Content-Length: 1000000\r\n\r\n{"));
  const auto second = [&] {
    return status("/v1/studies/a/asks", token + "Expect: 100-continue\r\n");
  };
  EXPECT_TRUE(comes_true([&] { return second() == 503; }));
  EXPECT_TRUE(first.write("}" + std::string(999998, ' ')));
  EXPECT_EQ(first.answer().status, 404);
  EXPECT_TRUE(comes_true([&] { return second() == 100; }));
}

}  // namespace
}  // namespace keyhole::tests
