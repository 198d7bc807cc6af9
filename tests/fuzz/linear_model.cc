// Any text is a linear model by both readers, or an InputError; no bound and no number is NaN.

#include "spec/linear_model.h"

#include <cmath>

#include "fuzz/fuzz.h"
#include "keyhole/error.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using keyhole::tests::promise;
  const std::string text(data, data + size);
  for (const auto read : {keyhole::spec::read_mps, keyhole::spec::read_lp}) {
    try {
      const keyhole::PolytopeConstraints set = read(text, "fuzz").constraints();
      promise(set.lower.size() == set.n && set.upper.size() == set.n, "a column without bounds");
      for (const auto* rows : {&set.inequalities, &set.equalities}) {
        for (const double right : rows->right) promise(std::isfinite(right), "a right side");
        for (const auto& [row, column, value] : rows->sparse) {
          promise(row < rows->right.size() && column < set.n, "an entry that is nowhere");
          promise(std::isfinite(value), "an entry that is no number");
        }
      }
    } catch (const keyhole::InputError&) {
    }
  }
  return 0;
}
