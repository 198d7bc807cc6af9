#include "pages/set_texts.h"

#include <utility>

namespace keyhole::pages {

SetPage page_text(const std::string& name) {
  for (const auto texts :
       {basic_texts, norm_ball_texts, budget_texts, order_texts, distribution_texts, matroid_texts,
        graph_texts, matrix_texts, combination_texts}) {
    for (SetText& text : texts()) {
      if (text.name == name) return std::move(text.page);
    }
  }
  return {};
}

}  // namespace keyhole::pages
