#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keyhole::service {

/// What follows the question mark of a path, in order: "load=812&segment=new%20one". A plus is a
/// space. Throws Problem for a key twice.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view text);

/// The same with keys that are known before: "after=blocks&limit=10".
class Query {
 public:
  /// Throws Problem for another key than these, or a key twice.
  Query(std::string_view text, const std::vector<std::string>& keys);

  /// The value of a key; empty if there is none.
  [[nodiscard]] std::string text(const std::string& key) const;
  /// A whole number from `least` to `most`; the other one if there is none. Throws Problem.
  [[nodiscard]] std::uint64_t whole(const std::string& key, std::uint64_t otherwise,
                                    std::uint64_t least, std::uint64_t most) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace keyhole::service
