#include "base/list_text.h"

#include <algorithm>

#include "base/number_text.h"

namespace keyhole::base {
namespace {

/// Adds "[1, 2]" to a text; false, and it is not whole, if that is too long then.
bool add_list(std::string& text, std::span<const double> values) {
  const char* between = "[";
  if (values.empty()) text += between;
  for (const double value : values) {
    text += between;
    text += number_text(value);
    between = ", ";
    if (text.size() >= longest_list) return false;
  }
  text += ']';
  return true;
}

/// What a caller has, for as long as the call takes.
Array lent(std::span<const double> numbers, std::size_t rows, std::optional<std::size_t> columns) {
  return {std::shared_ptr<const double>(std::shared_ptr<void>(), numbers.data()), rows, columns};
}

}  // namespace

std::string array_text(const Array& array) {
  std::string text;
  bool fits = true;
  if (!array.columns()) {
    fits = add_list(text, array.numbers());
  } else {
    text += '[';
    for (std::size_t i = 0; fits && i < array.rows(); ++i) {
      if (i > 0) text += ", ";
      fits = add_list(text, array.row(i));
    }
    text += ']';
  }
  if (fits && text.size() <= longest_list) return text;
  return "array(\"" + array.name() + "\", " + array.shape_text() + ")";
}

std::string list_text(std::span<const double> values, bool shorten) {
  if (shorten && std::all_of(values.begin(), values.end(),
                             [&](double value) { return value == values.front(); })) {
    return number_text(values.front());
  }
  return array_text(lent(values, values.size(), {}));
}

std::string matrix_text(std::span<const double> numbers, std::size_t columns) {
  return array_text(lent(numbers, columns == 0 ? 0 : numbers.size() / columns, columns));
}

}  // namespace keyhole::base
