#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/shortened.h"
#include "keyhole/error.h"
#include "spec/linear_model.h"

namespace keyhole::spec {
namespace {

using Fields = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t";

Fields words_of(std::string_view line) {
  Fields words;
  for (std::size_t begin = 0;;) {
    begin = line.find_first_not_of(blanks, begin);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A line of data: what kind, of which set or column, and up to two pairs of a name and a number.
struct Card {
  std::string_view kind = {};
  std::string_view name = {};
  std::array<std::string_view, 2> names = {};
  std::array<std::string_view, 2> numbers = {};
};

/// Reads a whole file in one of the two formats.
class MpsReader {
 public:
  MpsReader(std::string_view text, const std::string& file, bool fixed)
      : text_(text), fixed_(fixed), model_(file) {}

  [[nodiscard]] LinearModel read() {
    while (next_line()) {
      if (current_.find('\0') != std::string_view::npos) fail("a zero byte: this is no text");
      if (current_.starts_with('*') || words_of(current_).empty()) continue;
      if (blanks.find(current_.front()) == std::string_view::npos) {
        if (begin_section(words_of(current_))) return finished();
      } else {
        take(card());
      }
    }
    fail("the file ends without ENDATA: it may be cut off");
  }

  /// The line that reading has come to.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Whether the file says that it is in the free format.
  [[nodiscard]] bool says_free() const { return says_free_; }

 private:
  enum class Section { none, ignored, rows, columns, rhs, ranges, bounds };

  [[noreturn]] void fail(const std::string& what) const { model_.fail(line_, what); }

  bool next_line() {
    if (position_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    current_ = text_.substr(position_, end - position_);
    if (current_.ends_with('\r')) current_.remove_suffix(1);
    position_ = end + 1;
    ++line_;
    if (fixed_) leave_out_comment();
    return true;
  }

  /// A dollar sign at the beginning of the third or the fifth field of the fixed format.
  void leave_out_comment() {
    for (const std::size_t begin : {14U, 39U}) {
      if (current_.size() > begin && current_[begin] == '$') current_ = current_.substr(0, begin);
    }
  }

  /// Whether the file ends here.
  bool begin_section(const Fields& words) {
    const std::string_view name = words.front();
    if (name == "ENDATA") return true;
    if (name == "NAME") {
      says_free_ = words.back() == "FREE" && words.size() > 1;
      section_ = Section::none;
    } else if (is_one_of(name,
                         {"OBJSENSE", "OBJSENSEMAX", "OBJNAME", "OBJECT", "QUADOBJ", "QMATRIX"})) {
      section_ = Section::ignored;  // the objective's business
    } else if (name == "ROWS") {
      section_ = Section::rows;
    } else if (name == "COLUMNS") {
      section_ = Section::columns;
    } else if (name == "RHS") {
      section_ = Section::rhs;
    } else if (name == "RANGES") {
      section_ = Section::ranges;
    } else if (name == "BOUNDS") {
      section_ = Section::bounds;
    } else {
      fail(
          "the section '" + base::shortened(name) +
          "' is not one of NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS and ENDATA; lines of "
          "data begin with a blank");
    }
    return false;
  }

  Card card() const { return fixed_ ? fixed_card() : free_card(); }

  /// Fields in columns 2-3, 5-12, 15-22, 25-36, 40-47 and 50-61, counted from 1; blanks between.
  [[nodiscard]] Card fixed_card() const {
    constexpr std::array<std::size_t, 6> begins = {1, 4, 14, 24, 39, 49};
    constexpr std::array<std::size_t, 6> ends = {3, 12, 22, 36, 47, 61};
    std::array<std::string_view, 6> field;
    std::size_t last_end = 0;
    for (std::size_t k = 0; k < field.size(); ++k) {
      require_blank(last_end, begins[k]);
      field[k] = trimmed(begins[k], ends[k]);
      last_end = ends[k];
    }
    require_blank(last_end, current_.size());
    return {field[0], field[1], {field[2], field[4]}, {field[3], field[5]}};
  }

  void require_blank(std::size_t begin, std::size_t end) const {
    if (!trimmed(begin, end).empty()) fail("there is text between the columns of the fixed format");
  }

  [[nodiscard]] std::string_view trimmed(std::size_t begin, std::size_t end) const {
    if (begin >= current_.size()) return {};
    const std::string_view part = current_.substr(begin, end - begin);
    const std::size_t first = part.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return part.substr(first, part.find_last_not_of(blanks) - first + 1);
  }

  /// Names of sets may be left out.
  [[nodiscard]] Card free_card() const {
    Fields words = words_of(current_);
    Card card;
    if (section_ == Section::rows || section_ == Section::bounds) {
      card.kind = words.front();
      words.erase(words.begin());
    }
    if (section_ == Section::ignored || section_ == Section::none) return card;
    if (section_ == Section::bounds) {
      const bool has_number = takes_number(card.kind);
      const std::size_t least = has_number ? 2 : 1;
      // A number may follow where none is needed: then the column is before it.
      const bool extra =
          !has_number && (words.size() == 3 || (words.size() == 2 && !model_.column(words[1]) &&
                                                model_.column(words[0])));
      if (extra) words.pop_back();
      if (words.size() == least) words.insert(words.begin(), std::string_view());
      if (words.size() != least + 1) fail_fields();
    } else if (section_ == Section::rhs || section_ == Section::ranges) {
      if (words.size() % 2 == 0) words.insert(words.begin(), std::string_view());
    }
    const std::size_t most = section_ == Section::rows ? 1 : section_ == Section::bounds ? 3 : 5;
    if (words.empty() || words.size() > most) fail_fields();
    if (section_ != Section::rows && section_ != Section::bounds && words.size() % 2 == 0) {
      fail_fields();
    }
    card.name = words[0];
    for (std::size_t k = 1; k < words.size(); ++k) {
      (k % 2 == 1 ? card.names : card.numbers)[(k - 1) / 2] = words[k];
    }
    return card;
  }

  [[noreturn]] void fail_fields() const {
    fail(section_ == Section::rows ? "a row needs its kind (N, L, G or E) and its name"
         : section_ == Section::bounds
             ? "a bound needs its kind, the name of the set (or none), a column and its number"
             : "a name and one or two pairs of a name and a number are expected");
  }

  static bool takes_number(std::string_view kind) {
    return is_one_of(kind, {"UP", "LO", "FX", "UI", "LI", "SC"});
  }

  void take(const Card& card) {
    switch (section_) {
      case Section::none:
        fail("data before the section ROWS");
      case Section::ignored:
        return;
      case Section::rows:
        return take_row(card);
      case Section::columns:
        return take_column(card);
      case Section::rhs:
        require_set(card, rhs_set_);
        return for_pairs(card, [this](std::size_t row, double value) {
          set_once(rows_[row].right, value, row, "a right hand side");
        });
      case Section::ranges:
        require_set(card, range_set_);
        return for_pairs(card, [this](std::size_t row, double value) {
          set_once(rows_[row].range, value, row, "a range");
        });
      case Section::bounds:
        return take_bound(card);
    }
  }

  void take_row(const Card& card) {
    if (card.name.empty()) fail("a row without a name");
    if (card.kind.size() != 1 || std::string_view("NLGE").find(card.kind) == std::string::npos) {
      fail("the kind of a row is N, L, G or E, not '" + base::shortened(card.kind) + "'");
    }
    model_.add_row(card.name, line_);
    rows_.push_back({.kind = card.kind.front()});
  }

  /// The index of the row that a pair names.
  [[nodiscard]] std::size_t row_of(std::string_view name) const {
    const std::optional<std::size_t> row = model_.row(name);
    if (!row) fail("there is no row '" + base::shortened(name) + "'");
    return *row;
  }

  void take_column(const Card& card) {
    if (card.names[0] == "'MARKER'") {
      const std::string_view what = fixed_ ? card.names[1] : card.numbers[0];
      if (what != "'INTORG'" && what != "'INTEND'") {
        fail("a marker is 'INTORG' or 'INTEND', not " + base::shortened(what));
      }
      whole_ = what == "'INTORG'";
      return;
    }
    // In the fixed format a line without a name goes on with the column of the line before.
    const bool goes_on = fixed_ && card.name.empty() && !model_.columns.empty();
    if (card.name.empty() && !goes_on) fail("a column without a name");
    if (!goes_on && (model_.columns.empty() || model_.columns.back().name != card.name)) {
      if (model_.column(card.name)) {
        fail("the column '" + base::shortened(card.name) +
             "' was there before: its lines must follow each other");
      }
      model_.add_column(card.name, line_);
      model_.columns.back().whole = whole_;
    }
    const std::size_t column = model_.columns.size() - 1;
    for_pairs(card, [&](std::size_t row, double value) {
      if (rows_[row].last_column == column) {
        fail("the column has a number in row '" + base::shortened(model_.rows[row].name) +
             "' already");
      }
      rows_[row].last_column = column;
      if (rows_[row].kind != 'N') model_.entries.push_back({row, column, value});
    });
  }

  template <class Each>
  void for_pairs(const Card& card, const Each& each) {
    if (card.names[0].empty()) fail_fields();
    for (std::size_t k = 0; k < 2; ++k) {
      if (card.names[k].empty() && card.numbers[k].empty()) continue;
      const std::size_t row = row_of(card.names[k]);
      each(row, section_ == Section::columns ? model_.number(card.numbers[k], line_)
                                             : model_.bound(card.numbers[k], line_));
    }
  }

  /// Only one set of numbers may be there, for there is no way to ask for another.
  void require_set(const Card& card, std::optional<std::string>& set) {
    if (!set) set = std::string(card.name);
    const bool goes_on = fixed_ && card.name.empty();
    if (!goes_on && *set != card.name) {
      fail("the name '" + base::shortened(card.name) +
           "' begins a second set of such numbers, after '" + base::shortened(*set) +
           "': leave one in the file");
    }
  }

  void set_once(std::optional<double>& place, double value, std::size_t row, const char* what) {
    if (place)
      fail("row '" + base::shortened(model_.rows[row].name) + "' has " + what + " already");
    place = value;
  }

  void take_bound(const Card& card) {
    if (!takes_number(card.kind) && !is_one_of(card.kind, {"FR", "MI", "PL", "BV", "SI"})) {
      fail("the kind of a bound is UP, LO, FX, FR, MI, PL, BV, UI or LI, not '" +
           base::shortened(card.kind) + "'");
    }
    if (card.kind.front() == 'S') {
      fail("semicontinuous columns (" + std::string(card.kind) + ") make no convex set");
    }
    require_set(card, bound_set_);
    const std::optional<std::size_t> found = model_.column(card.names[0]);
    if (!found) fail("there is no column '" + base::shortened(card.names[0]) + "'");
    LinearModel::Column& column = model_.columns[*found];
    const char first = card.kind.front();
    const bool sets_lower = first != 'U' && first != 'P';
    const bool sets_upper = first != 'L' && first != 'M';
    require_new_bound(column, column.has_lower && sets_lower, "a lower");
    require_new_bound(column, column.has_upper && sets_upper, "an upper");
    const double value = takes_number(card.kind) ? model_.bound(card.numbers[0], line_) : 0;
    if (card.kind == "UP" || card.kind == "UI") {
      column.upper = value;
    } else if (first == 'L') {
      column.lower = value;
    } else if (card.kind == "FX") {
      column.lower = column.upper = value;
    } else if (card.kind == "FR" || card.kind == "MI") {
      column.lower = -without_bound;
      if (card.kind == "FR") column.upper = without_bound;
    } else if (card.kind == "PL") {
      column.upper = without_bound;
    } else {
      column.lower = 0;
      column.upper = 1;
    }
    column.has_lower = column.has_lower || sets_lower;
    column.has_upper = column.has_upper || sets_upper;
  }

  /// The format does not say which of two bounds counts, and programs differ.
  void require_new_bound(const LinearModel::Column& column, bool again, const char* which) {
    if (again) {
      fail("column '" + base::shortened(column.name) + "' has " + which +
           " bound already: leave one in the file");
    }
  }

  /// Puts the pieces of each row together.
  [[nodiscard]] LinearModel finished() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      LinearModel::Row& row = model_.rows[i];
      const auto& [kind, right, range, last_column] = rows_[i];
      if (kind == 'N') continue;  // an objective, or a row that nothing is asked of
      const double b = right.value_or(0);
      row.lower = row.upper = b;
      if (kind == 'L') {
        row.lower = range ? b - std::abs(*range) : -without_bound;
      } else if (kind == 'G') {
        row.upper = range ? b + std::abs(*range) : without_bound;
      } else if (range) {
        (*range < 0 ? row.lower : row.upper) += *range;
      }
    }
    for (LinearModel::Column& column : model_.columns) {
      model_.require_lower_bound(column, "BOUNDS (LO, or MI for none)");
      if (column.whole && !column.has_upper) {
        model_.fail(column.line,
                    "the whole column '" + base::shortened(column.name) +
                        "' has no upper bound, for which some programs take 1 and others none: say "
                        "which in BOUNDS (UP, or PL for none)");
      }
    }
    return std::move(model_);
  }

  std::string_view text_;
  bool fixed_;
  LinearModel model_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;
  std::string_view current_;
  Section section_ = Section::none;
  bool says_free_ = false;
  bool whole_ = false;
  struct RowData {
    char kind;
    std::optional<double> right = {};
    std::optional<double> range = {};
    /// The last column with a number in it.
    std::size_t last_column = static_cast<std::size_t>(-1);
  };
  std::vector<RowData> rows_;
  // The sets that are read.
  std::optional<std::string> rhs_set_;
  std::optional<std::string> range_set_;
  std::optional<std::string> bound_set_;
};

}  // namespace

LinearModel read_mps(std::string_view text, const std::string& file) {
  MpsReader free(text, file, false);
  try {
    return free.read();
  } catch (const InputError&) {
    if (free.says_free()) throw;
    MpsReader fixed(text, file, true);
    try {
      return fixed.read();
    } catch (const InputError&) {
      // The format that came farther is the likelier one, and its complaint the better.
      if (fixed.line() > free.line()) throw;
    }
    throw;
  }
}

}  // namespace keyhole::spec
