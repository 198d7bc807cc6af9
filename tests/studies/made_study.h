#pragma once

#include <memory>
#include <string>

#include "keyhole/store.h"
#include "studies/format/frame.h"
#include "studies/journals/journal.h"
#include "studies/study/inside.h"
#include "studies/study/live.h"

namespace keyhole::tests {

/// The first bytes of a log: the frame of a description.
inline std::string first_frame(const std::string& text) {
  studies::Mark mark;
  return studies::frame_bytes(mark, 0, text);
}

/// The log with the contents that change(content) makes of its own, and seals that fit.
template <class Change>
std::string rewritten(const std::string& log, Change change) {
  std::string result;
  studies::Mark written;
  for (studies::Mark at; at.position < log.size();) {
    const auto frame = studies::read_frame(std::string_view(log).substr(at.position), at).value();
    std::string content(frame.content);
    change(content);
    result += studies::frame_bytes(written, frame.hardened, content);
    at = frame.end;
  }
  return result;
}

/// The study of a log, without snapshots.
inline Study study_of(std::unique_ptr<studies::Journal> journal, Durability durability) {
  return studies::Inside::study_of(
      std::make_unique<Study::Live>("s", std::move(journal), StoreOptions{.durability = durability},
                                    std::make_shared<Catalogue>(Catalogue::standard())));
}

/// State::hash() of what a log leads to, all of it played again.
inline std::uint64_t hash_of_the_log(const Store& store, const std::string& name) {
  return store.replay(name, [](const StudyRecord& /*record*/) {}).state_hash;
}

}  // namespace keyhole::tests
