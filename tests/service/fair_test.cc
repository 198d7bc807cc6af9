// Who waits for whom: what hangs holds up nobody else.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

#include "base/disk.h"
#include "folder.h"
#include "served.h"
#include "server.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

/// Holds the lock of a study, as a process that hangs would.
class Holder {
 public:
  explicit Holder(const std::string& study) {
    for (const auto& entry : std::filesystem::directory_iterator(study)) {
      files_.push_back(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC));
      EXPECT_EQ(::flock(files_.back(), LOCK_EX | LOCK_NB), 0) << entry.path();
    }
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    for (const int file : files_) ::close(file);
  }

 private:
  std::vector<int> files_;
};

std::string study(const std::string& name, const std::string& learner = "posterior") {
  return Json{{"name", name}, {"set", "simplex(3)"}, {"learner", learner}}.dump();
}

TEST(Fair, PagesOfAStudyThatIsHeldStopNoOther) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--wait=60", "--drain-time=1"});
  Connection connection(server.port());
  for (const char* const name : {"held", "other"}) {
    ASSERT_EQ(connection.send("POST", "/v1/studies", study(name)).status, 201);
  }
  std::vector<std::unique_ptr<Connection>> pages;
  for (int k = 0; k < 12; ++k) {
    pages.push_back(std::make_unique<Connection>(server.port()));
    ASSERT_TRUE(
        pages.back()->write("GET /v1/studies/held/events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    ASSERT_FALSE(pages.back()->read().empty());
  }
  const Holder holder(folder.path("studies/held"));
  Connection waiting(server.port());
  ASSERT_TRUE(
      waiting.write("POST /v1/studies/held/asks HTTP/1.1\r\nHost: localhost\r\n"
                    "Content-Length: 0\r\n\r\n"));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // each page asks once a second
  Connection stranger(server.port(), 20);
  EXPECT_EQ(stranger.send("POST", "/v1/studies/other/asks").status, 200);
  // The end does not wait for the lock either.
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(server.stop(SIGTERM), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

/// Somebody else's study of the same name is another one.
TEST(Fair, TenantsHaveStudiesOfOneName) {
  const Folder folder;
  write_bytes(folder.path("tokens"),
              service::token_line("kh_a", {"acme", service::Scope::admin, {}}) +
                  service::token_line("kh_b", {"rival", service::Scope::admin, {}}));
  Server server({"--store=" + folder.path("studies"), "--tokens=" + folder.path("tokens"),
                 "--wait=60", "--drain-time=1"});
  const std::string acme = "Authorization: Bearer kh_a\r\n";
  const std::string rival = "Authorization: Bearer kh_b\r\n";
  Connection connection(server.port());
  ASSERT_EQ(connection.send("POST", "/v1/studies", study("prod"), acme).status, 201);
  ASSERT_EQ(connection.send("POST", "/v1/studies", study("prod"), rival).status, 201);
  const Holder holder(folder.path("studies/@acme/prod"));
  Connection waiting(server.port());
  ASSERT_TRUE(waiting.write("POST /v1/studies/prod/asks HTTP/1.1\r\nHost: localhost\r\n" + acme +
                            "Content-Length: 0\r\n\r\n"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  Connection stranger(server.port(), 20);
  EXPECT_EQ(stranger.send("POST", "/v1/studies/prod/asks", "", rival).status, 200);
}

/// Studies whose steps have taken long have threads of their own: here these all wait, and one
/// thread is left for all others.
TEST(Fair, LongStepsStopNoShortOnes) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--threads=1",
                 "--wait=300", "--request-time=300", "--max-answer=40000000"});
  const Json asks = {{"count", 300}};
  std::vector<std::unique_ptr<Connection>> greedy;
  std::vector<std::unique_ptr<Holder>> holders;
  Connection connection(server.port());
  ASSERT_EQ(connection.send("POST", "/v1/studies", study("short")).status, 201);
  for (int k = 0; k < 6; ++k) {
    const std::string name = "long" + std::to_string(k);
    const Json wide = {{"name", name}, {"set", "ball(3600)"}};
    ASSERT_EQ(connection.send("POST", "/v1/studies", wide.dump()).status, 201);
    // A million coordinates take more than the 10 ms from which on a step is long.
    const Answer asked = connection.send("POST", "/v1/studies/" + name + "/asks", asks.dump());
    ASSERT_EQ(asked.status, 200) << asked.body;
  }
  for (int k = 0; k < 6; ++k) {
    const std::string name = "long" + std::to_string(k);
    holders.push_back(std::make_unique<Holder>(folder.path("studies/" + name)));
    greedy.push_back(std::make_unique<Connection>(server.port()));
    ASSERT_TRUE(greedy.back()->write("POST /v1/studies/" + name +
                                     "/asks HTTP/1.1\r\nHost: localhost\r\n"
                                     "Content-Length: 0\r\n\r\n"));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // now they wait
  Connection stranger(server.port(), 60);
  EXPECT_EQ(stranger.send("POST", "/v1/studies/short/asks").status, 200);
  for (const auto& each : greedy) EXPECT_FALSE(each->has_more());
  holders.clear();
  for (const auto& each : greedy) EXPECT_EQ(each->answer().status, 200);
}

/// Studies that somebody holds, each with a call that waits for it.
class Waiting {
 public:
  Waiting(const Folder& folder, int port, const std::vector<std::string>& studies,
          const std::string& head) {
    for (const std::string& name : studies) {
      holders_.push_back(std::make_unique<Holder>(folder.path("studies/" + name)));
      const std::string path = "/v1/studies/" + name.substr(name.find('/') + 1);
      const std::size_t at = head.find("PATH");
      connections_.push_back(std::make_unique<Connection>(port));
      EXPECT_TRUE(connections_.back()->write(std::string(head).replace(at, 4, path)));
    }
  }
  void let_go() { holders_.clear(); }

 private:
  std::vector<std::unique_ptr<Holder>> holders_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

const char* const ask = "POST PATH/asks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";

/// More studies wait for their locks than there are threads.
TEST(Fair, HeldStudiesStopNoOther) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--threads=2",
                 "--wait=300", "--drain-time=1"});
  Connection connection(server.port());
  std::vector<std::string> held;
  for (int k = 0; k < 6; ++k) held.push_back("held" + std::to_string(k));
  for (const std::string& name : held)
    (void)connection.posted("/v1/studies", Json::parse(study(name)));
  (void)connection.posted("/v1/studies", Json::parse(study("other")));
  const Waiting waiting(folder, server.port(), held, ask);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // now they wait
  Connection stranger(server.port(), 60);
  EXPECT_EQ(stranger.send("POST", "/v1/studies/other/asks").status, 200);
  EXPECT_EQ(stranger.send("GET", "/readyz").status, 200);
}

/// What one tenant waits for stops what takes a while of no other.
TEST(Fair, HeldPausesStopNoCreate) {
  const Folder folder;
  write_bytes(folder.path("tokens"),
              service::token_line("kh_a", {"acme", service::Scope::admin, {}}) +
                  service::token_line("kh_b", {"rival", service::Scope::admin, {}}));
  Server server({"--store=" + folder.path("studies"), "--tokens=" + folder.path("tokens"),
                 "--wait=300", "--drain-time=1"});
  const std::string acme = "Authorization: Bearer kh_a\r\n";
  Connection connection(server.port());
  std::vector<std::string> held;
  for (int k = 0; k < 6; ++k) {
    const std::string name = "held" + std::to_string(k);
    ASSERT_EQ(connection.send("POST", "/v1/studies", study(name), acme).status, 201);
    held.push_back("@acme/" + name);
  }
  const Waiting waiting(folder, server.port(), held,
                        "PUT PATH/paused HTTP/1.1\r\nHost: localhost\r\n" + acme +
                            "Content-Length: 15\r\n\r\n{\"paused\":true}");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // now they wait
  Connection stranger(server.port(), 60);
  EXPECT_EQ(
      stranger.send("POST", "/v1/studies", study("other"), "Authorization: Bearer kh_b\r\n").status,
      201);
}

/// Readers of logs who take nothing, or little, have threads of their own, and not for ever.
TEST(Fair, SlowReadersStopNobody) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--request-time=10"});
  Connection connection(server.port());
  const std::string path = "/v1/studies/long";
  (void)connection.posted("/v1/studies", Json::parse(study("long", "parameter_free")));
  // A log of more than what the system keeps of a connection that nobody reads.
  Json tells = Json::array();
  for (int k = 0; k < 150; ++k) {
    const Json step = connection.posted(path + "/steps", {{"tells", tells}, {"asks", 1000}});
    tells.clear();
    for (const Json& play : step["plays"]) {
      tells.push_back({{"play", play["play"]}, {"loss", 0.123456789012}});
    }
  }
  std::vector<std::unique_ptr<Connection>> readers;
  for (int k = 0; k < 8; ++k) {
    readers.push_back(std::make_unique<Connection>(server.port()));
    ASSERT_TRUE(readers.back()->write("GET " + path + "/log HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    ASSERT_TRUE(comes_true([&] { return readers.back()->has_more(); }));
  }
  const auto refused = [&] {
    const Answer answer = Connection(server.port()).send("GET", path + "/log");
    return answer.status == 429 && answer.body.find("--max-readers") != std::string::npos;
  };
  EXPECT_TRUE(refused());
  Connection stranger(server.port());
  (void)stranger.posted("/v1/studies", Json::parse(study("other")));
  for (const char* const route : {"/plays", "/report", "/log"}) {
    const int status = stranger.send("GET", "/v1/studies/other" + std::string(route)).status;
    EXPECT_EQ(status, std::string(route) == "/log" ? 429 : 200) << route;
  }
  const Json points = {{"points", {{{"point", {0.2, 0.3, 0.5}}}}}};
  EXPECT_EQ(stranger.send("POST", "/v1/studies/other/estimates", points.dump()).status, 200);
  EXPECT_TRUE(refused()) << "the readers were there all the time";
  EXPECT_TRUE(comes_true([&] { return !refused(); }));
}

/// The nice value of a thread.
int priority_of(const std::filesystem::path& task) {
  const std::string text = base::read_file((task / "stat").string()).value_or("");
  std::istringstream words(text.substr(text.rfind(')') + 1));
  std::string word;
  constexpr int place = 17;  // after the name
  for (int k = 0; k < place; ++k) words >> word;
  return std::stoi(word);
}

/// Reports and the like have a processor when steps need none.
TEST(Fair, StepsGoFirst) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  Connection connection(server.port());
  (void)connection.posted("/v1/studies", Json::parse(study("a")));
  EXPECT_EQ(connection.send("POST", "/v1/studies/a/asks").status, 200);
  EXPECT_EQ(connection.send("GET", "/v1/studies/a/plays").status, 200);
  std::map<int, int> threads;
  const std::string tasks = "/proc/" + std::to_string(server.process()) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    ++threads[priority_of(task.path())];
  }
  const int usual = priority_of(tasks + "/" + std::to_string(server.process()));
  EXPECT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[std::min(usual + 10, 19)], 2) << "one that created, and one that read";
}

/// Who asks whether it is ready is told that it is not, and does not wait either.
TEST(Fair, IsNotReadyWhileAllThreadsHang) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--threads=8",
                 "--wait=300", "--drain-time=1"});
  Connection connection(server.port());
  std::vector<std::string> held;
  for (int k = 0; k < 30; ++k) held.push_back("held" + std::to_string(k));
  for (const std::string& name : held)
    (void)connection.posted("/v1/studies", Json::parse(study(name)));
  Waiting waiting(folder, server.port(), held, ask);
  Answer answer;
  EXPECT_TRUE(comes_true([&] {
    answer = connection.send("GET", "/readyz");
    return answer.status == 503;
  }));
  EXPECT_NE(answer.body.find("urn:keyhole:busy"), std::string::npos) << answer.body;
  waiting.let_go();
  EXPECT_TRUE(comes_true([&] { return connection.send("GET", "/readyz").status == 200; }));
}

TEST(Fair, WhoIsOneTooManyIsToldSo) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--max-connections=2"});
  Connection first(server.port());
  EXPECT_EQ(first.send("GET", "/healthz").status, 200);
  auto second = std::make_unique<Connection>(server.port());
  EXPECT_EQ(second->send("GET", "/healthz").status, 200);
  const Answer answer = Connection(server.port()).answer();
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.body.find("2 connections"), std::string::npos) << answer.body;
  EXPECT_NE(answer.body.find("--max-connections"), std::string::npos) << answer.body;
  EXPECT_NE(answer.head.find("Retry-After"), std::string::npos) << answer.head;
  second.reset();
  EXPECT_TRUE(
      comes_true([&] { return Connection(server.port()).send("GET", "/healthz").status == 200; }));
}

TEST(Fair, IsNotReadyWithoutItsStore) {
  Served served;
  EXPECT_EQ(served.get("/readyz").status, 200);
  const std::string store = served.folder.path("studies");
  std::filesystem::rename(store, store + ".gone");
  EXPECT_EQ(outcome(served.get("/readyz")), "503 disk");
  EXPECT_EQ(served.get("/healthz").status, 200);
  std::filesystem::rename(store + ".gone", store);
  EXPECT_EQ(served.get("/readyz").status, 200);
}

}  // namespace
}  // namespace keyhole::tests
