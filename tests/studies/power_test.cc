// What was acknowledged is there after a power cut at any call, and after a sync that failed:
// studies that were made, losses that were told, and that a study was deleted.

#include <gtest/gtest.h>

#include <optional>

#include "folder.h"
#include "keyhole/store.h"
#include "studies/journals/snapshots.h"
#include "studies/journals/store_disk.h"
#include "studies/made_study.h"
#include "studies/power_disk.h"

namespace keyhole::tests {
namespace {

StudyDescription simple() { return {.on = "simplex(3)", .options = {.seed = 5}}; }

/// What was acknowledged.
struct Acknowledged {
  bool made = false;
  bool other_made = false;
  bool other_deleting = false;  // which may be done, or not
  bool other_deleted = false;
  std::uint64_t told = 0;
  bool has_snapshot = false;
};

void step(Study& study, Acknowledged& known) {
  const StudyPlay play = study.ask("w");
  study.tell(play.id, play.point[0]);
  ++known.told;
}

std::uint64_t latest_snapshot(const std::string& folder) {
  base::Disk disk;
  const auto all = studies::FileSnapshots(folder + "/s", disk).read(studies::Unreadable::refused);
  return all.empty() ? 0 : all.front().mark.position;
}

void play(const std::string& folder, Acknowledged& known) {
  const Store store(folder);
  Study study = store.create("s", simple());
  known.made = true;
  for (int t = 0; t < 6; ++t) step(study, known);
  (void)store.create("t", simple());
  known.other_made = true;
  known.other_deleting = true;
  store.remove("t");
  known.other_deleted = true;
  for (int t = 0; t < 90; ++t) {
    step(study, known);
    known.has_snapshot = known.has_snapshot || latest_snapshot(folder) > 0;
  }
  EXPECT_GT(latest_snapshot(folder), 3 * 1024U);  // more than are kept
}

std::string problem_after(const std::string& folder, const Acknowledged& known) {
  const Store store(folder);
  const std::vector<std::string> names = store.list();
  const auto has = [&](const char* name) { return std::ranges::count(names, name) > 0; };
  if (known.made && !has("s")) return "a study that was made is not there";
  if (known.other_made && !known.other_deleting && !has("t")) return "t is not there";
  if (known.other_deleted && has("t")) return "a study that was deleted is there again";
  if (!has("s")) return "";
  if (known.has_snapshot && latest_snapshot(folder) == 0) return "there is no snapshot any more";
  Study study = store.open("s");
  const std::uint64_t told = study.summary().told;
  if (told < known.told) return "a loss that was told is not there";
  if (told > known.told + 1) return "there are losses that nobody told";
  if (study.state().hash() != hash_of_the_log(store, "s")) return "the log gives another state";
  (void)study.tell(study.ask("w").id, 0.5);
  return "";
}

TEST(PowerCut, AtAnyCallLosesNothingThatWasAcknowledged) {
  int cuts = 0;
  for (bool was_cut = true; was_cut; cuts += was_cut ? 1 : 0) {
    const Folder folder;
    PowerDisk disk(folder.path("."));
    disk.cut_at = cuts;
    Acknowledged known;
    was_cut = false;
    {
      const studies::DiskInstead instead(disk);
      try {
        play(folder.path("."), known);
      } catch (const PowerCut&) {
        was_cut = true;
      }
    }
    disk.power_cut();
    EXPECT_EQ(problem_after(folder.path("."), known), "") << "cut at call " << cuts;
  }
  EXPECT_GT(cuts, 100);
}

TEST(FailedSync, AnyOfThemLosesNothingThatWasAcknowledged) {
  int failures = 0;
  for (bool has_failed = true; has_failed; failures += has_failed ? 1 : 0) {
    const Folder folder;
    PowerDisk disk(folder.path("."));
    disk.fail_sync_at = failures;
    Acknowledged known;
    {
      const studies::DiskInstead instead(disk);
      const Store store(folder.path("."));
      std::optional<Study> study;
      for (int tries = 0; known.told < 30 && tries < 100; ++tries) {
        try {
          if (!study) study.emplace(store.create("s", simple()));
          known.made = true;
          while (known.told < 30) step(*study, known);
        } catch (const Error&) {
          study.reset();  // as a service does: the next call opens it again
        }
      }
    }
    has_failed = disk.syncs > failures;
    disk.power_cut();
    EXPECT_EQ(problem_after(folder.path("."), known), "") << "sync " << failures << " failed";
  }
  EXPECT_GT(failures, 30);
}

}  // namespace
}  // namespace keyhole::tests
