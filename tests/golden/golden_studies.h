// The studies of tests/golden/studies: their logs have every kind of frame that is written today
// (docs/study-format.md). `golden_digits --studies FOLDER` writes them anew.

#pragma once

#include <filesystem>
#include <string>

#include "keyhole/store.h"

namespace keyhole::tests {

/// Noon of the first day of 2026, at which clocks are read.
inline double golden_noon() { return 1767268800; }

/// What is tuned, within a limit and in contexts: batches up to so many.
inline Space golden_space(std::int64_t most) {
  return Space({{"batch", Integer{1, most}}, {"codec", Choice{{"zstd", "lz4"}}}}, {},
               {{"load", Number{.from = 0, .to = 5000}}, {"hour", Clock{}}},
               {{"p99", {.most = 200}, "ms"}});
}

/// Losses of the past of each kind, a coin, plays by a worker and by nobody, in a context and in
/// none, losses with counts, metrics and notes, a pause, and a change of the space.
inline void write_golden_kinds(const Store& store) {
  const Values start = {{"batch", std::int64_t{8}}, {"codec", "zstd"}};
  const Values busy = {{"load", 812.0}};
  Study study = store.create(
      "kinds", {.on = golden_space(64), .options = {.seed = 3, .window = 10}, .start = start});
  study.learn(start, 0.5);
  study.learn({{.values = start, .loss = 0.25, .count = 3, .context = {{"load", 100.0}}}});
  study.learn({{.values = start, .loss = 0.75}}, Outside::refuse, "import-1");
  study.learn({{.values = start, .loss = 0.5, .metrics = {{"p99", 150.0}}}});
  study.prove(0.25);
  (void)study.ask("w1", busy);
  (void)study.ask_many(3);
  (void)study.step({{1, 0.5, 3}, {.id = 2, .loss = 0.25, .metrics = {{"p99", 183.0}}}}, 1, "w1",
                   busy);
  study.measure(3, {{"p99", 210.5}});
  (void)study.step({{.id = 4, .loss = 0.125, .metrics = {{"cpu", 0.5}}, .extra = true}}, 0);
  study.explore(false);
  (void)study.tell(study.ask("w2").id, 0.375);
  study.explore(true);
  (void)study.ask("w2");
  store.change("kinds", golden_space(128));
  Study wider = store.open("kinds");
  (void)wider.tell(wider.ask("w1", busy).id, 0.625, {{"p99", 199.0}});
  (void)wider.ask("w2");
}

/// A witness in place of each point.
inline void write_golden_witnesses(const Store& store) {
  Study study = store.create("witnesses",
                             {.on = "simplex(3)", .options = {.seed = 7}, .facts = Facts::witness});
  for (int t = 1; t <= 5; ++t) (void)study.tell(study.ask("w").id, 0.125 * t);
  (void)study.ask("w");
}

/// A log of format 1 that goes on in format 2.
inline void write_golden_renewal(const Store& store, const std::string& format_1) {
  const Store old(std::filesystem::path(format_1).parent_path().string());
  const std::string name = std::filesystem::path(format_1).filename();
  old.copy(name, store);
  store.renew(name);
  Study study = store.open(name);
  for (int t = 1; t <= 3; ++t) (void)study.tell(study.ask("w").id, 0.125 * t);
  (void)study.ask("w");
}

/// All of them in place of those that are there: in `studies` of a folder that has
/// `study_format_1`.
inline void write_golden_studies(const std::string& folder) {
  const Store store = Store::in_memory({.now = golden_noon});
  write_golden_kinds(store);
  write_golden_witnesses(store);
  write_golden_renewal(store, folder + "/study_format_1");
  std::filesystem::remove_all(folder + "/studies");
  const Store there(folder + "/studies");
  for (const std::string& name : store.list()) {
    store.copy(name, there);
    for (const auto& file : std::filesystem::directory_iterator(folder + "/studies/" + name)) {
      if (file.path().filename() != "log") std::filesystem::remove(file.path());
    }
  }
}

}  // namespace keyhole::tests
