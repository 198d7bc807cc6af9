// What of HTTP a server takes, and what it refuses.

#include <gtest/gtest.h>

#include <chrono>

#include "folder.h"
#include "served.h"
#include "server.h"
#include "service/http.h"

namespace keyhole::tests {
namespace {

/// What is sent here is two requests for a server that takes the coding for none, and one for
/// everybody else.
TEST(Http, RefusesTransferCodingsThatItDoesNotKnow) {
  const Folder folder;
  const Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const std::string hidden = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const std::string coding : {"Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\n",
                                   "Transfer-Encoding: gzip, chunked\r\n",
                                   "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"}) {
    Connection connection(server.port());
    ASSERT_TRUE(connection.write("POST /v1/studies HTTP/1.1\r\nHost: localhost\r\n" + coding +
                                 "\r\n" + hidden));
    const Answer answer = connection.answer();
    EXPECT_EQ(answer.status, 501) << coding;
    EXPECT_NE(answer.head.find("Connection: close"), std::string::npos) << coding;
    EXPECT_EQ(connection.answer().status, 0) << coding;
  }
  Connection connection(server.port());
  ASSERT_TRUE(
      connection.write("POST /v1/studies HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
                       "Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"));
  EXPECT_EQ(connection.answer().status, 400);  // of a study without a name
  EXPECT_EQ(connection.send("GET", "/healthz").status, 200);
}

TEST(Http, TakesOneHost) {
  Served served;
  const auto status = [&](const std::string& head) {
    return service::answer_bytes(*served.service, {}, "GET /healthz " + head + "\r\n").substr(9, 3);
  };
  EXPECT_EQ(status("HTTP/1.1\r\nHost: localhost\r\n"), "200");
  EXPECT_EQ(status("HTTP/1.0\r\n"), "200");
  EXPECT_EQ(status("HTTP/1.1\r\n"), "400");
  EXPECT_EQ(status("HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n"), "400");
  EXPECT_EQ(status("HTTP/1.0\r\nhost: localhost\r\nHOST: other\r\n"), "400");
}

/// A client that expects to be told to go on does not wait for its patience to end.
TEST(Http, SaysThatABodyMayCome) {
  const Folder folder;
  const Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const std::string body = R"x({"name":"a","set":"simplex(3)"})x";
  const std::string head = "POST /v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\nExpect: 100-Continue\r\n\r\n";
  Connection patient(server.port());
  ASSERT_TRUE(patient.write(head));
  EXPECT_EQ(patient.answer().status, 100);
  ASSERT_TRUE(patient.write(body));
  EXPECT_EQ(patient.answer().status, 201);
  Connection hasty(server.port());
  ASSERT_TRUE(hasty.write(head + body));
  EXPECT_EQ(hasty.answer().status, 200);
  EXPECT_EQ(hasty.send("GET", "/healthz").status, 200);
  // What is refused by its head is refused at once.
  Connection large(server.port());
  ASSERT_TRUE(
      large.write("POST /v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                  "99999999\r\nExpect: 100-continue\r\n\r\n"));
  EXPECT_EQ(large.answer().status, 413);
}

TEST(Http, TakesTheWordBearerInAnyLetters) {
  Served served({}, service::token_line("kh_x", {"acme", service::Scope::read, {}}));
  for (const std::string word : {"Bearer", "bearer", "BEARER"}) {
    Request request{.path = "/v1/studies", .authorization = word + " kh_x"};
    EXPECT_EQ(served.service->answer(request).status, 200) << word;
    request.authorization = word + "kh_x";
    EXPECT_EQ(served.service->answer(request).status, 401) << word;
  }
  const Request basic{.path = "/v1/studies", .authorization = "Basic kh_x"};
  EXPECT_EQ(served.service->answer(basic).status, 401);
}

/// Of two losses for one play nobody knows which is meant.
TEST(Http, RefusesKeysThatStandTwice) {
  Served served;
  served.create("a");
  (void)served.post("/v1/studies/a/asks", {{"count", 2}});
  const auto refused = [&](const std::string& target, const std::string& body) {
    const Response response = served.send("POST", target, body);
    return response.status == 400 && response.body.find("twice") != std::string::npos;
  };
  EXPECT_TRUE(refused("/v1/studies", R"x({"name":"b","name":"c","set":"simplex(3)"})x"));
  EXPECT_TRUE(refused("/v1/studies/a/tells",
                      R"({"tells":[{"play":1,"loss":1},{"play":2,"loss":1,"loss":2}]})"));
  EXPECT_TRUE(refused("/v1/studies/a/asks", R"({"count":1,"\u0063ount":2})"));
  EXPECT_EQ(served
                .send("POST", "/v1/studies/a/tells",
                      R"({"tells":[{"play":1,"loss":1},{"play":2,"loss":1}]})")
                .status,
            200);
}

}  // namespace
}  // namespace keyhole::tests
