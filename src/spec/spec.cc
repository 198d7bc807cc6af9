#include "keyhole/spec.h"

#include <new>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/require.h"
#include "base/shortened.h"
#include "spec/build.h"
#include "spec/contents.h"
#include "spec/syntax.h"

namespace keyhole {
namespace spec {
namespace {

/// More are too many to read in a message.
constexpr std::size_t most_names_listed = 16;

constexpr const char* kind_names[] = {"set", "learner", "problem"};

std::string name_of(SpecKind kind) { return kind_names[static_cast<int>(kind)]; }

/// What "default" stands for where a learner is expected: see Learner(set).
constexpr const char* default_learner = "posterior";

/// What a name stands for, or throws SpecError: `kind` is what is expected there.
const SpecEntry& resolve(const Catalogue& catalogue, SpecKind kind, const Node& node,
                         std::string_view text) {
  if (const SpecEntry* const entry = catalogue.find(kind, node.text)) return *entry;
  if (kind == SpecKind::learner && node.text == "default") {
    if (const SpecEntry* const entry = catalogue.find(kind, default_learner)) return *entry;
  }
  const std::string expected = name_of(kind);
  const std::string where = place(text, node.offset);
  std::vector<std::string> names;
  for (const SpecEntry& entry : catalogue.entries()) {
    if (entry.name == node.text) {
      fail(text, "'" + base::shortened(node.text) + "'" + where + " is a " + name_of(entry.kind()) +
                     ", and a " + expected + " is expected");
    }
    if (entry.kind() == kind) names.push_back(entry.name);
  }
  const std::string meant = base::suggestion(node.text, names);
  const std::string all = names.empty() ? "the catalogue has none"
                          : names.size() > most_names_listed
                              ? "'keyhole list " + expected + "s' shows the " +
                                    std::to_string(names.size()) + " there are"
                              : "there are " + base::joined(names);
  fail(text, "there is no " + expected + " '" + base::shortened(node.text) + "'" + where +
                 (meant.empty() ? "; " + all : meant));
}

template <class Pointer>
bool is_nothing(const Pointer& built) {
  return built == nullptr;
}

bool is_nothing(const AnyAlgorithm& built) {
  return std::visit([](const auto& algorithm) { return algorithm == nullptr; }, built);
}

/// Calls build(arguments, context...) of the entry that a node names; `folder` is that of files.
template <class Builder, class... Context>
auto build(const Catalogue& catalogue, SpecKind kind, const Node& node, std::string_view text,
           const std::string& folder, const Context&... context) {
  const SpecEntry& entry = resolve(catalogue, kind, node, text);
  const Arguments arguments = arguments_of(catalogue, entry, node, text, folder);
  try {
    auto built = std::get<Builder>(entry.build)(arguments, context...);
    if (is_nothing(built)) arguments.refuse("its builder has built nothing");
    return built;
  } catch (const InvalidArgument& error) {
    arguments.refuse(error.what());
  } catch (const std::bad_alloc&) {
    arguments.refuse("it needs more memory than there is");
  }
}

}  // namespace

SetPtr build_set(const Catalogue& catalogue, const Node& node, std::string_view text,
                 const std::string& folder) {
  return build<SetBuilder>(catalogue, SpecKind::set, node, text, folder);
}

AnyAlgorithm build_learner(const Catalogue& catalogue, const Node& node, std::string_view text,
                           const AlgorithmContext& context) {
  return build<AlgorithmBuilder>(catalogue, SpecKind::learner, node, text, {}, context);
}

std::unique_ptr<Problem> build_problem(const Catalogue& catalogue, const Node& node,
                                       std::string_view text, const ProblemContext& context) {
  return build<ProblemBuilder>(catalogue, SpecKind::problem, node, text, context.folder, context);
}

}  // namespace spec

SetPtr make_set(std::string_view spec, const Catalogue& catalogue) {
  return make_set(spec, Contents(), catalogue);
}

SetPtr make_set(std::string_view spec, const Contents& contents, const Catalogue& catalogue) {
  return spec::build_set(catalogue, spec::parse_whole(spec, {.contents = &contents}), spec);
}

std::unique_ptr<Problem> make_problem(std::string_view spec, const ProblemContext& context,
                                      const Catalogue& catalogue) {
  return spec::build_problem(catalogue, spec::parse_whole(spec, {.folder = context.folder}), spec,
                             context);
}

AnyAlgorithm make_algorithm(std::string_view spec, const AlgorithmContext& context,
                            const Catalogue& catalogue) {
  base::require(context.set != nullptr, "an algorithm needs a set to play on");
  return spec::build_learner(catalogue, spec::parse_whole(spec), spec, context);
}

}  // namespace keyhole
