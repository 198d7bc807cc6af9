#include "studies/image/held_files.h"

#include "base/disk.h"
#include "keyhole/study.h"
#include "spec/polytope_file.h"
#include "spec/syntax.h"
#include "studies/json/space_json.h"

namespace keyhole::studies {
namespace {

/// The names of the files of a spec.
void find_files(const SpecNode& node, std::vector<std::string>& names) {
  if (node.key == "file") names.push_back(node.text);
  for (const SpecNode& argument : node.arguments) find_files(argument, names);
}

std::vector<std::string> files_of(const std::string& spec) {
  std::vector<std::string> names;
  find_files(spec::parse(spec), names);
  return names;
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

}  // namespace

Held hold_files(const std::string& text, const Set& set) {
  if (files_of(text).empty()) return {};
  Held held{.spec = set.spec()};
  for (const std::string& name : files_of(held.spec)) held.files[name] = text_of(name);
  return held;
}

Catalogue with_files(const Catalogue& catalogue, const std::map<std::string, std::string>& files) {
  Catalogue result;
  for (SpecEntry entry : catalogue.entries()) {
    if (entry.kind() == SpecKind::set && entry.name == "polytope") {
      entry.build = [files, build = std::get<SetBuilder>(entry.build)](const Arguments& given) {
        const auto found = given.has("file") ? files.find(given.text("file")) : files.end();
        if (found == files.end()) return build(given);
        return spec::polytope_of_text(found->first, found->first, found->second);
      };
    }
    result.add(std::move(entry));
  }
  return result;
}

}  // namespace keyhole::studies
