#include "client/http_client.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/number_text.h"
#include "base/require.h"

namespace keyhole::client {
namespace {

constexpr long patience = 60;  // seconds for one read or write
constexpr std::size_t at_a_time = 1U << 14U;

/// The value of a header; empty if there is none. Ours writes them so.
char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The value of a header, whose name a proxy may write in other letters.
std::string header(std::string_view head, std::string_view name) {
  const auto same = [](char a, char b) { return small(a) == small(b); };
  const std::string line = "\r\n" + std::string(name) + ":";
  const auto found = std::search(head.begin(), head.end(), line.begin(), line.end(), same);
  if (found == head.end()) return "";
  head.remove_prefix(static_cast<std::size_t>(found - head.begin()) + line.size());
  head = head.substr(0, head.find('\r'));
  head.remove_prefix(std::min(head.find_first_not_of(" \t"), head.size()));
  return std::string(head.substr(0, head.find_last_not_of(" \t") + 1));
}

}  // namespace

HttpClient::HttpClient(const std::string& address, const ClientOptions& options)
    : token_(options.token) {
  const std::string scheme = "http://";
  const std::string encrypted = "https://";
  const bool encrypts = address.starts_with(encrypted);
  std::string rest;
  if (address.starts_with(scheme)) rest = address.substr(scheme.size());
  if (encrypts) rest = address.substr(encrypted.size());
  if (rest.ends_with('/')) rest.pop_back();
  const std::size_t colon = rest.rfind(':');
  const bool has_port = colon != std::string::npos && rest.find(']', colon) == std::string::npos;
  host_ = rest.substr(0, has_port ? colon : std::string::npos);
  port_ = has_port ? rest.substr(colon + 1) : encrypts ? "443" : "80";
  if (host_.starts_with('[') && host_.ends_with(']')) host_ = host_.substr(1, host_.size() - 2);
  base::require(
      !host_.empty() && base::read_whole_number(port_).has_value(),
      "'" + address + "' is no address of a service: take one like http://127.0.0.1:8600");
  base::require(encrypts || options.ca.empty(),
                "ca is for an address of https, and '" + address + "' is none");
  if (!encrypts) return;
  const auto receive_some = [this] {
    std::string bytes(at_a_time, '\0');
    bytes.resize(receive(bytes.data(), bytes.size()));
    return bytes;
  };
  tls_ = std::make_unique<Tls>(
      host_, options.ca,
      Carrier{[this](const std::string& bytes) { return send_all(bytes); }, receive_some});
}

HttpClient::~HttpClient() { close(); }

void HttpClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool HttpClient::connect() {
  if (socket_ >= 0) return true;
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host_.c_str(), port_.c_str(), &wanted, &found) != 0) return false;
  for (const addrinfo* one = found; one != nullptr && socket_ < 0; one = one->ai_next) {
    socket_ = ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
    if (socket_ >= 0 && ::connect(socket_, one->ai_addr, one->ai_addrlen) != 0) close();
  }
  ::freeaddrinfo(found);
  if (socket_ < 0) return false;
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval time = {.tv_sec = patience, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  try {
    if (tls_ == nullptr || tls_->begin()) return true;
  } catch (const ServiceError&) {
    close();
    throw;
  }
  close();
  return false;
}

bool HttpClient::write(const std::string& bytes) {
  return tls_ == nullptr ? send_all(bytes) : tls_->send(bytes);
}

std::size_t HttpClient::receive(char* bytes, std::size_t size) const {
  const ssize_t count = ::recv(socket_, bytes, size, 0);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool HttpClient::send_all(const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool HttpClient::read(std::string& text, std::size_t size, const char* mark) {
  while (mark != nullptr ? text.find(mark) == std::string::npos : text.size() < size) {
    const std::size_t before = text.size();
    if (mark != nullptr && before > size) return false;
    text.resize(before + at_a_time);
    char* const end = text.data() + before;
    const std::size_t count =
        tls_ == nullptr ? receive(end, at_a_time) : tls_->receive(end, at_a_time);
    text.resize(before + count);
    if (count == 0) return false;
  }
  return true;
}

std::optional<Reply> HttpClient::send(const std::string& method, const std::string& path,
                                      const std::string& body) {
  constexpr std::size_t longest_head = 1U << 16U;
  if (!connect()) return {};
  std::string request = method + " " + path + " HTTP/1.1\r\nHost: " + host_ + ":" + port_ + "\r\n";
  if (!token_.empty()) request += "Authorization: Bearer " + token_ + "\r\n";
  request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  std::string text;
  if (!write(request) || !read(text, longest_head, "\r\n\r\n")) {
    close();
    return {};
  }
  const std::size_t end = text.find("\r\n\r\n") + 4;
  const std::string head = text.substr(0, end);
  const auto status =
      base::read_whole_number(head.substr(0, 12).substr(std::min<std::size_t>(head.size(), 9)));
  const std::size_t length = base::read_whole_number(header(head, "Content-Length")).value_or(0);
  text.erase(0, end);
  if (!status || !read(text, length)) {
    close();
    return {};
  }
  if (header(head, "Connection") == "close") close();
  return Reply{static_cast<int>(*status), text};
}

}  // namespace keyhole::client
