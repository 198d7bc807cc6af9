#include "studies/format/frame.h"

#include "studies/format/bytes.h"
#include "studies/format/crc32c.h"

namespace keyhole::studies {
namespace {

std::uint32_t checksum(std::uint64_t position, std::string_view head_and_content) {
  std::string place;
  put_bytes(place, position, 8);
  return crc32c(head_and_content, crc32c(place));
}

}  // namespace

std::string frame_bytes(std::uint64_t position, std::uint64_t hardened, std::string_view content) {
  std::string bytes;
  put_number(bytes, content.size());
  put_number(bytes, position - hardened);
  bytes += content;
  put_bytes(bytes, checksum(position, bytes), 4);
  return bytes;
}

std::optional<Frame> read_frame(std::string_view bytes, std::uint64_t position) {
  Taker taker(bytes);
  const auto length = taker.number();
  const auto gap = taker.number();
  if (!length || !gap || *length > longest_content || *gap > position) return {};
  const auto content = taker.text(*length);
  if (!content) return {};
  const std::size_t sealed = bytes.size() - taker.rest().size();
  const auto sum = taker.fixed(4);
  if (!sum || *sum != checksum(position, bytes.substr(0, sealed))) return {};
  return Frame{position + sealed + 4, position - *gap, *content};
}

Fault fault_at(std::string_view bytes, std::uint64_t position) {
  // Blocks that are not on the medium yet can be lost in any order, so that a whole frame behind a
  // bad one proves nothing. One that says that the medium had the bad one does.
  for (std::size_t at = 1; at < bytes.size();) {
    const auto frame = read_frame(bytes.substr(at), position + at);
    if (frame && frame->hardened > position) return Fault::damaged;
    at = frame ? frame->end - position : at + 1;
  }
  return Fault::torn;
}

}  // namespace keyhole::studies
