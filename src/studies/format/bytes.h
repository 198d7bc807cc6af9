// Numbers as bytes, the same on every machine.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace keyhole::studies {

/// Appends a number by sevens of bits, the lowest first; all bytes but the last have the high bit.
inline void put_number(std::string& bytes, std::uint64_t number) {
  for (; number >= 128; number >>= 7U) bytes.push_back(static_cast<char>(number | 128U));
  bytes.push_back(static_cast<char>(number));
}

/// Appends the `count` lowest bytes, the lowest first.
inline void put_bytes(std::string& bytes, std::uint64_t number, std::size_t count) {
  for (; count > 0; --count, number >>= 8U) bytes.push_back(static_cast<char>(number));
}

inline void put_double(std::string& bytes, double value) {
  put_bytes(bytes, std::bit_cast<std::uint64_t>(value), 8);
}

/// Appends the length of a text and its bytes.
inline void put_text(std::string& bytes, std::string_view text) {
  put_number(bytes, text.size());
  bytes += text;
}

/// Takes numbers from the front of some bytes. After the first that is not there, or is not written
/// as put_number() would, everything is nothing.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}

  /// What is left.
  [[nodiscard]] std::string_view rest() const { return bytes_; }

  std::optional<std::uint64_t> number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) return {};
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      number |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) {
        if (byte == 0 && shift > 0) break;  // not the shortest
        return number;
      }
    }
    bytes_ = {};
    return {};
  }
  std::optional<std::uint64_t> fixed(std::size_t count) {
    const auto taken = text(count);
    if (!taken) return {};
    std::uint64_t number = 0;
    for (std::size_t i = count; i-- > 0;) {
      number = number << 8U | static_cast<unsigned char>((*taken)[i]);
    }
    return number;
  }
  std::optional<double> a_double() {
    const auto bits = fixed(8);
    if (!bits) return {};
    return std::bit_cast<double>(*bits);
  }
  /// A text with its length before it.
  std::optional<std::string_view> text() {
    const auto length = number();
    if (!length) return {};
    return text(*length);
  }
  std::optional<std::string_view> text(std::size_t count) {
    if (bytes_.size() < count) {
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

 private:
  std::string_view bytes_;
};

}  // namespace keyhole::studies
