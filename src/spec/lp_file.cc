#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/shortened.h"
#include "keyhole/error.h"
#include "spec/linear_model.h"
#include "spec/lp_tokens.h"

namespace keyhole::spec {
namespace {

/// In lower case.
std::string word_of(const LpToken& token) { return base::lower_case(token.text.substr(0, 60)); }

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& file) : model_(file), tokens_(text, model_) {}

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

  [[nodiscard]] const LpToken& token() const { return tokens_.here(); }
  [[nodiscard]] bool is(Kind kind) const { return token().kind == kind; }
  [[nodiscard]] std::string shown() const {
    return is(Kind::end) ? "the end of the file" : base::shortened(token().text);
  }

  /// The section that begins here and how many tokens its name has; fails for those that make no
  /// convex set.
  [[nodiscard]] std::optional<std::pair<Section, std::size_t>> section_here() const {
    if (is(Kind::end)) fail("the file ends without End: it may be cut off");
    if (!is(Kind::name) || !token().first || tokens_.next().kind == Kind::colon)
      return std::nullopt;
    const std::string word = word_of(token());
    const std::string next = word_of(tokens_.next());
    struct Names {
      Section section;
      std::string_view names;
    };
    static constexpr std::array<Names, 6> sections = {{
        {Section::objective, "|minimize|minimise|minimum|min|maximize|maximise|maximum|max|"},
        {Section::constraints, "|subject to|such that|st|s.t.|st.|"},
        {Section::bounds, "|bounds|bound|"},
        {Section::whole, "|generals|general|gen|integers|integer|int|"},
        {Section::binary, "|binaries|binary|bin|"},
        {Section::end, "|end|"},
    }};
    for (const auto& [section, names] : sections) {
      const auto has = [&, all = names](const std::string& name) {
        return all.find("|" + name + "|") != std::string_view::npos;
      };
      if (has(word)) return std::pair(section, std::size_t{1});
      if (has(word + " " + next)) return std::pair(section, std::size_t{2});
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
    for (std::size_t k = 0; k < found->second; ++k) tokens_.skip();
    return found->first;
  }

  /// Only its variables count.
  void read_objective() {
    while (!at_section()) {
      if (is(Kind::name) && tokens_.next().kind != Kind::colon) {
        (void)any_column();
      } else {
        tokens_.skip();
      }
    }
  }

  /// The column that is named here, a new one if there is none.
  std::size_t any_column() {
    const std::string_view name = token().text;
    const std::optional<std::size_t> column = model_.column(name);
    const std::size_t index = column ? *column : model_.add_column(name, token().line);
    tokens_.skip();
    return index;
  }

  std::size_t known_column() {
    const std::optional<std::size_t> column =
        is(Kind::name) ? model_.column(token().text) : std::nullopt;
    if (!column) {
      fail("'" + shown() + "' is not a variable of the objective or of a constraint");
    }
    tokens_.skip();
    return *column;
  }

  /// Passes over signs; whether they make a minus.
  bool read_signs() {
    bool negative = false;
    for (; is(Kind::sign); tokens_.skip()) negative = negative != (token().text == "-");
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
    tokens_.skip();
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
        tokens_.skip();
      }
      if (is(Kind::other)) fail("'" + shown() + "': quadratic constraints make no polytope");
      if (!has_number && at_infinity()) {
        result.constant += factor * without_bound;
        tokens_.skip();
      } else if (is(Kind::name) && !(has_number && token().first)) {
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
    tokens_.skip();
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
    if (is(Kind::name) && tokens_.next().kind == Kind::colon) {
      name = token().text;
      tokens_.skip();
      tokens_.skip();
    }
    const std::size_t row = model_.add_row(name, line);
    LinearModel::Row bounds;
    Expression left = read_expression();
    const char sense = read_sense();
    if (left.terms.empty()) {  // number sense expression [sense number]
      const double first = LinearModel::as_bound(left.constant);
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
    if (std::isinf(left.constant)) model_.fail(line, "infinity is added to variables");
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
        tokens_.skip();
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
      model_.require_lower_bound(column, "Bounds");
    }
    return std::move(model_);
  }

  LinearModel model_;
  LpTokens tokens_;
};

}  // namespace

LinearModel read_lp(std::string_view text, const std::string& file) {
  return LpReader(text, file).read();
}

}  // namespace keyhole::spec
