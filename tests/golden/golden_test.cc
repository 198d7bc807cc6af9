// What tests/golden keeps, against the catalogue: no set is forgotten. And docs/state.md, against
// the states: no field is.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "golden/golden_sets.h"
#include "golden/golden_states.h"
#include "keyhole/spec.h"

namespace keyhole::tests {
namespace {

std::set<std::string> kinds_of(const std::vector<GoldenSet>& sets) {
  std::set<std::string> kinds;
  for (const GoldenSet& set : sets) kinds.insert(set.kind());
  return kinds;
}

TEST(Golden, EverySetOfTheCatalogueHasDigits) {
  std::set<std::string> catalogue;
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.kind() == SpecKind::set) catalogue.insert(entry.name);
  }
  std::set<std::string> pinned = kinds_of(golden_sets());
  for (const std::string& kind : kinds_of(golden_sets_of_lemon())) {
    EXPECT_TRUE(pinned.insert(kind).second) << kind << " is in both lists";
  }
  EXPECT_EQ(pinned, catalogue) << "tests/golden/golden_sets.h has a line for each kind of set";
}

/// docs/state.md: the column of bytes of each section's table.
class StatePage {
 public:
  using Letters = std::map<std::string, std::uint64_t>;

  StatePage() {
    std::ifstream file(KEYHOLE_SOURCE_DIR "/docs/state.md");
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("#")) names = names_of(line);
      if (!line.starts_with("| ")) continue;
      const std::size_t begin = line.find(" | ") + 3;
      const std::string bytes = line.substr(begin, line.find(" | ", begin) - begin);
      if (bytes == "bytes") continue;
      for (const std::string& name : names) sections_[name].push_back(bytes);
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return sections_.contains(name); }

  /// The bytes of a section, 0 and a failure if there is none.
  [[nodiscard]] std::uint64_t bytes(const std::string& name, const Letters& letters) const {
    EXPECT_TRUE(has(name)) << "docs/state.md has no table for " << name;
    std::uint64_t sum = 0;
    if (!has(name)) return sum;
    for (const std::string& terms : sections_.at(name)) sum += value(terms, letters);
    return sum;
  }

  /// Those of the fields of a learner, by its spec: those inside are within the brackets.
  [[nodiscard]] std::uint64_t bytes_of_learner(const std::string& spec, Letters letters) const {
    const std::size_t bracket = spec.find('(');
    const std::string name = spec.substr(0, bracket);
    if (has(name)) {
      for (const std::string& terms : sections_.at(name)) {
        if (terms == "inside") letters[terms] = bytes_of_learner(spec.substr(bracket + 1), letters);
      }
    }
    return bytes(name, letters);
  }

 private:
  /// What stands in a heading: its names in back quotes, or all of it.
  static std::vector<std::string> names_of(const std::string& heading) {
    std::vector<std::string> names;
    for (std::size_t begin = heading.find('`'); begin != std::string::npos;) {
      const std::size_t end = heading.find('`', begin + 1);
      names.push_back(heading.substr(begin + 1, end - begin - 1));
      begin = heading.find('`', end + 1);
    }
    if (names.empty()) names.push_back(heading.substr(heading.find(' ') + 1));
    return names;
  }

  /// "8 + 8 n": terms are added, factors multiplied.
  static std::uint64_t value(const std::string& terms, const Letters& letters) {
    std::uint64_t sum = 0;
    std::uint64_t product = 1;
    std::istringstream words(terms);
    for (std::string word; words >> word;) {
      if (word == "+") {
        sum += product;
        product = 1;
      } else if (word.find_first_not_of("0123456789") == std::string::npos) {
        product *= std::stoull(word);
      } else {
        EXPECT_TRUE(letters.contains(word)) << "docs/state.md does not say what " << word << " is";
        product *= letters.contains(word) ? letters.at(word) : 0;
      }
    }
    return sum + product;
  }

  std::map<std::string, std::vector<std::string>> sections_;
};

template <class AnyLearner>
std::uint64_t size_of_state(const AnyLearner& learner) {
  const State state = learner.state();
  return state.bytes().size();
}

/// How many of the latest plays were told: those that another loss would contradict.
template <class AnyLearner>
std::uint64_t told_of_latest(const AnyLearner& learner, std::uint64_t count) {
  std::uint64_t told = 0;
  for (PlayId id = learner.asked(); id > learner.asked() - count; --id) {
    try {
      check(learner, id, 12345.678);
    } catch (const FeedbackError&) {
      ++told;
    }
  }
  return told;
}

/// How many losses a generation of cma_es has.
std::uint64_t population_of(const Set& set) {
  return 4 + static_cast<std::uint64_t>(3 * std::log(static_cast<double>(set.hull_dimension())));
}

/// The size of the learner's state, if the page is right and its logs are empty.
template <class AnyLearner>
std::uint64_t size_by_page(const StatePage& page, const AnyLearner& learner) {
  const State state = learner.state();
  const std::string spec = learner.spec();  // learner(algorithm, ...)
  const std::uint64_t asked = learner.summary().asked;
  const bool losses = std::is_same_v<AnyLearner, Learner>;
  const std::uint64_t window = losses ? golden_window : golden_gradient_window;
  const std::uint64_t w = std::min(asked, window);
  const std::uint64_t sets = spec.starts_with("learner(anchored") ? 2 : 1;
  const std::uint64_t h = sets * learner.set().hull_dimension();
  StatePage::Letters letters = {{"n", sets * learner.set().dimension()},
                                {"h", h},
                                {"d", h + 2},
                                {"a", h >= 2 && h <= 12 ? 1 : 0},
                                {"k", 2 + h + h * (h + 1) / 2},
                                {"w", w},
                                {"b", (w + 3) / 4},
                                {"v", told_of_latest(learner, w)},
                                {"e", 0},
                                {"g", 1},
                                {"r", 1},
                                {"c", spec.find("caution=") == std::string::npos ? 0U : 1U},
                                {"p", population_of(learner.set())},
                                {"q", std::min((asked + 1) / 2, golden_pending_pairs)},
                                {"f", 0},
                                {"i", 0},
                                {"j", 0},
                                {"u", 0},
                                {"x", 3},
                                {"m", 2},
                                {"o", std::min<std::uint64_t>(400, 16 + 4 * h)},
                                {"s", state.set_spec().size()},
                                {"l", state.learner_spec().size()}};
  letters["account"] =
      page.bytes(losses ? "The account of losses" : "The account of gradients", letters);
  const bool steps = spec.find("max_step") != std::string::npos;
  letters["numbers"] = steps ? page.bytes("The numbers", letters) : 0;
  letters["pace"] = steps ? page.bytes("The pace", letters) : 0;
  letters["fields"] = page.bytes_of_learner(spec.substr(spec.find('(') + 1), letters);
  return page.bytes("The frame", letters);
}

TEST(Golden, ThePageOfStatesHasEveryField) {
  const StatePage page;
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.kind() != SpecKind::learner) continue;
    EXPECT_TRUE(page.has(entry.name)) << "docs/state.md has no table for " << entry.name;
  }
  for_each_golden_state([&](const auto& golden) {
    auto learner = golden.make();
    EXPECT_EQ(size_of_state(learner), size_by_page(page, learner)) << golden.name;
    if (golden.name == "face") return;  // how many points it has then cannot be seen
    play_golden(learner, golden.rounds);
    // Of a log every entry has 32 bytes more, of that of samples a point besides.
    const std::uint64_t size = size_of_state(learner);
    const std::uint64_t least = size_by_page(page, learner);
    const bool has_samples = golden.name == "posterior" || golden.name == "linear_thompson";
    const bool has_log = learner.spec().find("parameter_free") != std::string::npos || has_samples;
    EXPECT_GE(size, least) << golden.name;
    const std::uint64_t entry = has_samples ? 96 + 8 * learner.set().hull_dimension() : 32;
    EXPECT_EQ((size - least) % entry, 0u) << golden.name;
    EXPECT_EQ(size > least, has_log) << golden.name;
  });
}

}  // namespace
}  // namespace keyhole::tests
