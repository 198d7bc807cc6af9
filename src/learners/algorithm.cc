#include "keyhole/algorithm.h"

#include <utility>

#include "sets/require.h"

namespace keyhole {
namespace {

SetPtr given(SetPtr set) {
  require(set != nullptr, "an algorithm needs a set to play on");
  return set;
}

}  // namespace

Algorithm::Algorithm(SetPtr set) : set_(given(std::move(set))), oracle_(set_->oracle()) {}

Algorithm::Algorithm(SetPtr set, std::unique_ptr<Oracle> oracle)
    : set_(given(std::move(set))), oracle_(std::move(oracle)) {}

void Algorithm::state(Archive& archive) { archive.field(oracle_calls_); }

const Vertex& Algorithm::minimise(std::span<const double> direction) {
  ++oracle_calls_;
  return oracle_->minimise(direction);
}

std::string HorizonAlgorithm::spec() const {
  std::string text = family_spec();
  text.pop_back();  // the closing parenthesis
  return text + ", horizon=" + std::to_string(horizon()) + ")";
}

RegretBound HorizonAlgorithm::regret_bound(std::uint64_t rounds) const {
  if (rounds > horizon()) {
    return {.note =
                "the theorem covers the horizon of " + std::to_string(horizon()) + " rounds only"};
  }
  return horizon_bound(horizon());
}

}  // namespace keyhole
