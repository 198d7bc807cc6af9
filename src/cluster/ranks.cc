#include "cluster/ranks.h"

#include <limits>
#include <stdexcept>

namespace keyhole::cluster {
namespace {

constexpr std::uint64_t no_more = std::numeric_limits<std::uint64_t>::max() / 2;

}  // namespace

Ranks::Ranks(int* count, char*** words) {
  int provided = 0;
  MPI_Init_thread(count, words, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw std::runtime_error(
        "this MPI cannot be called from several threads in turn "
        "(MPI_THREAD_SERIALIZED): take another one");
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  const MPI_Aint size = rank_ == 0 ? sizeof(std::uint64_t) : 0;
  MPI_Win_allocate(size, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                   static_cast<void*>(&counter_), &window_);
  MPI_Win_lock_all(0, window_);
  if (rank_ == 0) {
    *counter_ = 0;
    MPI_Win_sync(window_);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

Ranks::~Ranks() {
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
  MPI_Finalize();
}

/// The counter as it was before the operation.
std::uint64_t Ranks::fetch(std::uint64_t value, MPI_Op operation) {
  const std::scoped_lock lock(mutex_);
  std::uint64_t before = 0;
  MPI_Fetch_and_op(&value, &before, MPI_UINT64_T, 0, 0, operation, window_);
  MPI_Win_flush(0, window_);
  return before;
}

std::optional<std::uint64_t> Ranks::next(std::uint64_t limit) {
  const std::uint64_t number = fetch(1, MPI_SUM);
  return number < limit ? std::optional(number) : std::nullopt;
}

void Ranks::restart() { (void)fetch(0, MPI_REPLACE); }

void Ranks::stop_all() { (void)fetch(no_more, MPI_REPLACE); }

void Ranks::progress() {
  const std::scoped_lock lock(mutex_);
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

bool Ranks::all(bool here) {
  const std::scoped_lock lock(mutex_);
  const int mine = here ? 1 : 0;
  int least = 0;
  MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return least == 1;
}

}  // namespace keyhole::cluster
