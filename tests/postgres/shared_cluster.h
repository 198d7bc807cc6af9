// The server of all tests of a program, and what they ask it.

#pragma once

#include <atomic>

#include "cluster.h"
#include "keyhole/store.h"
#include "studies/journals/postgres/connection.h"

namespace keyhole::tests {

/// Started by the first test that wants it.
inline Cluster& cluster() {
  static Cluster the(false);
  return the;
}

/// Runs a statement that has no values, as another program would.
inline studies::Rows sql(const std::string& address, const std::string& text) {
  studies::Connection connection(address, StoreOptions{}.wait);
  return connection.run({"sql", text.c_str()});
}

/// An address that no other test has.
inline std::string new_address() {
  static std::atomic<int> count = 0;
  const std::string schema = "test" + std::to_string(++count);
  sql(cluster().address(), "create schema " + schema);
  return cluster().address(schema);
}

}  // namespace keyhole::tests
