#include "studies/study/transfer.h"

#include <utility>

#include "studies/journals/log_reader.h"
#include "studies/journals/place.h"

namespace keyhole::studies {
namespace {

std::string log_text(const std::string& name) { return "the log of the study '" + name + "'"; }

}  // namespace

Transfer::Log Transfer::log_of(const Store& store, const std::string& name) {
  store.require_study(name);
  Log log{.bytes = store.place_->log(name), .ends = {}};
  const LogRead read = read_frames(
      log.bytes, {}, log_text(name),
      [&](std::string_view /*content*/, const Mark& end) { log.ends.push_back(end.position); });
  log.bytes.resize(read.end.position);
  if (log.bytes.empty()) store.refuse(name);  // it was deleted meanwhile
  return log;
}

std::uint64_t Transfer::take(const Store& store, const std::string& name, std::uint64_t from,
                             std::string_view frames, const Look& look) {
  const std::string there = store.place_->log(name);
  if (from > there.size()) {
    throw StudyError(log_text(name) + " ends at byte " + std::to_string(there.size()) +
                         " here: send what follows, not what begins at byte " +
                         std::to_string(from),
                     ErrorCode::other_description);
  }
  std::string_view beyond = there;
  beyond.remove_prefix(from);
  if (!frames.empty() && beyond.starts_with(frames)) return there.size();
  if (frames.starts_with(beyond)) {
    frames.remove_prefix(beyond.size());
  } else {
    throw StudyError("there is a study '" + name + "' with another log: delete it first, or take " +
                         "another name",
                     ErrorCode::other_description);
  }
  const std::string whole = there + std::string(frames);
  bool is_first = there.empty();
  const auto take = [&](std::string_view content, const Mark& /*end*/) {
    if (!std::exchange(is_first, false)) return;
    look(read_description(std::string(content), log_text(name)));
  };
  const auto are_frames = [&] {
    try {
      return read_frames(whole, {}, log_text(name), take).end.position == whole.size();
    } catch (const StudyError& error) {
      if (error.code() == ErrorCode::damaged_log) return false;
      throw;
    }
  };
  if (frames.empty() || !are_frames()) {
    throw InvalidArgument("what was sent is not whole frames of " + log_text(name) +
                          " that follow what is here");
  }
  const bool is_done = there.empty() ? store.place_->make(name, whole, {})
                                     : store.place_->extend(name, there.size(), whole);
  if (!is_done) {
    throw StudyError("the study '" + name + "' was made or played by somebody else meanwhile",
                     ErrorCode::other_description);
  }
  return whole.size();
}

}  // namespace keyhole::studies
