#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace keyhole::client {

/// What carries the bytes of TLS.
struct Carrier {
  /// Sends all of it; false if the connection was lost.
  std::function<bool(const std::string& bytes)> send;
  /// What has come, after at least a byte has; empty if the connection was lost.
  std::function<std::string()> receive;
};

/// A connection of TLS 1.2 or 1.3 to a host, whose certificate is checked.
class Tls {
 public:
  /// The file `ca` (PEM) has the certificates to trust; empty for those that the system trusts.
  /// Throws InvalidArgument if the file is none, or if this build has no TLS.
  Tls(std::string host, const std::string& ca, Carrier carrier);
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  ~Tls();

  /// Begins a connection; false if it was lost. Throws ServiceError if the certificate is not good.
  [[nodiscard]] bool begin();
  /// Sends all of it; false if the connection was lost.
  [[nodiscard]] bool send(const std::string& bytes);
  /// What has come, at most `size` bytes; 0 if the connection was lost.
  [[nodiscard]] std::size_t receive(char* bytes, std::size_t size);

 private:
  struct Parts;

  std::string host_;
  Carrier carrier_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace keyhole::client
