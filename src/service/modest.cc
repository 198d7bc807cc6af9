#include "service/modest.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "service/problem.h"

namespace keyhole::service {
namespace {

/// Sets of few words that may fill the memory: they have a coordinate for each pair of what two
/// parameters count or list, or as many as a list sums to.
struct Large {
  std::string_view set;
  std::string_view first;
  std::string_view second = {};  // none for the sum
};

constexpr Large large_sets[] = {{"nuclear_ball", "m", "n"},
                                {"operator_norm_ball", "m", "n"},
                                {"schatten_ball", "m", "n"},
                                {"max_norm_ball", "m", "n"},
                                {"symmetric_nuclear_ball", "n", "n"},
                                {"psd_trace_ball", "n", "n"},
                                {"spectraplex", "n", "n"},
                                {"fantope", "n", "n"},
                                {"elliptope", "n", "n"},
                                {"birkhoff", "n", "n"},
                                {"transportation", "supply", "demand"},
                                {"bipartite_matchings", "left", "right"},
                                {"b_matchings", "left", "right"},
                                {"perfect_matchings", "nodes", "nodes"},
                                {"multicommodity_flow", "edges", "commodities"},
                                {"episodic_occupancy", "transitions", "steps"},
                                {"path_splits", "paths"},
                                {"group_ball", "sizes"}};

/// How many there are of what a parameter counts or lists.
double many(const Arguments& given, const SpecEntry& entry, std::string_view name) {
  const auto parameter =
      std::find_if(entry.parameters.begin(), entry.parameters.end(),
                   [&](const Parameter& candidate) { return candidate.name == name; });
  return static_cast<double>(parameter->type == ParameterType::whole ? given.whole(name)
                                                                     : given.count(name));
}

/// About how many coordinates the set would have; 0 if its arguments do not say more than it lists.
double expected(const Arguments& given, const SpecEntry& entry) {
  const auto* const found =
      std::find_if(std::begin(large_sets), std::end(large_sets),
                   [&](const Large& large) { return large.set == entry.name; });
  if (found == std::end(large_sets)) return 0;
  if (found->second.empty()) {
    const std::vector<double> sizes = given.numbers(found->first);
    return std::accumulate(sizes.begin(), sizes.end(), 0.0);
  }
  const bool lists_pairs = found->first != "edges" && entry.name.ends_with("matchings");
  if (lists_pairs && given.has("edges")) return 0;
  return many(given, entry, found->first) * many(given, entry, found->second);
}

[[noreturn]] void refuse(const std::string& what, std::size_t largest) {
  throw Problem(413, "too_large",
                what + ", and the service takes " + std::to_string(largest) +
                    " at most: whoever runs it may raise --max-dimension");
}

void require_modest(const Arguments& given, const SpecEntry& entry, std::size_t largest) {
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.type == ParameterType::whole && given.has(parameter.name) &&
        given.whole(parameter.name) > largest) {
      given.refuse(parameter.name,
                   "is above " + std::to_string(largest) +
                       ", the most that the service takes: whoever runs it may raise "
                       "--max-dimension");
    }
  }
  // Of the pairs of nodes less than half have a coordinate. What is left is counted when it is
  // made.
  if (expected(given, entry) > 3 * static_cast<double>(largest)) {
    refuse(entry.name + " would have many more coordinates", largest);
  }
}

}  // namespace

Catalogue modest(const Catalogue& catalogue, std::size_t largest) {
  Catalogue result;
  const auto made = std::make_shared<std::size_t>(0);
  for (const SpecEntry& entry : catalogue.entries()) {
    SpecEntry checked = entry;
    if (const auto* const build = std::get_if<SetBuilder>(&entry.build)) {
      checked.build = [entry, build = *build, largest, made](const Arguments& given) {
        constexpr std::size_t sets = 16;
        require_modest(given, entry, largest);
        SetPtr set = build(given);
        *made += set->dimension();
        if (*made > sets * largest) refuse("the sets have too many coordinates together", largest);
        return set;
      };
    }
    result.add(std::move(checked));
  }
  return result;
}

}  // namespace keyhole::service
