#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "keyhole/archive.h"

namespace keyhole::algorithms {

/// What is known when a play is asked for, as numbers of about unit size that the model uses:
///
///   context      psi                        of the level alone
///   number u     u                          (u^2 - 1) / 2
///   cyclic u     sqrt 2 (sin, cos) 2 pi u   sqrt 2 (sin, cos) 4 pi u
///   choice       1 at the name, else 0
///
/// psi moves level, slopes and curvature.
class Contexts {
 public:
  /// Stands for a number of psi that is not known: see Psi.
  static constexpr double unknown = std::numeric_limits<double>::max();

  /// None.
  Contexts() = default;
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

  /// Writes psi of a context; of what it does not have nothing is known.
  void write(std::span<const double> context, std::span<double> psi) const;

 private:
  static constexpr std::size_t number = 0;
  static constexpr std::size_t cyclic = 1;

  std::vector<std::size_t> names_;  // of a choice how many; else `number` or `cyclic`
  std::vector<std::size_t> variable_;
  std::size_t size_ = 0;
};

/// No contexts.
inline const Contexts no_contexts;

/// psi of a play. A number that is not known stands at the mean of those seen, and has their
/// variance.
struct Psi {
  std::span<const double> values = {};
  /// 0 for a number that is known; empty if all are.
  std::span<const double> variances = {};
};

/// What contexts were seen: the means and variances of psi. After construction nothing allocates.
class SeenContexts {
 public:
  explicit SeenContexts(const Contexts& contexts)
      : counts_(contexts.size()),
        means_(counts_),
        squares_(counts_),
        psi_(counts_),
        variances_(counts_) {}

  /// Takes those numbers that are known.
  void take(std::span<const double> psi);
  /// With what is known of the others; until the next call.
  [[nodiscard]] Psi filled(std::span<const double> psi);
  /// The means: where nothing is known.
  [[nodiscard]] std::span<const double> means() const noexcept { return means_; }
  /// The fields of a state.
  void state(Archive& archive);

 private:
  std::vector<double> counts_;
  std::vector<double> means_;
  std::vector<double> squares_;  // of what they were off by
  // Workspace.
  std::vector<double> psi_;
  std::vector<double> variances_;
};

}  // namespace keyhole::algorithms
