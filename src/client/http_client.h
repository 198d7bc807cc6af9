#pragma once

#include <memory>
#include <optional>
#include <string>

#include "client/tls.h"
#include "keyhole/client.h"

namespace keyhole::client {

/// An answer.
struct Reply {
  int status = 0;
  std::string body = {};
};

/// One connection to a service, which is made again when it is lost.
class HttpClient {
 public:
  /// Throws InvalidArgument for what is no address.
  HttpClient(const std::string& address, const ClientOptions& options);
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  /// What a request is answered; nothing if the connection could not be made or was lost: then the
  /// request was done or not. Throws ServiceError for a certificate that is not good, and for what
  /// is no answer of HTTP/1.
  [[nodiscard]] std::optional<Reply> send(const std::string& method, const std::string& path,
                                          const std::string& body = "");

 private:
  [[nodiscard]] bool connect();
  void close();
  [[nodiscard]] bool write(const std::string& bytes);
  /// On the socket, whatever is written there.
  [[nodiscard]] bool send_all(const std::string& bytes) const;
  [[nodiscard]] std::size_t receive(char* bytes, std::size_t size) const;
  /// What was answered; nothing if the connection ends before.
  [[nodiscard]] std::optional<Reply> answer();
  /// Adds what has come; false if the connection ends.
  [[nodiscard]] bool read_some(std::string& text);
  /// Reads until the text has that many bytes; false if the connection ends.
  [[nodiscard]] bool read(std::string& text, std::size_t size);
  /// Cuts what stands before a mark from the text, and the mark; nothing if the connection ends.
  [[nodiscard]] std::optional<std::string> cut(std::string& text, std::string_view mark);
  /// Likewise a body that comes in chunks.
  [[nodiscard]] std::optional<std::string> cut_chunks(std::string& text);
  /// Throws what is said of bytes that are no answer.
  [[noreturn]] void refuse();

  std::string host_;
  std::string port_;
  std::string place_;  // as the address has it
  std::string token_;
  std::unique_ptr<Tls> tls_;  // of https
  int socket_ = -1;
};

}  // namespace keyhole::client
