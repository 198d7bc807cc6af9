#include "learners/parameter_free/atoms.h"

#include <algorithm>

namespace keyhole::algorithms {

Atoms::Atoms(std::size_t n) : n_(n) {
  // All of them up to 512 entries each; of vectors that are longer, as many as fill two.
  const std::size_t room = std::max(2 * n, most * std::min<std::size_t>(n, 512));
  vertices_.reserve(most);
  numbers_.reserve(room);
  indices_.reserve(room);
}

void Atoms::clear() {
  vertices_.clear();
  numbers_.clear();
  indices_.clear();
}

bool Atoms::add(const Vertex& v) {
  if (size() == most) return false;
  const std::size_t numbers = v.dense.size() + v.values.size() + v.left.size() + v.right.size();
  if (has_room(numbers, v.indices.size())) {
    const std::size_t begin = indices_.size();
    indices_.insert(indices_.end(), v.indices.begin(), v.indices.end());
    vertices_.push_back({keep(v.dense), std::span(indices_).subspan(begin), keep(v.values),
                         keep(v.left), keep(v.right)});
    return true;
  }
  if (!has_room(n_, 0)) return false;
  numbers_.resize(numbers_.size() + n_);
  const std::span<double> dense = std::span(numbers_).last(n_);
  v.write_to(dense);
  vertices_.push_back({dense, {}, {}});
  return true;
}

bool Atoms::has_room(std::size_t numbers, std::size_t indices) const {
  return numbers_.size() + numbers <= numbers_.capacity() &&
         indices_.size() + indices <= indices_.capacity();
}

std::span<const double> Atoms::keep(std::span<const double> numbers) {
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  return std::span(numbers_).last(numbers.size());
}

}  // namespace keyhole::algorithms
