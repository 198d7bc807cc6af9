// Answers that wait for the disk: the tests say when somebody waits, and what happens meanwhile.

#include "service/settling.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <deque>
#include <thread>

#include "folder.h"
#include "served.h"
#include "studies/journals/store_disk.h"

namespace keyhole::tests {
namespace {

using service::Answered;

/// A disk that counts its waits, does something in another thread during the next one, and may fail
/// it.
class CountingDisk : public base::Disk {
 public:
  int sync_data(int file) override {
    ++waits;
    if (const auto work = std::exchange(meanwhile, {})) std::thread(work).join();
    if (!fails) return base::Disk::sync_data(file);
    errno = EIO;
    return -1;
  }

  int waits = 0;
  bool fails = false;
  std::function<void()> meanwhile;
};

/// A service with studies "a" and "b" whose steps are durable, and one thread that waits.
class SettlingTest : public ::testing::Test {
 protected:
  SettlingTest() {
    for (const std::string name : {"a", "b"}) {
      const Json study = {{"name", name}, {"set", "simplex(3)"}};
      const Request create{.method = "POST", .path = "/v1/studies", .body = study.dump()};
      EXPECT_EQ(service_.answer(create).status, 201);
      // The first step of a process waits by itself.
      EXPECT_EQ(service_.answer(ask(name)).status, 200);
    }
    disk_.waits = 0;
  }

  static Request ask(const std::string& name) {
    return {.method = "POST", .path = "/v1/studies/" + name + "/asks"};
  }
  void add(const std::string& name) { settling_.add({nullptr, service_.begin(ask(name))}); }
  /// Runs what was handed to the thread.
  void run_all() {
    while (!work_.empty()) {
      const auto next = std::move(work_.front());
      work_.pop_front();
      next();
    }
  }

  Folder folder_;
  CountingDisk disk_;
  studies::DiskInstead instead_{disk_};
  service::Service service_{{.folder = folder_.path("studies")}, Catalogue::standard()};
  std::deque<std::function<void()>> work_;
  std::vector<std::vector<Answered>> sent_;
  service::Settling settling_{
      service_, 1, [this](auto work) { work_.push_back(std::move(work)); },
      [this](std::vector<Answered> group) { sent_.push_back(std::move(group)); }};
};

/// How many there are, of which study, and the status of the first.
std::string group_text(const std::vector<Answered>& group) {
  const Response& first = group.front().response;
  return std::to_string(group.size()) + " " + first.unsettled.name + " " +
         std::to_string(first.status);
}

TEST_F(SettlingTest, SendsNothingBeforeItIsSafeAndWaitsOnceForAll) {
  for (int k = 0; k < 5; ++k) add("a");
  EXPECT_EQ(work_.size(), 1U);
  EXPECT_TRUE(sent_.empty());
  EXPECT_EQ(disk_.waits, 0);
  run_all();
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_EQ(group_text(sent_[0]), "5 a 200");
  EXPECT_EQ(disk_.waits, 1);
  for (std::size_t k = 0; k < 5; ++k) {  // in their order
    EXPECT_EQ(Json::parse(sent_[0][k].response.body)["plays"][0]["play"], k + 2);
  }
}

TEST_F(SettlingTest, ServesWhatComesMeanwhileByTheNextWait) {
  add("a");
  disk_.meanwhile = [this] {
    add("a");
    add("a");
    EXPECT_TRUE(work_.empty());  // the same thread goes on
  };
  run_all();
  ASSERT_EQ(sent_.size(), 2U);
  EXPECT_EQ(group_text(sent_[0]), "1 a 200");
  EXPECT_EQ(group_text(sent_[1]), "2 a 200");
  EXPECT_EQ(disk_.waits, 2);
  add("a");  // after a rest it begins again
  run_all();
  EXPECT_EQ(sent_.size(), 3U);
}

TEST_F(SettlingTest, LetsOtherStudiesHaveTheThread) {
  add("a");
  add("b");
  disk_.meanwhile = [this] { add("a"); };
  run_all();
  ASSERT_EQ(sent_.size(), 3U);
  EXPECT_EQ(group_text(sent_[0]), "1 a 200");
  EXPECT_EQ(group_text(sent_[1]), "1 b 200");
  EXPECT_EQ(group_text(sent_[2]), "1 a 200");
}

/// The value of a line of the metrics; -1 if it is not there.
double value_of(service::Service& service, const std::string& line) {
  const std::string text = "\n" + service.answer({.path = "/metrics"}).body;
  const std::size_t at = text.find("\n" + line + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + line.size() + 2));
}

TEST_F(SettlingTest, IsTimedAsTheClientSeesIt) {
  const std::string route = "{route=\"POST /v1/studies/{name}/asks\"";
  const double before = value_of(service_, "keyhole_request_seconds_sum" + route + "}");
  const double syncs = value_of(service_, "keyhole_sync_seconds_count");
  const Request waited = ask("a");
  std::this_thread::sleep_for(std::chrono::milliseconds(40));  // until a thread has time
  settling_.add({nullptr, service_.begin(waited)});
  add("a");
  EXPECT_EQ(value_of(service_, "keyhole_request_seconds_count" + route + "}"), 2);
  disk_.meanwhile = [] { std::this_thread::sleep_for(std::chrono::milliseconds(40)); };
  run_all();
  EXPECT_EQ(value_of(service_, "keyhole_request_seconds_count" + route + "}"), 4);
  EXPECT_GE(value_of(service_, "keyhole_request_seconds_sum" + route + "}") - before, 0.12);
  EXPECT_EQ(value_of(service_, "keyhole_sync_seconds_count"), syncs + 1);
  EXPECT_GE(value_of(service_, "keyhole_sync_seconds_sum"), 0.04);
  EXPECT_EQ(value_of(service_, "keyhole_requests_total" + route + ",code=\"2xx\"}"), 4);
  // A sync that fails is no success.
  add("a");
  add("a");
  disk_.fails = true;
  run_all();
  EXPECT_EQ(value_of(service_, "keyhole_requests_total" + route + ",code=\"2xx\"}"), 4);
  EXPECT_EQ(value_of(service_, "keyhole_requests_total" + route + ",code=\"5xx\"}"), 2);
  EXPECT_EQ(value_of(service_, "keyhole_failed_syncs_total"), 1);
}

TEST_F(SettlingTest, SaysThatASyncTookLong) {
  std::vector<std::string> said;
  service_.watch_syncs([&](const std::string& line) { said.push_back(line); });
  add("a");
  run_all();
  EXPECT_TRUE(said.empty());
  add("a");
  add("a");
  disk_.meanwhile = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1050)); };
  run_all();
  ASSERT_EQ(said.size(), 1U);
  const Json line = Json::parse(said[0]);
  EXPECT_GE(line["sync_ms"], 1050);
  EXPECT_EQ(line["answers"], 2);
  EXPECT_TRUE(line.contains("at"));
}

TEST_F(SettlingTest, TellsAllOfAGroupThatTheDiskHasFailed) {
  add("a");
  add("a");
  add("b");
  disk_.fails = true;
  disk_.meanwhile = [this] { add("a"); };
  run_all();
  ASSERT_EQ(sent_.size(), 3U);
  ASSERT_EQ(sent_[0].size(), 2U);
  for (const Answered& answered : sent_[0]) {
    EXPECT_EQ(outcome(answered.response), "503 disk");
    EXPECT_NE(answered.response.failure, "");
  }
  EXPECT_EQ(outcome(sent_[1].front().response), "503 disk");
  // Nobody knows what is on the disk, also if a later wait would succeed.
  EXPECT_EQ(outcome(sent_[2].front().response), "503 disk");
  // The studies are opened again and say what is really there.
  disk_.fails = false;
  EXPECT_EQ(service_.answer(ask("a")).status, 200);
  EXPECT_EQ(service_.answer(ask("b")).status, 200);
}

}  // namespace
}  // namespace keyhole::tests
