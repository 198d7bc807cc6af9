// Bounds of parameters that may be too tight.

#pragma once

#include <string>
#include <vector>

#include "keyhole/store.h"

namespace keyhole::studies {

/// A bound at which the best point lies.
struct TightBound {
  std::string name;
  /// The least or the largest value that the parameter can have.
  double value = 0;
  /// Its coordinate, and whether it is the largest value.
  std::size_t coordinate = 0;
  bool upper = false;

  /// The same members.
  bool operator==(const TightBound&) const = default;
  /// "the best point lies at the bound of 'threads', 16: widen it?"
  [[nodiscard]] std::string text() const;
};

/// The bounds of numbers and whole numbers at which the point to deploy lies, within a hundredth of
/// the range. There are none before the gain is reliable: twice its error, or proven by a coin.
[[nodiscard]] std::vector<TightBound> near_bounds(const Study& study, const Status& status,
                                                  const std::vector<double>& point);

/// Those of them of which the log says that they are too tight: losses fall towards the bound, by
/// two standard errors, and still fall there, by one. A parameter that does not matter is anywhere.
class TightBounds {
 public:
  /// Those of the study of a store. The log is read again only if other bounds are near, or an
  /// eighth more was told.
  const std::vector<TightBound>& look(const Store& store, const std::string& name, Study& study);

 private:
  std::vector<TightBound> near_;
  std::vector<TightBound> tight_;
  std::uint64_t told_ = 0;
};

}  // namespace keyhole::studies
