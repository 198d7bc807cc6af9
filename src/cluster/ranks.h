// The processes of an MPI job: all of MPI that an experiment needs.

#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <optional>

namespace keyhole::cluster {

/// The ranks of the job, from beginning to end of the program; and a counter that they share.
/// next(), stop_all() and progress() may be called from several threads.
class Ranks {
 public:
  Ranks(int* count, char*** words);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  /// Whether this is rank 0, which prepares, merges and prints.
  [[nodiscard]] bool is_first() const { return rank_ == 0; }
  /// The next number below the limit that no rank has had; none if there is no more.
  [[nodiscard]] std::optional<std::uint64_t> next(std::uint64_t limit);
  /// The numbers begin again. To be called by one rank while the others wait in all().
  void restart();
  /// No rank gets another number.
  void stop_all();
  /// Lets others reach the counter, which rank 0 holds, while this rank computes.
  void progress();
  /// Waits for all ranks; whether all of them say so.
  [[nodiscard]] bool all(bool here);

 private:
  std::uint64_t fetch(std::uint64_t value, MPI_Op operation);

  int rank_ = 0;
  std::uint64_t* counter_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  std::mutex mutex_;  // MPI is called by one thread at a time
};

}  // namespace keyhole::cluster
