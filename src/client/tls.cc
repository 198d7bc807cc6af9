// The only file of the library that sees OpenSSL. What it writes and reads goes through memory, so
// that a connection that is lost is an answer of send() and no signal.

#include "client/tls.h"

#include "base/require.h"
#include "base/shared_library.h"
#include "keyhole/client.h"

#ifdef KEYHOLE_WITH_TLS

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace keyhole::client {
namespace {

/// The functions of OpenSSL, which is loaded with the first connection that is encrypted.
class OpenSsl {
  base::SharedLibrary<ServiceError> library_{"libssl.so.3", "addresses with https need OpenSSL 3",
                                             "libssl3"};

 public:
  decltype(&::BIO_ctrl_pending) bytes_in = library_.find<decltype(bytes_in)>("BIO_ctrl_pending");
  decltype(&::BIO_new) new_buffer = library_.find<decltype(new_buffer)>("BIO_new");
  decltype(&::BIO_read) take = library_.find<decltype(take)>("BIO_read");
  decltype(&::BIO_s_mem) in_memory = library_.find<decltype(in_memory)>("BIO_s_mem");
  decltype(&::BIO_write) put = library_.find<decltype(put)>("BIO_write");
  decltype(&::SSL_CTX_ctrl) control_context =
      library_.find<decltype(control_context)>("SSL_CTX_ctrl");
  decltype(&::SSL_CTX_free) free_context = library_.find<decltype(free_context)>("SSL_CTX_free");
  decltype(&::SSL_CTX_load_verify_file) trust_file =
      library_.find<decltype(trust_file)>("SSL_CTX_load_verify_file");
  decltype(&::SSL_CTX_new) new_context = library_.find<decltype(new_context)>("SSL_CTX_new");
  decltype(&::SSL_CTX_set_default_verify_paths) trust_system =
      library_.find<decltype(trust_system)>("SSL_CTX_set_default_verify_paths");
  decltype(&::SSL_CTX_set_verify) set_verify =
      library_.find<decltype(set_verify)>("SSL_CTX_set_verify");
  decltype(&::SSL_connect) connect = library_.find<decltype(connect)>("SSL_connect");
  decltype(&::SSL_ctrl) control = library_.find<decltype(control)>("SSL_ctrl");
  decltype(&::SSL_free) free_connection = library_.find<decltype(free_connection)>("SSL_free");
  decltype(&::SSL_get0_param) parameters_of =
      library_.find<decltype(parameters_of)>("SSL_get0_param");
  decltype(&::SSL_get_error) error_of = library_.find<decltype(error_of)>("SSL_get_error");
  decltype(&::SSL_get_verify_result) verdict_of =
      library_.find<decltype(verdict_of)>("SSL_get_verify_result");
  decltype(&::SSL_new) new_connection = library_.find<decltype(new_connection)>("SSL_new");
  decltype(&::SSL_read) read = library_.find<decltype(read)>("SSL_read");
  decltype(&::SSL_set1_host) expect_host = library_.find<decltype(expect_host)>("SSL_set1_host");
  decltype(&::SSL_set_bio) set_buffers = library_.find<decltype(set_buffers)>("SSL_set_bio");
  decltype(&::SSL_write) write = library_.find<decltype(write)>("SSL_write");
  decltype(&::TLS_client_method) client_method =
      library_.find<decltype(client_method)>("TLS_client_method");
  decltype(&::X509_VERIFY_PARAM_set1_ip_asc) expect_address =
      library_.find<decltype(expect_address)>("X509_VERIFY_PARAM_set1_ip_asc");
  decltype(&::X509_verify_cert_error_string) text_of =
      library_.find<decltype(text_of)>("X509_verify_cert_error_string");
};

const OpenSsl& openssl() {
  static const OpenSsl functions;
  return functions;
}

struct Release {
  void operator()(SSL_CTX* context) const { openssl().free_context(context); }
  void operator()(SSL* connection) const { openssl().free_connection(connection); }
};
using Context = std::unique_ptr<SSL_CTX, Release>;
using Connection = std::unique_ptr<SSL, Release>;

Context context_of(const std::string& ca) {
  const OpenSsl& ssl = openssl();
  Context context(ssl.new_context(ssl.client_method()));
  if (context == nullptr) throw Error("OpenSSL cannot begin");
  ssl.control_context(context.get(), SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, nullptr);
  ssl.set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (ca.empty()) {
    ssl.trust_system(context.get());
  } else {
    base::require(ssl.trust_file(context.get(), ca.c_str()) == 1,
                  "'" + ca + "' is no file of certificates (PEM), which ca must name");
  }
  return context;
}

}  // namespace

struct Tls::Parts {
  const OpenSsl& ssl = openssl();
  Context context;
  Connection connection = nullptr;
  BIO* in = nullptr;   // what has come; of the connection
  BIO* out = nullptr;  // what is to be sent; of the connection

  /// A connection that expects the certificate of a host.
  void open(const std::string& host) {
    connection.reset(ssl.new_connection(context.get()));
    in = ssl.new_buffer(ssl.in_memory());
    out = ssl.new_buffer(ssl.in_memory());
    ssl.set_buffers(connection.get(), in, out);
    // An address stands in a certificate as such, and is not asked for by name.
    if (ssl.expect_address(ssl.parameters_of(connection.get()), host.c_str()) != 1) {
      ssl.expect_host(connection.get(), host.c_str());
      std::string name = host;
      ssl.control(connection.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                  name.data());
    }
  }

  /// What `step` gives, called again as long as it waits for bytes; 0 or less if it failed or the
  /// connection was lost.
  template <class Step>
  int run(const Carrier& carrier, Step step) {
    while (true) {
      const int result = step(connection.get());
      std::string bytes(ssl.bytes_in(out), '\0');
      if (!bytes.empty()) ssl.take(out, bytes.data(), static_cast<int>(bytes.size()));
      if (!bytes.empty() && !carrier.send(bytes)) return 0;
      if (result > 0) return result;
      if (ssl.error_of(connection.get(), result) != SSL_ERROR_WANT_READ) return result;
      const std::string more = carrier.receive();
      if (more.empty()) return 0;
      ssl.put(in, more.data(), static_cast<int>(more.size()));
    }
  }
};

Tls::Tls(std::string host, const std::string& ca, Carrier carrier)
    : host_(std::move(host)),
      carrier_(std::move(carrier)),
      parts_(std::make_unique<Parts>(Parts{.context = context_of(ca)})) {}

bool Tls::begin() {
  parts_->open(host_);
  if (parts_->run(carrier_, parts_->ssl.connect) > 0) return true;
  const long verdict = parts_->ssl.verdict_of(parts_->connection.get());
  if (verdict == X509_V_OK) return false;
  throw ServiceError("the certificate of " + host_ + " is not good: " +
                     parts_->ssl.text_of(verdict) + "; ca names a file of certificates to trust");
}

bool Tls::send(const std::string& bytes) {
  const auto size = static_cast<int>(bytes.size());
  return size == 0 || parts_->run(carrier_, [&](SSL* connection) {
    return parts_->ssl.write(connection, bytes.data(), size);
  }) == size;
}

std::size_t Tls::receive(char* bytes, std::size_t size) {
  const int count = parts_->run(carrier_, [&](SSL* connection) {
    return parts_->ssl.read(connection, bytes, static_cast<int>(size));
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
