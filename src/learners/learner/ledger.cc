#include "learners/learner/ledger.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/require.h"

namespace keyhole::algorithms {
namespace {

// Of a vector of doubles: below the limit where sizes have 32 bits.
constexpr std::uint64_t largest_size = std::numeric_limits<std::size_t>::max() / sizeof(double);

std::uint64_t checked_window(std::uint64_t window, std::size_t width) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 32;
  const std::uint64_t most = std::min(limit, largest_size) / width;
  base::require(window >= 1 && window <= most, "the window must be from 1 to " +
                                                   (most == limit ? "2^32" : std::to_string(most)) +
                                                   " plays, not " + std::to_string(window));
  return window;
}

std::uint64_t checked_expiry(std::optional<std::uint64_t> expiry, std::uint64_t window) {
  base::require(!expiry || (*expiry >= 1 && *expiry <= window),
                "the expiry must be from 1 to the " + std::to_string(window) +
                    " plays of the window, not " + std::to_string(expiry.value_or(0)));
  return expiry.value_or(window);
}

}  // namespace

Ledger::Ledger(std::uint64_t window, std::size_t width, std::optional<std::uint64_t> expiry)
    : window_(checked_window(window, width)),
      width_(width),
      expiry_(checked_expiry(expiry, window)),
      values_(window * width),
      feedback_(window) {}

PlayId Ledger::open() {
  ++asked_;
  set_mark(asked_, static_cast<unsigned>(Feedback::pending));
  return asked_;
}

void Ledger::require_asked(PlayId id) const {
  if (id != 0 && id <= asked_) return;
  throw FeedbackError("play " + std::to_string(id) + " was never asked for; the latest is " +
                          std::to_string(asked_),
                      ErrorCode::unknown_play);
}

void Ledger::take(PlayId id, std::span<const double> told, Receipt receipt, bool above_bound,
                  double count) {
  switch (receipt) {
    case Receipt::expired:
      ++expired_;
      return;
    case Receipt::repeated:
      ++duplicates_;
      return;
    case Receipt::fresh:
    case Receipt::late:
      if (count != 1 && counts_.empty()) counts_.resize(window_, 1.0);
      if (!counts_.empty()) counts_[slot(id)] = count;
      std::copy(told.begin(), told.end(), numbers(id).begin());
      feedback_[slot(id)] = Feedback::received;
      ++told_;
      if (above_bound) ++above_bound_;
      mark_received(id);
  }
}

void Ledger::mark_received(PlayId id) {
  first_received_ = first_received_ == 0 ? id : std::min(first_received_, id);
  last_received_ = std::max(last_received_, id);
}

PlayId Ledger::next_received() {
  if (first_received_ == 0) return 0;
  for (PlayId id = first_received_; id <= last_received_; ++id) {
    if (feedback_[slot(id)] != Feedback::received) continue;
    feedback_[slot(id)] = Feedback::absorbed;
    first_received_ = id;  // there may be more after it
    return id;
  }
  first_received_ = 0;
  last_received_ = 0;
  return 0;
}

Summary Ledger::summary() const {
  Summary summary{.asked = asked_,
                  .told = told_,
                  .duplicates = duplicates_,
                  .expired = expired_,
                  .late = late_,
                  .above_bound = above_bound_};
  for (PlayId id = asked_; id >= first_of_latest(expiry_); --id) {
    if (feedback(id) != Feedback::pending) continue;
    ++summary.pending;
    summary.oldest_pending = asked_ - id;
  }
  summary.missing = asked_ - told_ - summary.pending;
  return summary;
}

void Ledger::counts(Archive& archive) {
  for (std::uint64_t* count : {&asked_, &told_, &duplicates_, &expired_, &late_, &above_bound_}) {
    archive.field(*count);
  }
  // No run gets there; and the numbers of its plays would overflow.
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  if (asked_ > most) {
    throw StateError("the state counts " + std::to_string(asked_) + " plays: it is not sound");
  }
}

void Ledger::window(Archive& archive) {
  if (archive.reading()) {
    first_received_ = 0;
    last_received_ = 0;
  }
  if (archive.revision() == 4) {  // a byte and all numbers for each play, told or not
    for (PlayId id = oldest(); id <= asked_; ++id) {
      std::uint8_t byte = 0;
      archive.field(byte);
      set_mark(id, byte);
      for (double& value : numbers(id)) archive.field(value);
    }
    return;
  }
  constexpr unsigned bits = 2;
  constexpr PlayId per_byte = 4;
  for (PlayId first = oldest(); first <= asked_; first += per_byte) {
    const PlayId end = std::min(first + per_byte, asked_ + 1);
    unsigned marks = 0;
    for (PlayId id = end; id-- > first;) {
      marks = marks << bits | static_cast<unsigned>(feedback(id));
    }
    auto byte = static_cast<std::uint8_t>(marks);
    archive.field(byte);
    if (!archive.reading()) continue;
    unsigned left = byte;
    for (PlayId id = first; id < end; ++id, left >>= bits) set_mark(id, left & 3U);
    if (left != 0) throw StateError("the state has a mark for a play that was not asked for");
  }
  for (PlayId id = oldest(); id <= asked_; ++id) {
    if (feedback(id) == Feedback::pending) continue;
    for (double& value : numbers(id)) archive.field(value);
  }
}

void Ledger::counts_of_plays(Archive& archive, bool are_there) {
  if (archive.reading()) counts_.assign(are_there ? window_ : 0, 1.0);
  for (PlayId id = oldest(); are_there && id <= asked_; ++id) {
    if (feedback(id) == Feedback::pending) continue;
    archive.field(counts_[slot(id)]);
    if (!(count(id) > 0)) throw StateError("the state has a count that is none");
  }
}

void Ledger::set_mark(PlayId id, unsigned mark) {
  if (mark > static_cast<unsigned>(Feedback::absorbed)) {
    throw StateError("the state has an unknown mark for play " + std::to_string(id));
  }
  feedback_[slot(id)] = static_cast<Feedback>(mark);
  const std::span<double> told = numbers(id);
  std::fill(told.begin(), told.end(), 0.0);
  if (!counts_.empty()) counts_[slot(id)] = 1;
  if (feedback(id) == Feedback::received) mark_received(id);
}

}  // namespace keyhole::algorithms
