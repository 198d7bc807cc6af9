#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "keyhole/store.h"
#include "studies/journals/postgres/connection.h"

namespace keyhole::studies {

/// Connections to a database that has the tables, a few at a time. One that was lost is replaced at
/// the next call. A forked child makes its own. Thread-safe.
class Database {
 public:
  /// The most connections of a process.
  static constexpr std::size_t most = 8;

  /// Connects once, so that a wrong address is noticed, and makes the tables if there are none.
  /// `wait` is how many seconds it waits for the server, or for a connection that is free.
  Database(std::string address, Durability durability, double wait);

  /// Runs a statement on a connection that is free.
  Rows run(const Statement& statement, const std::vector<std::string>& values = {});
  /// What f(connection) gives, f being all there is between the begin and the end of a transaction.
  template <class Function>
  auto transact(Function f) {
    const Lease lease(*this);
    lease->run({"begin", "begin"});
    try {
      auto result = f(*lease);
      lease->run({"commit", "commit", true});
      return result;
    } catch (...) {
      roll_back(*lease);
      throw;
    }
  }

  /// The address, without its password.
  [[nodiscard]] std::string text() const { return without_password(address_); }

 private:
  /// A connection while it is used.
  class Lease {
   public:
    explicit Lease(Database& database) : database_(database), connection_(database.take()) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { database_.give_back(std::move(connection_)); }
    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }

   private:
    Database& database_;
    std::unique_ptr<Connection> connection_;
  };

  [[nodiscard]] std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> connection);
  [[nodiscard]] std::unique_ptr<Connection> connect() const;
  static void roll_back(Connection& connection);

  std::string address_;
  Durability durability_;
  double wait_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t used_ = 0;
  int process_;  // that made the connections
};

}  // namespace keyhole::studies
