// Services as stores of the suite, alone or as replicas behind a proxy, and what HTTP adds to it.

#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../studies/store_suite.h"
#include "proxy.h"
#include "server.h"

namespace keyhole::tests {

/// The service over the store at a place: several replicas have a proxy.
inline Backend services_over(const std::string& place, const std::shared_ptr<void>& needed,
                             int replicas) {
  struct Running {
    std::shared_ptr<void> needed;
    std::vector<std::unique_ptr<Server>> servers = {};
    std::unique_ptr<Proxy> proxy = {};
  };
  const auto running = std::make_shared<Running>(Running{.needed = needed});
  std::vector<int> ports;
  for (int k = 0; k < replicas; ++k) {
    running->servers.push_back(std::make_unique<Server>(
        std::vector<std::string>{"--store=" + place, "--durability=process"}));
    ports.push_back(running->servers.back()->port());
  }
  if (replicas > 1) running->proxy = std::make_unique<Proxy>(ports);
  const int port = replicas > 1 ? running->proxy->port() : ports[0];
  return service_at("http://127.0.0.1:" + std::to_string(port), place, running);
}

class HttpStores : public StoreAtOnce {};

TEST_P(HttpStores, OneIsToldThatItHasMadeTheStudy) {
  constexpr int studies = 20;
  const int port = std::stoi(backend_.address.substr(backend_.address.rfind(':') + 1));
  const Gate gate(actors_);
  const auto notes = run([&](int actor, const Take& take) {
    Connection connection(port);
    for (int k = 0; k < studies; ++k) {
      const Json body = {{"name", "s" + std::to_string(k)}, {"set", "ball(2)"}};
      gate.wait();
      const Answer answer = connection.send("POST", "/v1/studies", body.dump());
      take({.actor = actor, .study = k, .code = answer.status});
    }
  });
  std::map<int, std::multiset<int>> answers;
  for (const Note& note : notes) answers[note.study].insert(note.code);
  int wrong = 0;
  for (const auto& [study, codes] : answers) {
    if (codes == std::multiset<int>{200, 200, 200, 201}) continue;
    if (++wrong == 1) ADD_FAILURE() << "study " << study << ": " << testing::PrintToString(codes);
  }
  EXPECT_EQ(wrong, 0) << "of " << answers.size();
  EXPECT_EQ(answers.size(), static_cast<std::size_t>(studies));
}

}  // namespace keyhole::tests
