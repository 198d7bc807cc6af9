#include "spec/contents.h"

#include <filesystem>
#include <utility>

#include "base/list_text.h"
#include "base/shortened.h"
#include "spec/files/array_file.h"

namespace keyhole::spec {
namespace {

class Resolver {
 public:
  Resolver(std::string_view text, const Sources& sources) : text_(text), sources_(sources) {}

  void resolve(Node& node) const {
    const bool is_hull = node.kind == Node::Kind::call && node.text == "convex_hull";
    for (Node& argument : node.arguments) {
      resolve(argument);
      if (is_hull && argument.key == "file" && argument.kind != Node::Kind::call) {
        if (node.arguments.size() > 1) refuse(node, "has points, and there is a file");
        become(argument, array_of_file(path_of(argument)));
        argument.key = "points";
      } else if (argument.kind == Node::Kind::call && argument.text == "array") {
        become(argument, array_of(argument));
      } else if (argument.kind == Node::Kind::call && argument.text == "file") {
        become(argument, numbers_of_file(argument));
      }
    }
  }

 private:
  static void become(Node& node, Array array) {
    node.array = std::make_shared<const Array>(std::move(array));
    node.kind = Node::Kind::array;
    node.arguments.clear();
  }

  [[nodiscard]] std::string path_of(const Node& name) const {
    return (std::filesystem::path(sources_.folder) / name.text).string();  // an absolute one stays
  }

  [[nodiscard]] Array numbers_of_file(const Node& call) const {
    const std::vector<Node>& given = call.arguments;
    const auto is_text = [](const Node& node) {
      return node.key.empty() && (node.kind == Node::Kind::quoted || node.kind == Node::Kind::word);
    };
    const bool is_known = !given.empty() && given.size() <= 2 && is_text(given[0]) &&
                          (given.size() == 1 || is_text(given[1]));
    if (!is_known) refuse(call, R"(must be like file("costs.npy") or file("costs.csv", price))");
    return array_of_file(path_of(given[0]), given.size() == 2 ? given[1].text : "");
  }

  [[nodiscard]] Array array_of(const Node& call) const {
    const std::vector<Node>& given = call.arguments;
    const bool is_known = !given.empty() && given.size() <= 2 && given[0].key.empty() &&
                          given[0].kind == Node::Kind::quoted &&
                          (given.size() == 1 || given[1].key.empty());
    if (!is_known) refuse(call, R"(must be like array("sha256:...", 250x250))");
    const std::string& name = given[0].text;
    const bool is_there = sources_.contents != nullptr && sources_.contents->contains(name);
    if (!is_there) {
      refuse(call, "names the content '" + base::shortened(name, 80) +
                       "', which is not here: give the array, or the file that it was made from");
    }
    const Array& array = sources_.contents->find(name)->second;
    if (given.size() == 2 && given[1].text != array.shape_text()) {
      refuse(call, "must have the shape " + base::shortened(given[1].text) + ", and '" +
                       base::shortened(name, 80) + "' is " + array.shape_text());
    }
    return array;
  }

  [[noreturn]] void refuse(const Node& call, const std::string& message) const {
    fail(text_, call.text + place(text_, call.offset) + " " + message);
  }

  std::string_view text_;
  const Sources& sources_;
};

void find_named(const Node& node, Contents& contents) {
  if (node.kind == Node::Kind::array && base::array_text(*node.array).starts_with("array")) {
    contents[node.array->name()] = *node.array;
  }
  for (const Node& argument : node.arguments) find_named(argument, contents);
}

}  // namespace

bool names_numbers(std::string_view name) { return name == "array" || name == "file"; }

const Node* file_in(const Node& tree) {
  if (tree.key == "file" || (tree.kind == Node::Kind::call && tree.text == "file")) return &tree;
  for (const Node& argument : tree.arguments) {
    if (const Node* const found = file_in(argument)) return found;
  }
  return nullptr;
}

Node parse_whole(std::string_view text, const Sources& sources) {
  Node node = parse(text);
  Resolver(text, sources).resolve(node);
  return node;
}

Contents named_contents(const Node& tree) {
  Contents contents;
  find_named(tree, contents);
  return contents;
}

}  // namespace keyhole::spec
