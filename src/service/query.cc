#include "service/query.h"

#include <algorithm>

#include "base/joined.h"
#include "base/number_text.h"
#include "service/json_body.h"

namespace keyhole::service {

Query::Query(std::string_view text, const std::vector<std::string>& keys) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string key(pair.substr(0, equals));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      bad_request("the query may have " + base::joined(keys) + " and nothing else");
    }
    const std::string value(pair.substr(std::min(equals + 1, pair.size())));
    if (!values_.emplace(key, value).second) bad_request("the query has '" + key + "' twice");
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
