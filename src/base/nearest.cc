#include "base/nearest.h"

#include <algorithm>
#include <utility>

namespace keyhole::base {
namespace {}  // namespace

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Row i holds the distances of the first i characters of a from the beginnings of b.
  std::vector<std::size_t> two_before;
  std::vector<std::size_t> before;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_before = std::move(before);
    before = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, exchanged});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::string wanted = lower_case(word);
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& name : names) {
    const auto [shorter, longer] = std::minmax({wanted.size(), name.size()});
    if (longer - shorter > longer / 3) continue;  // also spares the work for endless words
    const std::size_t distance = edit_distance(wanted, lower_case(name));
    if (distance <= longer / 3 && (best.empty() || distance < best_distance)) {
      best = name;
      best_distance = distance;
    }
  }
  constexpr std::size_t shortest_beginning = 3;
  if (!best.empty() || wanted.size() < shortest_beginning) return best;
  for (const std::string& name : names) {
    if (!lower_case(name).starts_with(wanted)) continue;
    if (!best.empty()) return "";
    best = name;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::string meant = nearest(word, names);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

}  // namespace keyhole::base
