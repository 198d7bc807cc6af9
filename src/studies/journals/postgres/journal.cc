#include "studies/journals/postgres/journal.h"

#include <utility>

#include "keyhole/study.h"
#include "studies/format/frame.h"

namespace keyhole::studies {
namespace {

constexpr std::size_t page = 10000;  // frames that are read at a time
constexpr Statement read_frames_of = {
    "read_frames",
    "select position, data from keyhole_frame where study = $1::int8 and position >= $2::int8 "
    "order by position limit $3::int8"};

constexpr Statement latest_snapshot = {
    "latest_snapshot",
    "select coalesce(max(position), 0) from keyhole_snapshot where study = $1::int8"};
constexpr Statement read_snapshots = {"read_snapshots",
                                      "select position, data from keyhole_snapshot where study = "
                                      "$1::int8 order by position desc"};
constexpr Statement keep_snapshot = {"keep_snapshot",
                                     "insert into keyhole_snapshot values ($1::int8, $2::int8, "
                                     "$3::bytea) on conflict do nothing"};
constexpr Statement drop_snapshots = {
    "drop_snapshots",
    "delete from keyhole_snapshot where study = $1::int8 and position not in (select position "
    "from keyhole_snapshot where study = $1::int8 order by position desc limit $2::int8)"};

/// The checksum at the end of a frame.
std::string seal_of(std::string_view frame) {
  return std::string(frame.substr(frame.size() < 4 ? 0 : frame.size() - 4));
}

}  // namespace

PostgresJournal::PostgresJournal(std::shared_ptr<SharedDatabase> shared, std::uint64_t study,
                                 std::string name)
    : shared_(std::move(shared)), study_(study), name_(std::move(name)) {}

void PostgresJournal::fail_as_replaced() const {
  throw ReplacedStudy("the study '" + name_ + "' in " + shared_->database.text() +
                      " was deleted or replaced, or the database has lost steps of it (a standby "
                      "took over): nothing was stored, open the study again");
}

bool PostgresJournal::is_last(std::uint64_t position, std::string_view data) const {
  return position == last_->begin && position + data.size() == last_->end &&
         data.ends_with(last_->seal);
}

template <class Function>
auto PostgresJournal::counted(Function f) {
  try {
    return f();
  } catch (const DatabaseError& error) {
    if (error.code() == ErrorCode::busy) ++waits_in_vain_;
    throw;
  }
}

void PostgresJournal::read(std::uint64_t from, const Take& take) {
  const std::lock_guard lock(mutex_);
  bool looks_back = last_ && last_->end == from;
  std::uint64_t next = looks_back ? last_->begin : from;
  while (true) {
    const Rows rows = counted([&] {
      return shared_->database.run(read_frames_of,
                                   {whole_value(study_), whole_value(next), whole_value(page)});
    });
    if (rows.size() == 0 && (looks_back || next == 0)) fail_as_replaced();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::uint64_t position = rows.whole(k, 0);
      const std::string_view data = rows.bytes(k, 1);
      if (looks_back && !is_last(position, data)) fail_as_replaced();
      next = position + data.size();
      if (std::exchange(looks_back, false)) continue;
      const auto frame = read_frame(data, position);
      if (!frame || frame->end != next || position != from) {
        throw StudyError("the log of the study '" + name_ + "' in " + shared_->database.text() +
                         " is damaged at byte " + std::to_string(from) +
                         ": restore it from a copy; nothing was changed");
      }
      take(frame->content, next);
      last_ = {position, next, seal_of(data)};
      from = next;
    }
    if (rows.size() < page) return;
  }
}

std::uint64_t PostgresJournal::hardened() const {
  const std::lock_guard lock(mutex_);
  return last_ ? last_->end : 0;
}

std::optional<std::uint64_t> PostgresJournal::append(std::uint64_t expected,
                                                     std::string_view content) {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->end != expected) return {};
  const std::string data = frame_bytes(expected, expected, content);
  const bool won = counted([&] {
    return shared_->batches.append({study_, expected, data, last_->begin, last_->seal});
  });
  if (!won) return {};
  last_ = {expected, expected + data.size(), seal_of(data)};
  return last_->end;
}

std::string read_log(Database& database, std::uint64_t study) {
  std::string bytes;
  while (true) {
    const Rows rows = database.run(
        read_frames_of, {whole_value(study), whole_value(bytes.size()), whole_value(page)});
    for (std::size_t k = 0; k < rows.size(); ++k) bytes += rows.bytes(k, 1);
    if (rows.size() < page) return bytes;
  }
}

std::uint64_t PostgresSnapshots::latest() const {
  return shared_->database.run(latest_snapshot, {whole_value(study_)}).whole(0, 0);
}

std::vector<Snapshot> PostgresSnapshots::read() const {
  std::vector<Snapshot> result;
  const Rows rows = shared_->database.run(read_snapshots, {whole_value(study_)});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto snapshot = read_snapshot(rows.bytes(k, 1));
    if (snapshot && snapshot->position == rows.whole(k, 0)) result.push_back(std::move(*snapshot));
  }
  return result;
}

void PostgresSnapshots::keep(const Snapshot& snapshot) const {
  shared_->database.run(keep_snapshot, {whole_value(study_), whole_value(snapshot.position),
                                        snapshot_bytes(snapshot)});
  shared_->database.run(drop_snapshots, {whole_value(study_), whole_value(kept)});
}

}  // namespace keyhole::studies
