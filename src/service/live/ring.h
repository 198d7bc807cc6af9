#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace keyhole::service {

/// The latest values of consecutive slots (seconds, minutes), at most `most` of them. It grows as
/// it is used. A slot that was passed over has an empty value.
template <class Value>
class Ring {
 public:
  explicit Ring(std::size_t most) : most_(most) {}

  /// Adds the value of a slot after all others.
  void push(std::int64_t slot, const Value& value) {
    if (!values_.empty() && slot > end_) {
      if (slot - end_ >= static_cast<std::int64_t>(most_)) values_.clear();
      while (!values_.empty() && end_ < slot) append({});
    }
    end_ = slot;
    append(value);
  }

  /// The slots from begin() to before end().
  [[nodiscard]] std::int64_t begin() const {
    return end_ - static_cast<std::int64_t>(values_.size());
  }
  [[nodiscard]] std::int64_t end() const { return end_; }
  [[nodiscard]] const Value& operator[](std::int64_t slot) const {
    return values_[static_cast<std::size_t>(slot - first_) % most_];
  }
  /// How much memory it takes when it is full.
  [[nodiscard]] std::size_t most_bytes() const { return most_ * sizeof(Value); }

 private:
  void append(const Value& value) {
    if (values_.empty()) first_ = end_;
    if (values_.size() < most_) {
      values_.push_back(value);
    } else {
      values_[static_cast<std::size_t>(end_ - first_) % most_] = value;
    }
    ++end_;
  }

  std::size_t most_;
  std::int64_t first_ = 0;  // the slot at values_[0], or that plus a multiple of most_
  std::int64_t end_ = 0;
  std::vector<Value> values_;
};

}  // namespace keyhole::service
