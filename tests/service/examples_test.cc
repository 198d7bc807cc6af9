// The examples, as a user runs them.

#include <gtest/gtest.h>

#include <cstdio>

#include "folder.h"
#include "server.h"

namespace keyhole::tests {
namespace {

/// What a command prints; a failure is one of the test.
std::string printed(const std::string& command) {
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char bytes[4096];
  while (const std::size_t count = std::fread(bytes, 1, sizeof bytes, pipe)) {
    text.append(bytes, count);
  }
  EXPECT_EQ(::pclose(pipe), 0) << command << "\n" << text;
  return text;
}

const std::string source = KEYHOLE_SOURCE_DIR;
const std::string examples = source + "/examples/service/";

TEST(Examples, TuneByTheService) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
  const Json by_curl = Json::parse(printed(examples + "tune.sh " + url));
  EXPECT_EQ(by_curl["asked"], 6);
  // It goes on with the study of the other one, as the same worker, and finds the cheapest.
  const Json point = Json::parse(printed(examples + "tune.py " + url));
  EXPECT_GT(point[0], 0.5);
  const Json by_loop = Json::parse(
      printed("URL=" + url + " " + examples + "loop.sh 5 " + source + "/examples/blocks/cost.sh"));
  EXPECT_EQ(by_loop["asked"], 6);
  EXPECT_TRUE(by_loop["values"]["level"].is_number_integer());
  (void)printed(examples + "simulated.py " + url + " 1");
  Connection connection(server.port());
  const Json simulated = Json::parse(connection.send("GET", "/v1/studies/simulated").body);
  EXPECT_GT(simulated["told"], 0);
  EXPECT_EQ(simulated["repeated"], 0);
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

}  // namespace
}  // namespace keyhole::tests
