// A real proxy (haproxy) in front of servers.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "folder.h"

namespace keyhole::tests {

/// It gives each call to the next of the servers in turn, which is the hardest that a proxy can do
/// to them. It runs until this object ends, or the thread that started it.
class Proxy {
 public:
  /// In front of the servers at these ports.
  explicit Proxy(const std::vector<int>& ports) {
    // It listens before the proxy runs, so nobody has to wait until it does.
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener, place, size) != 0 || ::listen(listener, 100) != 0 ||
        ::getsockname(listener, place, &size) != 0) {
      throw std::runtime_error("no port for the proxy");
    }
    port_ = ntohs(address.sin_port);
    write_bytes(folder_.path("haproxy.cfg"), configuration(listener, ports));
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const std::string file = folder_.path("haproxy.cfg");
      ::execl("/usr/sbin/haproxy", "haproxy", "-q", "-db", "-f", file.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(listener);
  }
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;
  ~Proxy() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  [[nodiscard]] int port() const { return port_; }

 private:
  static std::string configuration(int listener, const std::vector<int>& ports) {
    std::string text =
        "defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n"
        "  timeout server 60s\n"
        "listen keyhole\n  bind fd@" +
        std::to_string(listener) + "\n  balance roundrobin\n";
    for (const int port : ports) {
      const std::string number = std::to_string(port);
      text += "  server s" + number + " 127.0.0.1:" + number + "\n";
    }
    return text;
  }

  Folder folder_;
  int port_ = 0;
  pid_t process_ = -1;
};

}  // namespace keyhole::tests
