// A connection to PostgreSQL. Its source is the only file that sees libpq.

#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/study.h"

namespace keyhole::studies {

/// A statement, by its own name for the server. `stores` says whether a step may have been stored
/// when no answer comes.
struct Statement {
  const char* name;
  const char* text;
  bool stores = false;
};

// Values of a statement, as PostgreSQL takes them.
[[nodiscard]] std::string whole_value(std::uint64_t value);
[[nodiscard]] std::string whole_values(const std::vector<std::uint64_t>& values);
[[nodiscard]] std::string bytes_values(const std::vector<std::string>& values);

/// The rows that a statement gives.
class Rows {
 public:
  explicit Rows(std::shared_ptr<void> result) : result_(std::move(result)) {}

  [[nodiscard]] std::size_t size() const;
  /// The bytes of a value; they live as long as the rows.
  [[nodiscard]] std::string_view bytes(std::size_t row, int column) const;
  /// A whole number of 4 or 8 bytes; 0 for none.
  [[nodiscard]] std::uint64_t whole(std::size_t row, int column) const;

 private:
  std::shared_ptr<void> result_;
};

/// For one thread at a time.
class Connection {
 public:
  /// Connects. A server that says nothing for so many seconds is given up. Throws DatabaseError, or
  /// StudyError if this build has no PostgreSQL.
  Connection(const std::string& address, double wait);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Runs a statement. Throws DatabaseError; then is_sound() says whether to go on with it. The
  /// limit is on silence: a statement may take longer as long as bytes go to and fro.
  Rows run(const Statement& statement, const std::vector<std::string>& values = {});
  /// Whether nothing says that the server has left.
  [[nodiscard]] bool is_sound() const;
  /// Forgets the server without a word to it: the connection is another process's.
  void abandon();

 private:
  [[nodiscard]] std::shared_ptr<void> answer(bool is_sent, bool stores);
  [[nodiscard]] bool has_answered() const;
  void require_success(const std::shared_ptr<void>& result, bool stores);
  [[noreturn]] void fail(const std::string& how, const std::string& why, bool stores,
                         const std::string& state, ErrorCode code) const;

  struct Server;
  std::unique_ptr<Server> server_;
  std::string place_;  // for messages
  double wait_;
  std::set<std::string> prepared_;  // names of statements
};

/// The address without its password, for messages.
[[nodiscard]] std::string without_password(const std::string& address);

}  // namespace keyhole::studies
