// What goes over the wire, byte for byte.

#pragma once

#include <optional>
#include <string>

#include "service/request.h"

namespace keyhole::service {

/// The head of an answer whose body has that many bytes, or comes in chunks, or ends with the
/// connection.
[[nodiscard]] std::string head_text(const Response& response, bool keep_alive,
                                    std::optional<std::size_t> length, bool chunked = false);

/// A part of a body that comes in chunks; it must not be empty.
[[nodiscard]] std::string chunk_text(const std::string& part);
inline constexpr const char* last_chunk = "0\r\n\r\n";

/// Sets path and query of a request to those of a target: "/v1/studies?limit=10".
void set_target(const std::string& target, Request& request);

}  // namespace keyhole::service
