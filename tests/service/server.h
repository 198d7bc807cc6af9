// The program as a server in a process of its own, and connections to it.

#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace keyhole::tests {

using Json = nlohmann::ordered_json;

/// 'keyhole serve' with these options, at a port that was free. It is none of those that the system
/// gives to clients: one that tries to reach a server that was killed could be given its port, and
/// reach itself.
class Server {
 public:
  /// What it says on stderr goes to a file, if one is named.
  explicit Server(std::vector<std::string> options, std::string said = "")
      : options_(std::move(options)), said_(std::move(said)) {
    std::random_device random;
    for (int tries = 0; process_ < 0; ++tries) {
      port_ = 20000 + static_cast<int>(random() % 10000);
      try {
        start();
      } catch (const std::runtime_error&) {
        if (tries == 20) throw;
      }
    }
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    if (process_ > 0) stop(SIGKILL);
  }

  /// Starts it at the port. Throws if it does not start.
  void start() {
    int ends[2] = {};
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      if (!said_.empty()) ::dup2(::creat(said_.c_str(), 0600), STDERR_FILENO);
      std::vector<std::string> words = {KEYHOLE_PROGRAM, "serve",
                                        "--listen=127.0.0.1:" + std::to_string(port_)};
      words.insert(words.end(), options_.begin(), options_.end());
      std::vector<char*> arguments;
      for (std::string& word : words) arguments.push_back(word.data());
      arguments.push_back(nullptr);
      ::execv(KEYHOLE_PROGRAM, arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    char c = 0;
    while (::read(ends[0], &c, 1) == 1 && c != '\n') line += c;
    ::close(ends[0]);
    if (line.starts_with("listening at ")) return;
    stop(SIGKILL);
    throw std::runtime_error("the server says: " + line);
  }
  void signal(int number) const { ::kill(process_, number); }
  /// Sends a signal and waits for the end; the exit code, or minus the signal that ended it.
  int stop(int number) {
    signal(number);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  std::vector<std::string> options_;
  std::string said_;
  int port_ = 0;
  pid_t process_ = -1;
};

/// An answer.
struct Answer {
  int status = 0;  // 0 if the connection ended before it was whole
  std::string head = {};
  std::string body = {};
};

/// A connection to a server on this machine. A written request goes as it is. Who waits for longer
/// than the patience reads an end; by default that means that something hangs.
class Connection {
 public:
  explicit Connection(int port, int patience_seconds = 300) {
    file_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience = {.tv_sec = patience_seconds, .tv_usec = 0};
    ::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_open_ = ::connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(file_); }

  [[nodiscard]] bool is_open() const { return is_open_; }
  bool write(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t count = ::send(file_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }
  /// What has come; empty at the end.
  std::string read() const {
    std::string bytes(1U << 16U, '\0');
    const ssize_t count = ::recv(file_, bytes.data(), bytes.size(), 0);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  /// Whether something has come that was not read.
  [[nodiscard]] bool has_more() const {
    char byte = 0;
    return !left_.empty() || ::recv(file_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  }
  /// The next answer.
  Answer answer() {
    Answer answer;
    while (left_.find("\r\n\r\n") == std::string::npos) {
      const std::string more = read();
      if (more.empty()) return answer;
      left_ += more;
    }
    const std::size_t end = left_.find("\r\n\r\n") + 4;
    answer.head = left_.substr(0, end);
    left_.erase(0, end);
    std::string head = answer.head;  // whose names a proxy may write in small letters
    std::transform(head.begin(), head.end(), head.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const std::size_t length = head.find("content-length: ");
    if (length != std::string::npos) {
      answer.body = take(std::stoul(head.substr(length + 16)));
    } else if (head.find("chunked") != std::string::npos) {
      while (true) {
        const std::size_t size = std::stoul(take_line(), nullptr, 16);
        answer.body += take(size);
        (void)take(2);
        if (size == 0 || ended_) break;
      }
    }
    if (!ended_) answer.status = std::stoi(answer.head.substr(9, 3));
    return answer;
  }
  Answer send(const std::string& method, const std::string& target, const std::string& body = "",
              const std::string& more = "") {
    if (!write(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body)) {
      return {};
    }
    return answer();
  }
  Json posted(const std::string& target, const Json& body) {
    const Answer got = send("POST", target, body.dump());
    if (got.status >= 300 || got.status == 0) throw std::runtime_error(got.head + got.body);
    return Json::parse(got.body);
  }

 private:
  std::string take(std::size_t count) {
    while (left_.size() < count) {
      const std::string more = read();
      ended_ = ended_ || more.empty();
      if (more.empty()) return "";
      left_ += more;
    }
    const std::string taken = left_.substr(0, count);
    left_.erase(0, count);
    return taken;
  }
  std::string take_line() {
    std::string line;
    while (!line.ends_with("\r\n")) {
      const std::string next = take(1);
      if (next.empty()) return "0";
      line += next;
    }
    return line;
  }

  int file_ = -1;
  bool is_open_ = false;
  bool ended_ = false;
  std::string left_;
};

}  // namespace keyhole::tests
