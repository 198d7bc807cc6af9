#include "problems/csv.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catalogue.h"
#include "gtest/gtest.h"
#include "keyhole/error.h"
#include "problems/files.h"
#include "random.h"
#include "thrown.h"

namespace keyhole {
namespace {

using tests::message;
using tests::Random;
using tests::TemporaryFile;
using Row = std::vector<std::string>;

std::string refusal(std::string_view text) {
  return message<InputError>([&] { (void)problems::parse_csv(text, "f.csv"); });
}

TEST(Csv, ReadsAHeaderAndRowsWithTheirLines) {
  const problems::CsvTable table = problems::parse_csv("day,a,b\n1,2.5,x\n2,,y\n", "f.csv");
  EXPECT_EQ(table.file, "f.csv");
  EXPECT_EQ(table.header, (Row{"day", "a", "b"}));
  EXPECT_EQ(table.rows, (std::vector<Row>{{"1", "2.5", "x"}, {"2", "", "y"}}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 3}));
}

TEST(Csv, TheSameTableInEveryDress) {
  const std::vector<Row> rows = {{"1", "2"}, {"3", "4"}};
  for (const std::string text :
       {"a,b\n1,2\n3,4\n", "a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r\n1,2\r\n3,4",
        "a,b\r\n1,2\r\n3,4\r",
        "\xEF\xBB\xBF"
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4\n\n\r\n\n", "\"a\",\"b\"\n\"1\",2\n3,\"4\"", "a,b\n1,2\n3,4\n\r"}) {
    const problems::CsvTable table = problems::parse_csv(text, "f.csv");
    EXPECT_EQ(table.header, (Row{"a", "b"})) << text;
    EXPECT_EQ(table.rows, rows) << text;
    EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 3})) << text;
  }
}

TEST(Csv, QuotedFieldsHoldCommasQuotesAndLineEnds) {
  const problems::CsvTable table =
      problems::parse_csv("\"a,1\",b\n\"x \"\"y\"\"\r\nz\",\"\"\n7,8\n", "f.csv");
  EXPECT_EQ(table.header, (Row{"a,1", "b"}));
  EXPECT_EQ(table.rows, (std::vector<Row>{{"x \"y\"\r\nz", ""}, {"7", "8"}}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 4}));
}

TEST(Csv, EdgesOfFields) {
  EXPECT_EQ(problems::parse_csv("a", "f").rows.size(), 0U);
  EXPECT_EQ(problems::parse_csv("a,b\n,\n", "f").rows, (std::vector<Row>{{"", ""}}));
  EXPECT_EQ(problems::parse_csv("a,b\n1,", "f").rows, (std::vector<Row>{{"1", ""}}));
  EXPECT_EQ(problems::parse_csv("a\n\"\"\n\"\"", "f").rows, (std::vector<Row>{{""}, {""}}));
  EXPECT_EQ(problems::parse_csv("a,b\n 1 ,\t2\n", "f").rows, (std::vector<Row>{{" 1 ", "\t2"}}));
}

TEST(Csv, RefusalsNameTheLine) {
  EXPECT_EQ(refusal(""), "f.csv: the file is empty; it must begin with a header");
  EXPECT_EQ(refusal("\xEF\xBB\xBF"), "f.csv: the file is empty; it must begin with a header");
  EXPECT_EQ(refusal("\n1,2\n"), "f.csv:1: column 1 has no name");
  EXPECT_EQ(refusal("a,,b\n"), "f.csv:1: column 2 has no name");
  EXPECT_EQ(refusal("a,b,a\n"), "f.csv:1: columns 1 and 3 are both named 'a'");
  EXPECT_EQ(refusal("a,b\n1,2\n1\n"), "f.csv:3: 1 fields, but the header has 2");
  EXPECT_EQ(refusal("a,b\n1,2,3\n"), "f.csv:2: 3 fields, but the header has 2");
  EXPECT_EQ(refusal("a,b\n\"1\n2\",3\n4\n"), "f.csv:4: 1 fields, but the header has 2");
  EXPECT_EQ(refusal("a,b\n1,2\n\n3,4\n"), "f.csv:3: a blank line between rows");
  EXPECT_EQ(refusal("a\n1\n\n3\n"), "f.csv:3: a blank line between rows");
  EXPECT_EQ(refusal("a,b\n1,2\n3,\"4\n5,6\n"),
            "f.csv:3: a quoted field begins here and does not end");
  EXPECT_EQ(refusal("a,b\n\"1\"x,2\n"), "f.csv:2: text after a closing quote");
  EXPECT_EQ(refusal("a,b\n1\"2\",2\n"),
            "f.csv:2: a quote inside a field: quote the whole field, with \"\" for the one inside");
  EXPECT_EQ(refusal("a,b\n1\r2,2\n"), "f.csv:2: a carriage return that does not end the line");
  EXPECT_EQ(refusal(std::string_view("a,b\n1\0,2\n", 10)),
            "f.csv:2: a zero byte: the file must be UTF-8 text");
  EXPECT_EQ(refusal(std::string_view("a,b\n\"1\0\",2\n", 12)),
            "f.csv:2: a zero byte: the file must be UTF-8 text");
}

TEST(Csv, NumbersAndTheirRefusals) {
  const problems::CsvTable table = problems::parse_csv(
      "name,x\na,1.5\nb,-2e-3\nc,abc\nd,\ne,1.5x\nf,1e999\ng,inf\nh,nan\ni, 1\nj,\"1,5\"\nk,0x10\n",
      "dir/f.csv");
  EXPECT_EQ(problems::csv_number(table, 0, 1), 1.5);
  EXPECT_EQ(problems::csv_number(table, 1, 1), -2e-3);
  const auto of = [&](std::size_t row) {
    return message<InputError>([&] { (void)problems::csv_number(table, row, 1); });
  };
  EXPECT_EQ(of(2), "dir/f.csv:4: column 'x': 'abc' is not a number");
  EXPECT_EQ(of(3), "dir/f.csv:5: column 'x': '' is not a number");
  EXPECT_EQ(of(4), "dir/f.csv:6: column 'x': '1.5x' is not a number");
  EXPECT_EQ(of(5), "dir/f.csv:7: column 'x': '1e999' is beyond the range of a double");
  EXPECT_EQ(of(6), "dir/f.csv:8: column 'x': 'inf' is not a finite number");
  EXPECT_EQ(of(7), "dir/f.csv:9: column 'x': 'nan' is not a finite number");
  EXPECT_EQ(of(8), "dir/f.csv:10: column 'x': ' 1' is not a number");
  EXPECT_EQ(of(9), "dir/f.csv:11: column 'x': '1,5' is not a number");
  EXPECT_EQ(of(10), "dir/f.csv:12: column 'x': '0x10' is not a number");
}

TEST(Csv, ReadsFilesAndSaysWhyNot) {
  const TemporaryFile file("a,b\r\n1,2\r\n");
  EXPECT_EQ(problems::read_csv(file.path()).rows, (std::vector<Row>{{"1", "2"}}));
  EXPECT_EQ(message<InputError>([&] { (void)problems::read_csv(file.folder()); }),
            file.folder() + ": is a directory, not a file");
  EXPECT_EQ(message<InputError>([&] { (void)problems::read_csv(file.path() + "x"); }),
            file.path() + "x: cannot be opened: No such file or directory");
  const TemporaryFile empty("");
  EXPECT_EQ(message<InputError>([&] { (void)problems::read_csv(empty.path()); }),
            empty.path() + ": the file is empty; it must begin with a header");
  const TemporaryFile ragged("a,b\n1\n");
  EXPECT_EQ(message<InputError>([&] { (void)problems::read_csv(ragged.path()); }),
            ragged.path() + ":2: 1 fields, but the header has 2");
}

/// The field, quoted where it must be and sometimes where it need not.
std::string written(const std::string& field, bool quote) {
  if (!quote && field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

TEST(Csv, RandomTablesSurviveWritingAndReading) {
  Random random(1);
  const std::string letters = "ab,\"\r\n 1.\xC3\xA9";
  for (std::uint64_t trial = 0; trial < tests::scaled_count(2000); ++trial) {
    const std::size_t columns = random.integer(1, 4);
    const std::string end = random.integer(0, 1) == 0 ? "\n" : "\r\n";
    problems::CsvTable expected;
    std::string text;
    std::size_t line = 2;
    const auto append = [&](const Row& row) {
      const bool blank = row == Row{""};  // a line of nothing would not count as a row
      for (std::size_t j = 0; j < columns; ++j) {
        text += (j == 0 ? "" : ",") + written(row[j], blank || random.integer(0, 3) == 0);
      }
    };
    for (std::size_t j = 0; j < columns; ++j) expected.header.push_back("c" + std::to_string(j));
    append(expected.header);
    const std::size_t rows = random.integer(0, 5);
    for (std::size_t i = 0; i < rows; ++i) {
      Row row(columns);
      for (std::string& field : row) {
        for (std::size_t k = random.integer(0, 6); k > 0; --k) {
          field += letters[random.integer(0, letters.size() - 1)];
        }
      }
      text += end;
      append(row);
      expected.rows.push_back(row);
      expected.lines.push_back(line);
      for (const std::string& field : row) {
        line += static_cast<std::size_t>(std::count(field.begin(), field.end(), '\n'));
      }
      ++line;
    }
    if (random.integer(0, 1) == 0) text += end;
    const problems::CsvTable table = problems::parse_csv(text, "f.csv");
    ASSERT_EQ(table.header, expected.header) << text;
    ASSERT_EQ(table.rows, expected.rows) << text;
    ASSERT_EQ(table.lines, expected.lines) << text;
  }
}

TEST(Csv, AnyBytesAreReadOrRefused) {
  Random random(2);
  const std::string_view bytes("a,\"\n\r1\0", 7);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (std::uint64_t trial = 0; trial < tests::scaled_count(50000); ++trial) {
    std::string text;
    for (std::size_t k = random.integer(0, 12); k > 0; --k) {
      text += bytes[random.integer(0, bytes.size() - 1)];
    }
    try {
      const problems::CsvTable table = problems::parse_csv(text, "f.csv");
      ASSERT_EQ(table.rows.size(), table.lines.size());
      for (const Row& row : table.rows) ASSERT_EQ(row.size(), table.header.size());
      ++read;
    } catch (const InputError& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("f.csv")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 0U);
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace keyhole
