// Tables in comma-separated text (RFC 4180): a header line, then rows of as many fields.
//
// Lines end with \n or \r\n, the last one perhaps with nothing; blank lines at the end and a UTF-8
// byte order mark are passed over. A field may stand in double quotes, with "" for a quote inside,
// and may then hold commas and line ends. Nothing is trimmed. Whatever is wrong throws InputError
// with the file and the line.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::problems {

/// A table of text. The names of its columns are not empty and all different, and every row has as
/// many fields as there are names.
struct CsvTable {
  /// What it was read from; stands in messages.
  std::string file;
  /// The names of the columns.
  std::vector<std::string> header;
  /// The fields.
  std::vector<std::vector<std::string>> rows;
  /// The line of the file that each row begins on, counted from 1.
  std::vector<std::size_t> lines;
};

/// All bytes of a file. Throws InputError, also if there are more than most_bytes.
[[nodiscard]] std::string read_text(const std::string& file,
                                    std::size_t most_bytes = static_cast<std::size_t>(-1));

/// Reads a file. Thread-safe.
[[nodiscard]] CsvTable read_csv(const std::string& file);

/// Reads a text; the name stands for the file in messages. Thread-safe.
[[nodiscard]] CsvTable parse_csv(std::string_view text, const std::string& name);

/// The number of the column of that name; else throws InputError.
[[nodiscard]] std::size_t csv_column(const CsvTable& table, const std::string& name);

/// A field as a finite number, written as in C++ with a point in every locale; else throws
/// InputError "file:line: column 'x': 'abc' is not a number".
[[nodiscard]] double csv_number(const CsvTable& table, std::size_t row, std::size_t column);

/// "file:line: column 'x': ", the beginning of a message about a field.
[[nodiscard]] std::string csv_place(const CsvTable& table, std::size_t row, std::size_t column);

}  // namespace keyhole::problems
