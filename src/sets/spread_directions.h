// Directions that lie more evenly about the sphere than random ones.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/random/ars.h"

namespace keyhole::sets {

/// Directions d_1, -d_1, d_2, -d_2, ... of n coordinates, each about as long and as random as a
/// normal one, from a fixed key. They come in frames of L, the power of two from n on: the first n
/// columns of
///
///   H S_3 H S_2 H S_1 / L,  H Hadamard's matrix of order L, S diagonal with random signs
///
/// (Andoni, Indyk, Laarhoven, Razenshteyn, Schmidt 2015), so that sum d d' over a frame is L times
/// the identity, which L normal directions meet to a share of sqrt(n / L) only. Each column is
/// stretched by up to a hundredth, lest its numbers be ties. O(L log L) each.
class SpreadDirections {
 public:
  explicit SpreadDirections(std::size_t n);

  /// The next one.
  void next(std::span<double> d);

 private:
  void begin_frame();
  void find_row();

  math::Ars random_;
  std::size_t n_;
  std::size_t order_ = 1;     // L
  std::uint64_t frames_ = 0;  // begun so far
  std::size_t row_ = 0;       // of the frame, the next
  bool is_opposite_next_ = false;
  std::vector<double> signs_;      // S_1, S_2, S_3
  std::vector<double> stretches_;  // of the columns
  std::vector<double> direction_;  // L numbers, of which the first n count
};

}  // namespace keyhole::sets
