#include "sets/combinations/append_rows.h"

namespace keyhole::sets {

void append_rows(LinearRows& all, const LinearRows& rows, std::size_t n, std::size_t first,
                 const std::string& kind, const std::string& of) {
  const std::size_t before = all.right.size();
  for (std::size_t k = 0; k < rows.dense.size(); ++k) {
    if (rows.dense[k] != 0) {
      all.sparse.push_back({before + k / n, first + k % n, rows.dense[k]});
    }
  }
  for (const auto& [row, column, value] : rows.sparse) {
    all.sparse.push_back({before + row, first + column, value});
  }
  for (std::size_t i = 0; i < rows.right.size(); ++i) {
    all.right.push_back(rows.right[i]);
    const std::string name = kind + " " + std::to_string(i);
    all.names.push_back((rows.names.empty() ? name : rows.names[i]) + of);
  }
}

std::string of_set(const Set& set) {
  constexpr std::size_t enough = 60;
  const std::string spec = set.spec();
  return " of " + (spec.size() <= enough ? spec : spec.substr(0, enough) + "...");
}

std::string about_another(std::string message, const std::string& another) {
  for (const std::string& words : {std::string("the polytope"), std::string("a polytope")}) {
    for (std::size_t at = message.find(words); at != std::string::npos; at = message.find(words)) {
      message.replace(at, words.size(), another);
    }
  }
  return message;
}

}  // namespace keyhole::sets
