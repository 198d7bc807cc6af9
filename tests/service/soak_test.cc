// A service under load for long: nothing is lost, and its memory does not grow. KEYHOLE_SOAK is for
// how many seconds, at ten thousand durable steps each; without it a short and slower run is made.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "folder.h"
#include "keyhole/store.h"
#include "server.h"

namespace keyhole::tests {
namespace {

using Clock = std::chrono::steady_clock;

/// The memory of a process that is in use, in bytes.
double memory_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double mean_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t k = begin; k < end; ++k) sum += values[k];
  return sum / static_cast<double>(end - begin);
}

/// One worker: tells what its play cost and asks for the next, so often a second. It reads the
/// answers as texts, to leave the processors to the server.
struct SteadyWorker {
  std::uint64_t asked = 0;
  std::uint64_t told = 0;
  std::uint64_t out_of_order = 0;

  void run(int port, const std::string& name, double rate, const std::atomic<bool>& stop) {
    Connection connection(port);
    std::uint64_t play = 0;
    const auto begin = Clock::now();
    for (double steps = 0; !stop; ++steps) {
      std::string body = R"({"worker":")" + name + '"';
      if (play > 0) {
        body += R"(,"tells":[{"play":)" + std::to_string(play) + R"(,"loss":)" +
                std::to_string(play % 997) + "}]";
      }
      const Answer step = connection.send("POST", "/v1/studies/soak/steps", body + "}");
      if (step.status != 200) throw std::runtime_error(step.head + step.body);
      if (play > 0 && step.body.find("\"fresh\"") != std::string::npos) ++told;
      const std::string key = "\"play\":";
      const std::uint64_t next = std::stoull(step.body.substr(step.body.find(key) + key.size()));
      if (next <= play) ++out_of_order;
      play = next;
      ++asked;
      std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(
                                                std::chrono::duration<double>((steps + 1) / rate)));
    }
  }
};

TEST(Soak, LosesNothingAndDoesNotGrow) {
  const char* const given = std::getenv("KEYHOLE_SOAK");
  const int seconds = given != nullptr ? std::atoi(given) : 3;
  const double rate = given != nullptr ? 10000 : 500;  // steps a second
  constexpr std::size_t count = 16;
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  Connection connection(server.port());
  ASSERT_EQ(
      connection
          .send("POST", "/v1/studies",
                R"json({"name": "soak", "set": "simplex(10)", "learner": "parameter_free"})json")
          .status,
      201);
  std::atomic<bool> stop = false;
  std::vector<SteadyWorker> workers(count);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < count; ++k) {
    threads.emplace_back(
        [&, k] { workers[k].run(server.port(), "w" + std::to_string(k), rate / count, stop); });
  }
  std::vector<double> memory;
  const auto begin = Clock::now();
  while (Clock::now() < begin + std::chrono::seconds(seconds)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(given != nullptr ? 1000 : 50));
    memory.push_back(memory_of(server.process()));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  const double time = std::chrono::duration<double>(Clock::now() - begin).count();

  std::uint64_t asked = 0;
  std::uint64_t told = 0;
  for (const SteadyWorker& worker : workers) {
    asked += worker.asked;
    told += worker.told;
    EXPECT_EQ(worker.out_of_order, 0U);
    EXPECT_EQ(worker.told + 1, worker.asked);
  }
  // The samples of an hour and the window of the learner are filled in the first quarter.
  const double before = mean_of(memory, memory.size() / 4, memory.size() / 2);
  const double after = mean_of(memory, 3 * memory.size() / 4, memory.size());
  constexpr double megabyte = 1e6;
  std::cout << asked << " steps, " << static_cast<double>(asked) / time << " a second; memory "
            << before / megabyte << " MB, and " << after / megabyte << " MB at the end\n";
  // The thread sanitizer keeps a growing history of its own.
#ifndef __SANITIZE_THREAD__
  EXPECT_LT(after, 1.05 * before + 2 * megabyte);
#endif
  if (given != nullptr) {
    EXPECT_GT(static_cast<double>(asked) / time, 0.95 * rate);
  }
  // The first connection was idle for too long.
  const Json shown = Json::parse(Connection(server.port()).send("GET", "/v1/studies/soak").body);
  EXPECT_EQ(shown.at("asked"), asked);
  EXPECT_EQ(shown.at("told"), told);
  EXPECT_EQ(shown.at("durable_bytes"), shown.at("log_bytes"));
  EXPECT_EQ(server.stop(SIGTERM), 0);

  std::uint64_t plays = 0;
  std::uint64_t tells = 0;
  const Store store(folder.path("studies"));
  const StudyLog log = store.replay("soak", [&](const StudyRecord& record) {
    plays += record.gave.plays.size();
    tells += record.tells.size();
  });
  EXPECT_EQ(plays, asked);
  EXPECT_EQ(tells, told);
  EXPECT_EQ(log.torn, 0U);
  EXPECT_EQ(store.open("soak").state().hash(), log.state_hash);
}

}  // namespace
}  // namespace keyhole::tests
