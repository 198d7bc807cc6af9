// Any text is a set or a SpecError, and the text of that set is that set; likewise for learners.

#include "keyhole/spec.h"

#include <algorithm>
#include <string_view>

#include "fuzz/fuzz.h"
#include "keyhole/sets.h"
#include "spec/syntax.h"
#include "spec/table.h"

namespace keyhole::tests {
namespace {

/// Sizes that are accepted and would take long, or much memory.
bool is_large(const spec::Node& node) {
  constexpr double quick = 40;
  if (node.kind == spec::Node::Kind::number) {
    return node.number > quick && node.number <= spec::most_coordinates;
  }
  return std::any_of(node.arguments.begin(), node.arguments.end(),
                     [](const spec::Node& argument) { return is_large(argument); });
}

void check_set(std::string_view text) {
  std::string canonical;
  try {
    canonical = make_set(text)->spec();
  } catch (const SpecError&) {
    return;
  }
  if (canonical.find("digest") != std::string::npos) return;
  promise(make_set(canonical)->spec() == canonical, canonical);
}

std::string learner_text(std::string_view text, const AlgorithmContext& context) {
  return std::visit([](const auto& algorithm) { return algorithm->spec(); },
                    make_algorithm(text, context));
}

void check_learner(std::string_view text) {
  static const SetPtr set = ball(2);
  const AlgorithmContext context = {
      .set = set, .loss_bound = 1, .gradient_bound = 1, .horizon = 100};
  std::string canonical;
  try {
    canonical = learner_text(text, context);
  } catch (const SpecError&) {
    return;
  }
  promise(learner_text(canonical, {.set = set}) == canonical, canonical);
}

/// The arguments only: problems take long to build, and some read files.
void check_problem(const spec::Node& node, std::string_view text) {
  const Catalogue& all = Catalogue::standard();
  const SpecEntry* const entry = all.find(SpecKind::problem, node.text);
  if (entry == nullptr) return;
  try {
    (void)spec::arguments_of(all, *entry, node, text);
  } catch (const SpecError&) {
  }
}

}  // namespace
}  // namespace keyhole::tests

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace keyhole;         // NOLINT
  using namespace keyhole::tests;  // NOLINT
  const std::string bytes(data, data + size);
  try {
    const spec::Node node = spec::parse(bytes);
    const std::string printed = spec::print(node);
    promise(spec::print(spec::parse(printed)) == printed, printed);
    if (is_large(node)) return 0;
    check_problem(node, bytes);
  } catch (const SpecError&) {
  }
  check_set(bytes);
  check_learner(bytes);
  return 0;
}
