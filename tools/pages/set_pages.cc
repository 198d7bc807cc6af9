#include "pages/set_pages.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/quoted.h"
#include "pages/picture.h"

namespace keyhole::pages {
namespace {

constexpr const char* made_by =
    "<!-- Made from the catalogue (src/spec/table_*.cc) and tools/pages/texts by `make pages`: "
    "change it there. -->\n\n";

constexpr const char* letters =
    "The oracle gives a point x of the set where d_1 x_1 + ... + d_n x_n is least. p is the "
    "centre, r the radius of the largest ball about p inside the set, R that of the smallest "
    "around it, and D how far two points can be apart. Balls are within the hull of the set.\n\n";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Text that Markdown shows as it is, also inside a table.
std::string shown(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool inside_word = i > 0 && is_word(text[i - 1]) && is_word(next);
    const bool opens_tag = c == '<' && (is_word(next) || next == '/' || next == '!');
    if (c == '|' || c == '*' || c == '~' || c == '\\' || (c == '_' && !inside_word) || opens_tag) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

/// Code inside a table.
std::string code(const std::string& text) {
  std::string result = "`";
  for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result + "`";
}

std::string row(const std::string& what, const std::string& value) {
  return "| " + what + " | " + value + " |\n";
}

std::string row_unless_empty(const std::string& what, const std::string& value) {
  return value.empty() ? "" : row(what, shown(value));
}

std::string capitalised(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Six digits; what is rounding relative to the size is 0.
std::string six_digits(double value, double size) {
  if (std::abs(value) < 1e-9 * size) value = 0;
  return base::digits_text(value, 6);
}

std::string centre_text(const Geometry& geometry) {
  constexpr std::size_t most_shown = 9;
  const std::vector<double>& p = geometry.centre;
  std::string result = "(";
  for (std::size_t i = 0; i < p.size() && i < most_shown; ++i) {
    result += (i == 0 ? "" : ", ") + six_digits(p[i], geometry.outer_radius);
  }
  return result + (p.size() > most_shown ? ", ...)" : ")");
}

/// What the answer to a direction without ties is made of.
std::string form_of_vertices(const Set& set) {
  std::vector<double> direction(set.dimension());
  for (std::size_t i = 0; i < direction.size(); ++i) {
    direction[i] = std::cos(static_cast<double>(i * i + 1)) - 0.3;
  }
  const auto oracle = set.oracle();
  const Vertex& vertex = oracle->minimise(direction);
  std::string result;
  const auto add = [&](const std::string& part) { result += (result.empty() ? "" : " + ") + part; };
  if (!vertex.dense.empty()) add("dense");
  if (!vertex.left.empty()) add("of rank one");
  if (!vertex.indices.empty() || result.empty()) {
    const std::size_t count = vertex.indices.size();
    add("sparse, " + std::to_string(count) + (count == 1 ? " entry" : " entries") + " of " +
        std::to_string(set.dimension()));
  }
  return result;
}

/// A spec as a call in Python: names that are called are in kh.
std::string in_python(const std::string& spec) {
  std::string result;
  for (std::size_t i = 0; i < spec.size();) {
    std::size_t end = i;
    while (end < spec.size() && (is_word(spec[end]) || spec[end] == '_')) ++end;
    const std::string word = spec.substr(i, std::max(end, i + 1) - i);
    const bool is_call = end > i && end < spec.size() && spec[end] == '(';
    result += is_call ? "kh." + word : word == "true" ? "True" : word == "false" ? "False" : word;
    i += word.size();
  }
  return result;
}

/// The playground on the set, if that can be seen.
std::string to_play(const Set& set, const SetPage& page) {
  if (set.hull_dimension() != 2 && set.hull_dimension() != 3) return "";
  std::string spec;
  for (const char c : page.example) {
    char code[4];
    (void)std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
    spec += is_word(c) || c == '_' ? std::string(1, c) : code;
  }
  return " [Play on it](../playground.md?set=" + spec + ").";
}

std::string table_of_parameters(const SpecEntry& entry) {
  std::string result = "| parameter | type | meaning | default | range |\n|---|---|---|---|---|\n";
  for (const Parameter& parameter : entry.parameters) {
    result += "| `" + parameter.name + "` | " + shown(parameter.type_text()) + " | " +
              shown(parameter.meaning) + " | " +
              (parameter.default_value.empty() ? "required" : shown(parameter.default_value)) +
              " | " + shown(parameter.range.text()) + " |\n";
  }
  return result;
}

std::string facts_of(const Set& set) {
  const Geometry& geometry = set.geometry();
  const double size = geometry.outer_radius;
  const bool is_flat = set.hull_dimension() < set.dimension();
  const auto bound = [](bool exact) { return exact ? "" : ", an upper bound"; };
  return "| | |\n|---|---|\n" + row("dimension", std::to_string(set.dimension())) +
         row("dimension of the hull",
             std::to_string(set.hull_dimension()) + (is_flat ? ": flat" : "")) +
         row("p", centre_text(geometry)) + row("r", six_digits(geometry.inner_radius, size)) +
         row("R", six_digits(size, size) + bound(geometry.outer_radius_exact)) +
         row("D", six_digits(geometry.diameter, size) + bound(geometry.diameter_exact)) +
         row("projects", set.can_project() ? "yes" : "no") +
         row("gauge", set.can_gauge() ? "in closed form" : "no") +
         row("vertices", form_of_vertices(set));
}

}  // namespace

std::string missing_of(const SpecEntry& entry, const SetPage& page) {
  for (const auto& [name, value] :
       {std::pair{"use", page.use}, std::pair{"example", page.example},
        std::pair{"oracle", page.oracle}, std::pair{"cost", page.cost},
        std::pair{"geometry", page.geometry}, std::pair{"exploration", page.exploration}}) {
    if (value.empty()) return entry.name + " has no " + name + " in tools/pages/texts";
  }
  if (make_set(page.example)->can_project() && page.projection.empty()) {
    return entry.name + " has no projection in tools/pages/texts, but " + page.example +
           " projects";
  }
  return "";
}

std::vector<File> page_of(const SpecEntry& entry, const SetPage& page) {
  const SetPtr set = make_set(page.example);
  const Picture picture = picture_of(*set);
  std::string text = made_by;
  text += "# " + shown(entry.name) + "\n\nFor " + shown(page.use) + ".\n\n```text\n" +
          entry.summary + "\n```\n\n";
  text += "![" + entry.name + "](" + entry.name + ".svg)\n\n";
  text += shown(picture.caption) + " Drawn: `" + page.example + "`." + to_play(*set, page) + "\n\n";
  text += "## Call\n\n```text\n" + signature(entry) + "\n```\n\n";
  if (!entry.parameters.empty()) text += table_of_parameters(entry) + "\n";
  text += "In Python, in the file of an experiment, on the command line, in C++:\n\n```py\nset = " +
          in_python(page.example) +
          "\n```\n\n```toml\nproblems = " + base::quoted("tracking(" + page.example + ")") +
          "\n```\n\n```sh\nkeyhole check '" + page.example +
          "'\n```\n\n```c++\nconst auto set = keyhole::make_set(" + base::quoted(page.example) +
          ");\n```\n\n";
  text += "## How it works\n\n" + std::string(letters) + "| | |\n|---|---|\n" +
          row("oracle", shown(page.oracle)) + row("cost", shown(page.cost)) +
          row("geometry", shown(page.geometry)) + row("exploration", shown(page.exploration)) +
          row_unless_empty("projection", page.projection) +
          row_unless_empty("in general", base::joined(entry.capabilities)) +
          row_unless_empty("reference", page.reference) + "\n";
  text += "## The example\n\n`" + set->spec() + "`\n\n" + facts_of(*set);
  text += "\n[All sets](README.md)\n";
  return {{entry.name + ".md", text}, {entry.name + ".svg", picture.svg}};
}

std::vector<File> set_pages() {
  std::vector<File> files;
  std::string index = std::string(made_by) +
                      "# The sets\n\nA page for each set: how it is called, its oracle and what it "
                      "costs, its geometry, a picture.\n[sets.md](../sets.md) is the guide: which "
                      "set for which problem, and what they have in common.\n";
  std::string family;
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.kind() != SpecKind::set) continue;
    for (File& file : page_of(entry, page_text(entry.name))) files.push_back(std::move(file));
    if (entry.family != family) {
      family = entry.family;
      index += "\n## " + capitalised(family) + "\n\n| | set | |\n|---|---|---|\n";
    }
    index += "| <a href=\"" + entry.name + ".md\"><img src=\"" + entry.name +
             R"(.svg" width="120" alt=""></a> | [)" + shown(entry.name) + "](" + entry.name +
             ".md) | " + code(entry.summary) + " |\n";
  }
  files.push_back({"README.md", index});
  return files;
}

}  // namespace keyhole::pages
