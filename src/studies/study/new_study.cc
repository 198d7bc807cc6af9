#include "studies/study/new_study.h"

#include <algorithm>

#include "base/disk.h"
#include "spec/build.h"
#include "spec/contents.h"
#include "studies/image/description_text.h"
#include "studies/json/space_json.h"

namespace keyhole::studies {
namespace {

/// The names of the files of a spec.
void find_files(const SpecNode& node, std::vector<std::string>& names) {
  if (node.key == "file") names.push_back(node.text);
  for (const SpecNode& argument : node.arguments) find_files(argument, names);
}

bool has_arrays(const SpecNode& node) {
  return node.kind == SpecNode::Kind::array ||
         std::any_of(node.arguments.begin(), node.arguments.end(), has_arrays);
}

std::string text_of(const std::string& name) {
  const auto text = base::read_file(name);
  if (!text) throw StudyError("the file '" + name + "' of the set cannot be read");
  try {
    (void)Json(*text).dump();
  } catch (const Json::exception&) {
    throw StudyError("the file '" + name +
                     "' of the set is not UTF-8 text, so the study cannot hold it");
  }
  return *text;
}

/// What holds the files and the arrays of a set that is made from a tree of the user's text: small
/// arrays are written into the spec, and large ones are named.
Held hold_files(const SpecNode& tree) {
  std::vector<std::string> files;
  find_files(tree, files);
  if (files.empty() && !has_arrays(tree)) return {};
  Held held{.spec = spec::print(tree)};
  for (const std::string& name : files) held.files[name] = text_of(name);
  return held;
}

}  // namespace

NewStudy new_study(const StudyDescription& description, const Catalogue& catalogue) {
  NewStudy study;
  Making making;
  SetPtr set;
  if (const auto* const text = std::get_if<std::string>(&description.on)) {
    const SpecNode tree = spec::parse_whole(*text, {.contents = &description.contents});
    set = spec::build_set(catalogue, tree, *text);
    making.held = hold_files(tree);
    study.contents = spec::named_contents(tree);
  } else {
    set = std::get<Space>(description.on).set();
  }
  making.chooses = !choices_of(description, catalogue).empty();
  const Learner learner = make_learner_of(set, description, catalogue, making);
  study.text = description_text(description, learner, making);
  return study;
}

}  // namespace keyhole::studies
