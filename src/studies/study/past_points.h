#pragma once

#include <memory>
#include <vector>

#include "keyhole/study.h"
#include "studies/format/events.h"

namespace keyhole::studies {

/// What was measured, by the names of the limits of a space, of which there are none without one.
/// Numbers of other names are notes, if there is a place for these. Throws InvalidArgument for
/// others.
[[nodiscard]] Measured measured_in(const Space* space, const Values& metrics,
                                   decltype(Tell::notes)* notes = nullptr);

/// Losses of the past by their points.
class PastPoints {
 public:
  /// For a study of that description on that set. Both must outlive it.
  PastPoints(const StudyDescription& description, const Set& set);

  /// Takes one more. Throws InvalidArgument for values that are none of the space, and for a point
  /// that is outside, if that is to be refused.
  void add(const StudyPast& past, Outside outside);

  [[nodiscard]] const Past& get() const { return past_; }
  /// What get() was, for a call of that id; it is gone then.
  [[nodiscard]] Past taken(const std::string& id);
  [[nodiscard]] const PastReceipt& receipt() const { return receipt_; }
  /// The place among all that were taken of the k-th that was not left out.
  [[nodiscard]] std::size_t index_of(std::size_t k) const { return index_[k]; }

 private:
  [[nodiscard]] std::vector<double> context_of(const StudyPast& past) const;
  [[nodiscard]] std::vector<double> point_of(const StudyPast& past) const;
  [[nodiscard]] std::vector<double> nearest_point(const StudyPast& past) const;
  void require_names(const Values& values) const;

  const Space* space_;  // null for a study on a set
  const Set& set_;
  std::unique_ptr<Oracle> oracle_;
  Past past_;
  PastReceipt receipt_;
  std::vector<std::size_t> index_;
};

}  // namespace keyhole::studies
