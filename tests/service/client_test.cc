#include "keyhole/client.h"

#include <gtest/gtest.h>

#include <thread>

#include "folder.h"
#include "keyhole/store.h"
#include "server.h"
#include "thrown.h"
#include "wait.h"

namespace keyhole::tests {
namespace {

StudyDescription three() {
  StudyDescription description{.on = "simplex(3)"};
  description.options.seed = 4;
  return description;
}

std::string address_of(const Server& server) {
  return "http://127.0.0.1:" + std::to_string(server.port());
}

TEST(RemoteClient, TellsMetrics) {
  const Folder folder;
  const Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const StudyDescription limited{
      .on =
          Space({{"a", Number{}}}, {}, {}, {{"p99", {.most = 200}, "ms"}, {"hits", {.least = 1}}})};
  RemoteStudy remote = connect(address_of(server)).create("s", limited);
  Study local = Store::in_memory().create("s", limited);
  for (int k = 0; k < 40; ++k) {
    const StudyPlay play = local.ask("w");
    EXPECT_EQ(remote.ask("w"), play);
    const double loss = 0.01 * (k % 7) - play.point[0];
    const Values p99 = {{"p99", 300 * play.point[0] + k % 3}};
    const Values hits = {{"hits", 2 + k % 5}};
    remote.measure(play.id, hits);
    local.measure(play.id, hits);
    EXPECT_EQ(remote.tell(play.id, loss, p99, 3), local.tell(play.id, loss, p99, 3));
  }
  EXPECT_EQ(remote.recommend(), local.recommend());
  const std::vector<FrontPoint> front = remote.front("p99");
  const std::vector<FrontPoint> same = local.front("p99");
  ASSERT_EQ(front.size(), 11U);
  for (std::size_t k = 0; k < front.size(); ++k) {
    EXPECT_EQ(front[k].point, same[k].point);
    EXPECT_EQ(front[k].loss, same[k].loss);
    EXPECT_EQ(front[k].loss_error, same[k].loss_error);
    EXPECT_EQ(front[k].metric, same[k].metric);
    EXPECT_EQ(front[k].metric_error, same[k].metric_error);
  }
  const std::vector<std::vector<double>> points = {remote.recommend(), front[0].point};
  const std::vector<Estimate> estimates = remote.estimate(points);
  const std::vector<Estimate> same_estimates = local.estimate(points);
  ASSERT_EQ(estimates.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(estimates[k].loss, same_estimates[k].loss);
    EXPECT_EQ(estimates[k].loss_error, same_estimates[k].loss_error);
    EXPECT_EQ(estimates[k].excess, same_estimates[k].excess);
    EXPECT_EQ(estimates[k].excess_error, same_estimates[k].excess_error);
  }
  EXPECT_EQ(message<InvalidArgument>([&] { (void)remote.front(); }),
            message<InvalidArgument>([&] { (void)local.front(""); }));
  EXPECT_THROW(remote.measure(40, {{"p99", -1}}), FeedbackError);
  EXPECT_NE(message<FeedbackError>([&] {
              remote.measure(40, {{"p98", 1}});
            }).find("did you mean 'p99'?"),
            std::string::npos);
}

TEST(RemoteClient, IsTheStudyItself) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const Client client = connect(address_of(server));
  RemoteStudy remote = client.create("split", three());
  Study local = Store(folder.path("other")).create("split", three());
  EXPECT_EQ(remote.ask("w1"), local.ask("w1"));
  EXPECT_EQ(remote.ask("w1"), local.ask("w1"));
  StudyPlay play = local.step({{1, 0.5}}, 1, "w1").plays.front();
  EXPECT_EQ(remote.step({{1, 0.5}}, 1, "w1").plays.front(), play);
  for (int k = 0; k < 30; ++k) {
    const std::vector<StudyTell> tells = {{play.id, 0.1 * play.point[0]}};
    const StudyStep step = local.step(tells, 2);
    const StudyStep same = remote.step(tells, 2);
    EXPECT_EQ(same.plays, step.plays);
    EXPECT_EQ(same.receipts, step.receipts);
    play = step.plays.front();
  }
  EXPECT_EQ(remote.tell(1, 0.5), Receipt::repeated);
  EXPECT_EQ(local.tell(1, 0.5), Receipt::repeated);
  EXPECT_EQ(remote.ask_many(3), local.ask_many(3));
  EXPECT_TRUE(remote.explores());
  remote.explore(false);
  local.explore(false);
  EXPECT_FALSE(remote.explores());
  const StudyPlay recommended = remote.ask("w2");
  EXPECT_TRUE(recommended.recommended);
  EXPECT_EQ(recommended, local.ask("w2"));
  remote.explore(true);
  local.explore(true);
  EXPECT_EQ(remote.ask("w3"), local.ask("w3"));
  EXPECT_EQ(remote.proof().share, 0);
  remote.prove(0.25);
  remote.prove(0.25);  // it is so
  local.prove(0.25);
  for (int t = 0; t < 100; ++t) {
    const StudyPlay next = remote.ask();
    EXPECT_EQ(next, local.ask());
    remote.tell(next.id, next.point[0]);
    local.tell(next.id, next.point[0]);
  }
  const Proof proof = local.status().proof;
  EXPECT_EQ(remote.proof().share, 0.25);
  EXPECT_EQ(remote.proof().gain, proof.gain);
  EXPECT_EQ(remote.proof().error, proof.error);
  EXPECT_EQ(remote.proof().proven, proof.proven);
  EXPECT_EQ(message<InvalidArgument>([&] { remote.prove(0.7); }),
            message<InvalidArgument>([&] { local.prove(0.7); }));
  EXPECT_EQ(remote.recommend(), local.recommend());
  EXPECT_EQ(remote.state(), local.state());
  EXPECT_EQ(remote.summary().told, local.summary().told);
  EXPECT_EQ(remote.summary().average, local.summary().average);
  EXPECT_EQ(client.list(), std::vector<std::string>{"split"});
  EXPECT_EQ(message<FeedbackError>([&] { remote.tell(1, 0.7); }),
            message<FeedbackError>([&] { local.tell(1, 0.7); }));
  EXPECT_EQ(message<FeedbackError>([&] { remote.tell(999, 0.7); }),
            message<FeedbackError>([&] { local.tell(999, 0.7); }));
  client.remove("split");
  EXPECT_THROW((void)client.open("split"), StudyError);
  EXPECT_THROW((void)remote.ask(), StudyError);
}

TEST(RemoteClient, HasValuesOfASpace) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const StudyDescription description = {
      .on = Space({{"timeout", Number{.from = 5, .to = 500, .scale = Scale::log}},
                   {"codec", Choice{{"lz4", "zstd"}}}}),
      .start = {{"timeout", 50.0}}};
  RemoteStudy remote = connect(address_of(server)).create("blocks", description);
  Study local = Store(folder.path("other")).create("blocks", description);
  EXPECT_EQ(remote.ask(), local.ask());
  EXPECT_EQ(remote.recommend_values(), local.recommend_values());
}

TEST(RemoteClient, ChangesASpace) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const Client client = connect(address_of(server));
  const Store store(folder.path("other"));
  const auto up_to = [](double most) { return Space({{"a", Number{.from = 1, .to = most}}}); };
  RemoteStudy remote = client.create("a", {.on = up_to(4)});
  Study local = store.create("a", {.on = up_to(4)});
  for (int t = 0; t < 30; ++t) {
    const StudyPlay play = local.ask();
    (void)remote.ask();
    local.tell(play.id, -play.point[0]);
    remote.tell(play.id, -play.point[0]);
  }
  const Values start = {{"a", 2.0}};
  const StudyChange change = store.change("a", up_to(8), start);
  EXPECT_EQ(change.learned, 30U);
  EXPECT_EQ(client.change("a", up_to(8), start), change);
  EXPECT_EQ(client.change("a", up_to(8), start), change);
  EXPECT_EQ(remote.state(), store.open("a").state());
  const std::string said = message<InvalidArgument>([&] {
    client.change("a", Space({{"b", Number{.from = 1, .to = 2}}}), {});
  });
  EXPECT_NE(said.find("'b' is new"), std::string::npos) << said;
}

TEST(RemoteClient, GoesOnWhenTheServerIsKilled) {
  const Folder folder;
  Server server({"--store=" + folder.path("studies")});
  RemoteStudy remote = connect(address_of(server)).create("split", three());
  std::atomic<bool> stop = false;
  std::atomic<PlayId> steps = 0;
  std::thread killer([&] {
    for (PlayId k = 1; k <= 5; ++k) {
      EXPECT_TRUE(comes_true([&] { return steps >= 2 * k; }));
      (void)server.stop(SIGKILL);
      server.start();
    }
    stop = true;
  });
  StudyPlay play = remote.ask("w1");
  for (; !stop || steps < 10; ++steps) {
    const StudyStep step = remote.step({{play.id, play.point[1]}}, 1, "w1");
    ASSERT_EQ(step.receipts, std::vector<Receipt>{Receipt::fresh});
    ASSERT_EQ(step.plays.front().id, play.id + 1);
    play = step.plays.front();
  }
  killer.join();
  Study local =
      Store(folder.path("other"), {.durability = Durability::process}).create("split", three());
  StudyPlay same = local.ask("w1");
  while (same.id <= steps) same = local.step({{same.id, same.point[1]}}, 1, "w1").plays.front();
  EXPECT_EQ(remote.state(), local.state());
}

/// By the client and by the command line; what was there already is not sent again.
TEST(RemoteClient, TakesStudiesOfAStore) {
  const Folder folder;
  const Server server({"--store=" + folder.path("studies"), "--durability=process"});
  const Client client = connect(address_of(server));
  const Store home(folder.path("home"), {.durability = Durability::process});
  Study study = home.create("split", three());
  home.set_label("split", {.note = "of my machine", .tags = {"mine"}});
  for (int k = 0; k < 9000; ++k) {  // more than one part
    const StudyPlay play = study.ask();
    study.tell(play.id, play.point[0]);
  }
  client.copy(home, "split");
  EXPECT_EQ(client.open("split").state(), study.state());
  EXPECT_EQ(client.label("split"), home.label("split"));
  study.tell(study.ask().id, 0.5);
  const std::string command = std::string(KEYHOLE_PROGRAM) +
                              " study copy split --store=" + folder.path("home") +
                              " --to=" + address_of(server);
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(client.open("split").state(), study.state());
  const PlayId next = study.ask().id;
  EXPECT_EQ(client.open("split").ask().id, next);
  study.tell(next, 0.25);
  client.open("split").tell(next, 0.75);
  EXPECT_THROW(client.copy(home, "split"), StudyError);  // each goes its own way now
  EXPECT_EQ(message<StudyError>([&] { client.copy(home, "spilt"); }),
            message<StudyError>([&] { (void)home.open("spilt"); }));
}

#ifdef KEYHOLE_WITH_TLS
TEST(RemoteClient, SpeaksTls) {
  const Folder folder;
  const auto make = [&](const std::string& name, const std::string& hosts) {
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
        "/CN=keyhole -addext subjectAltName=" +
        hosts + " -keyout " + folder.path(name + ".key") + " -out " + folder.path(name + ".pem") +
        " > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return folder.path(name + ".pem");
  };
  const std::string ca = make("good", "DNS:localhost,IP:127.0.0.1");
  const std::string other = make("other", "DNS:localhost,IP:127.0.0.1");
  const std::string elsewhere = make("elsewhere", "DNS:elsewhere,IP:192.0.2.1");
  Server server({"--store=" + folder.path("studies"), "--durability=process", "--certificate=" + ca,
                 "--key=" + folder.path("good.key")});
  const std::string port = ":" + std::to_string(server.port());
  for (const std::string host : {"https://localhost", "https://127.0.0.1"}) {
    RemoteStudy study = connect(host + port + "/", {.ca = ca}).create("split", three());
    StudyPlay play = study.ask("w1");
    for (int k = 0; k < 20; ++k) play = study.step({{play.id, 0.5}}, 1, "w1").plays.front();
    EXPECT_GT(study.ask_many(500).size(), 499U);  // an answer of many records
    study.tell(play.id, 0.5);
  }
  // A server that is killed and comes back is found again, and no signal ends this process.
  RemoteStudy study = connect("https://localhost" + port, {.ca = ca}).open("split");
  (void)server.stop(SIGKILL);
  server.start();
  EXPECT_GT(study.ask("w2").id, 1U);
  // Certificates that are not trusted, or of another host, and a server that speaks something else.
  const auto refusal = [&](const std::string& address, const ClientOptions& options) {
    return message<ServiceError>([&] { (void)connect(address, options).list(); });
  };
  for (const std::string& wrong : {std::string(), other}) {
    EXPECT_NE(refusal("https://localhost" + port, {.ca = wrong, .patience = 0})
                  .find("the certificate of localhost is not good"),
              std::string::npos);
  }
  const Server far({"--store=" + folder.path("far"), "--certificate=" + elsewhere,
                    "--key=" + folder.path("elsewhere.key")});
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    const std::string address = "https://" + host + ":" + std::to_string(far.port());
    EXPECT_NE(refusal(address, {.ca = elsewhere, .patience = 0})
                  .find("the certificate of " + host + " is not good"),
              std::string::npos);
  }
  EXPECT_NE(refusal("https://127.0.0.2" + port, {.ca = ca, .patience = 0}).size(), 0U);
  EXPECT_NE(refusal("http://127.0.0.1" + port, {.patience = 0}).find("does not answer"),
            std::string::npos);
  Server plain({"--store=" + folder.path("studies")});
  EXPECT_NE(refusal("https://localhost:" + std::to_string(plain.port()), {.ca = ca, .patience = 0})
                .find("does not answer"),
            std::string::npos);
  EXPECT_NE(message<InvalidArgument>([&] {
              (void)connect("https://localhost" + port, {.ca = folder.path("none")});
            }).find("PEM"),
            std::string::npos);
}
#else
TEST(RemoteClient, SaysThatItHasNoTls) {
  EXPECT_NE(message<InvalidArgument>([] { (void)connect("https://x"); }).find("KEYHOLE_WITH_TLS"),
            std::string::npos);
}
#endif

TEST(RemoteClient, SaysWhatIsWrong) {
  for (const char* const address : {"x", "ftp://x", "http://", "https://", "https://x:y"}) {
    EXPECT_NE(message<InvalidArgument>([&] { (void)connect(address); }).find("http://127.0.0.1"),
              std::string::npos)
        << address;
  }
  EXPECT_NE(message<InvalidArgument>([] { (void)connect("http://x", {.ca = "y"}); }).find("https"),
            std::string::npos);
  const Client nobody = connect("http://127.0.0.1:1", {.patience = 0});
  EXPECT_NE(message<ServiceError>([&] { (void)nobody.list(); }).find("is it running?"),
            std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
