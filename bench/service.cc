// How fast the service is, as Markdown: steps (a tell and an ask as one unit) of parameter_free on
// simplex(10), over connections that are kept, by one thread of this program. Server and client
// share the machine, which must be idle otherwise.
//
//   bench_service [SECONDS]    for each row, 3 if not given
//   bench_service many         instead: 10,000 studies in one process
//   bench_service crowd [SECONDS]
//                              instead: what one connection sees while others load the server

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "client/tls.h"
#include "folder.h"

namespace keyhole::bench {
namespace {

using tests::Folder;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How a server is started.
struct Way {
  std::string durability;
  bool encrypts = false;
};

/// A certificate in a folder, and the options of a server that has it.
std::vector<std::string> certificate_in(const Folder& folder) {
  const std::string key = folder.path("key.pem");
  const std::string chain = folder.path("chain.pem");
  const std::string command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
      "/CN=localhost -addext subjectAltName=DNS:localhost -keyout " +
      key + " -out " + chain + " > /dev/null 2>&1";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("no certificate");
  return {"--certificate=" + chain, "--key=" + key};
}

/// 'keyhole serve' in a folder.
class Server {
 public:
  Server(const Folder& folder, const Way& way) {
    std::vector<std::string> words = {KEYHOLE_PROGRAM, "serve", "--listen=127.0.0.1:0",
                                      "--store=" + folder.path("studies"),
                                      "--durability=" + way.durability};
    if (way.encrypts) {
      for (std::string& word : certificate_in(folder)) words.push_back(std::move(word));
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int ends[2] = {};
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execv(KEYHOLE_PROGRAM, arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(ends[0]);
    port_ = std::atoi(line.substr(line.rfind(':') + 1).c_str());
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }

  [[nodiscard]] int port() const { return port_; }
  /// The processor time that it has taken, in seconds.
  [[nodiscard]] double processor_seconds() const {
    std::FILE* const file =
        std::fopen(("/proc/" + std::to_string(process_) + "/stat").c_str(), "r");
    long user = 0;
    long system = 0;
    if (file == nullptr ||
        std::fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user,
                    &system) != 2) {
      throw std::runtime_error("no times of the server");
    }
    std::fclose(file);
    return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  /// The memory that it has, in MB.
  [[nodiscard]] double memory() const {
    std::FILE* const file =
        std::fopen(("/proc/" + std::to_string(process_) + "/statm").c_str(), "r");
    long pages = 0;
    if (file == nullptr || std::fscanf(file, "%*d %ld", &pages) != 1) return 0;
    std::fclose(file);
    return static_cast<double>(pages * ::sysconf(_SC_PAGESIZE)) / 1e6;
  }

 private:
  pid_t process_ = -1;
  int port_ = 0;
};

/// A connection that makes steps of one study, each when the one before is answered.
class Client {
 public:
  /// With a file of the certificate to trust, if it is to encrypt.
  Client(int port, std::string study, const std::string& ca = "") : study_(std::move(study)) {
    file_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("no connection");
    }
    const int on = 1;
    ::setsockopt(file_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (ca.empty()) return;
    const auto receive_some = [this] {
      std::string bytes(1U << 14U, '\0');
      bytes.resize(read_some(bytes.data(), bytes.size()));
      return bytes;
    };
    tls_ = std::make_unique<client::Tls>(
        "localhost", ca,
        client::Carrier{[this](const std::string& bytes) { return write_all(bytes); },
                        receive_some});
    if (!tls_->begin()) throw std::runtime_error("no handshake");
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(file_); }

  [[nodiscard]] int file() const { return file_; }
  void send(const std::string& method, const std::string& path, const std::string& body) {
    const std::string request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" +
                                "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                                body;
    if (!(tls_ != nullptr ? tls_->send(request) : write_all(request))) {
      throw std::runtime_error("cannot write");
    }
    sent_ = Clock::now();
  }
  /// Sends, and waits for the answer.
  void call(const std::string& method, const std::string& path, const std::string& body = "") {
    send(method, path, body);
    while (!receive()) {
    }
  }
  void create(const std::string& set = "simplex(10)") {
    call("POST", "/v1/studies",
         R"({"learner": "parameter_free", "set": ")" + set + R"(", "name": ")" + study_ + "\"}");
  }
  void step() {
    std::string body = "{}";
    if (play_ > 0) {
      body = "{\"tells\":[{\"play\":" + std::to_string(play_) + ",\"loss\":" + loss_ + "}]}";
    }
    send("POST", "/v1/studies/" + study_ + "/steps", body);
  }
  /// Takes what has come; whether the answer is whole.
  bool receive() {
    char bytes[8192];
    const std::size_t count =
        tls_ != nullptr ? tls_->receive(bytes, sizeof bytes) : read_some(bytes, sizeof bytes);
    if (count == 0) throw std::runtime_error("the server has left");
    in_.append(bytes, count);
    const std::size_t end = in_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    const std::size_t length = in_.find("Content-Length: ");
    const std::size_t size = std::strtoul(in_.c_str() + length + 16, nullptr, 10);
    if (in_.size() < end + 4 + size) return false;
    if (!in_.starts_with("HTTP/1.1 20")) throw std::runtime_error(in_);
    read_play(end);
    in_.clear();
    return true;
  }
  /// How long the latest answer took, in microseconds.
  [[nodiscard]] double latency() const { return 1e6 * since(sent_); }

 private:
  [[nodiscard]] bool write_all(const std::string& bytes) const {
    return ::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }
  [[nodiscard]] std::size_t read_some(char* bytes, std::size_t size) const {
    const ssize_t count = ::read(file_, bytes, size);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  /// The number of the play, and its first coordinate as the loss.
  void read_play(std::size_t from) {
    const std::size_t play = in_.find("\"play\":", from);
    if (play == std::string::npos) return;
    play_ = std::strtoull(in_.c_str() + play + 7, nullptr, 10);
    const std::size_t point = in_.find('[', play) + 1;
    loss_ = in_.substr(point, in_.find_first_of(",]", point) - point);
  }

  int file_ = -1;
  std::unique_ptr<client::Tls> tls_;
  std::string study_;
  std::string in_;
  std::uint64_t play_ = 0;
  std::string loss_ = "0";
  Clock::time_point sent_;
};

/// What such a share of the times is at most.
double at(std::vector<double>& times, double share) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

/// What a run has shown.
struct Run {
  double rate = 0;       // steps a second
  double median = 0;     // of the times of the answers, in microseconds
  double slow = 0;       // the 99th of 100
  double processor = 0;  // microseconds of the server a step
  double memory = 0;     // of the server, in MB
};

Run run(const Way& way, int connections, int studies, double seconds) {
  const Folder folder;
  const Server server(folder, way);
  const std::string ca = way.encrypts ? folder.path("chain.pem") : "";
  std::vector<std::unique_ptr<Client>> clients;
  for (int k = 0; k < connections; ++k) {
    clients.push_back(
        std::make_unique<Client>(server.port(), "s" + std::to_string(k % studies), ca));
    clients.back()->create();
  }
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  for (int k = 0; k < connections; ++k) {
    epoll_event event = {.events = EPOLLIN, .data = {.u32 = static_cast<std::uint32_t>(k)}};
    ::epoll_ctl(poll, EPOLL_CTL_ADD, clients[static_cast<std::size_t>(k)]->file(), &event);
  }
  std::vector<double> latencies;
  const double before = server.processor_seconds();
  const auto start = Clock::now();
  for (const auto& client : clients) client->step();
  std::vector<epoll_event> events(static_cast<std::size_t>(connections));
  while (since(start) < seconds) {
    const int count = ::epoll_wait(poll, events.data(), connections, 1000);
    for (int k = 0; k < count; ++k) {
      Client& client = *clients[events[static_cast<std::size_t>(k)].data.u32];
      if (!client.receive()) continue;
      latencies.push_back(client.latency());
      client.step();
    }
  }
  const double time = since(start);
  ::close(poll);
  const auto steps = static_cast<double>(latencies.size());
  return {steps / time, at(latencies, 0.5), at(latencies, 0.99),
          1e6 * (server.processor_seconds() - before) / steps, server.memory()};
}

/// Many studies in one process that was just started: its memory, and the first ask of each.
void many(int studies) {
  const Folder folder;
  const auto step = [](const Server& server, int k, bool creates) {
    Client client(server.port(), "s" + std::to_string(k));
    if (creates) client.create();
    client.step();
    while (!client.receive()) {
    }
    return client.latency();
  };
  {
    const Server server(folder, {"process"});
    for (int k = 0; k < studies; ++k) (void)step(server, k, true);
  }
  const Server server(folder, {"process"});
  std::vector<double> times;
  for (int k = 0; k < studies; ++k) times.push_back(step(server, k, false));
  std::printf(
      "| studies in one process | memory, MB | first ask of a cold one, p50, ms | p99, ms |\n"
      "|---|---|---|---|\n| %d | %.0f | %.2f | %.2f |\n",
      studies, server.memory(), at(times, 0.5) / 1000, at(times, 0.99) / 1000);
}

/// Loads a server with a store until it is to stop.
using Load = std::function<void(const Folder& folder, int port, const std::atomic<bool>& stop)>;

void wait_for(const std::atomic<bool>& stop) {
  while (!stop) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// Asks for as many plays of 3,600 coordinates as an answer takes, again and again.
void ask_for_many(const Folder& /*folder*/, int port, const std::atomic<bool>& stop) {
  const auto ask = [&](const std::string& study) {
    Client client(port, study);
    client.create("ball(3600)");
    while (!stop) client.call("POST", "/v1/studies/" + study + "/asks", R"({"count": 145})");
  };
  std::thread second(ask, "wide2");
  ask("wide1");
  second.join();
}

/// Reads a log of 8 MB in four places, and takes nothing.
void read_slowly(const Folder& /*folder*/, int port, const std::atomic<bool>& stop) {
  const std::string path = "/v1/studies/long";
  Client writer(port, "long");
  writer.create();
  for (int k = 0; k < 150; ++k) {
    std::string tells;
    for (int play = 1000 * k - 999; k > 0 && play <= 1000 * k; ++play) {
      tells += (tells.empty() ? "" : ",") + std::string(R"({"play":)") + std::to_string(play) +
               R"(,"loss":0.123456789012})";
    }
    writer.call("POST", path + "/steps", R"({"asks":1000,"tells":[)" + tells + "]}");
  }
  std::vector<std::unique_ptr<Client>> readers;
  for (int k = 0; k < 4; ++k) {
    readers.push_back(std::make_unique<Client>(port, ""));
    readers.back()->send("GET", path + "/log", "");
  }
  wait_for(stop);
}

void watch(const Folder& /*folder*/, int port, const std::atomic<bool>& stop) {
  constexpr int pages = 2000;
  std::vector<std::unique_ptr<Client>> clients;
  Client(port, "watched").create();
  for (int k = 0; k < pages && !stop; ++k) {
    clients.push_back(std::make_unique<Client>(port, ""));
    clients.back()->send("GET", "/v1/studies/watched/events", "");
  }
  wait_for(stop);
}

/// Holds the lock of a study that four clients ask.
void hold(const Folder& folder, int port, const std::atomic<bool>& stop) {
  Client(port, "held").create();
  std::vector<int> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("studies/held"))) {
    files.push_back(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC));
    (void)::flock(files.back(), LOCK_EX);
  }
  std::vector<std::unique_ptr<Client>> clients;
  for (int k = 0; k < 4; ++k) {
    clients.push_back(std::make_unique<Client>(port, ""));
    clients.back()->send("POST", "/v1/studies/held/asks", "");
  }
  wait_for(stop);
  for (const int file : files) ::close(file);
}

/// One connection that makes steps, alone and next to others.
void crowd(double seconds) {
  const rlimit files = {.rlim_cur = 8192, .rlim_max = 8192};
  (void)::setrlimit(RLIMIT_NOFILE, &files);
  const Folder folder;
  const Server server(folder, {"disk"});
  Client quiet(server.port(), "quiet");
  quiet.create();
  double alone = 0;
  std::printf("| beside | p50, us | p99, us | p99 of that alone |\n|---|---|---|---|\n");
  const auto row = [&](const char* name, const Load& load) {
    std::atomic<bool> stop = false;
    std::thread others([&] { load(folder, server.port(), stop); });
    std::this_thread::sleep_for(std::chrono::seconds(3));  // until it is there
    std::vector<double> times;
    const auto start = Clock::now();
    while (since(start) < seconds) {
      quiet.step();
      while (!quiet.receive()) {
      }
      times.push_back(quiet.latency());
    }
    stop = true;
    others.join();
    const double slow = at(times, 0.99);
    if (alone == 0) alone = slow;
    std::printf("| %s | %.0f | %.0f | %.1f |\n", name, at(times, 0.5), slow, slow / alone);
    std::fflush(stdout);
  };
  row("nobody", [](const Folder&, int, const std::atomic<bool>&) {});
  row("two that ask for 145 plays of 3,600 coordinates", ask_for_many);
  row("4 slow readers of a log", read_slowly);
  row("2,000 streams of events", watch);
  row("a study that is held, and 4 that ask it", hold);
}

void print(double seconds) {
  std::printf(
      "| durability | connections | studies | steps a second | p50, us | p99, us | "
      "processor of the server, us a step |\n|---|---|---|---|---|---|---|\n");
  const auto row = [&](const Way& way, int connections, int studies) {
    const Run shown = run(way, connections, studies, seconds);
    std::printf("| %s | %d | %d | %.0f | %.0f | %.0f | %.1f |\n",
                (way.durability + (way.encrypts ? ", TLS" : "")).c_str(), connections, studies,
                shown.rate, shown.median, shown.slow, shown.processor);
    std::fflush(stdout);
  };
  for (const std::string durability : {"disk", "process"}) {
    for (const auto& [connections, studies] :
         {std::pair(1, 1), {8, 8}, {64, 1}, {64, 8}, {64, 64}}) {
      row({durability}, connections, studies);
    }
  }
  row({"disk", true}, 1, 1);
  row({"disk", true}, 64, 1);
}

}  // namespace
}  // namespace keyhole::bench

int main(int count, char** words) {
  if (count > 1 && std::string(words[1]) == "many") {
    keyhole::bench::many(10000);
  } else if (count > 1 && std::string(words[1]) == "crowd") {
    keyhole::bench::crowd(count > 2 ? std::atof(words[2]) : 3);
  } else {
    keyhole::bench::print(count > 1 ? std::atof(words[1]) : 3);
  }
  return 0;
}
