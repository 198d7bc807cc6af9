#include "keyhole/archive.h"

#include <array>
#include <bit>

namespace keyhole {

std::span<const std::byte> Archive::next(std::uint64_t count) {
  if (count > source_.size()) {
    throw StateError("the state is truncated: " + std::to_string(count) +
                     " bytes are needed where " + std::to_string(source_.size()) + " are left");
  }
  const auto size = static_cast<std::size_t>(count);
  const auto bytes = source_.first(size);
  source_ = source_.subspan(size);
  return bytes;
}

void Archive::field(std::uint8_t& value) {
  if (reading_) {
    value = std::to_integer<std::uint8_t>(next(1).front());
  } else {
    written_.push_back(std::byte{value});
  }
}

void Archive::field(std::uint64_t& value) {
  constexpr int bits = 64;
  if (reading_) {
    const auto bytes = next(sizeof value);
    value = 0;
    for (int shift = 0; shift < bits; shift += 8) {
      value |= std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(shift / 8)]) << shift;
    }
  } else {
    std::array<std::byte, sizeof value> bytes{};
    for (int shift = 0; shift < bits; shift += 8) {
      bytes[static_cast<std::size_t>(shift / 8)] = static_cast<std::byte>(value >> shift);
    }
    written_.insert(written_.end(), bytes.begin(), bytes.end());
  }
}

void Archive::field(double& value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  field(bits);
  if (reading_) value = std::bit_cast<double>(bits);
}

void Archive::field(std::span<double> values) {
  std::uint64_t size = values.size();
  field(size);
  if (size != values.size()) {
    throw StateError("the state holds " + std::to_string(size) + " numbers where " +
                     std::to_string(values.size()) + " belong");
  }
  for (double& value : values) field(value);
}

void Archive::field(std::string& text) {
  std::uint64_t size = text.size();
  field(size);
  if (reading_) {
    const auto bytes = next(size);
    text.clear();
    for (const std::byte byte : bytes) text.push_back(std::to_integer<char>(byte));
  } else {
    const auto bytes = std::as_bytes(std::span(text));
    written_.insert(written_.end(), bytes.begin(), bytes.end());
  }
}

}  // namespace keyhole
