#include "studies/journals/postgres/journal.h"

#include <algorithm>
#include <utility>

#include "keyhole/study.h"
#include "studies/journals/log_reader.h"

namespace keyhole::studies {
namespace {

constexpr std::size_t page = 10000;  // frames that are read at a time
constexpr Statement read_frames_of = {
    "read_frames",
    "select position, data from keyhole_frame where study = $1::int8 and position >= $2::int8 "
    "and exists (select from keyhole_study where id = $1::int8 and name not like '.%') order by "
    "position "
    "limit $3::int8"};

constexpr Statement frame_before = {
    "frame_before",
    "select position, data from keyhole_frame where study = $1::int8 and position < $2::int8 "
    "order by position desc limit 1"};

constexpr Statement find_content = {
    "find_content", "select data from keyhole_content where study = $1::int8 and name = $2::text"};
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

/// The end of a frame that says which one it is: its seal, or its checksum in format 1.
std::string seal_of(std::string_view frame, const Mark& end) {
  const std::size_t size = std::min<std::size_t>(frame.size(), end.is_sealed ? 8 : 4);
  return std::string(frame.substr(frame.size() - size));
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

/// Finds the frame before a mark, which must be there as it was.
void PostgresJournal::look_back(const Mark& mark) {
  const Rows rows =
      shared_->database.run(frame_before, {whole_value(study_), whole_value(mark.position)});
  if (rows.size() == 0) fail_as_replaced();
  const std::string_view data = rows.bytes(0, 1);
  last_ = {rows.whole(0, 0), mark, seal_of(data, mark)};
  if (last_->begin + data.size() != mark.position) fail_as_replaced();
  require_mark(last_->seal, mark, "the log of the study '" + name_ + "'");
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

void PostgresJournal::read(Mark from, const Take& take) {
  const std::lock_guard lock(mutex_);
  if (from.position > 0 && !(last_ && last_->end == from)) look_back(from);
  // The page begins with the frame before, which must be there as it was.
  bool looks_back = from.position > 0;
  Mark end = from;
  std::uint64_t next = looks_back ? last_->begin : 0;
  while (true) {
    const Rows rows = counted([&] {
      return shared_->database.run(read_frames_of,
                                   {whole_value(study_), whole_value(next), whole_value(page)});
    });
    if (rows.size() == 0 && (looks_back || next == 0)) fail_as_replaced();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::uint64_t position = rows.whole(k, 0);
      const std::string_view data = rows.bytes(k, 1);
      next = position + data.size();
      if (std::exchange(looks_back, false)) {
        const bool is_it = position == last_->begin && next == end.position;
        if (!is_it || !data.ends_with(last_->seal)) fail_as_replaced();
        continue;
      }
      const auto frame = read_frame(data, end);
      if (!frame || frame->end.position != next || position != end.position) {
        fail_as_damaged("the log of the study '" + name_ + "' in " + shared_->database.text(),
                        end.position);
      }
      take(frame->content, frame->end);
      end = frame->end;
      last_ = {position, end, seal_of(data, end)};
    }
    if (rows.size() < page) return;
  }
}

std::uint64_t PostgresJournal::hardened() const {
  const std::lock_guard lock(mutex_);
  return last_ ? last_->end.position : 0;
}

std::optional<Mark> PostgresJournal::append(const Mark& expected, std::string_view content) {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->end != expected) return {};
  Mark end = expected;
  const std::string data = frame_bytes(end, expected.position, content);
  const bool won = counted([&] {
    return shared_->batches.append({study_, expected.position, data, last_->begin, last_->seal});
  });
  if (!won) return {};
  last_ = {expected.position, end, seal_of(data, end)};
  return end;
}

std::optional<std::string> PostgresJournal::kept_content(const std::string& name) {
  const Rows rows = shared_->database.run(find_content, {whole_value(study_), name});
  if (rows.size() == 0) return {};
  return std::string(rows.bytes(0, 0));
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

std::vector<Snapshot> PostgresSnapshots::read(Unreadable /*unreadable*/) const {
  std::vector<Snapshot> result;
  const Rows rows = shared_->database.run(read_snapshots, {whole_value(study_)});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto snapshot = read_snapshot(rows.bytes(k, 1));
    if (snapshot && snapshot->mark.position == rows.whole(k, 0)) {
      result.push_back(std::move(*snapshot));
    }
  }
  return result;
}

void PostgresSnapshots::keep(const Snapshot& snapshot) const {
  shared_->database.run(keep_snapshot, {whole_value(study_), whole_value(snapshot.mark.position),
                                        snapshot_bytes(snapshot)});
  shared_->database.run(drop_snapshots, {whole_value(study_), whole_value(kept)});
}

}  // namespace keyhole::studies
