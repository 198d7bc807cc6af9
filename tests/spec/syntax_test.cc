#include "spec/syntax.h"

#include <gtest/gtest.h>

#include <limits>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole {

/// Equal trees, wherever they stood, however their numbers were written.
static bool operator==(const SpecNode& a, const SpecNode& b) {
  if (a.kind != b.kind || a.key != b.key || a.arguments != b.arguments) return false;
  return a.kind == SpecNode::Kind::number ? a.number == b.number : a.text == b.text;
}

}  // namespace keyhole

namespace keyhole::tests {
namespace {

using spec::Node;
using spec::parse;
using spec::parse_value;
using spec::print;

std::string refusal(const std::string& text) {
  return message<SpecError>([&] { (void)parse(text); });
}

std::string random_text(Random& random, const std::string& characters, std::size_t most) {
  std::string text;
  for (std::size_t k = random.integer(0, most); k > 0; --k) {
    text.push_back(characters[random.integer(0, characters.size() - 1)]);
  }
  return text;
}

std::string random_name(Random& random) {
  return "n" + random_text(random, "abcxyzABCXYZ_0189", 8);  // never inf
}

Node random_tree(Random& random, std::size_t depth) {
  Node node;
  switch (random.integer(0, depth == 0 ? 2 : 4)) {
    case 0:
      node.kind = Node::Kind::number;
      node.number = random.integer(0, 3) == 0 ? std::floor(random.uniform(-1e6, 1e6))
                                              : random.normal() * std::exp(50 * random.normal());
      if (random.integer(0, 20) == 0) node.number = -std::numeric_limits<double>::infinity();
      break;
    case 1:
      node.kind = Node::Kind::word;
      node.text = random_name(random) + random_text(random, "ab09_.+-/", 5);
      break;
    case 2:
      node.kind = Node::Kind::quoted;
      node.text = random_text(random, "ab(),=[]\"\\\n\t\r \x01\x7f\xc3\xa9", 12);
      break;
    default:
      node.kind = random.integer(0, 1) == 0 ? Node::Kind::list : Node::Kind::call;
      if (node.kind == Node::Kind::call) node.text = random_name(random);
      for (std::size_t k = random.integer(0, 4); k > 0; --k) {
        const bool has_key = node.kind == Node::Kind::call && random.integer(0, 1) == 0;
        Node argument = random_tree(random, depth - 1);
        if (has_key) argument.key = random_name(random);
        node.arguments.push_back(argument);
      }
  }
  return node;
}

/// The text with spaces wherever they do not matter.
std::string spaced(const Node& node, Random& random) {
  const auto gap = [&] { return random_text(random, " \t\n\r", 2); };
  if (node.kind != Node::Kind::list && node.kind != Node::Kind::call) return print(node);
  const bool list = node.kind == Node::Kind::list;
  std::string text = list ? "[" : node.text + gap() + "(";
  for (std::size_t k = 0; k < node.arguments.size(); ++k) {
    const Node& argument = node.arguments[k];
    if (k > 0) text += ",";
    text += gap();
    if (!argument.key.empty()) text += argument.key + gap() + "=" + gap();
    text += spaced(argument, random) + gap();
  }
  if (node.arguments.empty()) text += gap();
  return text + (list ? "]" : ")");
}

TEST(Syntax, PrintedTreesReadBack) {
  Random random(11);
  for (int k = 0; k < 5000; ++k) {
    const Node tree = random_tree(random, random.integer(0, 5));
    const std::string text = print(tree);
    EXPECT_EQ(parse_value(text), tree) << text;
    EXPECT_EQ(print(parse_value(text)), text);
    EXPECT_EQ(parse_value(" " + spaced(tree, random) + "\n"), tree) << text;
  }
}

TEST(Syntax, Numbers) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"0", 0},
           {"-0", 0},
           {"12", 12},
           {"+12", 12},
           {"1e3", 1000},
           {"1E3", 1000},
           {"1e+3", 1000},
           {"-2.5e-3", -0.0025},
           {".5", 0.5},
           {"5.", 5},
           {"inf", std::numeric_limits<double>::infinity()},
           {"-inf", -std::numeric_limits<double>::infinity()},
           {"0.1", 0.1},
           {"4.9e-324", std::numeric_limits<double>::denorm_min()},
           {"1.7976931348623157e308", std::numeric_limits<double>::max()}}) {
    const Node node = parse_value(text);
    EXPECT_EQ(node.kind, Node::Kind::number) << text;
    EXPECT_EQ(node.number, value) << text;
    EXPECT_EQ(node.text, text);
  }
  for (const char* const word : {"nan", "-nan", "infinity", "-", "+", ".", "--1", "+-1", "1.2.3",
                                 "2x", "0x10", "1e", "e5", "2013-02-08", "data/a-1.csv", "Inf"}) {
    EXPECT_EQ(parse_value(word).kind, Node::Kind::word) << word;
  }
}

TEST(Syntax, PlacesAreKept) {
  const Node tree = parse("  f(1, key = [2, g(\"x\")])");
  EXPECT_EQ(tree.offset, 2u);
  EXPECT_EQ(tree.arguments[0].argument_offset, 4u);
  EXPECT_EQ(tree.arguments[1].argument_offset, 7u);
  const Node& list = tree.arguments[1];
  EXPECT_EQ(list.offset, 13u);
  EXPECT_EQ(list.arguments[1].offset, 17u);
  EXPECT_EQ(list.arguments[1].arguments[0].text, "x");
}

TEST(Syntax, Escapes) {
  EXPECT_EQ(parse_value(R"("a\"b\\c\nd\te\r")").text, "a\"b\\c\nd\te\r");
  EXPECT_EQ(parse_value("\"\"").text, "");
  EXPECT_EQ(parse_value("\"caf\xc3\xa9, (x=1]\"").text, "caf\xc3\xa9, (x=1]");
}

TEST(Syntax, Refusals) {
  EXPECT_EQ(refusal(""), "an empty text is no spec: give a name, such as ball(10)");
  EXPECT_EQ(refusal(" \n"), "an empty text is no spec: give a name, such as ball(10)");
  EXPECT_EQ(refusal("3"), "3: a name is expected, such as ball(10)");
  EXPECT_EQ(refusal("[1]"), "[1]: a name is expected, such as ball(10)");
  EXPECT_EQ(refusal("\"ball\""), "\"ball\": a name is expected, such as ball(10)");
  EXPECT_EQ(refusal("ball(10"), "ball(10: the '(' at column 5 is not closed");
  EXPECT_EQ(refusal("f([1, 2"), "f([1, 2: the '[' at column 3 is not closed");
  EXPECT_EQ(refusal("ball(10))"), "ball(10)): unexpected ')' at column 9");
  EXPECT_EQ(refusal("ball(10) x"), "ball(10) x: unexpected 'x' at column 10");
  EXPECT_EQ(refusal("ball(10 2)"),
            "ball(10 2): unexpected '2' at column 9: ',' or ')' is expected");
  EXPECT_EQ(refusal("f([1; 2])"), "f([1; 2]): unexpected ';' at column 5: ',' or ']' is expected");
  EXPECT_EQ(refusal("f([k=1])"), "f([k=1]): unexpected '=' at column 5: ',' or ']' is expected");
  EXPECT_EQ(refusal("ball(,)"), "ball(,): unexpected ',' at column 6: a value is expected");
  EXPECT_EQ(refusal("ball(1,)"), "ball(1,): unexpected ')' at column 8: a value is expected");
  EXPECT_EQ(refusal("ball(1,"), "ball(1,: the text ends too early: a value is expected");
  EXPECT_EQ(refusal("ball(n="), "ball(n=: the text ends too early: a value is expected");
  EXPECT_EQ(refusal("ball(3=2)"), "ball(3=2): unexpected '=' at column 7");
  EXPECT_EQ(refusal("ball(a.b=2)"), "ball(a.b=2): unexpected '=' at column 9");
  EXPECT_EQ(refusal("f(2(3))"), "f(2(3)): unexpected '(' at column 4");
  EXPECT_EQ(refusal("f(a/b(3))"), "f(a/b(3)): unexpected '(' at column 6");
  EXPECT_EQ(refusal("f(\xc3\xa9)"),
            "f(\xc3\xa9): unexpected '\xc3\xa9' at column 3: a value is expected");
  EXPECT_EQ(refusal("f(\"\xc3\xa9\", ;)"),
            "f(\"\xc3\xa9\", ;): unexpected ';' at column 8: a value is expected");
  EXPECT_EQ(refusal("f(\"abc)"), "f(\"abc): the quoted text at column 3 is not closed");
  EXPECT_EQ(refusal(R"(f("a\q"))"),
            R"(f("a\q"): unknown escape at column 5: \" \\ \n \t and \r are known)");
  EXPECT_EQ(refusal(R"(f("a\)"),
            R"(f("a\: unfinished escape at column 5: \" \\ \n \t and \r are known)");
  EXPECT_EQ(refusal("ball(1e999)"),
            "ball(1e999): the number 1e999 at column 6 is beyond double precision");
  EXPECT_EQ(refusal("ball(1e-999)"),
            "ball(1e-999): the number 1e-999 at column 6 is beyond double precision");
  EXPECT_EQ(refusal(std::string("f(\0)", 4)),
            "f(?): unexpected '?' at column 3: a value is expected");
}

TEST(Syntax, DepthAndSizeAreLimited) {
  const auto nested = [](std::size_t depth, char opening, char closing) {
    return "f(" + std::string(depth - 1, opening) + std::string(depth - 1, closing) + ")";
  };
  EXPECT_NO_THROW((void)parse(nested(64, '[', ']')));
  EXPECT_EQ(refusal(nested(65, '[', ']')), "f(" + std::string(64, '[') + std::string(14, ']') +
                                               "...: nested deeper than 64 at column 66");
  std::string calls;
  for (int k = 0; k < 100000; ++k) calls += "f(";
  EXPECT_TRUE(refusal(calls).ends_with("nested deeper than 64 at column 130")) << refusal(calls);
  // Side by side is not nested.
  std::string list = "f([0";
  for (int k = 0; k < 1000; ++k) list += ",[]";
  EXPECT_NO_THROW((void)parse(list + "])"));

  std::string longest = "f(\"";
  longest.resize(spec::longest - 2, 'x');
  longest += "\")";
  EXPECT_NO_THROW((void)parse(longest));
  EXPECT_EQ(refusal(longest + " "),
            longest.substr(0, 80) + "...: a spec of 16777217 bytes is longer than 16777216");
}

TEST(Syntax, MessagesShowWholeCharacters) {
  // The 80th byte is in the middle of a character.
  const std::string text = "f(" + std::string(77, 'x') + "\xc3\xa9)";
  EXPECT_EQ(refusal(text),
            text.substr(0, 79) + "...: unexpected '\xc3\xa9' at column 80: ',' or ')' is expected");
}

}  // namespace
}  // namespace keyhole::tests
