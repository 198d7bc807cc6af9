// Which sets are better searched by their vertices although they project.

#pragma once

namespace keyhole::sets {

/// A set that a projection takes far longer on than a linear function. What can do with either asks
/// for linear functions.
class ExpensiveProjection {
 public:
  ExpensiveProjection(const ExpensiveProjection&) = delete;
  ExpensiveProjection& operator=(const ExpensiveProjection&) = delete;

 protected:
  ExpensiveProjection() = default;
  ~ExpensiveProjection() = default;
};

}  // namespace keyhole::sets
