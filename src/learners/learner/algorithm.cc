#include "keyhole/algorithm.h"

#include <utility>

#include "base/require.h"

namespace keyhole {
namespace {

SetPtr given(SetPtr set) {
  base::require(set != nullptr, "an algorithm needs a set to play on");
  return set;
}

}  // namespace

AlgorithmBase::AlgorithmBase(SetPtr set) : set_(given(std::move(set))), oracle_(set_->oracle()) {}

AlgorithmBase::AlgorithmBase(SetPtr set, std::unique_ptr<Oracle> oracle)
    : set_(given(std::move(set))), oracle_(std::move(oracle)) {}

void AlgorithmBase::state(Archive& archive) { archive.field(oracle_calls_); }

const Vertex& AlgorithmBase::minimise(std::span<const double> direction) {
  ++oracle_calls_;
  return oracle_->minimise(direction);
}

}  // namespace keyhole
