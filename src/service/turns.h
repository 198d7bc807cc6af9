#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace keyhole::service {

/// Threads for work of some kind.
struct Lane {
  /// Runs something in another thread.
  std::function<void(std::function<void()> work)> run;
  /// How much runs at once.
  std::size_t threads = 1;
  /// How many threads there are besides, for who comes while others wait for a lock or a disk.
  std::size_t spare = 0;
};

/// Who is next. Work of a study takes turns where it would wait for itself: to put a thread to
/// sleep and to wake it takes as long as many a step. Tenants take turns at the threads, and none
/// has all of them where there may be several. Studies whose work takes long have the threads of
/// the last lane, of which there are few, so that others find a thread and a processor. Memory is
/// that of the work that waits, and a line for each study whose work took long lately. Thread-safe.
class Turns {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<void()>;

  /// Whose work it is: of a tenant, on what has that name.
  struct Key {
    std::string tenant;
    std::string name;
    std::uint64_t number = 0;  // of work that waits for no other by the same name

    bool operator<(const Key& other) const {
      return std::tie(tenant, name, number) < std::tie(other.tenant, other.name, other.number);
    }
  };
  struct Options {
    /// Whether one tenant must leave a thread to others.
    bool has_tenants = false;
    /// A study is long if its work takes more of a processor, or more time, waits included.
    Clock::duration processor = std::chrono::milliseconds(10);
    Clock::duration time = std::chrono::milliseconds(100);
  };

  /// One lane, or two: the last is for what takes long.
  Turns(std::vector<Lane> lanes, Options options);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Runs it when it is its turn: after all work of its key that came before it, if it
  /// `takes_turns`.
  void add(Key key, Work work, bool takes_turns = true);
  /// Work that has waited for long gives its place to others, if there are spare threads.
  void look();
  /// How many studies are known here: they have work, or it took long lately.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Busy;
  struct Queue {
    std::list<Work> waiting = {};
    // Of work that runs.
    Busy* runs_in = nullptr;
    bool is_lent = false;  // its place
    Clock::time_point begin = {};
    clockid_t processor = {};  // of its thread, and what that showed at the beginning
    Clock::duration used = {};
  };
  /// What the latest work of a study took; 1 is the most that is not long.
  struct Cost {
    double cost = 0;
    Clock::time_point latest = {};
  };
  using Queues = std::map<Key, Queue>;
  /// What a tenant has in a lane.
  struct Share {
    std::list<Queues::iterator> ready = {};
    std::size_t running = 0;
    std::size_t lent = 0;
  };
  struct Busy {
    Lane lane;
    std::map<std::string, Share> shares = {};
    std::string latest = {};  // the tenant that was served last
    std::size_t running = 0;
    std::size_t lent = 0;
  };
  /// Work whose turn it is.
  struct Turn {
    Queues::iterator queue;
    Work work;
  };

  [[nodiscard]] Busy& lane_of(const Key& key);
  [[nodiscard]] std::size_t most_of_one(std::size_t threads) const;
  void make_ready(Queues::iterator queue);
  /// The next turn, if there is one and a thread may be had.
  [[nodiscard]] std::optional<Turn> take(Busy& lane);
  /// Finds threads for what is ready.
  void start();
  /// Works until nothing is left to do.
  void serve(Busy& lane, Turn turn);
  void end(Busy& lane, Queues::iterator queue);
  /// Notes that work of a study took so much.
  void took(const Key& key, double cost, Clock::time_point now);

  Options options_;
  mutable std::mutex mutex_;
  std::deque<Busy> lanes_;
  Queues queues_;
  std::map<Key, Cost> long_;
  std::uint64_t latest_ = 0;
};

}  // namespace keyhole::service
