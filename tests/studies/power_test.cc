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
#include "studies/study/transfer.h"

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
  bool brought_back = false;
  bool labelled = false;
  std::uint64_t past = 0;
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
  (void)store.create("u", simple());
  store.remove("u", 3600);
  store.undelete("u");
  known.brought_back = true;
  store.set_label("s", {.note = "a note"});
  known.labelled = true;
  study.learn({0.25, 0.25, 0.5}, 0.5);
  known.past = study.past();
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
  if (known.brought_back && !has("u")) return "a study that was brought back is not there";
  if (!has("s")) return "";
  if (known.labelled && store.label("s").note != "a note") return "a note is not there";
  if (known.has_snapshot && latest_snapshot(folder) == 0) return "there is no snapshot any more";
  Study study = store.open("s");
  const std::uint64_t told = study.summary().told;
  if (told < known.told) return "a loss that was told is not there";
  if (told > known.told + 1) return "there are losses that nobody told";
  if (study.past() < known.past) return "a loss of the past is not there";
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

/// Copies what has gone on over the old copy, cut off or failing at each call: the copy is the old
/// one, the new one or between them, and the next copy makes it whole.
template <class Set>
int copies(Set set) {
  int cuts = 0;
  for (bool was_cut = true; was_cut; cuts += was_cut ? 1 : 0) {
    const Folder folder;
    const Store from = Store::in_memory();
    Study study = from.create("s", simple());
    Acknowledged known;
    for (int t = 0; t < 5; ++t) step(study, known);
    PowerDisk disk(folder.path("."));
    was_cut = false;
    {
      const studies::DiskInstead instead(disk);
      const Store to(folder.path("."));
      EXPECT_EQ(from.copy_all(to).copied, 1U);
      for (int t = 0; t < 70; ++t) step(study, known);
      from.set_label("s", {.note = "a note"});
      set(disk, cuts);
      try {
        was_cut = !from.copy_all(to).failures.empty();
      } catch (const PowerCut&) {
        was_cut = true;
      }
    }
    disk.power_cut();
    const Store to(folder.path("."));
    EXPECT_EQ(to.list(), std::vector<std::string>{"s"}) << "cut at call " << cuts;
    const std::uint64_t told = to.open("s").summary().told;
    EXPECT_TRUE(told >= (was_cut ? 5 : 75) && told <= 75) << told;
    EXPECT_EQ(from.copy_all(to).failures, std::vector<std::string>());
    EXPECT_EQ(to.open("s").state(), study.state());
    EXPECT_EQ(to.label("s").note, "a note");
  }
  return cuts;
}

TEST(PowerCut, AtAnyCallOfACopyLeavesTheOldOneOrTheNew) {
  EXPECT_GT(copies([](PowerDisk& disk, int k) { disk.cut_at = disk.calls + k; }), 5);
}

TEST(FailedSync, OfACopyLeavesTheOldOneOrTheNew) {
  EXPECT_GT(copies([](PowerDisk& disk, int k) { disk.fail_sync_at = disk.syncs + k; }), 0);
}

/// A log that comes in two parts, cut off or failing at each call: what was acknowledged is there,
/// nothing else is, and what is sent again makes it whole.
template <class Set>
int arrivals(Set set) {
  const Store from = Store::in_memory();
  Study study = from.create("s", simple());
  Acknowledged known;
  for (int t = 0; t < 40; ++t) step(study, known);
  const studies::Transfer::Log log = studies::Transfer::log_of(from, "s");
  const std::uint64_t half = log.ends[log.ends.size() / 2];
  int cuts = 0;
  for (bool was_cut = true; was_cut; cuts += was_cut ? 1 : 0) {
    const Folder folder;
    std::uint64_t acknowledged = 0;
    const auto send = [&](const Store& to) {
      const auto any = [](const studies::DescriptionRead& /*read*/) {};
      const std::string_view bytes = log.bytes;
      acknowledged = studies::Transfer::take(to, "s", 0, bytes.substr(0, half), any);
      acknowledged = studies::Transfer::take(to, "s", half, bytes.substr(half), any);
    };
    PowerDisk disk(folder.path("."));
    set(disk, cuts);
    was_cut = false;
    {
      const studies::DiskInstead instead(disk);
      try {
        send(Store(folder.path(".")));
      } catch (const PowerCut&) {
        was_cut = true;
      } catch (const std::exception&) {
        was_cut = true;
      }
    }
    disk.power_cut();
    const Store to(folder.path("."));
    const std::string there = to.list().empty() ? "" : studies::Transfer::log_of(to, "s").bytes;
    EXPECT_GE(there.size(), acknowledged) << "cut at call " << cuts;
    EXPECT_TRUE(log.bytes.starts_with(there)) << "cut at call " << cuts;
    send(to);
    EXPECT_EQ(to.open("s").state(), study.state());
  }
  return cuts;
}

TEST(PowerCut, AtAnyCallOfAnArrivalLosesNothingThatWasAcknowledged) {
  EXPECT_GT(arrivals([](PowerDisk& disk, int k) { disk.cut_at = k; }), 5);
}

TEST(FailedSync, OfAnArrivalLosesNothingThatWasAcknowledged) {
  EXPECT_GT(arrivals([](PowerDisk& disk, int k) { disk.fail_sync_at = k; }), 1);
}

/// A sync after one that failed may succeed though what was to be written is gone: a study that is
/// open then does no more, and the folder has to be opened again.
TEST(FailedSync, IsNeverForgotten) {
  int failures = 0;
  for (bool has_failed = true; has_failed; failures += has_failed ? 1 : 0) {
    const Folder folder;
    PowerDisk disk(folder.path("."));
    Acknowledged known;
    {
      const studies::DiskInstead instead(disk);
      const Store store(folder.path("."));
      Study study = store.create("s", simple());
      known.made = true;
      disk.fail_sync_at = disk.syncs + failures;
      const int end = disk.syncs + failures;
      std::optional<ErrorCode> first;
      for (int t = 0; t < 10; ++t) {
        std::optional<ErrorCode> code;
        try {
          step(study, known);
        } catch (const Error& error) {
          code = error.code();
        }
        if (!first) first = code;
        if (first) {
          EXPECT_EQ(code, ErrorCode::disk) << t << " of sync " << failures;
        }
      }
      has_failed = disk.syncs > end;
      EXPECT_EQ(first.has_value(), has_failed);
    }
    disk.power_cut();
    EXPECT_EQ(problem_after(folder.path("."), known), "") << "sync " << failures << " failed";
  }
  EXPECT_GT(failures, 10);
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
