#include "service/wire.h"

#include <array>
#include <charconv>

#include "service/problem.h"

namespace keyhole::service {
namespace {

/// Of every answer. A page may load what comes from here and nothing else.
constexpr const char* safety =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'\r\n"
    "Cache-Control: no-store\r\n";

}  // namespace

std::string head_text(const Response& response, bool keep_alive, std::optional<std::size_t> length,
                      bool chunked) {
  std::string head;
  constexpr std::size_t usual = 512;
  head.reserve(usual + response.body.size());
  head += "HTTP/1.1 " + std::to_string(response.status) + " " + status_text(response.status);
  head += "\r\nServer: keyhole\r\n";
  if (!response.type.empty()) head.append("Content-Type: ").append(response.type).append("\r\n");
  // An answer without content has no length either.
  if (length && response.status != 204) {
    head += "Content-Length: " + std::to_string(*length) + "\r\n";
  }
  if (chunked) head += "Transfer-Encoding: chunked\r\n";
  if (!keep_alive) head += "Connection: close\r\n";
  for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
  return head.append(safety).append("\r\n");
}

std::string chunk_text(const std::string& part) {
  std::array<char, 16> digits = {};
  const auto end = std::to_chars(digits.begin(), digits.end(), part.size(), 16).ptr;
  return std::string(digits.begin(), end) + "\r\n" + part + "\r\n";
}

void set_target(const std::string& target, Request& request) {
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  request.query = mark == std::string::npos ? "" : target.substr(mark + 1);
}

}  // namespace keyhole::service
