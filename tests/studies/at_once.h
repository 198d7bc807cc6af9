// Several actors at once, as threads or as processes, and what they have seen.

#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "keyhole/learner.h"

namespace keyhole::tests {

/// How actors run.
enum class Way { threads, processes };

inline void PrintTo(Way way, std::ostream* out) {
  *out << (way == Way::threads ? "threads" : "processes");
}

/// What an actor has seen, in bytes that go through a pipe.
struct Note {
  int actor = 0;
  int study = 0;
  PlayId play = 0;
  /// mark_of() its point.
  std::size_t mark = 0;
  bool told = false;
  /// The code of an error; -1 if there was none, -2 if it was none of this library.
  int code = -1;
  char text[200] = {};
};

/// The note of what was thrown.
inline Note note_of(const std::exception& thrown, int actor, int study = 0) {
  const auto* const error = dynamic_cast<const Error*>(&thrown);
  Note note{.actor = actor,
            .study = study,
            .code = error == nullptr ? -2 : static_cast<int>(error->code())};
  std::strncpy(note.text, thrown.what(), sizeof note.text - 1);
  return note;
}

/// Where actors wait for each other, whichever way they run.
class Gate {
 public:
  explicit Gate(int actors) : actors_(actors) {
    void* const memory =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    shared_ = new (memory) Shared();
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { ::munmap(shared_, sizeof *shared_); }

  /// Returns when all have called it that often. Not forever: if one of them has ended, nobody
  /// waits any more.
  void wait() const {
    const int round = shared_->arrived++ / actors_;
    for (int k = 0; shared_->arrived < (round + 1) * actors_ && !shared_->is_broken; ++k) {
      if (k == 100000) shared_->is_broken = true;
      ::usleep(50);
    }
  }

 private:
  struct Shared {
    std::atomic<int> arrived = 0;
    std::atomic<bool> is_broken = false;
  };

  int actors_;
  Shared* shared_;
};

/// Takes a note.
using Take = std::function<void(const Note& note)>;
/// What the actor of a number does. What it throws is noted.
using Act = std::function<void(int actor, const Take& take)>;

inline void act_and_note(const Act& act, int actor, const Take& take) {
  try {
    act(actor, take);
  } catch (const std::exception& thrown) {
    take(note_of(thrown, actor));
  }
}

inline std::vector<Note> in_threads(int actors, const Act& act) {
  std::vector<Note> notes;
  std::mutex mutex;
  const Take take = [&](const Note& note) {
    const std::lock_guard lock(mutex);
    notes.push_back(note);
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < actors; ++k) threads.emplace_back([&, k] { act_and_note(act, k, take); });
  for (std::thread& thread : threads) thread.join();
  return notes;
}

inline std::vector<Note> in_processes(int actors, const Act& act) {
  int ends[2] = {};
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::vector<pid_t> children;
  for (int k = 0; k < actors; ++k) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    ::close(ends[0]);
    ::alarm(100);  // one that hangs ends
    act_and_note(act, k, [&](const Note& note) {
      if (::write(ends[1], &note, sizeof note) != sizeof note) ::_exit(1);
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  std::vector<Note> notes;
  for (Note note; ::read(ends[0], &note, sizeof note) == sizeof note;) notes.push_back(note);
  ::close(ends[0]);
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "a process has failed";
  }
  return notes;
}

/// Lets actors act at once, and gathers their notes; those of one actor are in order.
inline std::vector<Note> at_once(Way way, int actors, const Act& act) {
  return way == Way::threads ? in_threads(actors, act) : in_processes(actors, act);
}

/// How often something is done. The long form is KEYHOLE_STORM.
inline int times(int otherwise) {
  const char* const wish = std::getenv("KEYHOLE_STORM");
  return wish == nullptr ? otherwise : std::atoi(wish);
}

}  // namespace keyhole::tests
