#include "client/http_client.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/number_text.h"
#include "base/require.h"

namespace keyhole::client {
namespace {

constexpr long patience = 60;  // seconds for one read or write
constexpr std::size_t at_a_time = 1U << 14U;

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The value of a header in small letters, empty if there is none. Names have no fixed letters.
std::string header(std::string_view head, std::string_view name) {
  const auto same = [](char a, char b) { return small(a) == small(b); };
  const std::string line = "\r\n" + std::string(name) + ":";
  const auto found = std::search(head.begin(), head.end(), line.begin(), line.end(), same);
  if (found == head.end()) return "";
  head.remove_prefix(static_cast<std::size_t>(found - head.begin()) + line.size());
  head = head.substr(0, head.find('\r'));
  head.remove_prefix(std::min(head.find_first_not_of(" \t"), head.size()));
  std::string value(head.substr(0, head.find_last_not_of(" \t") + 1));
  std::transform(value.begin(), value.end(), value.begin(), small);
  return value;
}

/// The size of a chunk, which a line begins with; nothing if that is none.
std::optional<std::size_t> chunk_size(std::string_view line) {
  constexpr std::size_t largest = std::size_t{1} << 40U;
  constexpr int sixteen = 16;
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), size, sixteen);
  if (error != std::errc() || size > largest) return {};
  return size;
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
  place_ = host_ + ":" + port_;
  // What has colons is in brackets.
  const bool has_brackets = host_.starts_with('[') && host_.ends_with(']');
  if (has_brackets) host_ = host_.substr(1, host_.size() - 2);
  const bool has_colons = host_.find_first_of(":[]") != std::string::npos;
  base::require(
      !host_.empty() && has_brackets == has_colons && base::read_whole_number(port_).has_value(),
      "'" + address + "' is no address of a service: take one like http://127.0.0.1:8600");
  const auto is_control = [](char c) { return c <= ' ' || c > '~'; };
  base::require(std::none_of(token_.begin(), token_.end(), is_control),
                "a token has no spaces and no end of a line");
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
  // The other side may have ended it in a pause. What comes before something was asked is no answer
  // to it; but of TLS there is more to read than answers.
  char next = 0;
  const ssize_t waiting = socket_ < 0 ? -1 : ::recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  if (waiting == 0 || (waiting > 0 && tls_ == nullptr)) close();
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

bool HttpClient::read_some(std::string& text) {
  const std::size_t before = text.size();
  text.resize(before + at_a_time);
  char* const end = text.data() + before;
  const std::size_t count =
      tls_ == nullptr ? receive(end, at_a_time) : tls_->receive(end, at_a_time);
  text.resize(before + count);
  return count > 0;
}

bool HttpClient::read(std::string& text, std::size_t size) {
  while (text.size() < size) {
    if (!read_some(text)) return false;
  }
  return true;
}

std::optional<std::string> HttpClient::cut(std::string& text, std::string_view mark) {
  constexpr std::size_t longest = 1U << 16U;
  std::size_t end = text.find(mark);
  while (end == std::string::npos) {
    if (text.size() > longest) refuse();
    if (!read_some(text)) return {};
    end = text.find(mark);
  }
  std::string before = text.substr(0, end);
  text.erase(0, end + mark.size());
  return before;
}

std::optional<std::string> HttpClient::cut_chunks(std::string& text) {
  std::string body;
  while (true) {
    const auto line = cut(text, "\r\n");
    if (!line) return {};
    const auto size = chunk_size(*line);
    if (!size) refuse();
    if (*size == 0) break;
    if (!read(text, *size + 2)) return {};
    body.append(text, 0, *size);
    text.erase(0, *size + 2);
  }
  while (true) {  // lines of a trailer, of which the last is empty
    const auto line = cut(text, "\r\n");
    if (!line) return {};
    if (line->empty()) return body;
  }
}

void HttpClient::refuse() {
  close();
  throw ServiceError("what listens at " + place_ + " does not speak HTTP/1.1 as a service does");
}

std::optional<Reply> HttpClient::answer() {
  constexpr std::size_t begin_of_status = 9;  // after "HTTP/1.1 "
  constexpr int no_content = 204;
  std::string text;
  std::string head;
  int status = 0;
  while (status < 200) {  // an answer below is not the last one
    const auto next = cut(text, "\r\n\r\n");
    if (!next) return {};
    head = *next + "\r\n";
    const auto number =
        base::read_whole_number(head.size() < 12 ? "" : head.substr(begin_of_status, 3));
    if (!head.starts_with("HTTP/1.") || !number || *number < 100) refuse();
    status = static_cast<int>(*number);
  }
  const std::string coding = header(head, "Transfer-Encoding");
  const std::string length = header(head, "Content-Length");
  bool stays =
      head.starts_with("HTTP/1.1") && header(head, "Connection").find("close") == std::string::npos;
  std::optional<std::string> body = "";
  if (coding == "chunked") {
    body = cut_chunks(text);
  } else if (!coding.empty()) {
    refuse();
  } else if (!length.empty()) {
    const auto size = base::read_whole_number(length);
    if (!size) refuse();
    if (!read(text, *size)) return {};
    body = text.substr(0, *size);
  } else if (status != no_content) {  // it ends with the connection
    while (read_some(text)) {
    }
    body = std::move(text);
    stays = false;
  }
  if (!body) return {};
  if (!stays) close();
  return Reply{status, std::move(*body)};
}

std::optional<Reply> HttpClient::send(const std::string& method, const std::string& path,
                                      const std::string& body) {
  if (!connect()) return {};
  std::string request = method + " " + path + " HTTP/1.1\r\nHost: " + place_ + "\r\n";
  if (!token_.empty()) request += "Authorization: Bearer " + token_ + "\r\n";
  request += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  std::optional<Reply> reply;
  if (write(request)) reply = answer();
  if (!reply) close();
  return reply;
}

}  // namespace keyhole::client
