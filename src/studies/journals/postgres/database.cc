#include "studies/journals/postgres/database.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/number_text.h"
#include "studies/journals/postgres/tables.h"

namespace keyhole::studies {
namespace {

// Plans are kept, and made when tables are small: they must use the indices all the same. And a
// step that was answered must survive a power cut, unless the server is set to more than that. A
// statement that waits for a lock is to be refused before it is given up: then nothing was stored,
// and the connection goes on. (No statement_timeout: it would end a long read while rows flow.)
constexpr const char* settings =
    "select set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', "
    "false), set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', "
    "false), set_config('jit', 'off', false), set_config('synchronous_commit', ";

}  // namespace

Database::Database(std::string address, Durability durability, double wait)
    : address_(std::move(address)), durability_(durability), wait_(wait), process_(::getpid()) {
  idle_.push_back(connect());
}

std::unique_ptr<Connection> Database::connect() const {
  auto connection = std::make_unique<Connection>(address_, wait_);
  const std::string commit =
      durability_ == Durability::process
          ? "'off'"
          : "case current_setting('synchronous_commit') when 'off' then 'on' else "
            "current_setting('synchronous_commit') end";
  const std::string lock_limit =
      std::to_string(std::lround(std::ceil(std::max(800 * wait_, 1.0))));  // ms
  const std::string text =
      settings + commit + ", false), set_config('lock_timeout', '" + lock_limit + "', false)";
  connection->run({"settings", text.c_str()});
  require_tables(*connection, without_password(address_));
  return connection;
}

std::unique_ptr<Connection> Database::take() {
  {
    std::unique_lock lock(mutex_);
    if (process_ != ::getpid()) {
      for (const auto& others : idle_) others->abandon();
      idle_.clear();
      used_ = 0;
      process_ = ::getpid();
    }
    const std::chrono::duration<double> limit(wait_);
    if (!free_.wait_for(lock, limit, [&] { return used_ < most; })) {
      throw DatabaseError("all " + std::to_string(most) + " connections to the database " + text() +
                              " were in use for " + base::number_text(wait_) +
                              " s: nothing was stored, try again",
                          false, "", ErrorCode::busy);
    }
    ++used_;
    while (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      if (connection->is_sound()) return connection;
    }
  }
  try {
    return connect();
  } catch (...) {
    give_back({});
    throw;
  }
}

void Database::give_back(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  --used_;
  if (connection != nullptr && connection->is_sound()) idle_.push_back(std::move(connection));
  free_.notify_one();
}

void Database::roll_back(Connection& connection) {
  try {
    connection.run({"rollback", "rollback"});
  } catch (const DatabaseError&) {  // a server that is lost does so by itself
  }
}

Rows Database::run(const Statement& statement, const std::vector<std::string>& values) {
  const Lease lease(*this);
  return lease->run(statement, values);
}

}  // namespace keyhole::studies
