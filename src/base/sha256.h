// The secure hash SHA-256 (FIPS 180-4): what names the contents of a file.

#pragma once

#include <string>
#include <string_view>

namespace keyhole::base {

// The digest of the bytes, as 64 hexadecimal digits in lower case. Pure, thread-safe.
std::string sha256(std::string_view bytes);
// That of two parts, one after the other.
std::string sha256(std::string_view first, std::string_view second);

}  // namespace keyhole::base
