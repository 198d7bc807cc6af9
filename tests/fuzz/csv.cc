// Any text is a table of equal rows or an InputError, and any field is a number or an InputError.

#include "problems/csv.h"

#include "fuzz/fuzz.h"
#include "keyhole/error.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using keyhole::tests::promise;
  const std::string text(data, data + size);
  try {
    const keyhole::problems::CsvTable table = keyhole::problems::parse_csv(text, "fuzz.csv");
    promise(table.lines.size() == table.rows.size(), "a row without a line");
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      promise(table.rows[row].size() == table.header.size(), "rows of different length");
      for (std::size_t column = 0; column < table.header.size(); ++column) {
        try {
          (void)keyhole::problems::csv_number(table, row, column);
        } catch (const keyhole::InputError&) {
        }
      }
    }
  } catch (const keyhole::InputError&) {
  }
  return 0;
}
