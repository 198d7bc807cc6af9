#include "service/query.h"

#include <algorithm>
#include <charconv>

#include "base/joined.h"
#include "base/number_text.h"
#include "service/json_body.h"

namespace keyhole::service {
namespace {

/// The text that was escaped; what is no escape stays as it is.
std::string unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned int byte = 0;
    const std::string_view digits = text.substr(i + 1).substr(0, 2);
    const char* const end = digits.data() + digits.size();
    if (text[i] == '%' && digits.size() == 2 &&
        std::from_chars(digits.data(), end, byte, 16).ptr == end) {
      bytes += static_cast<char>(byte);
      i += 2;
    } else {
      bytes += text[i] == '+' ? ' ' : text[i];
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string key = unescaped(pair.substr(0, equals));
    for (const auto& each : pairs) {
      if (each.first == key) bad_request("the query has '" + key + "' twice");
    }
    pairs.emplace_back(key, unescaped(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return pairs;
}

Query::Query(std::string_view text, const std::vector<std::string>& keys) {
  for (const auto& pair : query_pairs(text)) {
    if (std::find(keys.begin(), keys.end(), pair.first) == keys.end()) {
      bad_request("the query may have " + base::joined(keys) + " and nothing else");
    }
    values_.insert(pair);
  }
}

std::string Query::text(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? "" : found->second;
}

std::uint64_t Query::whole(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                           std::uint64_t most) const {
  if (!values_.contains(key)) return otherwise;
  const auto value = base::read_whole_number(text(key));
  if (value && *value >= least && *value <= most) return *value;
  bad_request("'" + key + "' must be a whole number from " + std::to_string(least) + " to " +
              std::to_string(most));
}

}  // namespace keyhole::service
