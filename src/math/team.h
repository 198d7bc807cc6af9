// Threads that share out the parts of a piece of work, over and over.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace keyhole::math {

// The caller and threads - 1 workers, which sleep between pieces. One piece at a time; after
// construction nothing allocates. Which thread does which part is left to chance, so parts must not
// share what they write.
class Team {
 public:
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // work(0), ..., work(parts - 1), each once, in any order and at the same time; returns when all
  // are done. work must not throw.
  template <class Work>
  void run(std::size_t parts, const Work& work) noexcept {
    if (workers_.empty() || parts < 2) {
      for (std::size_t part = 0; part < parts; ++part) work(part);
      return;
    }
    work_ = &work;
    call_ = [](const void* of, std::size_t part) { (*static_cast<const Work*>(of))(part); };
    share_out(parts);
  }

 private:
  void share_out(std::size_t parts) noexcept;
  void take_parts() noexcept;
  void serve() noexcept;

  const void* work_ = nullptr;
  void (*call_)(const void*, std::size_t) = nullptr;
  std::size_t parts_ = 0;
  std::atomic<std::size_t> next_{0};      // the part to be taken next
  std::atomic<std::uint64_t> pieces_{0};  // handed out so far; the last one ends the workers
  std::atomic<std::size_t> busy_{0};      // workers that are not done with the piece
  bool is_over_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace keyhole::math
