// What the pages of the sets tell besides their entries in the catalogue.

#pragma once

#include <string>
#include <vector>

namespace keyhole::pages {

/// What the page of a set in docs/sets tells besides its parameters; each a line or a few, in the
/// plain notation of the headers.
struct SetPage {
  /// What one decides about on it, after "For".
  std::string use;
  /// A small instance, as a spec: its numbers and its picture stand on the page.
  std::string example;
  /// The minimiser of <d, v>, ties and the zero direction included.
  std::string oracle;
  /// Its cost: "O(n log n)".
  std::string cost;
  /// Centre, radii and diameter, and whether they are bounds: "p = 0, r = ..., R = ..., D = ...".
  std::string geometry;
  /// Where it is explored.
  std::string exploration;
  /// How it projects; empty if it does not.
  std::string projection = {};
  /// Where the method comes from: authors, title, year.
  std::string reference = {};
};

/// The page of a set, by the set's name.
struct SetText {
  std::string name;
  SetPage page;
};

/// By family.
[[nodiscard]] std::vector<SetText> basic_texts();
[[nodiscard]] std::vector<SetText> norm_ball_texts();
[[nodiscard]] std::vector<SetText> budget_texts();
[[nodiscard]] std::vector<SetText> order_texts();
[[nodiscard]] std::vector<SetText> distribution_texts();
[[nodiscard]] std::vector<SetText> matroid_texts();
[[nodiscard]] std::vector<SetText> graph_texts();
[[nodiscard]] std::vector<SetText> matrix_texts();
[[nodiscard]] std::vector<SetText> combination_texts();

/// The page of that set; with empty fields if there is none.
[[nodiscard]] SetPage page_text(const std::string& name);

}  // namespace keyhole::pages
