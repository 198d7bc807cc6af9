// What finding a study costs where there are many, as Markdown: medians in milliseconds, and those
// of an empty store next to them. One study in a hundred has a tag and a note.
//
//   bench_finding [FOLDER [STUDIES]]    10^5 studies in a new folder of the temporary one

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "keyhole/keyhole.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

const StudyDescription description = {.on = "simplex(3)", .learner = "parameter_free"};

/// The median of so many calls, in milliseconds that pass: a new study waits for the disk.
double milliseconds(int calls, const std::function<void()>& call) {
  std::vector<double> times;
  for (int k = 0; k < calls; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  return median(std::move(times));
}

void fill(const Store& store, int studies) {
  for (int k = 0; k < studies; ++k) {
    const std::string name = "study-" + std::to_string(k);
    (void)store.add(name, description);
    if (k % 100 == 0) store.set_label(name, {.note = "of the web tier", .tags = {"prod"}});
  }
}

struct Figures {
  double page, page_after_a_change, tag, nothing;
};

Figures figures(const Store& store) {
  const auto page = [&] { (void)store.find({.most = 100}); };
  const auto tag = [&] { (void)store.find({.tag = "prod", .most = 100}); };
  const auto nothing = [&] { (void)store.find({.text = "no such"}); };
  Figures found{};
  (void)store.create("the-latest", description);
  found.page_after_a_change = milliseconds(5, page);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  page();  // the names are known from here on
  found.page = milliseconds(201, page);
  found.tag = milliseconds(21, tag);
  found.nothing = milliseconds(5, nothing);
  return found;
}

int run(const std::string& folder, int studies) {
  std::filesystem::remove_all(folder);
  const Store many(folder + "/many");
  fill(many, studies);
  const Store few(folder + "/few");
  // In turns, so that both wait for the same disk.
  std::vector<double> new_in_few;
  std::vector<double> new_in_many;
  for (int k = 0; k < 200; ++k) {
    const std::string name = "new-" + std::to_string(k);
    new_in_few.push_back(milliseconds(1, [&] { (void)few.create(name, description); }));
    new_in_many.push_back(milliseconds(1, [&] { (void)many.create(name, description); }));
  }
  for (const std::string& name : few.list()) few.remove(name);
  const Figures one = figures(few);
  const Figures all = figures(many);
  std::printf("| | empty store | %d studies |\n|---|---|---|\n", studies);
  const auto row = [](const char* what, double empty, double full) {
    std::printf("| %s | %.2f ms | %.2f ms |\n", what, empty, full);
  };
  row("a new study", median(new_in_few), median(new_in_many));
  row("a page of 100", one.page, all.page);
  row("a page of 100, right after a new study", one.page_after_a_change, all.page_after_a_change);
  row("100 studies with a tag", one.tag, all.tag);
  row("a search that finds nothing", one.nothing, all.nothing);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  const std::string folder =
      argc > 1 ? argv[1] : (std::filesystem::temp_directory_path() / "keyhole-finding").string();
  return keyhole::bench::run(folder, argc > 2 ? std::atoi(argv[2]) : 100000);
}
