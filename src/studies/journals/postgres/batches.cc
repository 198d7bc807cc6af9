#include "studies/journals/postgres/batches.h"

#include <algorithm>
#include <set>

namespace keyhole::studies {
namespace {

constexpr std::size_t largest_batch = 256;

// Always in the order of the studies: else two replicas could wait for each other.
constexpr Statement append_frames = {
    "append_frames",
    "insert into keyhole_frame (study, position, data) "
    "select n.study, n.position, n.data from unnest($1::int8[], $2::int8[], $3::bytea[], "
    "$4::int8[], $5::bytea[]) as n (study, position, data, before, seal) "
    "where exists (select from keyhole_frame as f where f.study = n.study and f.position = "
    "n.before and substr(f.data, length(f.data) - length(n.seal) + 1) = n.seal) and exists (select "
    "from keyhole_study as s where s.id = n.study and s.name not like '.%') order by n.study "
    "on conflict do nothing returning study",
    true};

/// Whether the server has undone the statement because of what others did at the same time.
bool can_be_tried_again(const DatabaseError& error) {
  return !error.maybe_stored() && (error.state() == "40P01" || error.state() == "40001");
}

}  // namespace

bool Batches::append(NewFrame frame) {
  Waiting mine{.frame = std::move(frame)};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&mine);
  if (!is_led_) is_led_ = mine.leads = true;
  while (!mine.done) {
    mine.wake.wait(lock, [&] { return mine.done || mine.leads; });
    if (mine.done) break;
    const std::vector<Waiting*> batch = next_batch();
    lock.unlock();
    store(batch);
    lock.lock();
    mine.leads = false;
    for (Waiting* const one : batch) {
      one->done = true;
      one->wake.notify_one();
    }
    is_led_ = !waiting_.empty();
    if (!is_led_) continue;
    waiting_.front()->leads = true;
    waiting_.front()->wake.notify_one();
  }
  if (mine.error) std::rethrow_exception(mine.error);
  return mine.won;
}

/// Takes those that have waited longest, one of a study.
std::vector<Batches::Waiting*> Batches::next_batch() {
  std::vector<Waiting*> batch;
  std::vector<Waiting*> later;
  std::set<std::uint64_t> studies;
  for (Waiting* const one : waiting_) {
    const bool fits = batch.size() < largest_batch && studies.insert(one->frame.study).second;
    (fits ? batch : later).push_back(one);
  }
  waiting_ = std::move(later);
  return batch;
}

/// Sets what became of each.
void Batches::store(const std::vector<Waiting*>& batch) {
  std::vector<std::uint64_t> studies;
  std::vector<std::uint64_t> positions;
  std::vector<std::uint64_t> befores;
  std::vector<std::string> data;
  std::vector<std::string> seals;
  for (const Waiting* const one : batch) {
    studies.push_back(one->frame.study);
    positions.push_back(one->frame.position);
    data.push_back(one->frame.data);
    befores.push_back(one->frame.before);
    seals.push_back(one->frame.seal);
  }
  const std::vector<std::string> values = {whole_values(studies), whole_values(positions),
                                           bytes_values(data), whole_values(befores),
                                           bytes_values(seals)};
  constexpr int most_tries = 5;
  for (int tries = 1;; ++tries) {
    try {
      const Rows won = database_.run(append_frames, values);
      for (std::size_t k = 0; k < won.size(); ++k) {
        const auto winner = std::find(studies.begin(), studies.end(), won.whole(k, 0));
        batch[static_cast<std::size_t>(winner - studies.begin())]->won = true;
      }
      return;
    } catch (const DatabaseError& error) {
      if (can_be_tried_again(error) && tries < most_tries) continue;
      for (Waiting* const one : batch) one->error = std::current_exception();
    } catch (...) {
      for (Waiting* const one : batch) one->error = std::current_exception();
    }
    return;
  }
}

}  // namespace keyhole::studies
