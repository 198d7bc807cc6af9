#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "studies/journals/postgres/database.h"

namespace keyhole::studies {

/// A frame to be appended to the log of a study: at a position, behind the frame that begins at
/// `before` and ends with the bytes `seal`.
struct NewFrame {
  std::uint64_t study = 0;
  std::uint64_t position = 0;
  std::string data = {};
  std::uint64_t before = 0;
  std::string seal = {};
};

/// Appends the frames of many threads with few statements: while one is under way, what comes
/// waits and goes together with the next. A statement has one frame of a study at most: of two, the
/// first could be refused and the second be taken, which would leave a gap. Thread-safe.
class Batches {
 public:
  explicit Batches(Database& database) : database_(database) {}

  /// Appends a frame if its place is free and the frame before it is there; whether it was. It
  /// waits for the statement that is under way and for its own, which have a limit each. It waits
  /// for more only if there are many frames, or others of the same study.
  [[nodiscard]] bool append(NewFrame frame);

 private:
  struct Waiting {
    NewFrame frame;
    std::condition_variable wake = {};
    bool leads = false;  // it takes the next statement
    bool done = false;
    bool won = false;
    std::exception_ptr error = {};
  };

  [[nodiscard]] std::vector<Waiting*> next_batch();
  void store(const std::vector<Waiting*>& batch);

  Database& database_;
  std::mutex mutex_;
  bool is_led_ = false;
  std::vector<Waiting*> waiting_;  // in order
};

}  // namespace keyhole::studies
