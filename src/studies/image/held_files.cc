#include "studies/image/held_files.h"

#include <algorithm>

#include "base/disk.h"
#include "base/sha256.h"
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

bool has_arrays(const SpecNode& node) {
  return node.kind == SpecNode::Kind::array ||
         std::any_of(node.arguments.begin(), node.arguments.end(), has_arrays);
}

/// The names of the arrays of a spec.
void find_arrays(const SpecNode& node, std::vector<std::string>& names) {
  if (node.kind == SpecNode::Kind::call && node.text == "array" && !node.arguments.empty()) {
    names.push_back(node.arguments.front().text);
  }
  for (const SpecNode& argument : node.arguments) find_arrays(argument, names);
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

Held hold_files(const SpecNode& tree) {
  std::vector<std::string> files;
  find_files(tree, files);
  if (files.empty() && !has_arrays(tree)) return {};
  Held held{.spec = spec::print(tree)};
  for (const std::string& name : files) held.files[name] = text_of(name);
  return held;
}

void require_content(const std::string& name, const std::optional<std::string>& bytes,
                     const std::string& where) {
  if (bytes && "sha256:" + base::sha256(*bytes) == name) return;
  throw StudyError(where + ": its array " + name +
                       (bytes ? " has changed since it was written" : " is gone") +
                       ": restore it from a copy",
                   ErrorCode::damaged_log);
}

Contents read_contents(const std::string& spec, const ReadContent& read, const std::string& where) {
  std::vector<std::string> names;
  find_arrays(spec::parse(spec), names);
  Contents contents;
  for (const std::string& name : names) {
    const std::optional<std::string> bytes = read ? read(name) : std::nullopt;
    require_content(name, bytes, where);
    contents[name] = Array::from_npy(*bytes, where);
  }
  return contents;
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
