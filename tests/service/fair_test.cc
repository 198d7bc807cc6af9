// Who waits for whom: what hangs holds up nobody else.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "folder.h"
#include "served.h"
#include "server.h"

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

std::string study(const std::string& name) {
  return Json{{"name", name}, {"set", "simplex(3)"}}.dump();
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
