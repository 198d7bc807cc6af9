#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keyhole/error.h"
#include "spec/linear_model.h"
#include "spec/nearest.h"

namespace keyhole::spec {
namespace {

struct LpToken {
  enum class Kind { name, number, sense, sign, colon, other, end };
  Kind kind = Kind::end;
  std::string_view text = {};
  std::size_t line = 0;
  /// Whether nothing is before it on its line.
  bool first = true;
};

/// In lower case.
std::string word_of(const LpToken& token) { return lower_case(token.text.substr(0, 60)); }

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// Letters, digits, bytes beyond ASCII and what CPLEX allows besides.
bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_decimal(c) || (c & 0x80) != 0 ||
         std::string_view("!\"#$%&(),.;?@_`'{}~").find(c) != std::string_view::npos;
}

/// Cuts a text into tokens; comments go from a backslash to the end of the line.
std::vector<LpToken> tokens_of(std::string_view text, const LinearModel& model) {
  std::vector<LpToken> tokens;
  std::size_t line = 1;
  bool first = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      first = true;
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
    } else if (c == '\\') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else {
      const std::size_t begin = i;
      const auto kind = [&] {
        const bool fraction = c == '.' && i + 1 < text.size() && is_decimal(text[i + 1]);
        if (is_decimal(c) || fraction) {
          double ignored = 0;
          const char* const end = text.data() + text.size();
          i = static_cast<std::size_t>(std::from_chars(text.data() + i, end, ignored).ptr -
                                       text.data());
          return LpToken::Kind::number;
        }
        if (is_of_name(c)) {
          while (i < text.size() && is_of_name(text[i])) ++i;
          return LpToken::Kind::name;
        }
        ++i;
        if (c == '<' || c == '>' || c == '=') {
          const char next = i < text.size() ? text[i] : ' ';
          if (next == '=' || (c == '=' && (next == '<' || next == '>'))) ++i;
          return LpToken::Kind::sense;
        }
        if (c == '+' || c == '-') return LpToken::Kind::sign;
        if (c == ':') return LpToken::Kind::colon;
        if (std::string_view("[]/*^|").find(c) == std::string_view::npos) {
          model.fail(line, "a character that no LP file has, of code " +
                               std::to_string(static_cast<unsigned char>(c)));
        }
        return LpToken::Kind::other;
      }();
      tokens.push_back({kind, text.substr(begin, i - begin), line, first});
      first = false;
    }
  }
  tokens.push_back({.line = line});
  return tokens;
}

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& file)
      : model_(file), tokens_(tokens_of(text, model_)) {}

  [[nodiscard]] LinearModel read() {
    const std::optional<Section> first = section();
    if (first != Section::objective) fail("an LP file begins with Minimize or Maximize");
    read_objective();
    for (;;) {
      const std::size_t line = token().line;
      const std::optional<Section> next = section();
      if (!next) fail("a section is expected, not '" + shown() + "'");
      switch (*next) {
        case Section::objective:
          model_.fail(line, "a second objective");
        case Section::constraints:
          while (!at_section()) read_constraint();
          break;
        case Section::bounds:
          while (!at_section()) read_bound();
          break;
        case Section::whole:
          while (!at_section()) (void)known_column();
          break;
        case Section::binary:
          while (!at_section()) {
            LinearModel::Column& column = model_.columns[known_column()];
            column.lower = 0;
            column.upper = 1;
            column.has_lower = true;
          }
          break;
        case Section::end:
          return finished();
      }
    }
  }

 private:
  enum class Section { objective, constraints, bounds, whole, binary, end };
  using Kind = LpToken::Kind;

  [[noreturn]] void fail(const std::string& what) const { model_.fail(token().line, what); }

  [[nodiscard]] const LpToken& token(std::size_t ahead = 0) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool is(Kind kind) const { return token().kind == kind; }
  [[nodiscard]] std::string shown() const {
    return is(Kind::end) ? "the end of the file" : std::string(token().text.substr(0, 60));
  }

  /// The section that begins here and how many tokens its name has; fails for those that make no
  /// convex set.
  [[nodiscard]] std::optional<std::pair<Section, std::size_t>> section_here() const {
    if (is(Kind::end)) fail("the file ends without End: it may be cut off");
    if (!is(Kind::name) || !token().first || token(1).kind == Kind::colon) return std::nullopt;
    const std::string word = word_of(token());
    const std::string next = word_of(token(1));
    struct Name {
      std::string_view word;
      std::string_view next;
      Section section;
    };
    static constexpr std::array<Name, 24> names = {{
        {"minimize", "", Section::objective},
        {"minimum", "", Section::objective},
        {"min", "", Section::objective},
        {"maximize", "", Section::objective},
        {"maximum", "", Section::objective},
        {"max", "", Section::objective},
        {"subject", "to", Section::constraints},
        {"such", "that", Section::constraints},
        {"st", "", Section::constraints},
        {"s.t.", "", Section::constraints},
        {"st.", "", Section::constraints},
        {"bounds", "", Section::bounds},
        {"bound", "", Section::bounds},
        {"generals", "", Section::whole},
        {"general", "", Section::whole},
        {"gen", "", Section::whole},
        {"integers", "", Section::whole},
        {"integer", "", Section::whole},
        {"int", "", Section::whole},
        {"binaries", "", Section::binary},
        {"binary", "", Section::binary},
        {"bin", "", Section::binary},
        {"end", "", Section::end},
        {"minimise", "", Section::objective},
    }};
    for (const Name& name : names) {
      if (word != name.word) continue;
      if (name.next.empty()) return std::pair(name.section, std::size_t{1});
      if (next == name.next) return std::pair(name.section, std::size_t{2});
    }
    for (const std::string_view other : {"semi", "semis", "sos", "sos1", "sos2", "pwlobj"}) {
      if (word == other) fail("the section '" + shown() + "' makes no convex set");
    }
    if ((word == "lazy" || word == "user") && (next == "constraints" || next == "cuts")) {
      fail("the section '" + word + " " + next +
           "': put its rows among the constraints, or drop it");
    }
    return std::nullopt;
  }

  [[nodiscard]] bool at_section() const { return section_here().has_value(); }

  std::optional<Section> section() {
    const auto found = section_here();
    if (!found) return std::nullopt;
    position_ += found->second;
    return found->first;
  }

  /// Only its variables count.
  void read_objective() {
    while (!at_section()) {
      if (is(Kind::name) && token(1).kind != Kind::colon)
        (void)any_column();
      else
        ++position_;
    }
  }

  /// The column that is named here, a new one if there is none.
  std::size_t any_column() {
    const std::string_view name = token().text;
    const std::optional<std::size_t> column = model_.column(name);
    const std::size_t index = column ? *column : model_.add_column(name, token().line);
    ++position_;
    return index;
  }

  std::size_t known_column() {
    const std::optional<std::size_t> column =
        is(Kind::name) ? model_.column(token().text) : std::nullopt;
    if (!column) {
      fail("'" + shown() + "' is not a variable of the objective or of a constraint");
    }
    ++position_;
    return *column;
  }

  /// Passes over signs; whether they make a minus.
  bool read_signs() {
    bool negative = false;
    for (; is(Kind::sign); ++position_) negative = negative != (token().text == "-");
    return negative;
  }

  [[nodiscard]] bool at_infinity() const {
    const std::string word = word_of(token());
    return is(Kind::name) && (word == "inf" || word == "infinity");
  }

  /// [signs] number, or infinity.
  double read_constant() {
    const bool negative = read_signs();
    if (!is(Kind::number) && !at_infinity()) fail("a number is expected, not '" + shown() + "'");
    const double value = model_.bound(token().text, token().line);
    ++position_;
    return negative ? -value : value;
  }

  struct Expression {
    std::vector<std::pair<std::size_t, double>> terms;
    double constant = 0;
  };

  /// [signs] [number] [name], again and again with at least a sign between.
  Expression read_expression() {
    Expression result;
    for (bool more = true; more; more = is(Kind::sign)) {
      const bool negative = read_signs();
      double factor = negative ? -1 : 1;
      const bool has_number = is(Kind::number);
      if (has_number) {
        factor *= model_.number(token().text, token().line);
        ++position_;
      }
      if (is(Kind::other)) fail("'" + shown() + "': quadratic constraints make no polytope");
      if (is(Kind::name) && !(has_number && token().first)) {
        result.terms.emplace_back(any_column(), factor);
      } else if (has_number) {
        result.constant += factor;
      } else {
        fail("a number or a variable is expected, not '" + shown() + "'");
      }
    }
    return result;
  }

  /// '<', '>' or '='.
  char read_sense() {
    if (!is(Kind::sense)) fail("<=, >= or = is expected, not '" + shown() + "'");
    const std::string_view text = token().text;
    ++position_;
    return text.find('<') != std::string_view::npos   ? '<'
           : text.find('>') != std::string_view::npos ? '>'
                                                      : '=';
  }

  /// What follows must begin on a new line.
  void end_of_statement(const char* what) const {
    if (!is(Kind::end) && !token().first) {
      fail("'" + shown() + "' follows a complete " + what + ": the next begins on a new line");
    }
  }

  /// Narrows [lower, upper] by x sense value.
  static void narrow(char sense, double value, double& lower, double& upper) {
    if (sense != '>') upper = value;
    if (sense != '<') lower = value;
  }

  static char reversed(char sense) { return sense == '<' ? '>' : sense == '>' ? '<' : '='; }

  void read_constraint() {
    const std::size_t line = token().line;
    std::string name = "of line " + std::to_string(line);
    if (is(Kind::name) && token(1).kind == Kind::colon) {
      name = token().text;
      position_ += 2;
    }
    const std::size_t row = model_.add_row(name, line);
    LinearModel::Row bounds;
    Expression left = read_expression();
    const char sense = read_sense();
    if (left.terms.empty()) {  // number sense expression [sense number]
      const double first = left.constant;
      left = read_expression();
      narrow(reversed(sense), first, bounds.lower, bounds.upper);
      if (is(Kind::sense)) {
        if (read_sense() != sense || sense == '=') fail("a range needs <= twice, or >= twice");
        narrow(sense, read_constant(), bounds.lower, bounds.upper);
      }
    } else {
      narrow(sense, read_constant(), bounds.lower, bounds.upper);
    }
    end_of_statement("constraint");
    if (left.terms.empty()) model_.fail(line, "there is no variable in the constraint");
    model_.rows[row].lower = bounds.lower - left.constant;
    model_.rows[row].upper = bounds.upper - left.constant;
    for (const auto& [column, factor] : left.terms) {
      model_.entries.push_back({row, column, factor});
    }
  }

  /// x free, x sense number, number sense x [sense number].
  void read_bound() {
    if (is(Kind::name) && !at_infinity()) {
      LinearModel::Column& column = model_.columns[known_column()];
      if (is(Kind::name) && word_of(token()) == "free") {
        ++position_;
        column.lower = -without_bound;
        column.upper = without_bound;
        column.has_lower = true;
      } else {
        const char sense = read_sense();
        set_bound(column, sense, read_constant());
      }
    } else {
      const double first = read_constant();
      const char sense = read_sense();
      LinearModel::Column& column = model_.columns[known_column()];
      set_bound(column, reversed(sense), first);
      if (is(Kind::sense)) {
        if (read_sense() != sense || sense == '=') fail("a range needs <= twice, or >= twice");
        set_bound(column, sense, read_constant());
      }
    }
    end_of_statement("bound");
  }

  static void set_bound(LinearModel::Column& column, char sense, double value) {
    narrow(sense, value, column.lower, column.upper);
    column.has_lower = column.has_lower || sense != '<';
  }

  [[nodiscard]] LinearModel finished() {
    for (const LinearModel::Column& column : model_.columns) {
      if (column.upper < 0 && !column.has_lower) {
        model_.fail(column.line, "the upper bound of '" + column.name.substr(0, 60) +
                                     "' is negative and there is no lower one, for which some "
                                     "programs take 0 and others -inf: say which in Bounds");
      }
    }
    return std::move(model_);
  }

  LinearModel model_;
  std::vector<LpToken> tokens_;
  std::size_t position_ = 0;
};

}  // namespace

LinearModel read_lp(std::string_view text, const std::string& file) {
  return LpReader(text, file).read();
}

}  // namespace keyhole::spec
