#include "problems/csv.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/number_text.h"
#include "keyhole/error.h"

namespace keyhole::problems {
namespace {

/// Cuts a text into rows of fields.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  /// The line that the next row begins on.
  [[nodiscard]] std::size_t line() const { return line_; }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw InputError(name_ + ":" + std::to_string(line) + ": " + what);
  }

  /// Passes over a line end; whether there was one.
  bool line_end() {
    std::size_t next = position_;
    if (next < text_.size() && text_[next] == '\r') ++next;
    if (next < text_.size() ? text_[next] != '\n' : next == position_) return false;
    position_ = std::min(next + 1, text_.size());
    ++line_;
    return true;
  }

  /// The fields up to the end of the line, which is passed over.
  std::vector<std::string> row(std::size_t expected) {
    std::vector<std::string> fields;
    fields.reserve(expected);
    for (;;) {
      fields.push_back(!at_end() && text_[position_] == '"' ? quoted() : plain());
      if (at_end() || line_end()) return fields;
      if (text_[position_] != ',') unexpected();
      ++position_;
    }
  }

 private:
  std::string plain() {
    const std::size_t begin = position_;
    position_ =
        std::min(text_.find_first_of(std::string_view(",\"\r\n\0", 5), begin), text_.size());
    return std::string(text_.substr(begin, position_ - begin));
  }

  std::string quoted() {
    const std::size_t begin_line = line_;
    std::string field;
    for (++position_; !at_end(); ++position_) {
      const char character = text_[position_];
      if (character == '"') {
        ++position_;
        if (at_end() || text_[position_] != '"') return field;
      } else if (character == '\n') {
        ++line_;
      } else if (character == '\0') {
        unexpected();
      }
      field += character;
    }
    fail(begin_line, "a quoted field begins here and does not end");
  }

  [[noreturn]] void unexpected() const {
    switch (text_[position_]) {
      case '"':
        fail(line_, "a quote inside a field: quote the whole field, with \"\" for the one inside");
      case '\r':
        fail(line_, "a carriage return that does not end the line");
      case '\0':
        fail(line_, "a zero byte: the file must be UTF-8 text");
      default:
        fail(line_, "text after a closing quote");
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

void check_header(const Reader& reader, const std::vector<std::string>& header) {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t j = 0; j < header.size(); ++j) {
    if (header[j].empty()) reader.fail(1, "column " + std::to_string(j + 1) + " has no name");
    const auto [first, is_new] = seen.emplace(header[j], j);
    if (!is_new) {
      reader.fail(1, "columns " + std::to_string(first->second + 1) + " and " +
                         std::to_string(j + 1) + " are both named '" + header[j] + "'");
    }
  }
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Reader reader(text, name);
  if (reader.at_end()) throw InputError(name + ": the file is empty; it must begin with a header");
  CsvTable table;
  table.file = name;
  table.header = reader.row(0);
  check_header(reader, table.header);
  while (!reader.at_end()) {
    const std::size_t line = reader.line();
    if (reader.line_end()) {
      while (reader.line_end()) {
      }
      if (!reader.at_end()) reader.fail(line, "a blank line between rows");
      break;
    }
    table.rows.push_back(reader.row(table.header.size()));
    table.lines.push_back(line);
    if (table.rows.back().size() != table.header.size()) {
      reader.fail(line, std::to_string(table.rows.back().size()) + " fields, but the header has " +
                            std::to_string(table.header.size()));
    }
  }
  return table;
}

std::string read_text(const std::string& file, std::size_t most_bytes) {
  std::error_code ignored;  // what does not exist is no directory either: opening it will tell
  if (std::filesystem::is_directory(file, ignored)) {
    throw InputError(file + ": is a directory, not a file");
  }
  const auto reason = [] {
    return errno == 0 ? "" : ": " + std::generic_category().message(errno);
  };
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file + ": cannot be opened" + reason());
  std::string text;
  std::vector<char> block(1 << 16);
  do {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes) {
      throw InputError(file + ": is larger than " + std::to_string(most_bytes) + " bytes");
    }
  } while (stream);
  if (stream.bad()) throw InputError(file + ": cannot be read" + reason());
  return text;
}

CsvTable read_csv(const std::string& file) { return parse_csv(read_text(file), file); }

std::string csv_place(const CsvTable& table, std::size_t row, std::size_t column) {
  return table.file + ":" + std::to_string(table.lines[row]) + ": column '" + table.header[column] +
         "': ";
}

std::size_t csv_column(const CsvTable& table, const std::string& name) {
  const auto found = std::find(table.header.begin(), table.header.end(), name);
  if (found == table.header.end()) {
    throw InputError(table.file + ":1: there is no column '" + name + "'");
  }
  return static_cast<std::size_t>(found - table.header.begin());
}

double csv_number(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string& field = table.rows[row][column];
  const auto number = base::leading_number(field);
  const auto fail = [&](const std::string& what) {
    throw InputError(csv_place(table, row, column) + "'" + field + "' is " + what);
  };
  if (!number || number->length != field.size()) fail("not a number");
  if (!number->in_range) fail("beyond the range of a double");
  if (!std::isfinite(number->value)) fail("not a finite number");
  return number->value;
}

}  // namespace keyhole::problems
