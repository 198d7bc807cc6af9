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

void Algorithm::learn(std::span<const double> /*point*/, double /*loss*/, double /*count*/) {
  throw InvalidArgument(spec() +
                        " cannot be taught points that it did not choose: posterior and "
                        "linear_thompson can, in up to 512 dimensions");
}

const Vertex& AlgorithmBase::minimise(std::span<const double> direction) {
  ++oracle_calls_;
  return oracle_->minimise(direction);
}

}  // namespace keyhole
