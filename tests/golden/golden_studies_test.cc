// Logs as they were written once are opened, shown and gone on with, by this version and by those
// with other digits.

#include "golden/golden_studies.h"

#include <gtest/gtest.h>

#include <set>

#include "folder.h"
#include "keyhole/version.h"
#include "studies/format/events.h"
#include "studies/format/frame.h"

namespace keyhole::tests {
namespace {

namespace fs = std::filesystem;

const std::string golden_folder = std::string(KEYHOLE_SOURCE_DIR) + "/tests/golden/studies";

/// Hands over each frame of a log, and where it begins.
template <class Take>
void for_each_frame(const std::string& log, const Take& take) {
  for (studies::Mark at; at.position < log.size();) {
    const auto frame = studies::read_frame(std::string_view(log).substr(at.position), at).value();
    take(frame, at);
    at = frame.end;
  }
}

/// The text of a description, of the revision of the digits before this one.
std::string of_another_revision(const std::string& description) {
  const std::string key = "\"trace_revision\":";
  const std::size_t begin = description.find(key) + key.size();
  const std::size_t end = description.find_first_not_of("0123456789", begin);
  return description.substr(0, begin) + std::to_string(trace_revision - 1) +
         description.substr(end);
}

/// The same log with descriptions of another revision, and seals that fit.
std::string log_of_another_revision(const std::string& log) {
  std::string result;
  studies::Mark written;
  std::uint64_t asked = 0;
  bool is_changed = false;
  for_each_frame(log, [&](const auto& frame, const studies::Mark& at) {
    std::string content(frame.content);
    studies::Event event;
    if (at.position == 0) {
      is_changed = frame.end.is_sealed;
      if (is_changed) content = of_another_revision(content);
    } else if (studies::read_event(frame.content, asked, event)) {
      if (const auto* const step = std::get_if<studies::Step>(&event)) asked += step->asks;
      if (auto* const era = std::get_if<studies::Era>(&event)) {
        is_changed = true;
        era->text = of_another_revision(era->text);
        content = studies::event_content(event, asked);
      }
    }
    if (is_changed) {
      result += studies::frame_bytes(written, frame.hardened, content);
    } else {  // of format 1, or next to it
      result += log.substr(at.position, frame.end.position - at.position);
      written = frame.end;
    }
  });
  return result;
}

TEST(GoldenStudies, HaveEachKindOfFrame) {
  std::set<int> kinds;
  for (const std::string& name : Store(golden_folder).list()) {
    bool is_first = true;
    for_each_frame(*bytes(golden_folder + "/" + name + "/log"),
                   [&](const auto& frame, const studies::Mark& /*at*/) {
                     if (!std::exchange(is_first, false)) kinds.insert(frame.content.front());
                   });
  }
  EXPECT_EQ(kinds, (std::set<int>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

class GoldenStudy : public testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  GoldenStudy() {
    fs::copy(golden_folder + "/" + name_, folder_.path(name_), fs::copy_options::recursive);
    const std::string log = folder_.path(name_ + "/log");
    if (is_of_another_revision_) write_bytes(log, log_of_another_revision(*bytes(log)));
  }

  std::string name_ = std::get<0>(GetParam());
  bool is_of_another_revision_ = std::get<1>(GetParam());
  Folder folder_;
  Store store_{folder_.path(""), {.durability = Durability::process, .now = golden_noon}};
};

TEST_P(GoldenStudy, GoesOn) {
  PlayId latest = 0;
  std::uint64_t past = 0;
  store_.replay(
      name_,
      [&](const StudyRecord& record) {
        past += record.past.size();
        for (const StudyPlay& play : record.gave.plays) EXPECT_EQ(play.id, ++latest);
      },
      {}, Replay::facts);
  Study as_it_is = store_.open(name_);
  EXPECT_TRUE(as_it_is.needs_renewal() || !is_of_another_revision_);
  if (as_it_is.needs_renewal()) {
    EXPECT_THROW((void)as_it_is.ask("w9"), StudyError);
    // Of points that are not there nothing can be learned.
    EXPECT_EQ(store_.renew(name_),
              name_ == "witnesses" ? Renewal::nothing : Renewal::what_was_learned);
  }
  Study study = store_.open(name_);
  EXPECT_FALSE(study.needs_renewal());
  EXPECT_TRUE(study.explores());
  EXPECT_EQ(study.past(), past);
  for (int k = 0; k < 3; ++k) {
    const StudyPlay play = study.ask("w9");
    EXPECT_EQ(play.id, ++latest);
    EXPECT_TRUE(study.set().contains(play.point));
    EXPECT_EQ(study.tell(play.id, 0.5), Receipt::fresh);
  }
  EXPECT_EQ(store_.open(name_).state(), study.state());
  EXPECT_EQ(store_.replay(name_, [](const StudyRecord&) {}).state_hash, study.state().hash());
}

INSTANTIATE_TEST_SUITE_P(Logs, GoldenStudy,
                         testing::Combine(testing::Values("kinds", "study_format_1", "witnesses"),
                                          testing::Bool()),
                         [](const auto& info) {
                           return std::get<0>(info.param) +
                                  (std::get<1>(info.param) ? "_of_another_revision" : "");
                         });

}  // namespace
}  // namespace keyhole::tests
