#include "studies/journals/postgres/connection.h"

#ifdef KEYHOLE_WITH_POSTGRES
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/number_text.h"
#include "base/shared_library.h"
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
  base::SharedLibrary<StudyError> library_{"libpq.so.5", "studies in PostgreSQL need libpq",
                                           "libpq5"};

 public:
  decltype(&PQclear) clear = library_.find<decltype(clear)>("PQclear");
  decltype(&PQconnectdbParams) connect = library_.find<decltype(connect)>("PQconnectdbParams");
  decltype(&PQconsumeInput) take_input = library_.find<decltype(take_input)>("PQconsumeInput");
  decltype(&PQerrorMessage) error_message =
      library_.find<decltype(error_message)>("PQerrorMessage");
  decltype(&PQfinish) finish = library_.find<decltype(finish)>("PQfinish");
  decltype(&PQflush) flush = library_.find<decltype(flush)>("PQflush");
  decltype(&PQgetResult) next_result = library_.find<decltype(next_result)>("PQgetResult");
  decltype(&PQisBusy) is_busy = library_.find<decltype(is_busy)>("PQisBusy");
  decltype(&PQgetlength) length = library_.find<decltype(length)>("PQgetlength");
  decltype(&PQgetvalue) value = library_.find<decltype(value)>("PQgetvalue");
  decltype(&PQntuples) rows = library_.find<decltype(rows)>("PQntuples");
  decltype(&PQresultErrorField) error_field =
      library_.find<decltype(error_field)>("PQresultErrorField");
  decltype(&PQresultStatus) result_status =
      library_.find<decltype(result_status)>("PQresultStatus");
  decltype(&PQsendPrepare) prepare = library_.find<decltype(prepare)>("PQsendPrepare");
  decltype(&PQsendQueryPrepared) execute = library_.find<decltype(execute)>("PQsendQueryPrepared");
  decltype(&PQsetnonblocking) never_block =
      library_.find<decltype(never_block)>("PQsetnonblocking");
  decltype(&PQsetNoticeProcessor) on_notice =
      library_.find<decltype(on_notice)>("PQsetNoticeProcessor");
  decltype(&PQsocket) socket = library_.find<decltype(socket)>("PQsocket");
  decltype(&PQstatus) status = library_.find<decltype(status)>("PQstatus");
};

const Libpq& libpq() {
  static const Libpq functions;
  return functions;
}

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

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
  // one that does not answer must be noticed. libpq connects by itself: so each server of the
  // address has a limit of its own, and behind it the next one is tried. libpq takes whole seconds,
  // two at least, and the first of them may be a short one.
  const long seconds = std::lround(std::ceil(std::max(wait, 2.0)));
  const std::string connect_limit = std::to_string(seconds);
  const std::string send_limit = std::to_string(std::lround(std::ceil(1e3 * wait)));
  const char* const keys[] = {"target_session_attrs",      "connect_timeout", "tcp_user_timeout",
                              "fallback_application_name", "dbname",          nullptr};
  const char* const values[] = {"read-write", connect_limit.c_str(), send_limit.c_str(),
                                "keyhole",    address.c_str(),       nullptr};
  const auto start = Clock::now();
  server_ = std::make_unique<Server>(libpq().connect(keys, values, 1));
  PGconn* const connection = server_->connection;
  libpq().on_notice(
      connection, [](void*, const char*) {}, nullptr);
  if (server_->is_there() && libpq().never_block(connection, 1) == 0) return;
  const bool was_silent = Clock::now() - start > std::chrono::seconds(seconds - 1);
  fail("cannot be reached", ": " + said_by(libpq().error_message(connection)), false, "",
       was_silent ? ErrorCode::busy : ErrorCode::database);
}

Connection::~Connection() = default;

void Connection::abandon() { server_->connection = nullptr; }

bool Connection::is_sound() const {
  if (server_->is_refused || !server_->is_there()) return false;
  // Between statements a server says nothing but that it leaves.
  pollfd socket = {.fd = libpq().socket(server_->connection), .events = POLLIN, .revents = 0};
  return ::poll(&socket, 1, 0) == 0;
}

/// Whether all that was sent is answered, or the server was lost; false if it has neither taken nor
/// said anything for too long.
bool Connection::has_answered() const {
  PGconn* const server = server_->connection;
  auto heard = Clock::now();
  while (true) {
    const bool is_unsent = libpq().flush(server) > 0;
    if (!is_unsent && libpq().is_busy(server) == 0) return true;
    pollfd socket = {.fd = libpq().socket(server),
                     .events = static_cast<short>(is_unsent ? POLLIN | POLLOUT : POLLIN),
                     .revents = 0};
    // It looks every now and then by itself: TLS may have bytes that the socket does not show.
    constexpr int milliseconds = 20;
    if (::poll(&socket, 1, milliseconds) > 0) {
      heard = Clock::now();
    } else if (Clock::now() - heard > Seconds(wait_) && ::poll(&socket, 1, 0) <= 0) {
      return false;  // and it was not this process that slept
    }
    if (libpq().take_input(server) == 0) return true;
  }
}

/// The last result of what was sent. `stores` says whether a step may have been stored if none
/// comes.
Result Connection::answer(bool is_sent, bool stores) {
  Result last;
  while (is_sent) {
    if (!has_answered()) {
      server_->is_refused = true;  // what it says later is the answer to this
      fail("has not answered for " + base::number_text(wait_) + " s", "", stores, "",
           ErrorCode::busy);
    }
    Result next = kept(libpq().next_result(server_->connection));
    if (next == nullptr) break;
    last = std::move(next);
  }
  require_success(last, stores);
  return last;
}

void Connection::require_success(const Result& result, bool stores) {
  const ExecStatusType status = libpq().result_status(plain(result));
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return;
  const char* const code = libpq().error_field(plain(result), PG_DIAG_SQLSTATE);
  const std::string state = code == nullptr ? "" : code;
  const std::string why = ": " + said_by(libpq().error_message(server_->connection));
  if (!server_->is_there()) fail("was lost", why, stores, state, ErrorCode::database);
  // The server has undone the statement. One that can only be read has become a standby.
  server_->is_refused = state == "25006" || state.starts_with("57P") || state.starts_with("08");
  // One that has waited too long for a lock, or was cancelled, may do well the next time.
  const bool is_busy = state == "55P03" || state == "57014";
  throw DatabaseError("the database " + place_ + " has refused" + why + ": nothing was stored" +
                          (is_busy ? ", try again" : ""),
                      false, state, is_busy ? ErrorCode::busy : ErrorCode::database);
}

/// Throws what became of the server, and why if that is known.
void Connection::fail(const std::string& how, const std::string& why, bool stores,
                      const std::string& state, ErrorCode code) const {
  const std::string rest = stores ? " while it stored a step" + why +
                                        ": nobody knows whether it is stored; ask again by the "
                                        "name of the worker, and tell again what was told"
                                  : why + ": nothing was stored, try again";
  throw DatabaseError("the database " + place_ + " " + how + rest, stores, state, code);
}

Rows Connection::run(const Statement& statement, const std::vector<std::string>& values) {
  PGconn* const server = server_->connection;
  if (!prepared_.contains(statement.name)) {
    (void)answer(libpq().prepare(server, statement.name, statement.text, 0, nullptr) == 1, false);
    prepared_.insert(statement.name);
  }
  std::vector<const char*> bytes;
  std::vector<int> lengths;
  for (const std::string& value : values) {
    bytes.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> binary(values.size(), 1);
  const int sent = libpq().execute(server, statement.name, static_cast<int>(values.size()),
                                   bytes.data(), lengths.data(), binary.data(), 1);
  return Rows(answer(sent == 1, statement.stores));
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
