#include "studies/image/held_files.h"

#include "base/sha256.h"
#include "keyhole/study.h"
#include "spec/polytope_file.h"
#include "spec/syntax.h"

namespace keyhole::studies {
namespace {

/// The names of the arrays of a spec.
void find_arrays(const SpecNode& node, std::vector<std::string>& names) {
  if (node.kind == SpecNode::Kind::call && node.text == "array" && !node.arguments.empty()) {
    names.push_back(node.arguments.front().text);
  }
  for (const SpecNode& argument : node.arguments) find_arrays(argument, names);
}

}  // namespace

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
