#include "spec/contents.h"

#include "base/list_text.h"
#include "base/shortened.h"

namespace keyhole::spec {
namespace {

/// Looks at one call, array("sha256:...", 250x250).
class Resolver {
 public:
  Resolver(std::string_view text, const Sources& sources) : text_(text), sources_(sources) {}

  void resolve(Node& node) const {
    for (Node& argument : node.arguments) {
      resolve(argument);
      if (argument.kind != Node::Kind::call || !names_numbers(argument.text)) continue;
      argument.array = std::make_shared<const Array>(array_of(argument));
      argument.kind = Node::Kind::array;
      argument.arguments.clear();
    }
  }

 private:
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

bool names_numbers(std::string_view name) { return name == "array"; }

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
