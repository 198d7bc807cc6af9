// How a study begins with a snapshot, and when it keeps one.

#include <algorithm>

#include "studies/format/crc32c.h"
#include "studies/study/body.h"

namespace keyhole {

/// Begins with the latest snapshot that fits the log, if any.
void Study::Body::begin_with_a_snapshot() {
  for (const studies::Snapshot& snapshot : snapshots_->read()) {
    try {
      begin_with(snapshot);
      snapshot_position_ = snapshot.position;
      return;
    } catch (const DatabaseError&) {  // which says nothing of the snapshot
      throw;
    } catch (const Error&) {  // an earlier one, or the whole log
      learner_.reset();
      description_.reset();
      retired_.clear();
      position_ = 0;
      asked_ = before_ = offset_ = 0;
      explores_ = true;
    }
  }
}

void Study::Body::begin_with(const studies::Snapshot& snapshot) {
  begin(snapshot.text);
  asked_ = snapshot.asked;
  before_ = snapshot.before;
  offset_ = snapshot.offset;
  explores_ = snapshot.explores;
  restore(snapshot);
  // The frame before its position says whether it is of this log.
  position_ = snapshot.last;
  const Stopwatch stopwatch(replay_time_);
  bool fits = false;
  journal_->read(position_, [&](std::string_view content, std::uint64_t end) {
    if (fits) return take(content, end, {});
    fits = end == snapshot.position && studies::crc32c(content) == snapshot.checksum;
    if (!fits) throw StudyError("a snapshot of another log");
    move_on(content, end);
  });
  if (!fits) throw StudyError("a snapshot of a longer log");
}

void Study::Body::restore(const studies::Snapshot& snapshot) {
  const auto restore = [&](Digits digits) {
    learner_->restore(State::from_bytes(std::as_bytes(std::span(snapshot.state))), digits);
  };
  if (!old_revision_) {
    restore(Digits::same);
    of_worker_ = snapshot.workers;
    return;
  }
  recommended_ = snapshot.recommended;
  try {
    restore(Digits::may_differ);
    has_learned_ = true;
  } catch (const Error&) {  // the recommendation is what is left
  }
  learner_->explore(explores_);
}

studies::Snapshot Study::Body::snapshot() const {
  const State state = learner_->state();
  return {.last = last_,
          .position = position_,
          .checksum = studies::crc32c(last_content_),
          .asked = asked_,
          .before = before_,
          .offset = offset_,
          .text = text_,
          .recommended = learner_->recommend(),
          .explores = explores_,
          .workers = of_worker_,
          .state = std::string(reinterpret_cast<const char*>(state.bytes().data()),
                               state.bytes().size())};
}

/// Keeps a snapshot when playing the log again from the latest one would take long, or when the log
/// has grown by an eighth: after an upgrade that changes the digits, a snapshot is all that is
/// known of what was learned.
void Study::Body::keep_snapshot_if_due() {
  using std::chrono::milliseconds;
  if (!snapshots_ || old_revision_) return;
  const auto is_due = [&] {
    return replay_time_ >
               std::max<std::chrono::duration<double>>(milliseconds(50), 10 * writing_time_) ||
           position_ - snapshot_position_ > std::max<std::uint64_t>(1024, position_ / 8);
  };
  if (!is_due()) return;
  try {
    const std::uint64_t latest = snapshots_->latest();  // of another process
    if (latest > snapshot_position_ && latest <= position_) {
      snapshot_position_ = latest;
      replay_time_ = {};
      if (!is_due()) return;
    }
    writing_time_ = {};
    const Stopwatch stopwatch(writing_time_);
    // A snapshot of what a power cut may take back would be of another log.
    journal_->harden(position_);
    snapshots_->keep(snapshot());
  } catch (const base::DiskError&) {  // the log alone will do
  } catch (const DatabaseError&) {
  }
  snapshot_position_ = position_;
  replay_time_ = {};
}

}  // namespace keyhole
