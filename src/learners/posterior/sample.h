#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/archive.h"
#include "learners/contexts.h"
#include "learners/posterior/constants.h"
#include "learners/posterior/model.h"

namespace keyhole::algorithms {

/// A sample of the coefficients of a model, and its least points in the contexts that it was
/// minimised for. After construction nothing allocates.
class Sample {
  using Chosen = PosteriorConstants;

 public:
  /// For points of m coordinates, and for so many coefficients at most; whether it is placed again
  /// and again.
  Sample(const Contexts& contexts, std::size_t m, std::size_t coefficients, bool placed_again)
      : m_(m),
        l_(contexts.size()),
        theta_(coefficients),
        known_(placed_again ? Chosen::known_contexts * (l_ + m_) : 0) {}

  /// Room for the coefficients of a new one.
  [[nodiscard]] std::span<double> begin(const Model& model) {
    has_pairs_ = model.has_pairs() ? 1 : 0;
    count_ = 0;
    return std::span(theta_).first(model.size());
  }
  /// The coefficients.
  [[nodiscard]] std::span<const double> theta(const Model& model) const {
    return std::span(theta_).first(model.size());
  }
  /// Whether it is one of a model with all curvatures.
  [[nodiscard]] bool has_pairs() const noexcept { return has_pairs_ != 0; }

  /// Writes the least point in a context, if that is known; else leaves z alone.
  [[nodiscard]] bool recall(std::span<const double> psi, std::span<double> z) {
    const std::size_t kept = std::min<std::size_t>(count_, Chosen::known_contexts);
    for (std::size_t i = 0; i < kept; ++i) {
      const std::span<const double> one = known(i);
      if (!std::equal(psi.begin(), psi.end(), one.begin())) continue;
      std::copy_n(one.begin() + static_cast<std::ptrdiff_t>(l_), m_, z.begin());
      return true;
    }
    return false;
  }
  /// Remembers it.
  void remember(std::span<const double> psi, std::span<const double> z) {
    if (known_.empty()) return;
    const std::span<double> one = known(count_++ % Chosen::known_contexts);
    std::copy(psi.begin(), psi.end(), one.begin());
    std::copy(z.begin(), z.end(), one.begin() + static_cast<std::ptrdiff_t>(l_));
  }

  /// The fields of a state; only a sample that is placed again has any.
  void state(Archive& archive) {
    archive.field(has_pairs_);
    archive.field(count_);
    archive.field(theta_);
    archive.field(known_);
  }

 private:
  [[nodiscard]] std::span<double> known(std::size_t i) {
    return std::span(known_).subspan(i * (l_ + m_), l_ + m_);
  }

  std::size_t m_;
  std::size_t l_;
  std::uint8_t has_pairs_ = 0;
  std::uint64_t count_ = 0;  // of contexts that it was minimised for
  std::vector<double> theta_;
  std::vector<double> known_;  // the latest contexts and their least points
};

}  // namespace keyhole::algorithms
