#include "studies/journals/postgres/connection.h"

#ifdef KEYHOLE_WITH_POSTGRES
#include <dlfcn.h>
#include <libpq-fe.h>
#include <poll.h>
#endif

namespace keyhole::studies {

#ifdef KEYHOLE_WITH_POSTGRES
namespace {

void put_big_endian(std::string& bytes, std::uint64_t value, int count) {
  for (int k = count - 1; k >= 0; --k) bytes += static_cast<char>(value >> (8 * k));
}

/// One dimension of values of a type of PostgreSQL, counted from 1.
std::string array_head(std::size_t size, std::uint32_t type) {
  std::string bytes;
  for (const std::uint64_t word : {std::uint64_t{1}, std::uint64_t{0}, std::uint64_t{type},
                                   std::uint64_t{size}, std::uint64_t{1}}) {
    put_big_endian(bytes, word, 4);
  }
  return bytes;
}

/// The functions of libpq. It is loaded with the first connection: who has studies in a folder
/// needs no libpq, and programs start sooner without what it brings along.
class Libpq {
 private:
  template <class Function>
  [[nodiscard]] Function loaded(const char* name) const {
    void* const found = library_ == nullptr ? nullptr : ::dlsym(library_, name);
    if (found == nullptr) {
      throw StudyError("studies in PostgreSQL need libpq, which cannot be loaded: " +
                       std::string(::dlerror()) + ": install it (Debian: libpq5)");
    }
    return reinterpret_cast<Function>(found);
  }

  void* library_ = ::dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);  // as long as the process lives

 public:
  decltype(&PQclear) clear = loaded<decltype(clear)>("PQclear");
  decltype(&PQconnectdbParams) connect = loaded<decltype(connect)>("PQconnectdbParams");
  decltype(&PQerrorMessage) error_message = loaded<decltype(error_message)>("PQerrorMessage");
  decltype(&PQexecPrepared) execute = loaded<decltype(execute)>("PQexecPrepared");
  decltype(&PQfinish) finish = loaded<decltype(finish)>("PQfinish");
  decltype(&PQgetlength) length = loaded<decltype(length)>("PQgetlength");
  decltype(&PQgetvalue) value = loaded<decltype(value)>("PQgetvalue");
  decltype(&PQntuples) rows = loaded<decltype(rows)>("PQntuples");
  decltype(&PQprepare) prepare = loaded<decltype(prepare)>("PQprepare");
  decltype(&PQresultErrorField) error_field = loaded<decltype(error_field)>("PQresultErrorField");
  decltype(&PQresultStatus) result_status = loaded<decltype(result_status)>("PQresultStatus");
  decltype(&PQsetNoticeProcessor) on_notice = loaded<decltype(on_notice)>("PQsetNoticeProcessor");
  decltype(&PQsocket) socket = loaded<decltype(socket)>("PQsocket");
  decltype(&PQstatus) status = loaded<decltype(status)>("PQstatus");
};

const Libpq& libpq() {
  static const Libpq functions;
  return functions;
}

using Result = std::shared_ptr<void>;

Result kept(PGresult* result) {
  return {result, [](void* kept) { libpq().clear(static_cast<PGresult*>(kept)); }};
}

PGresult* plain(const Result& result) { return static_cast<PGresult*>(result.get()); }

/// One line.
std::string said_by(const char* message) {
  std::string text = message == nullptr ? "" : message;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text.empty() ? "no answer" : text;
}

}  // namespace

std::string whole_value(std::uint64_t value) {
  std::string bytes;
  put_big_endian(bytes, value, 8);
  return bytes;
}

std::string whole_values(const std::vector<std::uint64_t>& values) {
  constexpr std::uint32_t int8_type = 20;
  std::string bytes = array_head(values.size(), int8_type);
  for (const std::uint64_t value : values) {
    put_big_endian(bytes, 8, 4);
    put_big_endian(bytes, value, 8);
  }
  return bytes;
}

std::string bytes_values(const std::vector<std::string>& values) {
  constexpr std::uint32_t bytea_type = 17;
  std::string bytes = array_head(values.size(), bytea_type);
  for (const std::string& value : values) {
    put_big_endian(bytes, value.size(), 4);
    bytes += value;
  }
  return bytes;
}

std::size_t Rows::size() const { return static_cast<std::size_t>(libpq().rows(plain(result_))); }

std::string_view Rows::bytes(std::size_t row, int column) const {
  const int place = static_cast<int>(row);
  return {libpq().value(plain(result_), place, column),
          static_cast<std::size_t>(libpq().length(plain(result_), place, column))};
}

std::uint64_t Rows::whole(std::size_t row, int column) const {
  std::uint64_t value = 0;
  for (const char c : bytes(row, column)) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

struct Connection::Server {
  explicit Server(PGconn* of) : connection(of) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    if (connection != nullptr) libpq().finish(connection);
  }
  [[nodiscard]] bool is_there() const {
    return connection != nullptr && libpq().status(connection) == CONNECTION_OK;
  }

  PGconn* connection;
  bool is_refused = false;  // it is no server to go on with
};

Connection::Connection(const std::string& address, double wait)
    : place_(without_password(address)), wait_(wait) {
  // What the address says goes before these. A server that cannot be written to is of no use, and
  // one that does not answer must be noticed.
  const char* const keys[] = {"target_session_attrs",      "connect_timeout", "tcp_user_timeout",
                              "fallback_application_name", "dbname",          nullptr};
  const char* const values[] = {"read-write", "10", "10000", "keyhole", address.c_str(), nullptr};
  server_ = std::make_unique<Server>(libpq().connect(keys, values, 1));
  PGconn* const connection = server_->connection;
  libpq().on_notice(
      connection, [](void*, const char*) {}, nullptr);
  if (server_->is_there()) return;
  throw DatabaseError("the database " + place_ +
                          " cannot be reached: " + said_by(libpq().error_message(connection)) +
                          ": nothing was stored, try again",
                      false);
}

Connection::~Connection() = default;

void Connection::abandon() { server_->connection = nullptr; }

bool Connection::is_sound() const {
  if (server_->is_refused || !server_->is_there()) return false;
  // Between statements a server says nothing but that it leaves.
  pollfd socket = {.fd = libpq().socket(server_->connection), .events = POLLIN, .revents = 0};
  return ::poll(&socket, 1, 0) == 0;
}

/// `stores` says whether a step may have been stored if the server was lost.
void Connection::require_success(const Result& result, bool stores) {
  const ExecStatusType status = libpq().result_status(plain(result));
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return;
  const char* const code = libpq().error_field(plain(result), PG_DIAG_SQLSTATE);
  const std::string state = code == nullptr ? "" : code;
  const std::string message = said_by(libpq().error_message(server_->connection));
  if (server_->is_there()) {
    // The server has undone the statement. One that can only be read has become a standby.
    server_->is_refused = state == "25006" || state.starts_with("57P") || state.starts_with("08");
    throw DatabaseError(
        "the database " + place_ + " has refused: " + message + ": nothing was stored", false,
        state);
  }
  if (stores) {
    throw DatabaseError("the database " + place_ + " was lost while it stored a step: " + message +
                            ": nobody knows whether it is stored; ask again by the name of the "
                            "worker, and tell again what was told",
                        true, state);
  }
  throw DatabaseError(
      "the database " + place_ + " was lost: " + message + ": nothing was stored, try again", false,
      state);
}

Rows Connection::run(const Statement& statement, const std::vector<std::string>& values) {
  PGconn* const server = server_->connection;
  if (!prepared_.contains(statement.name)) {
    require_success(kept(libpq().prepare(server, statement.name, statement.text, 0, nullptr)),
                    false);
    prepared_.insert(statement.name);
  }
  std::vector<const char*> bytes;
  std::vector<int> lengths;
  for (const std::string& value : values) {
    bytes.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> binary(values.size(), 1);
  Result result = kept(libpq().execute(server, statement.name, static_cast<int>(values.size()),
                                       bytes.data(), lengths.data(), binary.data(), 1));
  require_success(result, statement.stores);
  return Rows(std::move(result));
}

#else

// A build without libpq: the one place that says so is where a connection is made.
struct Connection::Server {};

Connection::Connection(const std::string& address, double wait) : wait_(wait) {
  throw StudyError("this build of Keyhole has no PostgreSQL, so it cannot take studies from " +
                   without_password(address) +
                   ": use the program, a service ('keyhole serve'), or a build with "
                   "KEYHOLE_WITH_POSTGRES=ON");
}

Connection::~Connection() = default;
void Connection::abandon() {}
bool Connection::is_sound() const { return false; }
void Connection::require_success(const std::shared_ptr<void>& /*result*/, bool /*stores*/) {}
Rows Connection::run(const Statement& /*statement*/, const std::vector<std::string>& /*values*/) {
  return Rows({});
}

std::string whole_value(std::uint64_t /*value*/) { return {}; }
std::string whole_values(const std::vector<std::uint64_t>& /*values*/) { return {}; }
std::string bytes_values(const std::vector<std::string>& /*values*/) { return {}; }
std::size_t Rows::size() const { return 0; }
std::string_view Rows::bytes(std::size_t /*row*/, int /*column*/) const { return {}; }
std::uint64_t Rows::whole(std::size_t /*row*/, int /*column*/) const { return 0; }

#endif

std::string without_password(const std::string& address) {
  std::string text = address;
  const std::size_t user = text.find("//") + 2;
  const std::size_t at = text.find('@', user);
  const std::size_t colon = text.find(':', user);
  if (at < text.find('/', user) && colon < at) text.erase(colon, at - colon);
  const std::size_t given = text.find("password=", text.find('?'));
  if (given != std::string::npos) text.erase(given, text.find('&', given) - given);
  return text;
}

}  // namespace keyhole::studies
