#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "learners/parameter_free/constants.h"

namespace keyhole::algorithms {

/// Copies of a few vertices of a set in n dimensions, each as sparse as the oracle gave it. Nothing
/// allocates after construction, and memory that was never used is not touched.
class Atoms {
 public:
  static constexpr std::size_t most = ParameterFreeConstants::vertices;

  explicit Atoms(std::size_t n);

  void clear();
  /// Keeps a copy, if there is room; there always is for the first.
  bool add(const Vertex& v);

  [[nodiscard]] std::size_t size() const noexcept { return vertices_.size(); }
  [[nodiscard]] const Vertex& operator[](std::size_t k) const { return vertices_[k]; }

 private:
  [[nodiscard]] bool has_room(std::size_t numbers, std::size_t indices) const;
  std::span<const double> keep(std::span<const double> numbers);

  std::size_t n_;
  std::vector<Vertex> vertices_;  // whose parts are in these two, which never move
  std::vector<double> numbers_;
  std::vector<std::size_t> indices_;
};

}  // namespace keyhole::algorithms
