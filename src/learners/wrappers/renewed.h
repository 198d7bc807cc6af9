#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// An algorithm that can be started anew. Its state of construction is kept as bytes and read back,
/// so it needs no way to forget beside the list of fields that it has anyway.
template <class Kind>
class Renewed {
 public:
  /// Takes an algorithm that has not played yet.
  explicit Renewed(std::unique_ptr<Kind> algorithm) : algorithm_(std::move(algorithm)) {
    Archive archive;
    algorithm_->state(archive);
    at_first_ = std::move(archive).take();
  }

  [[nodiscard]] Kind* operator->() const noexcept { return algorithm_.get(); }
  [[nodiscard]] Kind& operator*() const noexcept { return *algorithm_; }

  /// Forgets everything; the count of oracle calls goes on.
  void begin_anew() {
    calls_before_ += algorithm_->oracle_calls();
    Archive archive(at_first_);
    algorithm_->state(archive);
  }

  /// How often a linear function has been minimised, in all.
  [[nodiscard]] std::uint64_t oracle_calls() const noexcept {
    return calls_before_ + algorithm_->oracle_calls();
  }

  /// The fields of a state.
  void state(Archive& archive) {
    algorithm_->state(archive);
    archive.field(calls_before_);
  }

 private:
  std::unique_ptr<Kind> algorithm_;
  std::vector<std::byte> at_first_;
  // State, with the algorithm's.
  std::uint64_t calls_before_ = 0;
};

}  // namespace keyhole::algorithms
