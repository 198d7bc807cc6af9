// The client against what proxies make of answers, and against servers that fail.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "fake_server.h"
#include "folder.h"
#include "keyhole/client.h"
#include "keyhole/store.h"
#include "served.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

StudyDescription four() {
  StudyDescription description{.on = "simplex(4)"};
  description.options.seed = 9;
  return description;
}

/// What the service answers, in the words of a wire.
struct Wire {
  std::string first_line;
  std::string body;
};

/// A real service, and somebody in between who writes its answers in another way.
class Between {
 public:
  using Style = std::function<Sent(const Wire& wire)>;

  explicit Between(Style style)
      : style_(std::move(style)), server_([this](const Received& received) {
          const std::lock_guard lock(mutex_);
          const Response response =
              served_.send(received.method(), received.target(), received.body);
          const std::string status = std::to_string(response.status);
          return style_({"HTTP/1.1 " + status + " It Is\r\n", body_of(response)});
        }) {}

  [[nodiscard]] std::string address() const { return server_.address(); }
  FakeServer& server() { return server_; }

 private:
  Served served_;
  std::mutex mutex_;
  Style style_;
  FakeServer server_;
};

Sent plain(const Wire& wire) {
  return {{wire.first_line + "content-length: " + std::to_string(wire.body.size()) + "\r\n\r\n" +
           wire.body}};
}

/// In chunks of several sizes, with an extension and a trailer.
std::string in_chunks(const std::string& body) {
  std::string text;
  std::size_t size = 1;
  for (std::size_t at = 0; at < body.size(); at += size, size = size % 40 + 7) {
    const std::string part = body.substr(at, size);
    char digits[20];
    (void)std::snprintf(digits, sizeof digits, "%zX", part.size());
    text += digits + std::string(at == 0 ? ";a=b" : "") + "\r\n" + part + "\r\n";
  }
  return text + "0\r\nx-time: 3\r\n\r\n";
}

/// The first bytes each by itself; of many more the kernel would drop some.
std::vector<std::string> bytes_of(const std::string& text) {
  constexpr std::size_t first = 400;
  std::vector<std::string> bytes;
  for (const char c : text.substr(0, first)) bytes.emplace_back(1, c);
  if (text.size() > first) bytes.push_back(text.substr(first));
  return bytes;
}

/// A study through a client, next to the same on the disk.
void expect_the_study_itself(const std::string& address) {
  const Folder folder;
  RemoteStudy remote = connect(address, {.patience = 20}).create("split", four());
  Study local =
      Store(folder.path("studies"), {.durability = Durability::process}).create("split", four());
  StudyPlay play = local.ask("w1");
  ASSERT_EQ(remote.ask("w1"), play);
  for (int k = 0; k < 12; ++k) {
    const std::vector<StudyTell> tells = {{play.id, play.point[0]}};
    const StudyStep step = local.step(tells, 1, "w1");
    const StudyStep same = remote.step(tells, 1, "w1");
    ASSERT_EQ(same.plays, step.plays);
    ASSERT_EQ(same.receipts, step.receipts);
    play = step.plays.front();
  }
  EXPECT_EQ(remote.state(), local.state());
  EXPECT_EQ(connect(address).list(), std::vector<std::string>{"split"});
  connect(address).remove("split");
}

TEST(HostileServer, NamesOfHeadersAreInSmallLetters) {
  const Between between(plain);
  expect_the_study_itself(between.address());
}

TEST(HostileServer, BodiesComeInChunks) {
  const Between between([](const Wire& wire) -> Sent {
    return {{wire.first_line + "transfer-encoding: Chunked\r\n\r\n", in_chunks(wire.body)}};
  });
  expect_the_study_itself(between.address());
}

TEST(HostileServer, EveryByteComesByItself) {
  int turn = 0;
  const Between between([&](const Wire& wire) -> Sent {
    return {bytes_of(++turn % 2 == 0 ? plain(wire).parts.front()
                                     : wire.first_line + "Transfer-Encoding: chunked\r\n\r\n" +
                                           in_chunks(wire.body))};
  });
  expect_the_study_itself(between.address());
}

TEST(HostileServer, BodiesEndWithTheConnection) {
  const Between between([](const Wire& wire) -> Sent {
    return {{wire.first_line + "\r\n", wire.body}, true};
  });
  expect_the_study_itself(between.address());
}

TEST(HostileServer, AnswersThatAreNoneYetComeFirst) {
  const Between between([](const Wire& wire) -> Sent {
    return {{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n",
             plain(wire).parts.front()}};
  });
  expect_the_study_itself(between.address());
}

TEST(HostileServer, ConnectionsEndWithoutAWord) {
  const Between between([](const Wire& wire) -> Sent { return {plain(wire).parts, true}; });
  expect_the_study_itself(between.address());
}

/// An ask of nobody in particular is not lost for a connection that was closed in a pause.
TEST(HostileServer, ConnectionsEndInAPause) {
  Between between(plain);
  RemoteStudy study = connect(between.address()).create("split", four());
  for (PlayId k = 1; k <= 5; ++k) {
    EXPECT_EQ(study.ask().id, k);
    between.server().hang_up();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// Every third answer is cut, at each of its bytes in turn, and every fifth says that there is no
/// time now, whatever was done.
TEST(HostileServer, AnswersAreCutAndPutOff) {
  std::size_t turn = 0;
  const Between between([&](const Wire& wire) -> Sent {
    ++turn;
    if (turn % 5 == 0) {
      return {{"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 1\r\n\r\n"}};
    }
    const std::string text =
        turn % 2 == 0
            ? plain(wire).parts.front()
            : wire.first_line + "transfer-encoding: chunked\r\n\r\n" + in_chunks(wire.body);
    if (turn % 3 != 0) return {{text}};
    return {{text.substr(0, turn * 7 % text.size())}, true};
  });
  const Folder folder;
  RemoteStudy remote = connect(between.address(), {.patience = 20}).create("split", four());
  Study local =
      Store(folder.path("studies"), {.durability = Durability::process}).create("split", four());
  StudyPlay play = local.ask("w1");
  ASSERT_EQ(remote.ask("w1"), play);
  for (int k = 0; k < 60; ++k) {
    const std::vector<StudyTell> tells = {{play.id, play.point[0]}};
    play = local.step(tells, 1, "w1").plays.front();
    const StudyStep same = remote.step(tells, 1, "w1");
    ASSERT_EQ(same.plays.front(), play);
    ASSERT_EQ(same.receipts, std::vector<Receipt>{Receipt::fresh});
  }
  EXPECT_EQ(remote.state(), local.state());
}

/// A step that is put off for ever ends when the patience does, and is tried with pauses: whether
/// the service says that it has done nothing, or not.
struct Refusal {
  const char* name;
  const char* body;
  bool is_undone;
  int status = 503;
};

class PutOff : public ::testing::TestWithParam<Refusal> {};

TEST_P(PutOff, ForEver) {
  std::atomic<int> posts = 0;
  std::atomic<bool> is_put_off = false;
  Served served;
  std::mutex mutex;
  const FakeServer server([&](const Received& received) -> Sent {
    const std::lock_guard lock(mutex);
    if (is_put_off && received.method() == "POST") {
      ++posts;
      const std::string status = std::to_string(GetParam().status);
      return plain({"HTTP/1.1 " + status + " Busy\r\n", GetParam().body});
    }
    const Response response = served.send(received.method(), received.target(), received.body);
    return plain({"HTTP/1.1 " + std::to_string(response.status) + " OK\r\n", body_of(response)});
  });
  RemoteStudy study = connect(server.address(), {.patience = 0.5}).create("split", four());
  const StudyPlay play = study.ask("w1");
  is_put_off = true;
  const auto begin = std::chrono::steady_clock::now();
  try {
    (void)study.step({{play.id, 0.5}}, 1, "w1");
    FAIL();
  } catch (const ServiceError& error) {
    EXPECT_EQ(error.status(), GetParam().status);
    EXPECT_STREQ(error.what(), "not now");
  }
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(400));
  EXPECT_LE(posts, 10);
  // What nobody in particular asks is asked again only if nothing was done.
  posts = 0;
  EXPECT_EQ(message<ServiceError>([&] { (void)study.ask(); }), "not now");
  EXPECT_EQ(posts > 1, GetParam().is_undone);
}

constexpr Refusal refusals[] = {
    {"Busy", R"({"type":"urn:keyhole:busy","detail":"not now"})", true},
    {"Disk", R"({"type":"urn:keyhole:disk","detail":"not now"})", false},
    {"NotStored", R"({"type":"urn:keyhole:database","detail":"not now","maybe_stored":false})",
     true},
    {"PerhapsStored", R"({"type":"urn:keyhole:database","detail":"not now","maybe_stored":true})",
     false},
    {"TooFast", R"({"type":"urn:keyhole:rate","detail":"not now"})", true, 429},
};

INSTANTIATE_TEST_SUITE_P(HostileServer, PutOff, ::testing::ValuesIn(refusals),
                         [](const auto& test) { return test.param.name; });

/// Whatever a server sends, only errors of Keyhole are thrown.
TEST(HostileServer, SaysWhatNobodyUnderstands) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::vector<Sent> answers = {
      plain({ok, "<html>"}),
      plain({ok, "{}"}),
      plain({ok, "[]"}),
      plain({ok, R"({"plays":0,"receipts":"fresh"})"}),
      plain({ok, R"({"plays":[{}],"receipts":["odd"],"studies":[{}]})"}),
      plain({"HTTP/1.1 400 No\r\n", R"({"type":1,"detail":null})"}),
      {{ok + "Content-Length: -1\r\n\r\n"}},
      {{ok + "Content-Length: 99999999999999999999\r\n\r\n"}},
      {{ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}"}},
      {{ok + "Transfer-Encoding: chunked\r\n\r\nx\r\n{}"}},
      {{ok + "Transfer-Encoding: gzip\r\n\r\n"}},
      {{"HTTP/1.1 2x0 OK\r\n\r\n"}},
      {{"SSH-2.0-x\r\n\r\n"}},
      {{"\r\n\r\n"}},
      {{"HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"}},
  };
  for (std::size_t k = 0; k < answers.size(); ++k) {
    bool is_known = true;
    Served served;
    const FakeServer server([&](const Received& received) -> Sent {
      if (!is_known) return answers[k];
      const Response response = served.send(received.method(), received.target(), received.body);
      return plain({"HTTP/1.1 200 OK\r\n", body_of(response)});
    });
    const Client client = connect(server.address(), {.patience = 0});
    RemoteStudy study = client.create("split", four());
    is_known = false;
    const auto refuses = [&](const char* what, const auto& call) {
      EXPECT_NE(message<ServiceError>(call), "nothing was thrown") << k << " " << what;
    };
    refuses("ask", [&] { (void)study.ask(); });
    refuses("ask of a worker", [&] { (void)study.ask("w1"); });
    refuses("tell", [&] { (void)study.tell(1, 0.5); });
    refuses("step", [&] { (void)study.step({{1, 0.5}}, 1, "w1"); });
    refuses("learn", [&] { study.learn(std::vector<double>{1, 0, 0, 0}, 1); });
    refuses("past", [&] { (void)study.past(); });
    refuses("explores", [&] { (void)study.explores(); });
    refuses("recommend", [&] { (void)study.recommend(); });
    refuses("summary", [&] { (void)study.summary(); });
    refuses("list", [&] { (void)client.list(); });
    EXPECT_THROW((void)study.state(), Error) << k;
  }
}

/// A cut that loses the answer: what was learned is not learned twice.
TEST(HostileServer, ThePastIsLearnedOnceIfAnswersAreLost) {
  Served served;
  int losses = 0;
  const FakeServer server([&](const Received& received) -> Sent {
    const Response response = served.send(received.method(), received.target(), received.body);
    const bool is_lost = received.target().ends_with("/past") && losses++ < 2;
    if (is_lost) return {{}, true};
    return plain({"HTTP/1.1 200 OK\r\n", body_of(response)});
  });
  RemoteStudy study = connect(server.address()).create("split", four());
  study.learn(std::vector<double>{1, 0, 0, 0}, 1);
  EXPECT_EQ(losses, 3);
  EXPECT_EQ(study.past(), 1U);
  study.learn(std::vector<double>{1, 0, 0, 0}, 1);  // another call
  EXPECT_EQ(study.past(), 2U);
}

TEST(HostileServer, AddressesAreOfTheSixthVersionToo) {
  std::string head;
  const FakeServer server(
      [&](const Received& received) -> Sent {
        head = received.head;
        return plain({"HTTP/1.1 200 OK\r\n", R"({"studies":[]})"});
      },
      true);
  const std::string place = "[::1]:" + std::to_string(server.port());
  EXPECT_TRUE(connect("http://" + place).list().empty());
  EXPECT_NE(head.find("\r\nHost: " + place + "\r\n"), std::string::npos) << head;
  for (const char* const address : {"http://[::1", "http://::1", "http://[]:80"}) {
    EXPECT_THROW((void)connect(address), InvalidArgument) << address;
  }
}

/// Names and tokens cannot become other lines of a request.
TEST(HostileServer, NamesAreNoLines) {
  std::string target;
  const FakeServer server([&](const Received& received) -> Sent {
    target = received.target();
    return plain({"HTTP/1.1 200 OK\r\n", "{}"});
  });
  (void)connect(server.address()).open("a b/../c\r\nX: y?");
  EXPECT_EQ(target, "/v1/studies/a%20b%2F..%2Fc%0D%0AX%3A%20y%3F");
  EXPECT_THROW((void)connect(server.address(), {.token = "kh_x\n"}), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
