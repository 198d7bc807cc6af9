// Threads that share out the parts of a piece of work, over and over.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace keyhole::math {

// The caller and threads - 1 workers, or as many of them as the system lets be started; they sleep
// between pieces. One piece at a time; after construction nothing allocates. Which thread does
// which part is left to chance, so parts must not share what they write.
class Team {
 public:
  // Starts a thread with what it is to do. A std::system_error says that there is none to be had.
  using Start = std::function<std::thread(std::function<void()>)>;

  explicit Team(unsigned threads, const Start& start = start_thread);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // work(0), ..., work(parts - 1), each once, in any order and at the same time; returns when all
  // are done. What a part throws is thrown here, of several the first; the other parts may or may
  // not have been done then.
  template <class Work>
  void run(std::size_t parts, const Work& work) {
    if (workers_.empty() || parts < 2) {
      for (std::size_t part = 0; part < parts; ++part) work(part);
      return;
    }
    work_ = &work;
    call_ = [](const void* of, std::size_t part) { (*static_cast<const Work*>(of))(part); };
    share_out(parts);
  }

 private:
  Team() = default;
  static std::thread start_thread(std::function<void()> task);
  void share_out(std::size_t parts);
  void take_parts() noexcept;
  void serve() noexcept;

  const void* work_ = nullptr;
  void (*call_)(const void*, std::size_t) = nullptr;
  std::size_t parts_ = 0;
  std::atomic<std::size_t> next_{0};      // the part to be taken next
  std::atomic<std::uint64_t> pieces_{0};  // handed out so far; the last one ends the workers
  std::atomic<std::size_t> busy_{0};      // workers that are not done with the piece
  std::atomic<bool> has_failed_{false};   // a part of the piece has thrown
  std::exception_ptr failure_;            // what it threw
  bool is_over_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace keyhole::math
