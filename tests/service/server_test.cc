// The server at its sockets.

#include "server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

#include "folder.h"
#include "keyhole/store.h"
#include "service/tokens.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

const std::string new_split = R"json({"name": "split", "set": "simplex(3)"})json";

TEST(Server, AnswersOneConnectionAgainAndAgain) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--log=" + folder.path("log")});
  Connection connection(server.port());
  EXPECT_EQ(connection.send("POST", "/v1/studies", new_split).status, 201);
  std::uint64_t play =
      connection.posted("/v1/studies/split/asks", Json::object())["plays"][0]["play"];
  for (int round = 0; round < 50; ++round) {
    const Json step = connection.posted("/v1/studies/split/steps",
                                        {{"tells", {{{"play", play}, {"loss", 0.5}}}}});
    EXPECT_EQ(step["receipts"], Json{"fresh"});
    play = step["plays"][0]["play"];
  }
  const Answer log = connection.send("GET", "/v1/studies/split/log");
  EXPECT_EQ(std::count(log.body.begin(), log.body.end(), '\n'), 51);
  // Two requests in one packet are answered in order.
  ASSERT_TRUE(
      connection.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/none "
                       "HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_EQ(connection.answer().status, 200);
  EXPECT_EQ(connection.answer().status, 404);
  // The head of an answer alone, and on the same connection the next.
  ASSERT_TRUE(
      connection.write("HEAD /v1/none HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz "
                       "HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  std::string heads = connection.read();
  for (std::string more = heads; heads.find("\"ok\"") == std::string::npos && !more.empty();) {
    heads += more = connection.read();
  }
  EXPECT_TRUE(heads.starts_with("HTTP/1.1 404")) << heads;
  EXPECT_NE(heads.find("\r\n\r\nHTTP/1.1 200"), std::string::npos) << heads;
  EXPECT_EQ(server.stop(SIGTERM), 0);
  // It is the study that the library sees.
  EXPECT_EQ(Store(folder.path("studies")).open("split").summary().told, 50U);
  const std::string lines = bytes(folder.path("log")).value();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 57);
}

TEST(Server, SeesWhatOtherProcessesDo) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  Connection connection(server.port());
  EXPECT_EQ(connection.send("POST", "/v1/studies", new_split).status, 201);
  Study study = Store(folder.path("studies")).open("split");
  (void)study.ask_many(3);
  EXPECT_EQ(connection.posted("/v1/studies/split/asks", Json::object())["plays"][0]["play"], 4);
  EXPECT_EQ(study.summary().asked, 4U);
}

TEST(Server, MakesTheReportOfTheCommandLine) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  Connection connection(server.port());
  (void)connection.send("POST", "/v1/studies", new_split);
  for (int k = 1; k <= 20; ++k) {
    (void)connection.posted("/v1/studies/split/asks", Json::object());
    (void)connection.posted("/v1/studies/split/tells", {{"tells", {{{"play", k}, {"loss", k}}}}});
  }
  const Answer report = connection.send("GET", "/v1/studies/split/report");
  EXPECT_EQ(report.status, 200);
  const std::string command = std::string(KEYHOLE_PROGRAM) +
                              " report split --store=" + folder.path("studies") +
                              " --out=" + folder.path("out") + " > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(report.body, bytes(folder.path("out/report.html")).value());
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

TEST(Server, RefusesWhatIsTooLongAndGoesOn) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--max-body=1000"});
  {
    Connection connection(server.port());
    const std::string just_right = "{\"count\": 1" + std::string(1000 - 12, ' ') + "}";
    ASSERT_EQ(just_right.size(), 1000U);
    EXPECT_EQ(connection.send("POST", "/v1/studies", new_split).status, 201);
    EXPECT_EQ(connection.send("POST", "/v1/studies/split/asks", just_right).status, 200);
    EXPECT_EQ(connection.send("POST", "/v1/studies/split/asks", just_right + " ").status, 413);
  }
  std::string many = "GET /healthz HTTP/1.1\r\n";
  for (int k = 0; k < 5000; ++k) many += "A" + std::to_string(k) + ": b\r\n";
  const std::vector<std::string> floods = {
      "GET /healthz HTTP/1.1\r\nX: " + std::string(20000, 'x') + "\r\n\r\n",
      "GET /" + std::string(20000, 'x') + " HTTP/1.1\r\n\r\n", many + "\r\n"};
  for (const std::string& flood : floods) {
    Connection connection(server.port());
    (void)connection.write(flood);
    const int status = connection.answer().status;
    EXPECT_TRUE(status == 431 || status == 0) << status;  // it may be cut off while it sends
  }
  for (const char* const nonsense :
       {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02",
        "POST /v1/studies HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST /v1/studies HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
        "GET /healthz HTTP/1.1\r\n bad: x\r\n\r\n"}) {
    Connection connection(server.port());
    (void)connection.write(std::string(nonsense) + std::string(40, '\n'));
    const int status = connection.answer().status;
    EXPECT_TRUE(status == 400 || status == 0) << nonsense << status;
  }
  EXPECT_EQ(Connection(server.port()).send("GET", "/healthz").status, 200);
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

TEST(Server, IsNotHeldUpBySlowClients) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--request-time=3"});
  std::vector<std::unique_ptr<Connection>> idle;
  for (int k = 0; k < 500; ++k) idle.push_back(std::make_unique<Connection>(server.port()));
  for (const auto& connection : idle) ASSERT_TRUE(connection->write("POST /v1/stu"));
  Connection busy(server.port());
  EXPECT_EQ(busy.send("POST", "/v1/studies", new_split).status, 201);
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(busy.send("POST", "/v1/studies/split/asks").status, 200);
  }
  // One that drips its request is cut off all the same.
  Connection dripping(server.port());
  ASSERT_TRUE(dripping.write("GET / HTTP/1.1\r\nX: "));
  EXPECT_TRUE(comes_true([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return !dripping.write("x");
  }));
  EXPECT_EQ(idle.front()->read(), "");  // ended by the server
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

/// A connection that says nothing any more is ended in time, and one that goes on is not.
TEST(Server, EndsConnectionsThatFallSilent) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--idle-time=2"});
  Connection silent(server.port(), 60);
  Connection talking(server.port());
  EXPECT_EQ(silent.send("GET", "/healthz").status, 200);
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> has_ended = false;
  std::thread waiting([&] {
    EXPECT_EQ(silent.read(), "");
    has_ended = true;
  });
  while (!has_ended) {
    EXPECT_EQ(talking.send("GET", "/healthz").status, 200);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  waiting.join();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(time.count(), 1.9);
  EXPECT_LT(time.count(), 50);  // in which the test itself would give up
  EXPECT_EQ(talking.send("GET", "/healthz").status, 200);
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

/// Lets this process, and those that it starts, have that many files if the system allows it;
/// returns how many.
std::uint64_t allow_files(std::uint64_t wanted) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < wanted) {
    const rlimit higher = {wanted, wanted};
    (void)::setrlimit(RLIMIT_NOFILE, &higher);  // which root may
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

double seconds_of_a_step(Connection& connection) {
  const auto begin = std::chrono::steady_clock::now();
  (void)connection.posted("/v1/studies/split/steps", {{"asks", 1}});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

TEST(Server, ServesNextToTenThousandIdleConnections) {
  // The server shares its files between studies and connections.
  const std::uint64_t idle = std::min<std::uint64_t>(10000, allow_files(20000) / 2);
  if (::getuid() == 0) {
    ASSERT_EQ(idle, 10000U);
  }
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--max-open=100",
                 "--request-time=300", "--idle-time=300"});
  Connection worker(server.port());
  ASSERT_EQ(worker.send("POST", "/v1/studies", new_split).status, 201);
  std::vector<std::unique_ptr<Connection>> waiting;
  for (std::uint64_t k = 0; k < idle; ++k) {
    waiting.push_back(std::make_unique<Connection>(server.port()));
    ASSERT_TRUE(waiting.back()->is_open()) << k;
    // Some say nothing, some half a request, some have had an answer.
    if (k % 3 == 1) {
      ASSERT_TRUE(waiting.back()->write("GET /healthz HTTP/1.1\r\nHost: loc"));
    }
    if (k % 3 == 2) {
      ASSERT_EQ(waiting.back()->send("GET", "/healthz").status, 200) << k;
    }
  }
  const auto connections = [&] {
    const std::string metrics = worker.send("GET", "/metrics").body;
    const std::string name = "\nkeyhole_connections ";
    return std::stoull(metrics.substr(metrics.find(name) + name.size()));
  };
  // The last may not be taken up yet.
  EXPECT_TRUE(comes_true([&] { return connections() == idle + 1; })) << connections();
  // A step takes hardly longer than at a server that has one connection, in turn with it: both wait
  // alike for a processor.
  Server other({"--store=" + folder.path("others"), "--durability=process"});
  Connection alone(other.port());
  ASSERT_EQ(alone.send("POST", "/v1/studies", new_split).status, 201);
  std::vector<double> times;
  std::vector<double> times_alone;
  for (int k = 0; k < 300; ++k) {
    times.push_back(seconds_of_a_step(worker));
    times_alone.push_back(seconds_of_a_step(alone));
  }
  EXPECT_LT(median(times), median(times_alone) + 0.05);
  EXPECT_EQ(waiting[1]->is_open(), true);
  ASSERT_TRUE(waiting[1]->write("alhost\r\n\r\n"));  // and those that waited are served too
  EXPECT_EQ(waiting[1]->answer().status, 200);
  EXPECT_EQ(waiting[2]->send("GET", "/healthz").status, 200);
  waiting.clear();
  EXPECT_TRUE(comes_true([&] { return connections() == 1; })) << connections();
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

TEST(Server, FinishesWhatIsUnderWay) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  ASSERT_EQ(Connection(server.port()).send("POST", "/v1/studies", new_split).status, 201);
  std::atomic<std::uint64_t> answered = 0;
  std::vector<std::thread> clients;
  for (int k = 0; k < 4; ++k) {
    clients.emplace_back([&] {
      Connection connection(server.port());
      while (connection.send("POST", "/v1/studies/split/asks").status == 200) ++answered;
    });
  }
  while (answered < 100) std::this_thread::yield();
  EXPECT_EQ(server.stop(SIGTERM), 0);
  for (std::thread& client : clients) client.join();
  // Every ask in the log was answered, and the other way round.
  EXPECT_EQ(Store(folder.path("studies")).open("split").summary().asked, answered);
}

TEST(Server, ReadsTokensAtAHangUp) {
  const Folder folder;
  const auto new_token = [&](const std::string& scope) {
    const std::string command = std::string(KEYHOLE_PROGRAM) + " token new acme --scope=" + scope +
                                " --tokens=" + folder.path("tokens") + " > " +
                                folder.path("token") + " 2> /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    const std::string line = bytes(folder.path("token")).value();
    return "Authorization: Bearer " + line.substr(0, line.size() - 1) + "\r\n";
  };
  const std::string reader = new_token("read");
  Server server({"--store=" + folder.path("studies"), "--tokens=" + folder.path("tokens")});
  Connection connection(server.port());
  EXPECT_EQ(connection.send("GET", "/v1/studies").status, 401);
  EXPECT_EQ(connection.send("GET", "/v1/studies", "", reader).status, 200);
  EXPECT_EQ(connection.send("POST", "/v1/studies", new_split, reader).status, 403);
  const std::string admin = new_token("admin");
  EXPECT_EQ(connection.send("POST", "/v1/studies", new_split, admin).status, 401);
  server.signal(SIGHUP);
  int status = 401;
  EXPECT_TRUE(comes_true([&] {
    status = connection.send("POST", "/v1/studies", new_split, admin).status;
    return status != 401;
  }));
  EXPECT_EQ(status, 201);
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

TEST(Server, SaysThatItsLogCannotBeOpenedAgain) {
  namespace fs = std::filesystem;
  const Folder folder;
  const std::string log = folder.path("log");
  Server server({"--store=" + folder.path("studies"), "--log=" + log}, folder.path("said"));
  fs::rename(log, folder.path("old"));
  fs::create_directory(log);
  server.signal(SIGHUP);
  EXPECT_TRUE(comes_true([&] {
    return bytes(folder.path("said"))
               .value_or("")
               .find("the log is as before: " + log + ": cannot be opened") != std::string::npos;
  }));
  Connection connection(server.port());
  EXPECT_EQ(connection.send("GET", "/healthz").status, 200);
  EXPECT_EQ(server.stop(SIGTERM), 0);
  EXPECT_NE(bytes(folder.path("old")).value().find("/healthz"), std::string::npos);
}

TEST(Server, ListensWhereItIsSafe) {
  const Folder folder;
  const auto output = [&](const std::string& options) {
    const std::string command = std::string(KEYHOLE_PROGRAM) +
                                " serve --store=" + folder.path("studies") + " " + options + " > " +
                                folder.path("out") + " 2>&1";
    EXPECT_NE(std::system(command.c_str()), 0) << options;
    return bytes(folder.path("out")).value();
  };
  EXPECT_NE(output("--listen=0.0.0.0:0").find("give --tokens"), std::string::npos);
  write_bytes(folder.path("tokens"), "");
  EXPECT_NE(output("--listen=0.0.0.0:0 --tokens=" + folder.path("tokens")).find("--insecure"),
            std::string::npos);
  EXPECT_NE(output("--tokens=" + folder.path("none")).find("token new"), std::string::npos);
  EXPECT_NE(output("--listen=nowhere").find("127.0.0.1:8600"), std::string::npos);
  EXPECT_NE(output("--certificate=x").find("both"), std::string::npos);
}

TEST(Server, SpeaksTls) {
  const Folder folder;
  const auto run = [](const std::string& command) {
    return std::system((command + " > /dev/null 2>&1").c_str());
  };
  const std::string certificate = folder.path("chain.pem");
  ASSERT_EQ(run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
                folder.path("key.pem") + " -out " + certificate),
            0);
  Server server({"--store=" + folder.path("studies"), "--certificate=" + certificate,
                 "--key=" + folder.path("key.pem")});
  const std::string url = " https://localhost:" + std::to_string(server.port()) + "/v1/studies";
  const std::string curl = "curl -sf --cacert " + certificate;
  EXPECT_EQ(run(curl + " -d '" + new_split + "'" + url), 0);
  EXPECT_EQ(run(curl + url + "/split" + url + "/split"), 0);  // the second on the same connection
  EXPECT_EQ(run(curl + " --tlsv1.2 --tls-max 1.2" + url), 0);
  EXPECT_NE(run(curl + " --tlsv1.0 --tls-max 1.1 --ciphers DEFAULT@SECLEVEL=0" + url), 0);
  EXPECT_NE(run("curl -sf http://localhost:" + std::to_string(server.port()) + "/healthz"), 0);
  EXPECT_NE(run("curl -sf" + url), 0);  // which does not know the certificate
  EXPECT_EQ(server.stop(SIGTERM), 0);
}

TEST(Server, ReadsItsCertificateAtAHangUp) {
  const Folder folder;
  const auto run = [](const std::string& command) {
    return std::system((command + " > /dev/null 2>&1").c_str());
  };
  const auto make = [&](const std::string& name) {
    const std::string file = folder.path(name);
    EXPECT_EQ(run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                  "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
                  file + ".key -out " + file + ".pem"),
              0);
  };
  make("used");
  make("next");
  std::filesystem::copy_file(folder.path("used.pem"), folder.path("first.pem"));
  Server server({"--store=" + folder.path("studies"), "--certificate=" + folder.path("used.pem"),
                 "--key=" + folder.path("used.key")});
  const auto trusts = [&](const std::string& name) {
    return run("curl -sf --cacert " + folder.path(name) +
               " https://localhost:" + std::to_string(server.port()) + "/healthz") == 0;
  };
  EXPECT_TRUE(trusts("first.pem"));
  std::filesystem::rename(folder.path("next.pem"), folder.path("used.pem"));
  server.signal(SIGHUP);  // its key is another one: the certificate is as before
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(trusts("first.pem"));
  std::filesystem::rename(folder.path("next.key"), folder.path("used.key"));
  server.signal(SIGHUP);
  EXPECT_TRUE(comes_true([&] { return trusts("used.pem"); }));
  EXPECT_FALSE(trusts("first.pem"));
}

TEST(Server, HasAFileOfSettings) {
  const Folder folder;
  const std::string file = folder.path("server.toml");
  const auto printed = [&](const std::string& words) {
    const std::string command = std::string(KEYHOLE_PROGRAM) + " serve --config=" + file + " " +
                                words + " > " + folder.path("out") + " 2>&1";
    const bool is_good = std::system(command.c_str()) == 0;
    return std::pair(is_good, bytes(folder.path("out")).value());
  };
  write_bytes(file, "store = \"" + folder.path("studies") +
                        "\"\ndurability = \"process\"\nmax-plays = 7\nidle-time = 9\n"
                        "insecure = true\nallow-network = false\n");
  const auto [is_good, text] = printed("--idle-time=5 --print-config");
  ASSERT_TRUE(is_good) << text;
  for (const char* const line : {"\nmax-plays = 7\n", "\nidle-time = 5\n", "\ninsecure = true\n",
                                 "\ndurability = \"process\"\n", "\n# allow-network = true\n",
                                 "\n# listen = ADDRESS:PORT\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  // What is printed is such a file.
  write_bytes(file, text);
  EXPECT_EQ(printed("--print-config").second, text);
  Server server({"--config=" + file});
  Connection connection(server.port());
  ASSERT_EQ(connection.send("POST", "/v1/studies", new_split).status, 201);
  EXPECT_EQ(connection.send("POST", "/v1/studies/split/asks", R"({"count":8})").status, 400);
  for (const auto& [wrong, part] :
       {std::pair("max-play = 7", "--max-plays"), std::pair("store = [1]", "store must be"),
        std::pair("store", "line 1"), std::pair("config = \"x\"", "no setting"),
        std::pair("durability = \"none\"", "must be one of")}) {
    write_bytes(file, wrong);
    const auto [is_taken, message] = printed("--print-config");
    EXPECT_FALSE(is_taken) << wrong;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(Server, ShowsStudiesOfATenantToTheCommandLine) {
  const Folder folder;
  const std::string store = folder.path("studies");
  write_bytes(folder.path("tokens"),
              service::token_line("kh_a", {"acme", service::Scope::admin, {}}));
  Server server({"--store=" + store, "--tokens=" + folder.path("tokens")});
  ASSERT_EQ(Connection(server.port())
                .send("POST", "/v1/studies", new_split, "Authorization: Bearer kh_a\r\n")
                .status,
            201);
  const auto run = [&](const std::string& words) {
    return std::system((std::string(KEYHOLE_PROGRAM) + " study " + words + " --store=" + store +
                        " > " + folder.path("out") + " 2>&1")
                           .c_str());
  };
  ASSERT_EQ(run("list --tenant=acme"), 0);
  EXPECT_EQ(bytes(folder.path("out")).value(), "split\n");
  EXPECT_EQ(run("ask split --tenant=acme"), 0);
  EXPECT_NE(run("ask split"), 0);
  EXPECT_NE(run("list --tenant=acne"), 0);
  EXPECT_FALSE(std::filesystem::exists(store + "/@acne"));
  EXPECT_NE(run("list --tenant=../x"), 0);
}

TEST(Server, EndsAtOnceAtTheSecondSignal) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--drain-time=300"});
  Connection half(server.port());
  ASSERT_TRUE(
      half.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                 "POST /v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"));
  ASSERT_EQ(half.answer().status, 200);  // it has read the other one with this
  server.signal(SIGTERM);                // waits for the rest of the request
  ASSERT_TRUE(comes_true([&] { return !Connection(server.port()).is_open(); }));
  EXPECT_EQ(server.stop(SIGTERM), 128 + SIGTERM);
}

}  // namespace
}  // namespace keyhole::tests
