#include "spec/on_space.h"

#include <algorithm>

#include "base/joined.h"
#include "keyhole/spec.h"
#include "learners/limit_text.h"
#include "spec/contents.h"

namespace keyhole {
namespace spec {
namespace {

/// Whether it has an option of that name; "default" is posterior, and nobody knows of others.
bool takes(const std::string& name, const std::string& option, const Catalogue& catalogue) {
  const SpecEntry* const entry = catalogue.find(SpecKind::learner, name);
  return entry == nullptr || std::any_of(entry->parameters.begin(), entry->parameters.end(),
                                         [&](const auto& each) { return each.name == option; });
}

std::string with_texts(const std::string& spec, const std::string& option,
                       const std::vector<std::string>& texts, const Catalogue& catalogue) {
  if (texts.empty()) return spec;
  if (!takes(parse_whole(spec).text, option, catalogue)) {
    const bool is_known_before = option == "contexts";
    throw InvalidArgument(
        "the learner '" + spec + "' takes no " + option + ": use 'default'" +
        (is_known_before ? ", 'posterior' or 'levelled(...)'" : " or 'posterior'") +
        ", or a space without [" + (is_known_before ? "context" : option) + "]");
  }
  return with_option(spec, option + "=[\"" + base::joined(texts, "\", \"") + "\"]");
}

}  // namespace

std::string with_option(const std::string& spec, const std::string& option) {
  if (spec == "default") return "posterior(" + option + ")";
  if (!spec.ends_with(')')) return spec + "(" + option + ")";
  const std::string begin = spec.substr(0, spec.size() - 1);
  return begin + (begin.ends_with('(') ? "" : ", ") + option + ")";
}

std::vector<std::string> choices_on(const Space& space, const std::string& spec,
                                    const LearnerOptions& options, const Catalogue& catalogue) {
  if (options.max_step || !options.max_steps.empty()) return {};
  const Node tree = parse_whole(spec);
  const bool knows = tree.text == "default" || catalogue.find(SpecKind::learner, tree.text);
  const bool decided =
      std::any_of(tree.arguments.begin(), tree.arguments.end(),
                  [](const Node& one) { return one.key == "choices" || one.key == "reach"; });
  if (!knows || decided || !takes(tree.text, "choices", catalogue)) return {};
  return space.choice_words();
}

std::string on_space(const Space& space, const std::string& spec,
                     const std::vector<std::string>& choices, const Catalogue& catalogue) {
  std::vector<std::string> limits;
  for (const Limit& limit : space.bounds()) limits.push_back(limit_text(limit));
  const std::string in_contexts = with_texts(spec, "contexts", space.context_words(), catalogue);
  return with_texts(with_texts(in_contexts, "limits", limits, catalogue), "choices", choices,
                    catalogue);
}

}  // namespace spec

Learner::Learner(const Space& space, const LearnerOptions& options)
    : Learner(make_learner("default", space, options)) {}

Learner make_learner(std::string_view spec, const Space& space, const LearnerOptions& options,
                     const Catalogue& catalogue) {
  const std::string text(spec);
  const std::vector<std::string> choices = spec::choices_on(space, text, options, catalogue);
  return make_learner(spec::on_space(space, text, choices, catalogue), space.set(), options,
                      catalogue);
}

}  // namespace keyhole
