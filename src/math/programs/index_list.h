// A list of indices whose room is fixed at construction and stays with its copies: nothing else
// allocates.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

class IndexList {
 public:
  explicit IndexList(std::size_t room = 0) : all_(room) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t* begin() noexcept { return all_.data(); }
  [[nodiscard]] std::size_t* end() noexcept { return all_.data() + size_; }
  [[nodiscard]] const std::size_t* begin() const noexcept { return all_.data(); }
  [[nodiscard]] const std::size_t* end() const noexcept { return all_.data() + size_; }
  [[nodiscard]] std::size_t& operator[](std::size_t i) noexcept { return all_[i]; }
  [[nodiscard]] std::size_t operator[](std::size_t i) const noexcept { return all_[i]; }
  [[nodiscard]] std::size_t back() const noexcept { return all_[size_ - 1]; }
  [[nodiscard]] std::span<const std::size_t> items() const noexcept { return {begin(), size_}; }

  void clear() noexcept { size_ = 0; }
  void push_back(std::size_t index) noexcept { all_[size_++] = index; }
  void pop_back() noexcept { --size_; }
  void erase(const std::size_t* item) noexcept {
    std::copy(item + 1, static_cast<const std::size_t*>(end()), begin() + (item - begin()));
    --size_;
  }
  // As many as there is room for, at most.
  void assign(std::span<const std::size_t> items) noexcept {
    std::copy(items.begin(), items.end(), begin());
    size_ = items.size();
  }

 private:
  std::vector<std::size_t> all_;
  std::size_t size_ = 0;
};

}  // namespace keyhole::math
