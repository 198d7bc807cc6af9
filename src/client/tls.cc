// The only file of the library that sees OpenSSL. What it writes and reads goes through memory, so
// that a connection that is lost is an answer of send() and no signal.

#include "client/tls.h"

#include "base/require.h"
#include "keyhole/client.h"

#ifdef KEYHOLE_WITH_TLS

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace keyhole::client {
namespace {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
using Context = std::unique_ptr<SSL_CTX, Release<SSL_CTX_free>>;
using Connection = std::unique_ptr<SSL, Release<SSL_free>>;

Context context_of(const std::string& ca) {
  Context context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr) throw Error("OpenSSL cannot begin");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (ca.empty()) {
    SSL_CTX_set_default_verify_paths(context.get());
  } else {
    base::require(SSL_CTX_load_verify_file(context.get(), ca.c_str()) == 1,
                  "'" + ca + "' is no file of certificates (PEM), which ca must name");
  }
  return context;
}

}  // namespace

struct Tls::Parts {
  Context context;
  Connection connection = nullptr;
  BIO* in = nullptr;   // what has come; of the connection
  BIO* out = nullptr;  // what is to be sent; of the connection

  /// A connection that expects the certificate of a host.
  void open(const std::string& host) {
    connection.reset(SSL_new(context.get()));
    in = BIO_new(BIO_s_mem());
    out = BIO_new(BIO_s_mem());
    SSL_set_bio(connection.get(), in, out);
    // An address stands in a certificate as such, and is not asked for by name.
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection.get()), host.c_str()) != 1) {
      SSL_set1_host(connection.get(), host.c_str());
      SSL_set_tlsext_host_name(connection.get(), host.c_str());
    }
  }

  /// What `step` gives, called again as long as it waits for bytes; 0 or less if it failed or the
  /// connection was lost.
  template <class Step>
  int run(const Carrier& carrier, Step step) {
    while (true) {
      const int result = step(connection.get());
      std::string bytes(BIO_ctrl_pending(out), '\0');
      if (!bytes.empty()) BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
      if (!bytes.empty() && !carrier.send(bytes)) return 0;
      if (result > 0) return result;
      if (SSL_get_error(connection.get(), result) != SSL_ERROR_WANT_READ) return result;
      const std::string more = carrier.receive();
      if (more.empty()) return 0;
      BIO_write(in, more.data(), static_cast<int>(more.size()));
    }
  }
};

Tls::Tls(std::string host, const std::string& ca, Carrier carrier)
    : host_(std::move(host)),
      carrier_(std::move(carrier)),
      parts_(std::make_unique<Parts>(Parts{.context = context_of(ca)})) {}

bool Tls::begin() {
  parts_->open(host_);
  if (parts_->run(carrier_, SSL_connect) > 0) return true;
  const long verdict = SSL_get_verify_result(parts_->connection.get());
  if (verdict == X509_V_OK) return false;
  throw ServiceError("the certificate of " + host_ +
                     " is not good: " + X509_verify_cert_error_string(verdict) +
                     "; ca names a file of certificates to trust");
}

bool Tls::send(const std::string& bytes) {
  const auto size = static_cast<int>(bytes.size());
  return size == 0 || parts_->run(carrier_, [&](SSL* connection) {
    return SSL_write(connection, bytes.data(), size);
  }) == size;
}

std::size_t Tls::receive(char* bytes, std::size_t size) {
  const int count = parts_->run(carrier_, [&](SSL* connection) {
    return SSL_read(connection, bytes, static_cast<int>(size));
  });
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

Tls::~Tls() = default;

}  // namespace keyhole::client

#else

namespace keyhole::client {

struct Tls::Parts {};

Tls::Tls(std::string host, const std::string& /*ca*/, Carrier /*carrier*/) {
  throw InvalidArgument("https://" + host +
                        " needs TLS, and this build of keyhole has none: build it with "
                        "KEYHOLE_WITH_TLS, or let something else encrypt");
}
Tls::~Tls() = default;
bool Tls::begin() { return false; }
bool Tls::send(const std::string& /*bytes*/) { return false; }
std::size_t Tls::receive(char* /*bytes*/, std::size_t /*size*/) { return 0; }

}  // namespace keyhole::client

#endif
