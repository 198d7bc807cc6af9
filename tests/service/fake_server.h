// A server that sends what a test tells it, byte for byte: what proxies do, and what breaks.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace keyhole::tests {

/// What came: the first line and the headers, and the body.
struct Received {
  std::string head;
  std::string body;

  /// "POST" and "/v1/studies".
  [[nodiscard]] std::string method() const { return head.substr(0, head.find(' ')); }
  [[nodiscard]] std::string target() const {
    const std::size_t begin = head.find(' ') + 1;
    return head.substr(begin, head.find(' ', begin) - begin);
  }
};

/// What is sent: parts, each by itself; whether the connection ends then.
struct Sent {
  std::vector<std::string> parts;
  bool ends = false;
};

class FakeServer {
 public:
  using Answer = std::function<Sent(const Received&)>;

  explicit FakeServer(Answer answer, bool v6 = false) : answer_(std::move(answer)) {
    listener_ = ::socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in four = {};
    four.sin_family = AF_INET;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 six = {};
    six.sin6_family = AF_INET6;
    six.sin6_addr = in6addr_loopback;
    auto* const place = v6 ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
    socklen_t size = v6 ? sizeof six : sizeof four;
    if (::bind(listener_, place, size) != 0 || ::listen(listener_, 100) != 0 ||
        ::getsockname(listener_, place, &size) != 0) {
      throw std::runtime_error("no port for the fake server");
    }
    port_ = ntohs(v6 ? six.sin6_port : four.sin_port);
    accepting_ = std::thread([this] { accept(); });
  }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;
  ~FakeServer() {
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    hang_up();
    for (std::thread& thread : threads_) thread.join();
    ::close(listener_);
  }

  [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] int port() const { return port_; }
  /// Ends the connections that there are.
  void hang_up() {
    const std::lock_guard lock(mutex_);
    for (const int file : files_) ::shutdown(file, SHUT_RDWR);
  }

 private:
  void accept() {
    while (true) {
      const int file = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (file < 0) return;
      const int on = 1;
      ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const std::lock_guard lock(mutex_);
      files_.insert(file);
      threads_.emplace_back([this, file] {
        serve(file);
        const std::lock_guard closing(mutex_);
        files_.erase(file);
        ::close(file);
      });
    }
  }
  void serve(int file) const {
    std::string text;
    while (true) {
      Received received;
      while (text.find("\r\n\r\n") == std::string::npos) {
        if (!read(file, text)) return;
      }
      const std::size_t end = text.find("\r\n\r\n") + 4;
      received.head = text.substr(0, end);
      const std::size_t place = received.head.find("Content-Length: ");
      const std::size_t length =
          place == std::string::npos ? 0 : std::stoul(received.head.substr(place + 16));
      while (text.size() < end + length) {
        if (!read(file, text)) return;
      }
      received.body = text.substr(end, length);
      text.erase(0, end + length);
      const Sent sent = answer_(received);
      for (const std::string& part : sent.parts) {
        if (::send(file, part.data(), part.size(), MSG_NOSIGNAL) < 0) return;
      }
      if (sent.ends) return;
    }
  }
  static bool read(int file, std::string& text) {
    char bytes[4096];
    const ssize_t count = ::recv(file, bytes, sizeof bytes, 0);
    if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::mutex mutex_;
  std::set<int> files_;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace keyhole::tests
