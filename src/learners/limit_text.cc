#include "learners/limit_text.h"

#include <algorithm>
#include <optional>

#include "base/number_text.h"
#include "keyhole/error.h"

namespace keyhole {

std::string limit_text(const Limit& limit) {
  std::string text;
  const auto add = [&text](const char* key, const std::string& value) {
    text += (text.empty() ? "" : ", ") + std::string(key) + "=" + value;
  };
  if (limit.most) add("most", base::number_text(*limit.most));
  if (limit.least) add("least", base::number_text(*limit.least));
  if (limit.each != Limit().each) add("each", base::number_text(limit.each));
  if (limit.over_all) add("over", "all");
  return text;
}

Limit read_limit(std::string_view text) {
  const std::string whole(text);
  Limit limit;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' '), end);
    const std::string_view part = text.substr(begin, end - begin);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals < part.size() ? part.substr(equals + 1) : "";
    if (key == "over" && value == "all") {
      limit.over_all = true;
      continue;
    }
    const std::optional<base::LeadingNumber> number = base::leading_number(value);
    const bool known = key == "most" || key == "least" || key == "each";
    if (!known || !number || number->length != value.size()) {
      throw InvalidArgument(
          "a limit is a text such as \"most=200\", \"least=3, each=0.99\" or "
          "\"most=10, over=all\", not \"" +
          whole + "\"");
    }
    if (key == "most") limit.most = number->value;
    if (key == "least") limit.least = number->value;
    if (key == "each") limit.each = number->value;
  }
  return limit;
}

}  // namespace keyhole
