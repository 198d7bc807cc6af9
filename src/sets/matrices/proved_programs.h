// Semidefinite programs whose answers are given with a proof, or not at all.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "math/spectral/max_cut_relaxation.h"
#include "math/spectral/max_norm.h"
#include "sets/proof.h"

namespace keyhole::sets {

/// How large the matrices may be. A program of this order takes about a fifth of a second.
inline constexpr std::size_t most_relaxation_order = 200;

/// Linear functions over the correlation matrices.
class ProvedRelaxation {
 public:
  /// `whose` is the oracle that needs the answers: "the oracle of an elliptope".
  ProvedRelaxation(const std::string& whose, math::MaxCutRelaxation program)
      : what_(whose + " from an answer"), program_(std::move(program)) {}

  [[nodiscard]] std::span<const double> minimise(std::span<const double> direction) {
    const std::span<const double> answer = program_.minimise(direction);
    require_proof(what_, program_.relative_gap(), math::MaxCutRelaxation::promised);
    return answer;
  }

 private:
  std::string what_;
  math::MaxCutRelaxation program_;
};

/// The max norm of matrices.
class ProvedMaxNorm {
 public:
  explicit ProvedMaxNorm(math::MaxNorm norm) : norm_(std::move(norm)) {}

  /// Bounds that are as near to each other as is promised.
  [[nodiscard]] math::MaxNorm::Bounds find(std::span<const double> x) {
    return proved(norm_.find(x));
  }
  [[nodiscard]] bool is_at_most(double level, std::span<const double> x) {
    const math::MaxNorm::Bounds norm = norm_.find(x, level);
    if (norm.upper <= level) return true;
    return norm.lower <= level && 0.5 * (proved(norm).lower + norm.upper) <= level;
  }
  /// Of the last call of find().
  void write_dual(std::span<double> y) const noexcept { norm_.write_dual(y); }

 private:
  static math::MaxNorm::Bounds proved(const math::MaxNorm::Bounds& bounds) {
    require_proof("a max norm from being found", bounds.relative_gap(), math::MaxNorm::promised);
    return bounds;
  }

  math::MaxNorm norm_;
};

}  // namespace keyhole::sets
