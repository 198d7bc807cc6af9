#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace keyhole::algorithms {

/// What is known when a play is asked for, as numbers of about unit size that the model uses:
///
///   context      psi                        of the level alone
///   number u     u                          (u^2 - 1) / 2
///   cyclic u     sqrt 2 (sin, cos) 2 pi u   sqrt 2 (sin, cos) 4 pi u
///   choice       1 at the name, else 0
///
/// psi moves level, slopes and curvature. A number that is not known is one of 0s.
class Contexts {
 public:
  /// Of such words: see PosteriorOptions::contexts. Throws InvalidArgument for any other.
  explicit Contexts(const std::vector<std::string>& words);

  /// How many numbers a context has.
  [[nodiscard]] std::size_t given() const noexcept { return names_.size(); }
  /// k, how many numbers move slopes.
  [[nodiscard]] std::size_t slopes() const noexcept { return variable_.size(); }
  /// k and how many more move the level alone.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The context that each of the first k belongs to: these share a prior, so that the names of a
  /// choice borrow strength from each other.
  [[nodiscard]] std::span<const std::size_t> variable() const noexcept { return variable_; }

  /// Writes psi of a context; an empty one stands for nothing.
  void write(std::span<const double> context, std::span<double> psi) const;

 private:
  static constexpr std::size_t number = 0;
  static constexpr std::size_t cyclic = 1;

  std::vector<std::size_t> names_;  // of a choice how many; else `number` or `cyclic`
  std::vector<std::size_t> variable_;
  std::size_t size_ = 0;
};

}  // namespace keyhole::algorithms
