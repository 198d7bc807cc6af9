#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "keyhole/algorithm.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// One algorithm that is told gradients: what a GradientLearner calls to play and to learn. The
/// calls, in the order of events of one ask, are those of an Algorithm:
///
///   advance();                       from the second ask on: the step of the round before, from
///                                    the gradients absorbed so far
///   absorb(s, gradient, random); ... the gradients told since the last ask, in order of s
///   play(t, random, y);              the point of round t
///
/// check_gradient_learner() of keyhole/testing.h tells whether one of your own keeps the contract.
/// Not thread-safe.
class GradientAlgorithm : public AlgorithmBase {
 public:
  /// What it is told of a play: a (sub)gradient of its loss at the point played.
  using Told = std::span<const double>;

  /// Takes the set, and an oracle of its own for it.
  explicit GradientAlgorithm(SetPtr set) : AlgorithmBase(std::move(set)) {}

  /// Writes the point of round t, in K up to rounding.
  virtual void play(PlayId t, Randomness& random, std::span<double> y) = 0;
  /// Learns the gradient of round s, which lies in the directions of the affine hull. Returns false
  /// if it came too late to be learned from.
  virtual bool absorb(PlayId s, std::span<const double> gradient, Randomness& random) = 0;

  /// What it is doing now. By default it does not explore: gradients tell enough.
  [[nodiscard]] Activity activity() const override { return {0, 0}; }

  /// G, the largest norm that gradients are said to have; infinity if nothing was said.
  [[nodiscard]] virtual double gradient_bound() const noexcept {
    return std::numeric_limits<double>::infinity();
  }

 protected:
  /// For algorithms that wrap another one.
  GradientAlgorithm(SetPtr set, std::unique_ptr<Oracle> oracle)
      : AlgorithmBase(std::move(set), std::move(oracle)) {}
};

/// A gradient algorithm that takes a horizon.
using HorizonGradientAlgorithm = WithHorizon<GradientAlgorithm>;

}  // namespace keyhole
#pragma GCC visibility pop
