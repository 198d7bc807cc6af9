#pragma once

#include <utility>

#include "bindings.h"

namespace keyhole::python {

/// An oracle of a set for the time of a call. One is kept for the next call; calls at the same time
/// have their own. Made and destroyed by a thread that has the interpreter.
class OracleLease {
 public:
  explicit OracleLease(SetHandle& handle) : handle_(handle), oracle_(std::move(handle.oracle)) {
    if (!oracle_) oracle_ = handle.set->oracle();
  }
  OracleLease(const OracleLease&) = delete;
  OracleLease& operator=(const OracleLease&) = delete;
  ~OracleLease() { handle_.oracle = std::move(oracle_); }

  Oracle* operator->() const { return oracle_.get(); }

 private:
  SetHandle& handle_;
  std::unique_ptr<Oracle> oracle_;
};

}  // namespace keyhole::python
