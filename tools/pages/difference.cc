#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/number_text.h"
#include "pages/set_pages.h"

namespace keyhole::pages {
namespace {

bool begins_number(std::string_view text) {
  return !text.empty() && (text[0] == '-' || std::isdigit(static_cast<unsigned char>(text[0])));
}

/// Takes a number from the front; false, and nothing is taken, if there is none.
bool take_number(std::string_view& text, double& value) {
  if (!begins_number(text)) return false;
  const auto number = base::leading_number(text);
  if (!number || !number->in_range) return false;
  value = number->value;
  text.remove_prefix(number->length);
  return true;
}

bool same_line(std::string_view one, std::string_view other, double least) {
  while (!one.empty() && !other.empty()) {
    double x = 0;
    double y = 0;
    if (take_number(one, x) && take_number(other, y)) {
      if (std::abs(x - y) > std::max(least, 1e-4 * std::abs(x))) return false;
      // A number that is positive needs a space before it, and one that is not does not.
      if (!one.empty() && one[0] == ' ' && begins_number(one.substr(1))) one.remove_prefix(1);
      if (!other.empty() && other[0] == ' ' && begins_number(other.substr(1))) {
        other.remove_prefix(1);
      }
    } else if (!one.empty() && !other.empty() && one[0] == other[0]) {
      one.remove_prefix(1);
      other.remove_prefix(1);
    } else {
      return false;
    }
  }
  return one.empty() && other.empty();
}

}  // namespace

std::string difference(std::string_view committed, std::string_view made, bool is_picture) {
  const auto take_line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  const double least = is_picture ? 2 : 0;
  for (std::size_t number = 1; !committed.empty() || !made.empty(); ++number) {
    const std::string_view one = take_line(committed);
    const std::string_view other = take_line(made);
    if (same_line(one, other, least)) continue;
    constexpr std::size_t most = 160;
    return "line " + std::to_string(number) + "\n  is    " + std::string(one.substr(0, most)) +
           "\n  ought " + std::string(other.substr(0, most));
  }
  return "";
}

}  // namespace keyhole::pages
